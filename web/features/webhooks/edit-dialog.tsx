import type { OutgoingWebhook } from '../../../shared/contracts/webhooks.ts';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { useUpdateWebhook } from './webhooks.queries.ts';

/** Changes where events go, and which. */
export function EditDialog({ webhook, onClose }: { webhook: OutgoingWebhook; onClose(): void }) {
  const { t } = useTranslation('webhooks');
  const { uuid, url, events } = webhook;
  const update = useUpdateWebhook();
  const [isDirty, setIsDirty] = useState(false);
  const guard = useUnsavedGuard(isDirty);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('detail.editTitle')}
      size="lg"
      centered
      closeOnClickOutside={!isDirty}
      closeOnEscape={!isDirty}
    >
      <WebhookForm
        begin={{ url, events }}
        submit={t('common:save')}
        isBusy={update.isPending}
        error={update.error}
        onChange={() => {
          setIsDirty(true);
          update.reset();
        }}
        onSubmit={(values, onError) =>
          update.mutate(
            { uuid, ...values },
            {
              onSuccess: () => {
                setIsDirty(false);
                toast.success(t('form.saved'));
                onClose();
              },
              onError,
            },
          )
        }
        onClose={onClose}
      />
      <ConfirmDialog {...guard} />
    </Modal>
  );
}
