import { Button, Loader } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { ApiError, call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { messagesIn } from './flow.ts';
import { useMessages } from './inbox.queries.ts';
import { inPlainWords, otherLanguage } from './writing.ts';
import classes from './inbox.module.css';

interface Asking<T> {
  key: readonly unknown[];
  ask(signal: AbortSignal): Promise<T>;
}

/** What a model is asked costs credits: once, as it was when somebody pressed, and again only when they press. */
function useAsked<T>(asking: Asking<T>) {
  const [{ key, ask }] = useState(asking);
  return useQuery({
    queryKey: ['inbox', 'assist', ...key],
    queryFn: ({ signal }) => ask(signal),
    retry: false,
    staleTime: Infinity,
    refetchOnReconnect: false,
  });
}

interface PanelProps {
  title: string;
  wait: string;
  query: { isFetching: boolean; error: object | null; refetch(): unknown };
  onClose(): void;
  children: ReactNode;
}

/** Trying again would not help. */
const needsModel = (error: unknown) => error instanceof ApiError && error.code === 'model-needed';

function Panel({ title, wait, query: { isFetching, error, refetch }, onClose, children }: PanelProps) {
  const { t } = useTranslation('inbox');
  const mayManage = useMay('manage');
  return (
    <section className={classes['assist']} aria-label={title} aria-busy={isFetching}>
      <header>
        <h3>{title}</h3>
        <IconButton label={t('common:close')} onClick={onClose}>
          <IconX size={15} aria-hidden />
        </IconButton>
      </header>
      {isFetching ? (
        <p className={classes['assistWait']} role="status">
          <Loader size={14} color="gray" aria-hidden /> {wait}
        </p>
      ) : error ? (
        <p className={classes['problem']} role="alert">
          <span>{errorText(error)}</span>
          {!needsModel(error) ? (
            <button type="button" onClick={() => void refetch()}>
              {t('common:retry')}
            </button>
          ) : (
            mayManage && (
              <Link to="/Token" search={{ tab: 'models' }}>
                {t('assist.addKey')}
              </Link>
            )
          )}
        </p>
      ) : (
        children
      )}
    </section>
  );
}

interface Props {
  thread: string;
  onClose(): void;
}

/** What the bot would answer now. It is never sent by itself. */
export function DraftPanel({
  thread,
  onUse,
  onCitation,
  onClose,
}: Props & { onUse(text: string): void; onCitation(citation: Citation): void }) {
  const { t } = useTranslation('inbox');
  // What happens besides makes it no other question.
  const asked = messagesIn(useMessages(thread).data?.pages ?? []).findLast(({ role }) => role === 'user');
  const draft = useAsked({
    key: ['draft', thread, asked?.seq],
    ask: async (signal) => (await call(inbox.draft, { params: { thread }, signal })).data,
  });
  return (
    <Panel title={t('assist.draft')} wait={t('assist.reading')} query={draft} onClose={onClose}>
      {draft.data?.refused ? (
        <p className={classes['hint']}>{t('assist.refused')}</p>
      ) : (
        draft.data && (
          <>
            <p className={classes['assistText']}>{inPlainWords(draft.data.text)}</p>
            {draft.data.citations.length > 0 && (
              <div className={classes['sources']} role="group" aria-label={t('message.sources')}>
                {draft.data.citations.map((citation) => (
                  <button key={citation.number} type="button" onClick={() => onCitation(citation)}>
                    <b>{citation.number}</b>
                    <span>
                      {[
                        citation.document.name,
                        ...(citation.page ? [t('message.page', { page: citation.page })] : []),
                      ].join(t('common:dot'))}
                    </span>
                  </button>
                ))}
              </div>
            )}
            <Button size="xs" variant="default" mt={8} onClick={() => onUse(inPlainWords(draft.data.text))}>
              {t('assist.use')}
            </Button>
          </>
        )
      )}
    </Panel>
  );
}

export function SummaryPanel({ thread, lastSeq, onClose }: Props & { lastSeq: number }) {
  const { t } = useTranslation('inbox');
  const summary = useAsked({
    key: ['summary', thread, lastSeq],
    ask: async (signal) => (await call(inbox.summarize, { params: { thread }, signal })).data.text,
  });
  return (
    <Panel title={t('assist.summary')} wait={t('assist.summarizing')} query={summary} onClose={onClose}>
      <p className={classes['assistText']}>{summary.data && inPlainWords(summary.data)}</p>
    </Panel>
  );
}

/** Below a message; with `onUse`, of what is being written. */
export function Translation({
  thread,
  text,
  onUse,
  onClose,
}: Props & { text: string; onUse?: (text: string) => void }) {
  const { t } = useTranslation('inbox');
  const [to] = useState(() => otherLanguage(text));
  const translation = useAsked({
    key: ['translation', to, text],
    ask: async (signal) => (await call(inbox.translate, { params: { thread }, body: { text, to }, signal })).data.text,
  });
  return (
    <Panel title={t(`translate.to.${to}`)} wait={t('translate.wait')} query={translation} onClose={onClose}>
      <p className={classes['assistText']} lang={to}>
        {translation.data && (onUse ? translation.data : inPlainWords(translation.data))}
      </p>
      {onUse && translation.data && (
        <Button size="xs" variant="default" mt={8} onClick={() => onUse(translation.data)}>
          {t('translate.use')}
        </Button>
      )}
    </Panel>
  );
}
