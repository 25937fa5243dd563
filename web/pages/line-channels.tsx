import { useState } from 'react';
import { ChannelList } from '../features/line-channels/channel-list.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const ConnectDialog = later(async () => (await import('../features/line-channels/connect-dialog.tsx')).ConnectDialog);

export default function LineChannelsPage() {
  const { t } = useTranslation('common');
  const [isConnecting, setIsConnecting] = useState(false);
  const close = () => setIsConnecting(false);
  useTitle(t('page.line-channels'));
  return (
    <>
      <ChannelList onConnect={() => setIsConnecting(true)} />
      {isConnecting && <ConnectDialog onClose={close} onFail={close} />}
    </>
  );
}
