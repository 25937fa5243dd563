import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { conversations } from '../../../shared/contracts/conversations.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { AnswerText } from './answer-text.tsx';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { openQuote, Quotes } from './quotes.tsx';
import classes from './conversations.module.css';
import own from './shared-thread.module.css';

type Shared = ReplyOf<typeof conversations.shared>['data'];

/** A thread for whoever has its link: to be read, and nothing else. */
export function SharedThread({ thread, mayAsk }: { thread: Shared; mayAsk: boolean }) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const { title, bot, messages, createdAt } = thread;
  return (
    <>
      <header className={own['head']}>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
        <div>
          <h1 {...pageTitle}>
            <bdi>{title}</bdi>
          </h1>
          <p>
            <bdi>{bot.name}</bdi>
            {t('common:dot')}
            <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          </p>
        </div>
        {mayAsk && (
          <Button component={Link} to={`/Bot/${bot.uuid}/Chat`} variant="default" size="xs">
            {t('shared.own')}
          </Button>
        )}
      </header>
      <Stack gap={28}>
        {messages.map((message) =>
          message.role === 'user' ? (
            <div key={message.uuid} className={classes['asked']} role="group" aria-label={t('shared.asker')}>
              <div className={classes['question']}>{message.text}</div>
            </div>
          ) : message.role === 'system' ? (
            <Text key={message.uuid} size="sm" c="dimmed" ta="center">
              {message.text}
            </Text>
          ) : (
            <SharedAnswer key={message.uuid} message={message} bot={bot} />
          ),
        )}
      </Stack>
    </>
  );
}

function SharedAnswer({ message, bot }: { message: Shared['messages'][number]; bot: Shared['bot'] }) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const box = useRef<HTMLDivElement>(null);
  const isStaff = message.role === 'staff';
  const name = isStaff ? t('common:role.staff') : bot.name;
  return (
    <div className={classes['answer']} role="group" aria-label={name} ref={box}>
      {isStaff ? (
        <Avatar kind="person" id="staff" name={name} size={24} />
      ) : (
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={24} />
      )}
      <div>
        <p className={classes['answerName']}>
          <bdi>{name}</bdi>
        </p>
        {message.text === '' ? (
          <Text size="sm" c="dimmed">
            {t('shared.unanswered')}
          </Text>
        ) : (
          <AnswerText
            text={message.text}
            citations={message.citations}
            onOpen={({ number }) => openQuote(box.current, number)}
          />
        )}
        {message.citations.length > 0 && <Quotes citations={message.citations} />}
      </div>
    </div>
  );
}

export function SharedThreadSkeleton() {
  return (
    <>
      <div className={own['head']}>
        <Skeleton height={40} width={40} />
        <div>
          <Skeleton height={14} width="60%" mt={4} mb={10} />
          <Skeleton height={10} width="36%" />
        </div>
      </div>
      <ChatSkeleton />
    </>
  );
}

/** The link was ended, or a newer one was made, or it is mistyped; which of these is nobody's business. */
export function SharedThreadGone({ title, text }: { title: string; text: string }) {
  return (
    <Stack align="center" gap="xs" ta="center" py={72}>
      <Drawing kind="lost" />
      <h1 className={own['gone']} {...pageTitle}>
        {title}
      </h1>
      <Text size="sm" c="dimmed" maw={400} className={own['hint'] ?? ''}>
        {text}
      </Text>
    </Stack>
  );
}
