import { Text } from '@mantine/core';
import { useState } from 'react';
import { isPrivateRefused, useAllowAddress } from '../../lib/allow-address.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AddressOffer } from '../../ui/address-offer.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { isMissing, WebhookFields, type WebhookValues } from './webhook-fields.tsx';

interface Props {
  begin: WebhookValues;
  submit: string;
  /** What comes after it. */
  note?: string;
  isBusy: boolean;
  error: object | null;
  /** What was said of it before no longer holds. */
  onChange(): void;
  onSubmit(values: WebhookValues, goToFault: () => void): void;
  onClose(): void;
}

/** Asks in a dialog where events go, and which. */
export function WebhookForm({ begin, submit, note, isBusy, error, onChange, onSubmit, onClose }: Props) {
  const { t } = useTranslation('webhooks');
  const [values, setValues] = useState(begin);
  const offer = useAllowAddress(isPrivateRefused(error), values.url);
  const [isTold, setIsTold] = useState(false);
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(true);
        const form = event.currentTarget;
        if (isMissing(values)) goToFaultIn(form);
        else onSubmit(values, () => goToFaultIn(form));
      }}
    >
      <WebhookFields
        values={values}
        isTold={isTold}
        errors={fields}
        onChange={(next) => {
          onChange();
          setValues(next);
        }}
      />
      {offer && <AddressOffer {...offer} />}
      {note ? (
        <Text size="xs" c="dimmed" my="md">
          {note}
        </Text>
      ) : (
        <div style={{ height: 16 }} />
      )}
      <FormActions
        submit={submit}
        cancel={t('common:cancel')}
        isBusy={isBusy}
        error={Object.keys(fields).length === 0 ? problemOf(error) : undefined}
        onClose={onClose}
      />
    </form>
  );
}
