import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import { useThread, useUpdateThread } from './conversations.queries.ts';
import type { ThreadAction } from './thread-dialogs.tsx';
import { ThreadMenu } from './thread-menu.tsx';
import classes from './conversations.module.css';

const ThreadDialogs = later(async () => (await import('./thread-dialogs.tsx')).ThreadDialogs);

/** What the open thread is called, and what can be done with it. */
export function ThreadBar({ bot, thread: uuid, onLeave }: { bot: string; thread: string; onLeave(): void }) {
  const { t } = useTranslation('conversations');
  const { data: thread } = useThread(uuid);
  const update = useUpdateThread(bot);
  const [action, setAction] = useState<ThreadAction>();
  if (!thread) return <div className={classes['threadBar']} />;
  return (
    <div className={classes['threadBar']}>
      <Text component="h2" size="sm" fw={600} truncate flex={1} m={0}>
        <bdi>{thread.title}</bdi>
      </Text>
      <Group gap={6} wrap="nowrap">
        {thread.status === 'waiting' && (
          <Badge variant="light" color="yellow" size="sm">
            {t('waiting.badge')}
          </Badge>
        )}
        {thread.shared && (
          <Badge variant="light" color="blue" size="sm">
            {t('share.badge')}
          </Badge>
        )}
        {thread.temporary && (
          <>
            <Badge variant="light" color="gray" size="sm" title={t('temporary.hint')}>
              {t('temporary.badge')}
            </Badge>
            <Button
              size="compact-xs"
              variant="light"
              loading={update.isPending}
              onClick={() =>
                update.mutate(
                  { thread: uuid, temporary: false },
                  {
                    onSuccess: () => toast.success(t('temporary.kept')),
                    onError: (error) => toast.error(error.message),
                  },
                )
              }
            >
              {t('temporary.keep')}
            </Button>
          </>
        )}
        <ThreadMenu thread={thread} onAction={setAction} />
      </Group>
      {action && (
        <ThreadDialogs
          thread={thread}
          action={action}
          onClose={() => setAction(undefined)}
          onFail={() => setAction(undefined)}
          onRemoved={onLeave}
        />
      )}
    </div>
  );
}
