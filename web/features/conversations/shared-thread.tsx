import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { conversations, Citation } from '../../../shared/contracts/conversations.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { AnswerText } from './answer-text.tsx';
import classes from './conversations.module.css';
import own from './shared-thread.module.css';

type Shared = ReplyOf<typeof conversations.shared>['data'];

/** A thread for whoever has its link: to be read, and nothing else. */
export function SharedThread({ thread, mayAsk }: { thread: Shared; mayAsk: boolean }) {
  const { t } = useTranslation('conversations');
  const { title, bot, messages, createdAt } = thread;
  return (
    <Stack gap="lg">
      <header className={own['sharedHead']}>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={48} />
        <div>
          <Title order={1} size="h3" {...pageTitle}>
            <bdi>{title}</bdi>
          </Title>
          <Text size="sm" c="dimmed">
            {t('shared.with', { name: bot.name, date: formatMoment(createdAt) })}
          </Text>
          {mayAsk && (
            <Anchor component={Link} to={`/Bot/${bot.uuid}/Chat`} size="sm">
              {t('shared.own')}
            </Anchor>
          )}
        </div>
      </header>
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
          <div
            key={message.uuid}
            className={classes['answer']}
            role="group"
            aria-label={message.role === 'staff' ? t('chat.staff') : bot.name}
          >
            {message.role === 'staff' ? (
              <Avatar kind="person" id="staff" name={t('chat.staff')} size={24} />
            ) : (
              <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={24} />
            )}
            <div>
              <p className={classes['answerName']}>
                <bdi>{message.role === 'staff' ? t('chat.staff') : bot.name}</bdi>
              </p>
              {message.text === '' ? (
                <Text size="sm" c="dimmed">
                  {t('shared.unanswered')}
                </Text>
              ) : (
                <AnswerText text={message.text} citations={message.citations} />
              )}
              {message.citations.length > 0 && <Quotes citations={message.citations} />}
            </div>
          </div>
        ),
      )}
      <Text size="xs" c="dimmed">
        {t('shared.note')}
      </Text>
    </Stack>
  );
}

function Quotes({ citations }: { citations: Citation[] }) {
  const { t } = useTranslation('conversations');
  return (
    <ul className={own['quotes']} aria-label={t('citation.sources')}>
      {citations.map((citation) => (
        <li key={citation.number}>
          <IconFileText size={15} aria-hidden />
          <span>
            {citation.number}. {citation.document.name}
            {citation.page ? ` · ${t('citation.page', { page: citation.page })}` : ''}
            <small>{toExcerpt(citation.quote)}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function SharedThreadSkeleton() {
  return (
    <Stack>
      <Skeleton height={48} />
      <Skeleton height={40} width="50%" ml="auto" />
      <Skeleton height={160} />
    </Stack>
  );
}
