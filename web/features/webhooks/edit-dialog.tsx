import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { useUpdateWebhook } from './webhooks.queries.ts';

/** Changes where events go, and which. */
export function EditDialog({ webhook, onClose }: { webhook: OutgoingWebhook; onClose(): void }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, events } = webhook;
  const update = useUpdateWebhook();
  return (
    <Modal opened onClose={onClose} title={t('detail.editTitle')} size="lg" centered>
      <WebhookForm
        begin={{ url, events }}
        submit={t('common:save')}
        isBusy={update.isPending}
        error={update.error}
        onChange={update.reset}
        onSubmit={(values, onError) =>
          update.mutate(
            { uuid, ...values },
            {
              onSuccess: () => {
                toast.success(t('form.saved'));
                onClose();
              },
              onError,
            },
          )
        }
        onClose={onClose}
      />
    </Modal>
  );
}
