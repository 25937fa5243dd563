import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { everyEvent } from './events.ts';
import { isMissing, WebhookFields, type WebhookValues } from './webhook-fields.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { useCreateWebhook } from './webhooks.queries.ts';

/** Asks where events go, then shows the secret, this once: a click beside the dialog must not lose it. */
export function CreateDialog({ onClose, onCreated }: { onClose(): void; onCreated(uuid: string): void }) {
  const { t } = useTranslation('webhooks');
  const create = useCreateWebhook();
  const [values, setValues] = useState<WebhookValues>({ url: '', events: everyEvent });
  const [isTold, setIsTold] = useState(false);
  const fields = create.error instanceof ApiError ? create.error.fields : {};
  const created = create.data;
  return (
    <Modal
      opened
      onClose={() => (created ? onCreated(created.uuid) : onClose())}
      title={t(created ? 'created.title' : 'list.create')}
      size="lg"
      centered
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? (
        <ShownSecret secret={created.secret} onDone={() => onCreated(created.uuid)} />
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            setIsTold(true);
            const form = event.currentTarget;
            if (isMissing(values)) goToFaultIn(form);
            else create.mutate(values, { onError: () => goToFaultIn(form) });
          }}
        >
          <WebhookFields
            values={values}
            isTold={isTold}
            errors={fields}
            onChange={(next) => {
              create.reset();
              setValues(next);
            }}
          />
          <div style={{ height: 16 }} />
          <FormActions
            submit={t('common:create')}
            cancel={t('common:cancel')}
            isBusy={create.isPending}
            error={Object.keys(fields).length === 0 ? create.error?.message : undefined}
            onClose={onClose}
          />
        </form>
      )}
    </Modal>
  );
}
