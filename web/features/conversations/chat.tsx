import { Alert, Box, Button, Group, Loader, Stack, Switch, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconArrowDown, IconUpload, IconWifiOff } from '@tabler/icons-react';
import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ShownBot } from '../../../shared/contracts/bots.ts';
import type { Citation, Message } from '../../../shared/contracts/conversations.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatDuration } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useKeyboardInset } from '../../ui/keyboard-inset.ts';
import { later } from '../../ui/later.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useDrop } from '../../ui/use-drop.ts';
import { useNear, useScroll } from '../../ui/use-scroll.ts';
import { ActiveSource } from './active-source.ts';
import { Answer } from './answer.tsx';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { Composer } from './composer.tsx';
import { useThread, useUpdateThread } from './conversations.queries.ts';
import { prefetchAnswerText } from './lazy-answer-text.tsx';
import { printing } from './printing.ts';
import { PendingQuestion, Question } from './question.tsx';
import { Suggestions } from './suggestions.tsx';
import { useAttachments } from './use-attachments.ts';
import { useChat, type Preview } from './use-chat.ts';
import { useDraft } from './use-draft.ts';
import classes from './conversations.module.css';

const SettingsLink = later(async () => (await import('./settings-link.tsx')).SettingsLink);
const TracePanel = later(async () => (await import('./trace-panel.tsx')).TracePanel);

type CoreBot = Pick<ShownBot, 'uuid' | 'name' | 'description' | 'avatar' | 'mark' | 'greeting' | 'starters'>;

interface Props {
  bot: CoreBot & Partial<Pick<ShownBot, 'followUps' | 'appearance' | 'takesImages' | 'canEdit'>>;
  thread: string | undefined;
  onThread(thread: string): void;
  onCitation(citation: Citation): void;
  /** The chunk that the address names: who comes by it sees the answer that cites it. */
  cited?: string | undefined;
  /** Whether a new thread may be one that is not kept; `always` makes every new one so. */
  temporary?: 'offered' | 'always';
  preview?: Preview;
  autoFocus?: boolean;
  /** Asked at once, where the question was written elsewhere. */
  toAsk?: string | undefined;
}

