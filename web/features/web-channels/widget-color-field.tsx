import { useTranslation } from '../../lib/i18n.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { contrastOf, enough, inkOn } from '../../ui/contrast.ts';
import { State } from '../../ui/page.tsx';
import classes from './web-channels.module.css';

interface Props {
  label: string;
  value: string;
  /** What it stands on in the widget. */
  ground: string;
  error?: string | undefined;
  onChange(color: string): void;
}

/** A color of the widget, and how it is read there. */
export function WidgetColorField({ label, value, ground, error, onChange }: Props) {
  const { t } = useTranslation('web-channels');
  const { ink, contrast } = inkOn(value);
  const onGround = contrastOf(value, ground);
  return (
    <ColorField
      label={label}
      value={value}
      words={{ pick: t('look.pick', { label }), form: t('look.colorForm') }}
      error={error}
      onChange={onChange}
      note={
        <>
          {t(`look.ink.${ink}`, { contrast: contrast.toFixed(1) })}
          {onGround < enough.shape ? (
            <span className={classes['warning']}>
              <State kind="warning">{t('look.hardToSee', { contrast: onGround.toFixed(1) })}</State>
            </span>
          ) : (
            onGround < enough.text && ` ${t('look.notAsText', { contrast: onGround.toFixed(1) })}`
          )}
        </>
      }
    />
  );
}
