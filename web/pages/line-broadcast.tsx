import { getRouteApi } from '@tanstack/react-router';
import type { Broadcast } from '../../shared/contracts/line-campaigns.ts';
import { BroadcastWaiting } from '../features/line-campaigns/broadcast-waiting.tsx';
import { useBroadcast } from '../features/line-campaigns/line-campaigns.queries.ts';
import { useLineChannel } from '../features/line-channels/line-channels.queries.ts';
import { filledBubbles } from '../features/rich-messages/bubbles.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const route = getRouteApi('/app/Line-Channel/$id/Broadcast/$broadcast');

interface Props {
  channel: { uuid: string; name: string; active: boolean };
  broadcast: Broadcast;
}

const contentParts = async () => {
  const { ContentField: Field, ContentPreview: Preview } = await import('../features/rich-messages/content-field.tsx');
  return { Field, Preview, filled: filledBubbles };
};

const Waiting = ({ channel, broadcast }: Props) => <BroadcastWaiting title={broadcast.name} channel={channel} />;

const Editor = later(async () => {
  const [{ BroadcastEditor }, parts] = await Promise.all([
    import('../features/line-campaigns/broadcast-editor.tsx'),
    contentParts(),
  ]);
  return (props: Props) => <BroadcastEditor {...props} parts={parts} />;
}, Waiting);
const Run = later(async () => {
  const [{ BroadcastRun }, parts] = await Promise.all([
    import('../features/line-campaigns/broadcast-run.tsx'),
    contentParts(),
  ]);
  return (props: Props) => <BroadcastRun {...props} parts={parts} />;
}, Waiting);

export default function LineBroadcastPage() {
  const { t } = useTranslation('line-campaigns');
  const { id, broadcast: uuid } = route.useParams();
  const navigate = route.useNavigate();
  const channel = useLineChannel(id);
  const broadcast = useBroadcast(uuid);
  useTitle(broadcast.data?.name);
  const error = channel.error ?? broadcast.error;
  if (!channel.data || !broadcast.data)
    return error ? (
      <RootErrorPage error={error} />
    ) : (
      <BroadcastWaiting title={broadcast.data?.name ?? t('editor.title')} channel={channel.data} />
    );
  const Shown = broadcast.data.state === 'draft' ? Editor : Run;
  return (
    <Shown
      key={uuid}
      channel={channel.data}
      broadcast={broadcast.data}
      onFail={() => void navigate({ to: '/Line-Channel/$id', params: { id }, search: { tab: 'broadcasts' } })}
    />
  );
}