/** A conversation with a bot: what was said, what is being said, and where to write. */
export function Chat({
  bot,
  thread,
  onThread,
  onCitation,
  cited,
  temporary,
  preview,
  autoFocus = false,
  toAsk,
}: Props) {
  const { t } = useTranslation('conversations');
  const [isTemporary, setIsTemporary] = useState(false);
  const [editing, setEditing] = useState<string>();
  const [asked, setExplained] = useState<{ thread: string | undefined; message: string }>();
  // Reasons are of an answer of this conversation; another one has its own.
  const explained = asked?.thread === thread ? asked?.message : undefined;
  // What is opened from here on is in sight already.
  const [cameFor] = useState({ thread, cited });
  const chat = useChat({
    bot: bot.uuid,
    thread,
    onThread,
    temporary: temporary === 'always' || (temporary === 'offered' && isTemporary),
    preview,
  });
  const {
    messages,
    live,
    isAnswering,
    problem,
    stored,
    send,
    regenerate,
    edit,
    continueAnswer,
    show,
    stop,
    retry,
    dismiss,
  } = chat;
  const [text, setText] = useDraft({ bot: bot.uuid, thread, isNaming: isAnswering });
  const willHaveAnswers = thread !== undefined || text !== '';
  useEffect(() => {
    if (willHaveAnswers) prefetchAnswerText();
  }, [willHaveAnswers]);
  const attachments = useAttachments(bot.takesImages ?? true);
  const { data: about } = useThread(thread);
  const isWaiting = about?.status === 'waiting';
  const onPaper = printing.use();
  const last = messages.at(-1);
  const { shown, isWhole } = useNewestFirst(messages);
  const { box, content, isAtEnd, toEnd, handlers } = useScroll({
    first: shown[0]?.uuid,
    count: shown.length,
    isAsking: live.phase === 'sent',
    aim:
      cameFor.cited && cameFor.thread === thread
        ? messages.findLast(({ citations }) => citations.some(({ embedding }) => embedding === cameFor.cited))?.uuid
        : undefined,
  });
  const older = useNear({
    box,
    isOn: isWhole && stored.hasNextPage && !stored.isFetchingNextPage,
    mark: messages[0]?.uuid,
    onNear: () => void stored.fetchNextPage(),
  });
  const keyboard = useKeyboardInset();
  const followUps = (bot.followUps ?? []).filter((each) => !messages.some(({ text }) => text === each));
  const isEmpty = messages.length === 0 && !live.asked && !isAnswering;
  const isLoading = thread !== undefined && stored.isPending && live.phase === 'idle';
  const drop = useDrop(attachments.add);

  const explain = useCallback((message: string) => setExplained({ thread, message }), [thread]);
  const ask = useCallback((question: string) => send({ text: question, files: [] }), [send]);
  const hasAsked = useRef(false);
  const askFirst = useEffectEvent(() => {
    if (toAsk && !hasAsked.current) ask(toAsk);
    hasAsked.current = true;
  });
  useEffect(() => void askFirst(), []);
  const sendDraft = () => {
    send({ text: text.trim(), files: attachments.uploads.flatMap(({ attachment }) => attachment ?? []) });
    setText('');
    attachments.restore([]);
  };
  /** What could not be sent goes back to where it was written. */
  const takeBack = () => {
    if (live.asked && text === '') {
      setText(live.asked.text);
      attachments.restore(live.asked.files);
    }
    dismiss();
  };
  const editLast = () => setEditing(messages.findLast(({ role }) => role === 'user')?.uuid);
  const onShow = useCallback((message: string) => void show(message), [show]);

  return (
    <div className={classes['chat']} style={keyboard > 0 ? { paddingBottom: keyboard } : undefined} {...drop.handlers}>
      <div
        className={classes['scroll']}
        ref={box}
        {...handlers}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={t('chat.label', { name: bot.name })}
      >
        <div className={classes['column']} ref={content}>
          {onPaper && about && <onPaper.Head bot={bot.name} title={about.title} createdAt={about.createdAt} />}
          {isLoading && (
            <div role="status" aria-label={t('common:loading')}>
              <ChatSkeleton />
            </div>
          )}
          {stored.isError && messages.length === 0 && (
            <ErrorState
              title={t('chat.failed')}
              text={errorText(stored.error)}
              retry={t('common:retry')}
              onRetry={() => void stored.refetch()}
            />
          )}
          {isEmpty && !isLoading && !stored.isError && (
            <Welcome
              bot={bot}
              onPick={ask}
              {...(temporary === 'offered' && { isTemporary, onTemporary: setIsTemporary })}
            />
          )}
          {!isEmpty && (
            <ActiveSource value={cited}>
              <Stack gap="lg">
                {isWhole && stored.hasNextPage && (
                  <Group justify="center" ref={older}>
                    <Button
                      variant="subtle"
                      size="xs"
                      loading={stored.isFetchingNextPage}
                      onClick={() => void stored.fetchNextPage()}
                    >
                      {t('chat.older')}
                    </Button>
                  </Group>
                )}
                {shown.map((message) =>
                  message.role === 'user' ? (
                    <Question
                      key={message.uuid}
                      message={message}
                      isBusy={isAnswering}
                      isEditing={editing === message.uuid}
                      onEditing={setEditing}
                      onEdit={edit}
                      onShow={onShow}
                    />
                  ) : message.role === 'system' ? (
                    <Text key={message.uuid} size="sm" c="dimmed" ta="center">
                      {message.text}
                    </Text>
                  ) : (
                    <Answer
                      key={message.uuid}
                      message={message}
                      thread={thread}
                      bot={bot}
                      isLive={isAnswering && message.uuid === live.answer?.uuid && message.status === 'streaming'}
                      isBusy={isAnswering}
                      isLast={message === last}
                      showCitations={bot.appearance?.showCitations ?? true}
                      onCitation={onCitation}
                      onRegenerate={regenerate}
                      onContinue={continueAnswer}
                      onShow={onShow}
                      onWhy={bot.canEdit && thread ? explain : undefined}
                      onAsk={ask}
                    />
                  ),
                )}
                {live.asked && <PendingQuestion asked={live.asked} />}
                {isAnswering && !live.answer && (
                  <div className={classes['answer']}>
                    <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={24} />
                    <Loader type="dots" size="sm" aria-label={t('chat.thinking')} />
                  </div>
                )}
                {!isAnswering &&
                  !isWaiting &&
                  last?.role === 'assistant' &&
                  last.status === 'done' &&
                  followUps.length > 0 && (
                    <Suggestions label={t('chat.followUps')} texts={followUps} isIndented onPick={ask} />
                  )}
              </Stack>
            </ActiveSource>
          )}
          {live.phase === 'away' && (
            <Alert color="yellow" icon={<IconWifiOff />} mt="md" role="status">
              {t('chat.away')}
            </Alert>
          )}
          {live.failure && (
            <Problem
              text={live.failure.message}
              code={live.failure.code}
              waitSeconds={live.failure.retryAfterSeconds}
              failure={live.failure}
              onRetry={retry}
              onClose={takeBack}
            />
          )}
          {live.failure && messages.length === 0 && bot.starters.length > 0 && (
            <Box mt="md">
              <Suggestions label={t('chat.starters')} texts={bot.starters} onPick={ask} />
            </Box>
          )}
          {problem && (
            <Problem text={problem.message} {...(isAnswering && { onRetry: stop })} onClose={chat.forgetProblem} />
          )}
        </div>
      </div>
      {!isAtEnd && (
        <div className={classes['toEnd']} data-hidden-under-sheet>
          <Button
            size="compact-sm"
            radius="xl"
            variant="default"
            leftSection={<IconArrowDown size={14} />}
            onClick={toEnd}
          >
            {t('chat.toEnd')}
          </Button>
        </div>
      )}
      <VisuallyHidden role="status">
        {isAnswering
          ? t('chat.thinking')
          : last?.role === 'assistant' && last.status === 'done' && live.phase === 'idle'
            ? t('chat.ready')
            : ''}
      </VisuallyHidden>
      {isWaiting && thread && <Waiting bot={bot.uuid} thread={thread} />}
      <Composer
        text={text}
        attachments={attachments}
        takesImages={bot.takesImages ?? true}
        placeholder={bot.appearance?.placeholder || t('composer.placeholder')}
        isAnswering={isAnswering}
        isStopping={chat.isStopping}
        onText={setText}
        onSend={sendDraft}
        onStop={stop}
        onEditLast={editLast}
        {...(autoFocus && { focusOn: thread ?? '' })}
      />
      {drop.isOver && (
        <div className={classes['dropHere']} aria-hidden>
          <IconUpload size={28} />
          {t('attach.drop')}
        </div>
      )}
      {explained && thread && (
        <TracePanel
          thread={thread}
          message={explained}
          onClose={() => setExplained(undefined)}
          onFail={() => setExplained(undefined)}
          onCitation={(citation) => {
            // A source takes its place.
            setExplained(undefined);
            onCitation(citation);
          }}
        />
      )}
    </div>
  );
}

