import type { Document } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';
import classes from './knowledge.module.css';
import { isBusy } from './knowledge.queries.ts';

const kinds: Record<Document['status'], StateKind> = {
  queued: 'draft',
  parsing: 'working',
  chunking: 'working',
  embedding: 'working',
  indexed: 'live',
  'indexed-with-warnings': 'warning',
  failed: 'failed',
  canceled: 'off',
};

const shownPlaces = 20;

/** What of a document cannot be found, in sentences. */
export function useWarnings(): (document: Document) => string[] {
  const { t } = useTranslation('knowledge');
  return ({ warnings }) =>
    warnings.map(({ kind, count, places }) => {
      const shown = places.slice(0, shownPlaces).join(t('common:comma'));
      return t(`warning.${kind}`, { count, places: places.length > shownPlaces ? `${shown}…` : shown });
    });
}

/** Where a document stands: how far it is, or in a few words what is wrong with it; all of that under the pointer. */
export function DocumentState({ document, withBar = false }: { document: Document; withBar?: boolean }) {
  const { t } = useTranslation('knowledge');
  const { status, error, enabled } = document;
  const warnings = useWarnings()(document);
  const percent = Math.round(document.progress * 100);
  const isWorking = isBusy(document) && status !== 'queued';
  const isOff = !enabled && !error && !isBusy(document);
  const word = isWorking
    ? t('status.percent', { state: t(`status.${status}`), percent })
    : isOff
      ? t('status.disabled')
      : error
        ? t(`reason.${error.code}`)
        : t(`status.${status}`);
  return (
    <span className={classes['stateBox']} title={error?.message ?? (warnings.join('\n') || undefined)}>
      <State kind={isOff ? 'off' : error ? 'failed' : kinds[status]} {...(isWorking && { done: percent })}>
        <span className={classes['stateWord']}>{word}</span>
      </State>
      {withBar && isWorking && (
        <span
          className={classes['bar']}
          role="progressbar"
          aria-label={t('status.label', { name: document.name })}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ width: `${Math.max(3, percent)}%` }} />
        </span>
      )}
    </span>
  );
}
