import { Box, Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { State } from '../../ui/page.tsx';
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
  const client = useQueryClient();
  // The browser's own print has only what is on the screen.
  const print = async () => {
    try {
      await (await import('./thread-actions.tsx')).printThread(client, { uuid });
    } catch {
      window.print();
    }
  };
  useHotkeys([['mod+P', () => void print()]], [], true);
  const hasState = thread?.temporary || thread?.status === 'waiting';
  if (!thread) return <div className={classes['threadBar']} data-plain />;
  return (
    <div className={classes['threadBar']} data-plain={!hasState || undefined}>
      <Text component="h2" size="sm" fw={600} truncate flex={1} m={0} visibleFrom="sm">
        <bdi>{thread.title}</bdi>
      </Text>
      <Group gap={12} wrap="nowrap" className={classes['threadState'] ?? ''}>
        {thread.status === 'waiting' && <State kind="failed">{t('waiting.badge')}</State>}
        {thread.shared && <State kind="live">{t('share.badge')}</State>}
        {thread.temporary && (
          <>
            <span title={t('temporary.hint')}>
              <State kind="draft">{t('temporary.switch')}</State>
            </span>
            <Button
              size="xs"
              variant="default"
              loading={update.isPending}
              onClick={() =>
                update.mutate(
                  { thread: uuid, temporary: false },
                  {
                    onSuccess: () => toast.success(t('temporary.kept')),
                    onError: (error) => toast.error(errorText(error)),
                  },
                )
              }
            >
              {t('temporary.keep')}
            </Button>
          </>
        )}
        <Box visibleFrom="sm">
          <ThreadMenu thread={thread} isShown onAction={setAction} />
        </Box>
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
