import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { ChannelList } from '../features/web-channels/channel-list.tsx';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const CreateDialog = later(async () => (await import('../features/web-channels/create-dialog.tsx')).CreateDialog);

const route = getRouteApi('/app/Web-Channel');

export default function WebChannelsPage() {
  const { t } = useTranslation('common');
  // Who comes from a bot makes one for it.
  const { bot } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const close = () => {
    setIsCreating(false);
    if (bot) void navigate({ search: {}, replace: true });
  };
  useTitle(t('page.web-channels'));
  return (
    <>
      <ChannelList onCreate={() => setIsCreating(true)} />
      {(isCreating || bot) && <CreateDialog bot={bot} onClose={close} onFail={close} />}
    </>
  );
}
