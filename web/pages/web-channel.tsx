import { Skeleton, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { hasProblem } from '../features/connections/spans.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { ChannelEditor } from '../features/web-channels/channel-editor.tsx';
import { useChannelConnection, useWebChannel } from '../features/web-channels/web-channels.queries.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';

const HoursFields = later(async () => (await import('../features/connections/hours-fields.tsx')).HoursFields);

const route = getRouteApi('/app/Web-Channel/$id');

export default function WebChannelPage() {
  const { t } = useTranslation('common');
  const { id } = route.useParams();
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const channel = useWebChannel(id);
  const connection = useChannelConnection(channel.data?.connection);
  useTitle(channel.data?.name);
  const failure = (!channel.data && channel.error) || (!connection.data && connection.error);
  if (failure) return <RootErrorPage error={failure} />;
  if (!channel.data || !connection.data) {
    return (
      <Page title={t('page.web-channels')}>
        <Stack maw={360}>
          <Skeleton height={32} />
          <Skeleton height={200} />
        </Stack>
      </Page>
    );
  }
  return (
    <ChannelEditor
      key={id}
      channel={channel.data}
      connection={connection.data}
      part={part}
      onPart={(next) => void navigate({ search: next ? { part: next } : {}, replace: true })}
      hoursFields={(props) => <HoursFields {...props} onFail={() => void navigate({ search: {}, replace: true })} />}
      areHoursWrong={hasProblem}
    />
  );
}
