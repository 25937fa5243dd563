import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { inbox, type InboxMessage, type InboxThread } from '../../../shared/contracts/inbox.ts';
import { ApiError, call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayHere, formatLongDay } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { useKeyboardInset } from '../../ui/keyboard-inset.ts';
import { later } from '../../ui/later.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useDrop } from '../../ui/use-drop.ts';
import { useNear, useScroll } from '../../ui/use-scroll.ts';
import { useAttend } from './use-attend.ts';
import { Composer, type ComposerHandle } from './composer.tsx';
import { firstUnread, inTurns, messagesIn } from './flow.ts';
import { keepMessage, useInboxThread, useMessages, usePresence } from './inbox.queries.ts';
import { Message, type AnswerText, type RichParts } from './message.tsx';
import { useOutbox } from './outbox.ts';
import { Pending } from './pending.tsx';
import { ThreadHead, type HeadMenu } from './thread-head.tsx';
import { useDoings } from './use-doings.ts';
import { useWatch } from './use-live.ts';
import { useUploads } from './use-uploads.ts';
import { WaitingMessages } from './waiting-messages.tsx';
import classes from './inbox.module.css';

const SummaryPanel = later(async () => (await import('./assist.tsx')).SummaryPanel);

/** What the keys of the page do here. */
export interface ConversationHandle {
  write(kind: 'reply' | 'note'): void;
  open(menu: HeadMenu): void;
  carryOut(does: 'take' | 'giveBack' | 'resolve' | 'reopen'): void;
  unread(): void;
}

interface Props {
  uuid: string;
  AnswerText: AnswerText;
  rich: RichParts;
  onCitation(citation: Citation): void;
  onWhy: ((thread: string, message: string) => void) | undefined;
  onBack(): void;
  onPerson(): void;
  /** Who waits next in the list. */
  nextAfter(thread: string): string | undefined;
  onGo(thread: string): void;
  ref: Ref<ConversationHandle>;
}

/** A conversation with a visitor: its head, what was said, and where to write. */
export function Conversation(props: Props) {
  const { t } = useTranslation('inbox');
  const thread = useInboxThread(props.uuid);
  if (thread.data) return <Loaded {...props} thread={thread.data} />;
  const isGone = thread.error instanceof ApiError && thread.error.status === 404;
  return (
    <section className={classes['thread']} aria-label={t('thread.label')}>
      {thread.isError ? (
        <ErrorState
          title={t(isGone ? 'thread.gone' : 'thread.failed')}
          text={isGone ? t('thread.goneText') : errorText(thread.error)}
          retry={t(isGone ? 'thread.back' : 'common:retry')}
          onRetry={isGone ? props.onBack : () => void thread.refetch()}
        />
      ) : (
        <WaitingMessages />
      )}
    </section>
  );
}

