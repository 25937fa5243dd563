import { Skeleton, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useBeginBroadcast } from '../features/line-campaigns/use-begin-broadcast.ts';
import { useLineChannel } from '../features/line-channels/line-channels.queries.ts';
import { RichEditor } from '../features/rich-messages/editor.tsx';
import { useRichMessage } from '../features/rich-messages/rich-messages.queries.ts';
import { useBeginning } from '../features/rich-messages/use-beginning.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';

const Ways = later(async () => (await import('../features/rich-messages/ways.tsx')).Ways);

const route = getRouteApi('/app/Line-Channel/$id/Message/$message');

export default function LineMessagePage() {
  const { t } = useTranslation('rich-messages');
  const { id, message: uuid } = route.useParams();
  const { from } = route.useSearch();
  const navigate = route.useNavigate();
  const isNew = uuid === 'new';
  const channel = useLineChannel(id);
  const message = useRichMessage(isNew ? null : uuid);
  const broadcast = useBeginBroadcast(id);
  const begin = useBeginning(isNew ? from : undefined);
  useTitle(message.data?.name ?? t('editor.new'));
  const error = channel.error ?? message.error;
  if (error && !(channel.data && message.data)) return <RootErrorPage error={error} />;
  if (!channel.data || !begin.data || (!isNew && !message.data))
    return (
      <Page title={t('editor.message')}>
        <Stack maw={680}>
          <Skeleton height={32} />
          <Skeleton height={200} />
        </Stack>
      </Page>
    );
  const { name: account } = channel.data;
  return (
    <RichEditor
      key={uuid}
      channel={{ uuid: id, name: account }}
      message={message.data}
      begin={begin.data}
      ways={message.data && <Ways message={uuid} channel={id} onFail={() => {}} />}
      broadcast={{ isBusy: broadcast.isBusy, begin: (name) => broadcast.begin({ uuid, name }) }}
      onCreated={(made) =>
        void navigate({
          to: '/Line-Channel/$id/Message/$message',
          params: { id, message: made },
          search: {},
          replace: true,
          ignoreBlocker: true,
        })
      }
      onLeft={() =>
        void navigate({ to: '/Line-Channel/$id', params: { id }, search: { tab: 'messages' }, ignoreBlocker: true })
      }
    />
  );
}
