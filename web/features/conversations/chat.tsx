import { Alert, Button, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowDown, IconFileText } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownBot } from '../../../shared/contracts/bots.ts';
import type { Citation, Message } from '../../../shared/contracts/conversations.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AnswerText } from './answer-text.tsx';
import { Composer } from './composer.tsx';
import { useChat } from './conversations.queries.ts';
import classes from './conversations.module.css';

interface Props {
  bot: Pick<ShownBot, 'uuid' | 'name' | 'description' | 'avatar' | 'greeting' | 'starters'>;
  thread: string | undefined;
  onThread(thread: string): void;
  onCitation(citation: Citation): void;
}

const nearEnd = 80;

/** A conversation with a bot: what was said, what is being said, and where to write. */
export function Chat({ bot, thread, onThread, onCitation }: Props) {
  const { t } = useTranslation('conversations');
  const { messages, pending, isAnswering, send, stop, error, stored, dismiss } = useChat({ bot: bot.uuid, thread, onThread });
  const last = messages.at(-1);
  const { scroll, isAtEnd, toEnd, onScroll } = useStickToEnd(messages.length + (pending === undefined ? 0 : 1), last?.text);
  const isEmpty = messages.length === 0 && pending === undefined;

  return (
    <div className={classes['chat']}>
      <div className={classes['scroll']} ref={scroll} onScroll={onScroll} tabIndex={0} role="log" aria-label={t('chat.label', { name: bot.name })}>
        <div className={classes['column']}>
          {thread && stored.isPending ? (
            <Stack>
              <Skeleton height={40} width="50%" ml="auto" />
              <Skeleton height={120} />
            </Stack>
          ) : isEmpty ? (
            <Welcome bot={bot} onPick={send} />
          ) : (
            <Stack gap="lg">
              {stored.hasNextPage && (
                <Button variant="subtle" size="xs" loading={stored.isFetchingNextPage} onClick={() => void stored.fetchNextPage()} mx="auto">
                  {t('chat.older')}
                </Button>
              )}
              {messages.map((message) => (message.role === 'user' ? <Question key={message.uuid} text={message.text} /> : <Answer key={message.uuid} message={message} bot={bot} onCitation={onCitation} isLive={isAnswering && message === last} />))}
              {pending !== undefined && <Question text={pending} />}
            </Stack>
          )}
          {error && (
            <Alert color="red" icon={<IconAlertTriangle />} mt="md" withCloseButton onClose={dismiss} closeButtonLabel={t('chat.dismiss')}>
              {error.message}
            </Alert>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <Group justify="center" h={0} style={{ transform: 'translateY(-40px)' }}>
          <Button size="compact-sm" radius="xl" variant="default" leftSection={<IconArrowDown size={14} />} onClick={toEnd}>
            {t('chat.toEnd')}
          </Button>
        </Group>
      )}
      <Composer isAnswering={isAnswering} onSend={send} onStop={stop} autoFocus />
    </div>
  );
}

function Welcome({ bot, onPick }: { bot: Props['bot']; onPick(text: string): void }) {
  const { t } = useTranslation('conversations');
  return (
    <Stack align="center" gap="md" py="xl" ta="center">
      <Avatar id={bot.uuid} name={bot.name} url={bot.avatar?.url} size={64} />
      <Title order={2} size="h3">
        {bot.name}
      </Title>
      <Text maw={520} style={{ whiteSpace: 'pre-wrap' }}>
        {bot.greeting || t('chat.greeting')}
      </Text>
      {bot.starters.length > 0 && (
        <Group justify="center" gap="xs" role="group" aria-label={t('chat.starters')}>
          {bot.starters.map((starter) => (
            <Button key={starter} variant="default" radius="xl" onClick={() => onPick(starter)} h="auto" py={8} styles={{ label: { whiteSpace: 'normal' } }}>
              {starter}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

function Question({ text }: { text: string }) {
  const { t } = useTranslation('conversations');
  return (
    <div className={classes['question']} aria-label={t('chat.you')} role="group">
      {text}
    </div>
  );
}

interface AnswerProps {
  message: Message;
  bot: Props['bot'];
  isLive: boolean;
  onCitation(citation: Citation): void;
}

function Answer({ message, bot, isLive, onCitation }: AnswerProps) {
  const { t } = useTranslation('conversations');
  return (
    <div className={classes['answer']} role="group" aria-label={bot.name} aria-busy={isLive}>
      <Avatar id={bot.uuid} name={bot.name} url={bot.avatar?.url} size={32} />
      <div>
        {message.text === '' && isLive ? <Loader type="dots" size="sm" aria-label={t('chat.thinking')} /> : <AnswerText text={message.text} citations={message.citations} onOpen={onCitation} />}
        {!isLive && message.citations.length > 0 && (
          <div className={classes['sources']} role="group" aria-label={t('citation.sources')}>
            {message.citations.map((citation) => (
              <button type="button" key={citation.number} className={classes['source']} onClick={() => onCitation(citation)}>
                <IconFileText size={15} aria-hidden />
                <span>
                  {citation.number}. {citation.document.name}
                  {citation.page ? ` · ${t('citation.page', { page: citation.page })}` : ''}
                </span>
              </button>
            ))}
          </div>
        )}
        {message.status === 'interrupted' && !isLive && (
          <Text size="sm" c="dimmed" mt={4}>
            {t('chat.interrupted')}
          </Text>
        )}
        {message.error && (
          <Alert color="red" mt="xs" icon={<IconAlertTriangle />} p="xs">
            {message.error.message}
          </Alert>
        )}
        {!isLive && message.text !== '' && (
          <Group gap={4} mt={4}>
            <CopyButton value={message.text} label={t('chat.copy')} copiedLabel={t('chat.copied')} />
          </Group>
        )}
      </div>
    </div>
  );
}

/** Keeps the newest words in sight, unless the reader has scrolled up to read something older. */
function useStickToEnd(count: number, lastText: string | undefined) {
  const scroll = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const toEnd = () => {
    sticks.current = true;
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight });
  };
  useLayoutEffect(() => {
    if (sticks.current) toEnd();
  }, [count, lastText]);
  useEffect(() => {
    const box = scroll.current;
    if (!box) return;
    const observer = new ResizeObserver(() => sticks.current && toEnd());
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return {
    scroll,
    isAtEnd,
    toEnd,
    onScroll: () => {
      const box = scroll.current;
      if (!box) return;
      sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
      setIsAtEnd(sticks.current);
    },
  };
}
