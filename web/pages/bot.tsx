import { formatDollars } from '../lib/amounts.ts';
import { ActionIcon, Box, Button, Group, Loader, Menu, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconAppWindow, IconColumns2, IconDots, IconHistory, IconMessage } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { Bot } from '../../shared/contracts/bots.ts';
import { errorText } from '../lib/error-text.ts';
import { useTranslation } from '../lib/i18n.ts';
import { creditsOf, formatAbout, usePrices } from '../features/billing/billing.queries.ts';
import { BotForm } from '../features/bots/bot-form.tsx';
import { BotHeader, stateOf } from '../features/bots/bot-header.tsx';
import { useBot, useBotKnowledges, useRestoreVersion, useUpdateBot } from '../features/bots/bots.queries.ts';
import type { Choice } from '../features/bots/compare-dialog.tsx';
import { PublishButton } from '../features/bots/publish-button.tsx';
import type { SaveState } from '../features/bots/use-draft.ts';
import { fillVariables } from '../features/bots/variables.ts';
import { Chat } from '../features/conversations/chat.tsx';
import { LazyAnswerText } from '../features/conversations/lazy-answer-text.tsx';
import { SourcePanel } from '../features/conversations/source-panel.tsx';
import { useSource } from '../features/conversations/use-source.ts';
import { dollarsFor, formatCredits } from '../features/models/costs.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { ApiError } from '../lib/api.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Drawer } from '../ui/overlays.tsx';
import { State } from '../ui/page.tsx';
import { PanelArea } from '../ui/side-panel.tsx';
import { toast } from '../ui/toast.tsx';
import { visibilityIcons } from '../ui/visibility-icons.ts';
import classes from '../features/bots/bots.module.css';

const VersionsPanel = later(async () => (await import('../features/bots/versions-panel.tsx')).VersionsPanel);
const CompareDialog = later(async () => (await import('../features/bots/compare-dialog.tsx')).CompareDialog);
const SharingDialog = later(async () => (await import('../features/explore/sharing-dialog.tsx')).SharingDialog);
/** What the dialog that shares a bot knows of other features. */
const sharing = {
  states: {
    web: later(async () => (await import('../features/web-channels/channel-state.tsx')).ChannelStateOf),
    line: later(async () => (await import('../features/line-channels/channel-state.tsx')).ChannelStateOf),
  },
  Who: SharingDialog,
};
const FirstKey = later(async () => (await import('../features/models/first-key.tsx')).FirstKey);

// Only for who has lost the way.
const BotProblem = lazy(async () => ({
  default: (await import('../features/explore/bot-problem.tsx')).BotProblem,
}));

const route = getRouteApi('/app/Bot/$id');

export default function BotPage() {
  const { id } = route.useParams();
  const bot = useBot(id);
  useTitle(bot.data?.name);
  if (bot.isError) {
    const otherwise = <RootErrorPage error={bot.error} />;
    return (
      <Suspense>
        <BotProblem bot={id} error={bot.error} otherwise={otherwise} />
      </Suspense>
    );
  }
  if (bot.isPending) {
    return (
      <Stack p="md">
        <Skeleton height={40} />
        <Skeleton height={320} />
      </Stack>
    );
  }
  return <BotEditor key={id} bot={bot.data} />;
}

