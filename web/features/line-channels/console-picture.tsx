import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-channels.module.css';

interface Props {
  place: 'console' | 'manager';
  /** Which of a channel's tabs is open there. */
  tab?: 'basic' | 'messaging';
  /** What stands there, in order; a switch, or a value with its number. */
  rows: { label: string; value: string | boolean; number?: number }[];
}

/** A page of LINE's in a few lines: where something stands there, not how it looks. What it shows is said beside it. */
export function ConsolePicture({ place, tab, rows }: Props) {
  const { t } = useTranslation('line-channels');
  return (
    <div className={classes['picture']} aria-hidden>
      <p>
        <i />
        {t(`picture.${place}`)}
      </p>
      {tab && (
        <p data-tabs>
          {(['basic', 'messaging'] as const).map((each) => (
            <span key={each} data-open={each === tab || undefined}>
              {t(`picture.${each}`)}
            </span>
          ))}
        </p>
      )}
      <div>
        <hr />
        {rows.map(({ label, value, number }) => (
          <div key={label} data-row>
            <span>{label}</span>
            {typeof value === 'boolean' ? <em data-on={value || undefined} /> : <code>{value}</code>}
            {number !== undefined && <b>{number}</b>}
          </div>
        ))}
        <hr />
      </div>
    </div>
  );
}
