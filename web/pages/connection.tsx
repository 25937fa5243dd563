import { ActionIcon, Box, Button, Group, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { BotHeader } from '../features/bots/bot-header.tsx';
import { EmbedFrame } from '../features/bots/embed-frame.tsx';
import { ChannelName, NameOnPhone } from '../features/connections/channel-name.tsx';
import { ConnectionForm } from '../features/connections/connection-form.tsx';
import { Team } from '../features/connections/connection-list.tsx';
import { useConnection } from '../features/connections/connections.queries.ts';
import { RuleRichField } from '../features/rich-messages/rich-picker.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTitle } from '../lib/use-title.ts';
import { ChannelIcon } from '../ui/channel-icon.tsx';
import { Page } from '../ui/page.tsx';
import classes from '../features/connections/connections.module.css';

const folders = { web: 'Web-Channel', line: 'Line-Channel' };

/** Drawn only once somebody has asked a bot here. */
const AnswerText = lazy(async () => ({
  default: (await import('../features/conversations/answer-text.tsx')).AnswerText,
}));
/** Only some connections are of LINE. */
const OwnReplies = lazy(() => import('../features/line-channels/own-replies.tsx'));

const route = getRouteApi('/app/Bot-Connect/$id');

export default function ConnectionPage() {
  const { t } = useTranslation('connections');
  const { id } = route.useParams();
  const connection = useConnection(id);
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  useTitle(connection.data?.name);
  if (connection.isError) return <RootErrorPage error={connection.error} />;
  const toChannel = connection.data && `/${folders[connection.data.channel]}/${connection.data.channelId}`;
  const page = (
    <Page
      above={
        <>
          <Link to="/Bot-Connect">{t('common:page.connections')}</Link>
          <span aria-hidden>/</span>
        </>
      }
      title={connection.data?.name ?? t('common:page.connections')}
      heading={connection.data && <NameOnPhone name={connection.data.name} kind={connection.data.channel} />}
      facts={
        connection.data && (
          <Group gap={16} wrap="nowrap">
            {connection.data.bot === null && <ChannelName kind={connection.data.channel} />}
            <Team connection={connection.data} />
          </Group>
        )
      }
      actions={
        connection.data && (
          <>
            <Box hiddenFrom="sm">
              <Team connection={connection.data} />
            </Box>
            <Button
              visibleFrom="sm"
              variant="default"
              leftSection={<ChannelIcon kind={connection.data.channel} />}
              renderRoot={(props) => <Link {...props} to={toChannel} />}
            >
              {t(`form.channel.${connection.data.channel}`)}
            </Button>
            <ActionIcon
              hiddenFrom="sm"
              variant="default"
              size={30}
              aria-label={t(`form.channel.${connection.data.channel}`)}
              renderRoot={(props) => <Link {...props} to={toChannel} />}
            >
              <ChannelIcon kind={connection.data.channel} />
            </ActionIcon>
          </>
        )
      }
    >
      {connection.data ? (
        // Drawn at once with what LINE has to say above it: nothing moves under a finger afterwards.
        <Suspense fallback={<Waiting />}>
          <ConnectionForm
            key={id}
            connection={connection.data}
            isNarrow={connection.data.bot !== null && isWide}
            RichField={RuleRichField}
            AnswerText={AnswerText}
            above={connection.data.channel === 'line' && <OwnReplies channel={connection.data.channelId} />}
          />
        </Suspense>
      ) : (
        <Waiting />
      )}
    </Page>
  );
  if (!connection.data?.bot) return page;
  const { bot, channel, channelId } = connection.data;
  return (
    <>
      <BotHeader bot={bot} canEdit />
      <div className={classes['beside']}>
        <div>{page}</div>
        {isWide && (
          <aside>
            <EmbedFrame bot={bot} channel={channel === 'web' ? channelId : undefined} />
          </aside>
        )}
      </div>
    </>
  );
}

const Waiting = () => (
  <Stack maw={680}>
    <Skeleton height={120} />
    <Skeleton height={280} />
  </Stack>
);