function BotEditor({ bot }: { bot: Bot }) {
  const { t } = useTranslation('bots');
  const { t: say } = useTranslation('bots-editor');
  const client = useQueryClient();
  const [state, setState] = useState<SaveState>('saved');
  const { thread, chunk } = route.useSearch();
  // Whoever comes back to its conversation finds it open.
  const { data: prices } = usePrices();
  const [isPreviewOpen, preview] = useDisclosure(thread !== undefined);
  const [dialog, setDialog] = useState<'versions' | 'compare' | 'sharing'>();
  // The form begins anew with a draft that did not come from it.
  const [start, setStart] = useState({ bot, revision: 0 });
  const update = useUpdateBot(bot.uuid);
  const restore = useRestoreVersion(bot.uuid);
  const bases = useBotKnowledges();
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  const refreshPreview = useCallback(
    () => void client.invalidateQueries({ queryKey: ['bots', bot.uuid, 'shown'] }),
    [client, bot.uuid],
  );
  const shown = stateOf(bot);
  const Visibility = visibilityIcons[bot.visibility];
  const icon = { size: 16, stroke: 1.75 };
  const close = () => setDialog(undefined);
  // A base that was deleted meanwhile cannot come back with a draft that named it.
  const isThere = (uuid: string) => bases.data?.some((base) => base.uuid === uuid) ?? true;
  const begin = (from: Bot) => {
    setStart(({ revision }) => ({ bot: from, revision: revision + 1 }));
    refreshPreview();
  };

  const onReplaced = (before: Bot['draft'], after: Bot, message: string) => {
    begin(after);
    toast.undo(message, t('common:undo'), () =>
      update.mutate(
        { ...before, knowledges: before.knowledges.filter(isThere) },
        { onSuccess: begin, onError: (error) => toast.error(errorText(error)) },
      ),
    );
  };
  const take = async ({ version, service }: Choice) => {
    const before = bot.draft;
    try {
      const restored = version ? await restore.mutateAsync(version) : bot;
      const after = service ? await update.mutateAsync({ service }) : restored;
      onReplaced(before, after, say('compare.used'));
      close();
    } catch (failure) {
      if (failure instanceof ApiError) toast.error(failure.message);
    }
  };

  return (
    <>
      <BotHeader
        bot={bot}
        active="edit"
        canEdit
        state={shown}
        actions={
          <Group gap="xs" wrap="nowrap">
            <SavedMark state={state} />
            {isWide ? (
              <>
                <Button size="xs" variant="default" onClick={() => setDialog('versions')}>
                  {say('versions.button')}
                </Button>
                <Button size="xs" variant="default" onClick={() => setDialog('compare')}>
                  {say('compare.button')}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Visibility size={14} aria-hidden />}
                  onClick={() => setDialog('sharing')}
                  {...SharingDialog.reach}
                >
                  {say('sharing.button')}
                </Button>
              </>
            ) : (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="default" size={30} aria-label={t('common:moreMenu')}>
                    <IconDots size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    hiddenFrom="xs"
                    leftSection={<IconMessage {...icon} />}
                    component={Link}
                    to={`/Bot/${bot.uuid}/Chat`}
                  >
                    {t('header.chat')}
                  </Menu.Item>
                  <Menu.Item
                    hiddenFrom="xs"
                    leftSection={<IconAppWindow {...icon} />}
                    component={Link}
                    to={`/Bot/${bot.uuid}/chat_embed`}
                  >
                    {t('header.embed')}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => setDialog('versions')}>
                    {say('versions.button')}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconColumns2 {...icon} />} onClick={() => setDialog('compare')}>
                    {say('compare.button')}
                  </Menu.Item>
                  <Menu.Item leftSection={<Visibility {...icon} />} onClick={() => setDialog('sharing')}>
                    {say('sharing.button')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
            <PublishButton bot={bot} state={state} parts={sharing} />
          </Group>
        }
      />
      <PanelArea className={`${classes['editor']} ${dialog === 'versions' ? classes['alone'] : ''}`}>
        <Box className={classes['scroll'] ?? ''} data-scroller>
          <BotForm
            key={start.revision}
            bot={bot}
            start={start.bot}
            onSaved={refreshPreview}
            onState={setState}
            aside={
              <Button variant="default" onClick={preview.open}>
                {say('preview.button')}
              </Button>
            }
            costOf={(price) => formatDollars(100 * dollarsFor(price))}
            creditsOf={(service) => {
              const tokens = prices?.find(({ uuid }) => uuid === service)?.tokens;
              return tokens ? formatAbout(creditsOf(tokens)) : undefined;
            }}
            keyDialog={({ opened, onClose, onUse }) => (
              <FirstKey opened={opened} onClose={onClose} onFail={onClose} bot={{ name: bot.name, onUse }} />
            )}
          />
        </Box>
        {isWide && (
          <Box component="aside" aria-label={say('preview.label')} className={classes['aside'] ?? ''}>
            <Preview bot={bot} title={say('preview.title')} />
          </Box>
        )}
        {dialog === 'versions' && (
          <VersionsPanel bot={bot} isSaved={state === 'saved'} onClose={close} onFail={close} onRestored={onReplaced} />
        )}
      </PanelArea>
      {!isWide && (
        <Drawer
          opened={isPreviewOpen}
          onClose={preview.close}
          closeOnEscape={!chunk}
          position="right"
          size="md"
          title={say('preview.title')}
          styles={{ body: { height: 'calc(100% - 60px)', padding: 0, display: 'flex', flexDirection: 'column' } }}
        >
          <PanelArea className={classes['inDrawer']}>
            <Preview bot={bot} />
          </PanelArea>
        </Drawer>
      )}
      {dialog === 'sharing' && <SharingDialog bot={bot} onClose={close} onFail={close} />}
      {dialog === 'compare' && (
        <CompareDialog
          bot={bot}
          isSaved={state === 'saved'}
          formatCredits={formatCredits}
          renderAnswer={({ text, citations }, onOpen) => (
            <LazyAnswerText text={text} citations={citations} onOpen={onOpen} />
          )}
          onUse={(choice) => void take(choice)}
          onClose={close}
          onFail={close}
        />
      )}
    </>
  );
}

/** The draft, as a visitor would meet it; each preview is a conversation of its own, which nobody keeps. */
function Preview({ bot, title }: { bot: Bot; title?: string }) {
  const { t: say } = useTranslation('bots-editor');
  const { thread } = route.useSearch();
  const navigate = route.useNavigate();
  const source = useSource();
  const { draft } = bot;
  const fill = (text: string) => fillVariables(text, draft.variables);
  const answering = JSON.stringify({ ...draft, appearance: null });
  const [begun, setBegun] = useState(answering);
  return (
    <>
      <Group
        justify="space-between"
        px="md"
        py={8}
        style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
      >
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => void navigate({ search: {}, replace: true })}
          disabled={!thread}
        >
          {say('preview.restart')}
        </Button>
      </Group>
      {thread && begun !== answering && (
        <div role="status" className={`${classes['note']} ${classes['stale']}`}>
          <State kind="warning">{say('preview.stale')}</State>
        </div>
      )}
      <Box style={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        <Chat
          bot={{
            ...bot,
            greeting: fill(draft.greeting),
            starters: draft.starters.map(fill),
            followUps: draft.followUps.map(fill),
            appearance: draft.appearance,
            canEdit: true,
          }}
          thread={thread}
          temporary="always"
          onThread={(uuid) => {
            if (uuid === thread) return;
            setBegun(answering);
            void navigate({ search: { thread: uuid }, replace: true });
          }}
          onCitation={source.open}
          cited={source.place?.chunk}
        />
      </Box>
      <SourcePanel thread={thread} />
    </>
  );
}

function SavedMark({ state }: { state: SaveState }) {
  const { t: say } = useTranslation('bots-editor');
  return (
    <Group gap={4} wrap="nowrap" aria-live="polite">
      {state === 'saving' && <Loader size={14} />}
      {state === 'failed' && <span aria-hidden>▲</span>}
      {state === 'saved' && (
        <Box component="span" visibleFrom="sm" aria-hidden>
          ✓
        </Box>
      )}
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {say(`save.${state}`)}
      </Text>
    </Group>
  );
}
