import { useTranslation } from '../../lib/i18n.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { contrastOf, enough } from '../../ui/contrast.ts';
import { State } from '../../ui/page.tsx';

/** Those of the templates: white is read on each. */
const presets = [
  ['green', '#0a6b3d'],
  ['teal', '#0b7285'],
  ['blue', '#1d5fd1'],
  ['purple', '#5b3bb0'],
  ['red', '#b42318'],
  ['amber', '#a15c00'],
  ['ink', '#1f2733'],
] as const;

interface Props {
  label: string;
  value: string;
  error: string | undefined;
  onChange(color: string): void;
}

/** The one color of a message, on which LINE writes in white. */
export function LookColor({ label, value, error, onChange }: Props) {
  const { t } = useTranslation('rich-messages');
  const contrast = contrastOf(value, '#ffffff');
  const shown = { contrast: contrast.toFixed(1) };
  return (
    <ColorField
      label={label}
      value={value}
      words={{ pick: t('color.pick', { label }), form: t('color.form') }}
      presets={presets.map(([name, color]) => ({ color, name: t(`color.names.${name}`) }))}
      note={contrast < enough.text ? <State kind="warning">{t('color.weak', shown)}</State> : t('color.good', shown)}
      error={error}
      onChange={onChange}
    />
  );
}
