import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { WebhookList } from '../features/webhooks/webhook-list.tsx';
import { useWebhooks } from '../features/webhooks/webhooks.queries.ts';
import { useTitle } from '../lib/use-title.ts';
import { later } from '../ui/later.tsx';

const CreateDialog = later(async () => (await import('../features/webhooks/create-dialog.tsx')).CreateDialog);
const WebhookDetail = later(async () => (await import('../features/webhooks/webhook-detail.tsx')).WebhookDetail);

const route = getRouteApi('/app/Webhook');

export default function WebhooksPage() {
  const { t } = useTranslation('common');
  const { id } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useWebhooks();
  const [isCreating, setIsCreating] = useState(false);
  const close = () => setIsCreating(false);
  const shown = data?.find(({ uuid }) => uuid === id);
  useTitle(shown ? new URL(shown.url).host : t('page.webhooks'));
  if (shown)
    return (
      <WebhookDetail key={shown.uuid} webhook={shown} onFail={() => void navigate({ search: {}, replace: true })} />
    );
  return (
    <>
      <WebhookList onCreate={() => setIsCreating(true)} />
      {isCreating && (
        <CreateDialog
          onClose={close}
          onFail={close}
          onCreated={(uuid) => {
            close();
            void navigate({ search: { id: uuid } });
          }}
        />
      )}
    </>
  );
}
