import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { ConnectionList } from '../features/connections/connection-list.tsx';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const CreateDialog = later(async () => (await import('../features/web-channels/create-dialog.tsx')).CreateDialog);

export default function ConnectionsPage() {
  const { t } = useTranslation('common');
  const [isCreating, setIsCreating] = useState(false);
  const close = () => setIsCreating(false);
  useTitle(t('page.connections'));
  return (
    <>
      <ConnectionList onCreate={() => setIsCreating(true)} />
      {isCreating && <CreateDialog onClose={close} onFail={close} />}
    </>
  );
}