function Loaded({
  uuid,
  thread,
  AnswerText,
  rich,
  onCitation,
  onWhy,
  onBack,
  onPerson,
  nextAfter,
  onGo,
  ref,
}: Props & { thread: InboxThread }) {
  const { t } = useTranslation('inbox');
  const client = useQueryClient();
  const user = useUser();
  const stored = useMessages(uuid);
  useWatch(uuid, stored.isSuccess);
  useAttend(uuid);
  const messages = messagesIn(stored.data?.pages ?? []);
  const outbox = useOutbox(uuid, messages, user?.uuid);
  const uploads = useUploads();
  const doings = useDoings({ nextAfter, onGo });
  const drop = useDrop(uploads.add);
  const keyboard = useKeyboardInset();
  const composer = useRef<ComposerHandle>(null);
  const [menu, setMenu] = useState<HeadMenu>();
  /** How far the conversation was when its summary was asked for. */
  const [summed, setSummed] = useState<number>();
  const [translated, setTranslated] = useState<string>();
  const [quoted, setQuoted] = useState<InboxMessage>();
  const lastCall = messages.findLast(({ happening }) => happening?.kind === 'handed-off')?.uuid;
  // Where one begins to read, as it was when the conversation was opened.
  const [unreadAtFirst] = useState(thread.unread);
  const [newFrom, setNewFrom] = useState<string | null>();
  if (newFrom === undefined && stored.isSuccess) setNewFrom(firstUnread(messages, unreadAtFirst) ?? null);
  const [seenUntil, setSeenUntil] = useState(0);
  const { box, content, isAtEnd, toEnd, handlers } = useScroll({
    first: messages[0]?.uuid,
    count: messages.length + outbox.pending.length,
    isAsking: outbox.pending.some(({ state }) => state === 'sending'),
    aim: undefined,
  });
  const older = useNear({
    box,
    isOn: stored.hasNextPage && !stored.isFetchingNextPage && !stored.isFetchNextPageError,
    mark: messages[0]?.uuid,
    onNear: () => void stored.fetchNextPage(),
  });
  const lastSeq = messages.at(-1)?.seq ?? 0;
  if (isAtEnd && seenUntil !== lastSeq) setSeenUntil(lastSeq);
  const unseen = messages.filter(({ seq, role }) => seq > seenUntil && role === 'user').length;

  const { carryOut } = doings;
  // Read is what is on a screen that somebody looks at.
  const see = useEffectEvent(() => {
    if (thread.unread > 0 && document.visibilityState === 'visible') carryOut(thread, { does: 'see' });
  });
  useEffect(() => {
    if (!isAtEnd || !stored.isSuccess) return undefined;
    see();
    document.addEventListener('visibilitychange', see);
    return () => document.removeEventListener('visibilitychange', see);
  }, [isAtEnd, stored.isSuccess, thread.unread]);

  const unread = () => {
    carryOut(thread, { does: 'unsee' });
    onBack();
  };
  useImperativeHandle(ref, () => ({
    write: (kind) => composer.current?.write(kind),
    open: setMenu,
    carryOut: (does) => carryOut(thread, { does }),
    unread,
  }));
  const retry = useCallback(
    (message: string) =>
      void call(inbox.retry, { params: { thread: uuid, message } }).then(
        ({ data }) => keepMessage(client, uuid, data),
        (error: unknown) => toast.error(errorText(error)),
      ),
    [client, uuid],
  );
  const why = useCallback((message: string) => onWhy?.(uuid, message), [onWhy, uuid]);
  const quote = useCallback((message: InboxMessage) => {
    setQuoted(message);
    composer.current?.write('reply');
  }, []);
  const latest = messages.at(-1);

  return (
    <section
      className={classes['thread']}
      aria-label={t('thread.with', { name: thread.guest.name })}
      style={keyboard > 0 ? { paddingBottom: keyboard } : undefined}
      {...drop.handlers}
    >
      <ThreadHead
        thread={thread}
        doings={doings}
        menu={menu}
        onMenu={setMenu}
        onBack={onBack}
        onPerson={onPerson}
        onUnread={unread}
        onSummary={() => setSummed(thread.lastSeq)}
      />
      {summed !== undefined && (
        <SummaryPanel
          key={summed}
          thread={uuid}
          lastSeq={summed}
          onClose={() => setSummed(undefined)}
          onFail={() => setSummed(undefined)}
        />
      )}
      <div
        className={classes['scroll']}
        ref={box}
        {...handlers}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('thread.with', { name: thread.guest.name })}
      >
        <div className={classes['messages']} ref={content}>
          {stored.isPending && <WaitingMessages />}
          {stored.isError && messages.length === 0 && (
            <ErrorState
              title={t('thread.failed')}
              text={errorText(stored.error)}
              retry={t('common:retry')}
              onRetry={() => void stored.refetch()}
            />
          )}
          {stored.hasNextPage && (
            <div ref={older} className={classes['more']}>
              <Button
                variant="subtle"
                size="xs"
                color="gray"
                loading={stored.isFetchingNextPage}
                onClick={() => void stored.fetchNextPage()}
              >
                {t('thread.older')}
              </Button>
            </div>
          )}
          {inTurns(messages, user?.timezone || undefined).map((shown) => (
            <Entry
              key={shown.message.uuid}
              day={shown.day}
              isNew={shown.message.uuid === newFrom && thread.status !== 'bot'}
            >
              <Message
                shown={shown}
                thread={thread}
                calls={thread.status === 'waiting' && shown.message.uuid === lastCall}
                user={user?.uuid}
                AnswerText={AnswerText}
                RichPreview={rich.Preview}
                isTranslated={translated === shown.message.uuid}
                onTranslate={setTranslated}
                onCitation={onCitation}
                onWhy={onWhy && why}
                onRetry={retry}
                onQuote={thread.channel === 'line' ? quote : undefined}
              />
            </Entry>
          ))}
          {outbox.pending.map((outgoing) => (
            <Pending
              key={outgoing.key}
              outgoing={outgoing}
              onRetry={() => outbox.retry(outgoing)}
              onDiscard={() => outbox.discard(outgoing.key)}
            />
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <div className={classes['toEnd']}>
          <Button size="xs" variant="default" leftSection={<IconArrowDown size={14} />} onClick={toEnd}>
            {unseen > 0 ? t('thread.newBelow', { count: unseen }) : t('thread.toEnd')}
          </Button>
        </div>
      )}
      <Presence thread={thread} user={user?.uuid} />
      <VisuallyHidden role="status">
        {latest && latest.role === 'user' && latest.uuid !== newFrom && seenUntil > 0
          ? t('message.by', { who: thread.guest.name, time: '' }) + latest.text
          : ''}
      </VisuallyHidden>
      <Composer
        rich={rich}
        ref={composer}
        thread={thread}
        uploads={uploads}
        onCitation={onCitation}
        quoted={quoted}
        onUnquote={() => setQuoted(undefined)}
        onSend={outbox.add}
      />
      {drop.isOver && (
        <div className={classes['dropHere']}>
          <IconUpload size={28} stroke={1.5} aria-hidden />
          {t('files.drop')}
        </div>
      )}
    </section>
  );
}

function Entry({ day, isNew, children }: { day: string | undefined; isNew: boolean; children: ReactNode }) {
  const { t } = useTranslation('inbox');
  return (
    <>
      {day && (
        <p className={classes['day']}>
          <span>{day === dayHere() ? t('common:today') : formatLongDay(day)}</span>
        </p>
      )}
      {isNew && (
        <p className={classes['newLine']}>
          <span>{t('thread.newMessages')}</span>
        </p>
      )}
      {children}
    </>
  );
}

/** Who else is here, and who writes. One line that keeps its height, so that nothing jumps. */
function Presence({ thread, user }: { thread: InboxThread; user: string | undefined }) {
  const { t } = useTranslation('inbox');
  const now = usePresence(thread.uuid);
  const others = now?.members.filter(({ uuid }) => uuid !== user) ?? [];
  const writing = others.filter(({ isTyping }) => isTyping);
  const text = now?.visitor.isTyping
    ? t('presence.writing', { name: thread.guest.name })
    : writing.length > 0
      ? t('presence.writing', { name: writing.map(({ name }) => name).join(t('common:comma')) })
      : others.length > 0
        ? t('presence.here', { name: others.map(({ name }) => name).join(t('common:comma')) })
        : '';
  return (
    <p className={classes['presence']} aria-live="polite" data-staff={writing.length > 0 || undefined}>
      {text}
    </p>
  );
}
