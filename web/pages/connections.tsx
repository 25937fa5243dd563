import { lazy, Suspense, useState, type ComponentProps } from 'react';
import type { ChannelKind } from '../../shared/contracts/connections.ts';
import { useTranslation } from '../lib/i18n.ts';
import { ConnectionList } from '../features/connections/connection-list.tsx';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const ConnectDialog = later(async () => (await import('../features/line-channels/connect-dialog.tsx')).ConnectDialog);
const CreateDialog = later(async () => (await import('../features/web-channels/create-dialog.tsx')).CreateDialog);

/** What a LINE account says of itself comes after the list. */
const IfOwnReplies = lazy(() =>
  import('../features/line-channels/own-replies.tsx').then(
    (file) => ({ default: file.IfOwnReplies }),
    () => ({ default: () => null }), // a mark is no reason to take the list down
  ),
);
const Attention = (props: ComponentProps<typeof IfOwnReplies>) => (
  <Suspense>
    <IfOwnReplies {...props} />
  </Suspense>
);

export default function ConnectionsPage() {
  const { t } = useTranslation('common');
  const [creating, setCreating] = useState<ChannelKind>();
  const close = () => setCreating(undefined);
  useTitle(t('page.connections'));
  return (
    <>
      <ConnectionList onCreate={setCreating} Attention={Attention} />
      {creating === 'web' && <CreateDialog onClose={close} onFail={close} />}
      {creating === 'line' && <ConnectDialog onClose={close} onFail={close} />}
    </>
  );
}
