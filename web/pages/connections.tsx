import { useState } from 'react';
import type { ChannelKind } from '../../shared/contracts/connections.ts';
import { useTranslation } from '../lib/i18n.ts';
import { ConnectionList } from '../features/connections/connection-list.tsx';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const ConnectDialog = later(async () => (await import('../features/line-channels/connect-dialog.tsx')).ConnectDialog);
const CreateDialog = later(async () => (await import('../features/web-channels/create-dialog.tsx')).CreateDialog);

export default function ConnectionsPage() {
  const { t } = useTranslation('common');
  const [creating, setCreating] = useState<ChannelKind>();
  const close = () => setCreating(undefined);
  useTitle(t('page.connections'));
  return (
    <>
      <ConnectionList onCreate={setCreating} />
      {creating === 'web' && <CreateDialog onClose={close} onFail={close} />}
      {creating === 'line' && <ConnectDialog onClose={close} onFail={close} />}
    </>
  );
}
