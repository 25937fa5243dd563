import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ChannelList } from '../features/line-channels/channel-list.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const ConnectDialog = later(async () => (await import('../features/line-channels/connect-dialog.tsx')).ConnectDialog);

const route = getRouteApi('/app/Line-Channel');

export default function LineChannelsPage() {
  const { t } = useTranslation('common');
  // Who comes from a bot connects an account for it.
  const { bot } = route.useSearch();
  const navigate = route.useNavigate();
  const mayConnect = useMay('manage');
  const [isConnecting, setIsConnecting] = useState(false);
  const close = () => {
    setIsConnecting(false);
    if (bot) void navigate({ search: {}, replace: true });
  };
  useTitle(t('page.line-channels'));
  return (
    <>
      <ChannelList onConnect={() => setIsConnecting(true)} />
      {(isConnecting || (bot && mayConnect)) && <ConnectDialog bot={bot} onClose={close} onFail={close} />}
    </>
  );
}
