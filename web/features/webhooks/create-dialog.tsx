import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { everyEvent } from './events.ts';
import { ShownSecret } from './shown-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { useCreateWebhook } from './webhooks.queries.ts';

/** Asks where events go, then shows the secret, this once: a click beside the dialog must not lose it. */
export function CreateDialog({ onClose, onCreated }: { onClose(): void; onCreated(uuid: string): void }) {
  const { t } = useTranslation('webhooks');
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) ?? false;
  const create = useCreateWebhook();
  const created = create.data;
  return (
    <Modal
      opened
      onClose={() => (created ? onCreated(created.uuid) : onClose())}
      title={t(created ? 'created.title' : 'list.create')}
      size="lg"
      fullScreen={isPhone}
      centered
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? (
        <ShownSecret secret={created.secret} onDone={() => onCreated(created.uuid)} />
      ) : (
        <WebhookForm
          begin={{ url: '', events: everyEvent }}
          submit={t('form.add')}
          note={t('form.secret')}
          isBusy={create.isPending}
          error={create.error}
          onChange={create.reset}
          onSubmit={(values, onError) => create.mutate(values, { onError })}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}
