import { ActionIcon, Menu, Skeleton, Stack } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BotHeader, stateOf } from '../features/bots/bot-header.tsx';
import { useBot } from '../features/bots/bots.queries.ts';
import { EmbedFrame } from '../features/bots/embed-frame.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/app/Bot/$id/chat_embed');

/** What visitors see of a bot. Opened by its address and not by a tab, it is that page itself. */
export default function BotEmbedPage() {
  const { t } = useTranslation('bots');
  const { id } = route.useParams();
  const bot = useBot(id);
  useTitle(bot.data?.name);
  if (bot.isError) return <RootErrorPage error={bot.error} />;
  if (bot.isPending)
    return (
      <Stack p="md">
        <Skeleton height={40} />
        <Skeleton height={320} />
      </Stack>
    );
  return (
    <>
      <BotHeader
        bot={bot.data}
        active="embed"
        canEdit
        state={stateOf(bot.data)}
        actions={
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon hiddenFrom="xs" variant="subtle" color="gray" size={44} aria-label={t('common:moreMenu')}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component={Link} to={`/Bot/${id}`}>
                {t('common:edit')}
              </Menu.Item>
              <Menu.Item component={Link} to={`/Bot/${id}/Chat`}>
                {t('header.chat')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        }
      />
      <EmbedFrame bot={bot.data} />
    </>
  );
}
