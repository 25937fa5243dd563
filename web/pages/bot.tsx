import { Box, Button, Drawer, Group, Loader, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconCloudOff, IconPlayerPlay } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../shared/contracts/bots.ts';
import type { Citation } from '../../shared/contracts/conversations.ts';
import { BotForm } from '../features/bots/bot-form.tsx';
import { BotHeader } from '../features/bots/bot-header.tsx';
import { useBot } from '../features/bots/bots.queries.ts';
import { PublishButton } from '../features/bots/publish-button.tsx';
import { Chat } from '../features/conversations/chat.tsx';
import { SourcePanel } from '../features/conversations/source-panel.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/guarded/default/Bot/$id');

export default function BotPage() {
  const { id } = route.useParams();
  const bot = useBot(id);
  useTitle(bot.data?.name);
  if (bot.isError) return <RootErrorPage error={bot.error} />;
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
  const client = useQueryClient();
  const [state, setState] = useState<'saved' | 'saving' | 'failed'>('saved');
  const [isPreviewOpen, preview] = useDisclosure();
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  const refreshPreview = useCallback(() => void client.invalidateQueries({ queryKey: ['bots', bot.uuid, 'shown'] }), [client, bot.uuid]);
  const badge = bot.published ? (bot.changed ? { text: t('state.changed'), color: 'yellow.9' } : { text: t('state.published'), color: 'green' }) : { text: t('state.draft'), color: 'gray' };

  return (
    <>
      <BotHeader
        bot={bot}
        active="edit"
        canEdit
        badge={badge}
        actions={
          <Group gap="xs" wrap="nowrap">
            <SaveState state={state} />
            {!isWide && (
              <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={14} />} onClick={preview.open}>
                {t('preview.button')}
              </Button>
            )}
            <PublishButton bot={bot} disabled={state !== 'saved'} />
          </Group>
        }
      />
      <Box style={{ display: 'grid', gridTemplateColumns: isWide ? 'minmax(0, 1fr) 420px' : 'minmax(0, 1fr)', flex: 1, minHeight: 0 }}>
        <Box style={{ overflowY: 'auto', minHeight: 0 }}>
          <BotForm bot={bot} onSaved={refreshPreview} onState={setState} />
        </Box>
        {isWide && (
          <Box component="aside" aria-label={t('preview.label')} style={{ borderInlineStart: '1px solid var(--mantine-color-default-border)', minHeight: 0, display: 'flex', flexDirection: 'column' }}>
            <Preview bot={bot} />
          </Box>
        )}
      </Box>
      {!isWide && (
        <Drawer opened={isPreviewOpen} onClose={preview.close} position="right" size="md" title={t('preview.label')} styles={{ body: { height: 'calc(100% - 60px)', padding: 0, display: 'flex', flexDirection: 'column' } }}>
          <Preview bot={bot} />
        </Drawer>
      )}
    </>
  );
}

/** The draft, as a visitor would meet it; each preview is a conversation of its own. */
function Preview({ bot }: { bot: Bot }) {
  const { t } = useTranslation('bots');
  const [thread, setThread] = useState<string>();
  const [citation, setCitation] = useState<Citation>();
  return (
    <>
      <Group justify="space-between" px="md" py={8} style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
        <Text size="sm" fw={600}>
          {t('preview.title')}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => setThread(undefined)} disabled={!thread}>
          {t('preview.restart')}
        </Button>
      </Group>
      <Box style={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}>
        <Chat bot={{ ...bot, greeting: bot.draft.greeting, starters: bot.draft.starters }} thread={thread} onThread={setThread} onCitation={setCitation} />
      </Box>
      <SourcePanel citation={citation} onClose={() => setCitation(undefined)} />
    </>
  );
}

function SaveState({ state }: { state: 'saved' | 'saving' | 'failed' }) {
  const { t } = useTranslation('bots');
  return (
    <Group gap={4} wrap="nowrap" aria-live="polite">
      {state === 'saving' && <Loader size={14} />}
      {state === 'saved' && <IconCheck size={16} color="var(--mantine-color-green-6)" aria-hidden />}
      {state === 'failed' && <IconCloudOff size={16} color="var(--mantine-color-red-6)" aria-hidden />}
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {t(`save.${state}`)}
      </Text>
      <VisuallyHidden>{t(`save.${state}`)}</VisuallyHidden>
    </Group>
  );
}
