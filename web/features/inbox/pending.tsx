import { IconAlertTriangle, IconClock, IconFile } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import type { Outgoing } from './outbox.ts';
import { Prose } from './prose.tsx';
import { Bubble } from './bubble.tsx';
import classes from './inbox.module.css';

interface Props {
  outgoing: Outgoing;
  onRetry(): void;
  onDiscard(): void;
}

/** What was sent and is not at the server yet, as far as the page knows. */
export function Pending({ outgoing: { kind, text, files, state, error }, onRetry, onDiscard }: Props) {
  const { t } = useTranslation('inbox');
  const isNote = kind === 'note';
  const end =
    state === 'failed' ? (
      <p className={classes['problem']} role="alert">
        <IconAlertTriangle size={14} aria-hidden />
        <span>{t('delivery.unsent', { reason: error ?? t('delivery.interrupted') })}</span>
        <button type="button" onClick={onRetry}>
          {t('common:retry')}
        </button>
        <button type="button" onClick={onDiscard}>
          {t('delivery.discard')}
        </button>
      </p>
    ) : (
      <div className={classes['meta']}>
        <span className={classes['delivery']}>
          <IconClock size={13} aria-hidden />
          {t('delivery.sending')}
        </span>
      </div>
    );
  if (isNote)
    return (
      <div className={classes['memo']} data-pending={state}>
        <Prose text={text} />
        {end}
      </div>
    );
  return (
    <div className={classes['message']} data-side="staff" data-pending={state}>
      <span className={classes['speaker']} />
      <div className={classes['said']}>
        {text && (
          <Bubble>
            <Prose text={text} />
          </Bubble>
        )}
        {files.map(({ uuid, name }) => (
          <p key={uuid} className={classes['sticker']}>
            <IconFile size={16} stroke={1.75} aria-hidden />
            {name}
          </p>
        ))}
        {state === 'failed' && end}
      </div>
      {state === 'sending' && end}
    </div>
  );
}
