import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { Citation } from '../../shared/contracts/conversations.ts';
import { inboxViews } from '../../shared/contracts/inbox.ts';
import { LazyAnswerText, prefetchAnswerText } from '../features/conversations/lazy-answer-text.tsx';
import { useSource } from '../features/conversations/use-source.ts';
import { messagesIn } from '../features/inbox/flow.ts';
import { Inbox } from '../features/inbox/inbox.tsx';
import { prefetchInbox, useMessages } from '../features/inbox/inbox.queries.ts';
import type { RichParts } from '../features/inbox/message.tsx';
import type { Filter } from '../features/inbox/rows.ts';
import { searchOf } from '../features/inbox/thread-list.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { queryClientOf } from '../lib/query-client.ts';
import { getWorkspace, useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** It was opened from the entry before, so that the arrow back is a step back. */
    isStep?: boolean;
  }
}

const CitedPanel = later(async () => (await import('../features/conversations/source-panel.tsx')).CitedPanel);
const RichDialog = later(async () => (await import('../features/rich-messages/rich-picker.tsx')).RichDialog);
const LinePreview = later(async () => (await import('../features/rich-messages/line-preview.tsx')).LinePreview);
const rich: RichParts = {
  Preview: (props) => <LinePreview {...props} onFail={() => {}} />,
  Dialog: (props) => <RichDialog {...props} onFail={props.onClose} />,
  reach: RichDialog.reach,
};
const ReceivedPart = later(async () => (await import('../features/line-campaigns/received.tsx')).Received);
const Received = (props: { guest: string }) => <ReceivedPart {...props} onFail={() => {}} />;
const TracePanel = later(async () => (await import('../features/conversations/trace-panel.tsx')).TracePanel);

const filterOf = ({ view, q, channel, bot, tag }: Record<string, string | undefined>): Filter => ({
  view: inboxViews.find((each) => each === view) ?? 'all',
  q,
  channel,
  bot,
  tag,
});

export const prefetch = (_params: unknown, search: Record<string, string>) =>
  prefetchInbox(queryClientOf(getWorkspace()?.uuid ?? ''), filterOf(search), search['thread']);

const route = getRouteApi('/app/Friend');

export default function FriendPage() {
  const { t } = useTranslation('inbox');
  const { thread, person, ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const filter = filterOf(rest);
  const { place, open, close } = useSource();
  const mayAskWhy = useMay('edit');
  const [explained, setExplained] = useState<{ thread: string; message: string }>();
  // Reasons are of an answer of this conversation; another one has its own.
  const asked = explained?.thread === thread ? explained : undefined;
  useTitle(t('common:page.friend'));
  useEffect(() => void prefetchAnswerText(), []);
  const onCitation = useCallback(
    (citation: Citation) => {
      setExplained(undefined);
      open(citation);
    },
    [open, setExplained],
  );
  const onWhy = useCallback(
    (of: string, message: string) => {
      if (router.state.location.search.chunk) close();
      setExplained({ thread: of, message });
    },
    [router, close, setExplained],
  );
  /** Where one came from, if that is on this page; by a link there is nothing before it. */
  const stepBack = (search: typeof rest & { thread?: string }) =>
    router.state.location.state.isStep ? router.history.back() : void navigate({ search, replace: true });
  const lists = searchOf(filter);
  return (
    <Inbox
      filter={filter}
      thread={thread}
      isPersonOpen={person !== undefined}
      isBeside={place !== undefined || asked !== undefined}
      AnswerText={LazyAnswerText}
      rich={rich}
      Received={Received}
      onFilter={(changes) =>
        void navigate({
          search: { ...searchOf({ ...filter, ...changes }), ...(thread && { thread }) },
          // Each letter of a search is no step of its own.
          replace: 'q' in changes && filter.q !== undefined,
        })
      }
      onPerson={(isOpen) =>
        isOpen
          ? void navigate({ search: { ...lists, ...(thread && { thread }), person: 'true' }, state: { isStep: true } })
          : stepBack({ ...lists, ...(thread && { thread }) })
      }
      onLeave={() => stepBack(lists)}
      onGo={(to) =>
        void navigate({ search: { ...lists, thread: to }, replace: true, state: router.state.location.state })
      }
      onCitation={onCitation}
      onWhy={mayAskWhy ? onWhy : undefined}
    >
      {thread && place && <Cited thread={thread} onFail={close} />}
      {asked && (
        <TracePanel
          key={asked.message}
          thread={asked.thread}
          message={asked.message}
          onCitation={onCitation}
          onClose={() => setExplained(undefined)}
          onFail={() => setExplained(undefined)}
        />
      )}
    </Inbox>
  );
}

function Cited({ thread, onFail }: { thread: string; onFail(): void }) {
  const messages = useMessages(thread);
  return <CitedPanel messages={messagesIn(messages.data?.pages ?? [])} onFail={onFail} />;
}