/** The bot is silent here until somebody lets it speak again. */
function Waiting({ bot, thread }: { bot: string; thread: string }) {
  const { t } = useTranslation('conversations');
  const update = useUpdateThread(bot);
  return (
    <Group className={classes['waiting']} justify="space-between" gap="xs" role="status">
      <Text size="sm" flex="1 1 200px">
        {problemOf(update.error) ?? t('waiting.text')}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={update.isPending}
        onClick={() => update.mutate({ thread, status: 'bot' })}
      >
        {t('waiting.resume')}
      </Button>
    </Group>
  );
}

interface ProblemProps {
  text: string;
  code?: string;
  /** How long the server wants not to be asked. */
  waitSeconds?: number | undefined;
  /** What is told: another one is waited for anew. */
  failure?: object;
  onRetry?: () => void;
  onClose(): void;
}

function Problem({ text, code, waitSeconds = 0, failure, onRetry, onClose }: ProblemProps) {
  const { t } = useTranslation('conversations');
  const left = useCountdown(waitSeconds, failure);
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      mt="md"
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t('common:close')}
      role="alert"
    >
      <Group gap="sm" justify="space-between">
        <Text size="sm" flex="1 1 200px">
          {code === 'too-many-requests' ? t('chat.tooMany') : text} <SettingsLink code={code} onFail={() => {}} />
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry} disabled={left > 0}>
            {left > 0 ? t('chat.retryIn', { time: formatDuration(left) }) : t('common:retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Whole seconds until none is left, counted anew for each thing that is waited for. */
function useCountdown(seconds: number, of: object | undefined): number {
  const [counted, setCounted] = useState({ of, left: seconds });
  useEffect(() => {
    if (seconds === 0) return undefined;
    const until = Date.now() + seconds * 1000;
    const count = () => setCounted({ of, left: Math.max(0, Math.ceil((until - Date.now()) / 1000)) });
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [seconds, of]);
  return counted.of === of ? counted.left : seconds;
}

interface WelcomeProps {
  bot: CoreBot;
  onPick(text: string): void;
  isTemporary?: boolean;
  onTemporary?: (isTemporary: boolean) => void;
}

function Welcome({ bot, onPick, isTemporary, onTemporary }: WelcomeProps) {
  const { t } = useTranslation('conversations');
  return (
    <Stack align="center" gap="md" py="xl" ta="center">
      <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={64} />
      <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
        {bot.name}
      </Title>
      <Text className={classes['greeting'] ?? ''}>{bot.greeting || t('chat.greeting')}</Text>
      {bot.starters.length > 0 && (
        <Suggestions label={t('chat.starters')} texts={bot.starters} onPick={onPick} isCentered />
      )}
      {onTemporary && (
        <Switch
          mt="md"
          size="sm"
          label={t('temporary.switch')}
          description={t('temporary.hint')}
          checked={isTemporary ?? false}
          onChange={(event) => onTemporary(event.currentTarget.checked)}
          styles={{ body: { textAlign: 'start', justifyContent: 'center' } }}
        />
      )}
    </Stack>
  );
}

/** As many as fill a screen. */
const newestCount = 6;
const restMs = 300;

/** What is in sight is drawn before what is above it: of a conversation that was just opened only its end, and the rest when that stands. */
function useNewestFirst(messages: Message[]): { shown: Message[]; isWhole: boolean } {
  const [isWhole, setIsWhole] = useState(false);
  const hasSome = messages.length > 0;
  useEffect(() => {
    if (!hasSome) return undefined;
    const later = setTimeout(() => startTransition(() => setIsWhole(true)), restMs);
    return () => {
      clearTimeout(later);
      setIsWhole(false);
    };
  }, [hasSome]);
  return { shown: isWhole ? messages : messages.slice(-newestCount), isWhole };
}
