import { ActionIcon, Button, Group, Skeleton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { BotHeader, stateOf } from '../features/bots/bot-header.tsx';
import { Chat } from '../features/conversations/chat.tsx';
import { ChatMenu } from '../features/conversations/chat-menu.tsx';
import { ChatSkeleton } from '../features/conversations/chat-skeleton.tsx';
import { prefetchChat, useMessages, useShownBot } from '../features/conversations/conversations.queries.ts';
import classes from '../features/conversations/conversations.module.css';
import { SourcePanel } from '../features/conversations/source-panel.tsx';
import { ThreadBar } from '../features/conversations/thread-bar.tsx';
import { ThreadList } from '../features/conversations/thread-list.tsx';
import { useSource } from '../features/conversations/use-source.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { queryClientOf } from '../lib/query-client.ts';
import { getWorkspace } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Drawer } from '../ui/overlays.tsx';
import { Segments } from '../ui/segments.tsx';
import { PanelArea } from '../ui/side-panel.tsx';

export const prefetch = ({ id }: { id: string }, { thread }: { thread?: string }) =>
  prefetchChat(queryClientOf(getWorkspace()?.uuid ?? ''), id, thread);

// Only for who has lost the way.
const BotProblem = lazy(async () => ({
  default: (await import('../features/explore/bot-problem.tsx')).BotProblem,
}));

const PublishDialog = later(async () => (await import('../features/bots/publish-dialog.tsx')).PublishDialog);

/** What the dialog that shares a bot knows of other features. */
const sharing = {
  states: {
    web: later(async () => (await import('../features/web-channels/channel-state.tsx')).ChannelStateOf),
    line: later(async () => (await import('../features/line-channels/channel-state.tsx')).ChannelStateOf),
  },
  Who: later(async () => (await import('../features/explore/sharing-dialog.tsx')).SharingDialog),
};

const route = getRouteApi('/app/Bot/$id/Chat');

export default function BotChatPage() {
  const { t } = useTranslation('conversations', 'bots');
  const { id } = route.useParams();
  const { thread } = route.useSearch();
  const navigate = route.useNavigate();
  const bot = useShownBot(id);
  // The conversation shows them; asked for here, they come together with the bot instead of after it.
  useMessages(thread);
  const source = useSource();
  const [isListOpen, list] = useDisclosure();
  const [isPublishing, publish] = useDisclosure();
  const [isDraft, setIsDraft] = useState(true);
  // A question that was written elsewhere is asked once, and not again after a reload.
  const [toAsk] = useState(useLocation({ select: ({ state }) => state.ask }));
  useEffect(() => {
    if (toAsk) void navigate({ search: (search) => search, state: {}, replace: true });
  }, [toAsk, navigate]);
  useTitle(bot.data?.name);
  const pick = useCallback(
    (next: string | undefined) => void navigate({ search: next ? { thread: next } : {} }),
    [navigate],
  );
  const onThread = useCallback(
    (next: string) => void navigate({ search: { thread: next }, replace: true }),
    [navigate],
  );

  useHotkeys([
    ['n', () => pick(undefined)],
    ['c', () => document.querySelector<HTMLElement>('[data-composer]')?.focus()],
  ]);

  if (bot.isError || bot.data?.own === false) {
    const otherwise = <RootErrorPage error={bot.error} />;
    return (
      <Suspense>
        <BotProblem bot={id} error={bot.error} otherwise={otherwise} />
      </Suspense>
    );
  }
  if (bot.isPending) {
    return (
      <div role="status" aria-label={t('common:loading')}>
        <div className={classes['waitingBar']}>
          <Skeleton height={28} width={28} />
          <Skeleton height={12} width={160} />
        </div>
        <ChatSkeleton />
      </div>
    );
  }
  const onDraft = (next: boolean) => {
    setIsDraft(next);
    pick(undefined);
  };
  const threads = (
    <ThreadList
      bot={id}
      active={thread}
      onPick={(next) => {
        list.close();
        pick(next);
      }}
    />
  );
  return (
    <>
      <BotHeader
        bot={bot.data}
        active="chat"
        canEdit={bot.data.canEdit}
        {...(bot.data.canEdit && {
          state: {
            ...stateOf(bot.data),
            ...(bot.data.published &&
              bot.data.changed && {
                label: isDraft
                  ? t('answering.draftAnswers')
                  : t('answering.versionAnswers', { number: bot.data.published.number }),
              }),
          },
        })}
        actions={
          <>
            <Group gap="xs" wrap="nowrap" visibleFrom="sm">
              {bot.data.published && bot.data.changed && (
                <Segments
                  label={t('answering.label')}
                  value={isDraft ? 'draft' : 'published'}
                  onChange={(value) => onDraft(value === 'draft')}
                  options={[
                    { value: 'draft', label: t('answering.draft') },
                    { value: 'published', label: t('answering.published', { number: bot.data.published.number }) },
                  ]}
                />
              )}
              {bot.data.canEdit && (!bot.data.published || bot.data.changed) && (
                <Button variant="default" size="xs" onClick={publish.open} {...PublishDialog.reach}>
                  {t('bots:publish.button')}
                </Button>
              )}
            </Group>
            <Group gap={0} wrap="nowrap" hiddenFrom="sm" me={-8}>
              <ActionIcon variant="subtle" color="gray" size={44} onClick={list.open} aria-label={t('threads.label')}>
                <IconHistory size={18} />
              </ActionIcon>
              <ChatMenu
                bot={bot.data}
                thread={thread}
                isDraft={isDraft}
                onDraft={onDraft}
                onPublish={publish.open}
                onLeave={() => pick(undefined)}
              />
            </Group>
          </>
        }
      />
      <PanelArea className={classes['layout']}>
        <div className={classes['threads']}>{threads}</div>
        <div className={classes['main']}>
          {thread && <ThreadBar key={thread} bot={id} thread={thread} onLeave={() => pick(undefined)} />}
          <Chat
            bot={bot.data}
            thread={thread}
            onThread={onThread}
            onCitation={source.open}
            cited={source.place?.chunk}
            temporary="offered"
            autoFocus
            toAsk={toAsk}
            {...(!isDraft && bot.data.published && { preview: { version: bot.data.published.uuid } })}
          />
        </div>
        <SourcePanel thread={thread} />
      </PanelArea>
      <Drawer opened={isListOpen} onClose={list.close} size="xs" title={t('threads.label')}>
        {threads}
      </Drawer>
      {isPublishing && (
        <PublishDialog bot={bot.data} state="saved" parts={sharing} onClose={publish.close} onFail={publish.close} />
      )}
    </>
  );
}
