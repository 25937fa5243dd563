import { useTranslation } from '../../lib/i18n.ts';
import { LinePreview } from './line-preview.tsx';
import classes from './rich-messages.module.css';

interface Props {
  name: string;
  lines: unknown[];
  alt?: string | undefined;
  /** Which of several cards stands first in sight. */
  card?: number | undefined;
}

/** A chat of LINE, as a friend sees it. */
export function Phone({ name, lines, alt, card }: Props) {
  const { t } = useTranslation('rich-messages');
  return (
    <div className={classes['phone']}>
      <p>{name}</p>
      <div>
        {lines.length === 0 ? (
          <small>{t('preview.empty')}</small>
        ) : (
          lines.map((line, at) => (
            <LinePreview key={at} line={line} label={alt?.trim() || t('preview.label')} card={card} />
          ))
        )}
      </div>
    </div>
  );
}
