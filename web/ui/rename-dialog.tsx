import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormActions } from './form-actions.tsx';
import { Modal } from './overlays.tsx';

interface Props {
  title: string;
  label: string;
  hint?: string | undefined;
  name: string;
  maxLength: number;
  isBusy: boolean;
  /** What is wrong with the name. */
  fault?: string | undefined;
  /** What went wrong and is not about the name. */
  error?: string | undefined;
  onSave(name: string): void;
  onClose(): void;
}

/** Asks what something is to be called. */
export function RenameDialog({ title, label, hint, name, maxLength, isBusy, fault, error, onSave, onClose }: Props) {
  const { t } = useTranslation('common');
  const [next, setNext] = useState(name);
  const [isTold, setIsTold] = useState(false);
  const isEmpty = next.trim() === '';
  // What is being saved is heard of.
  const close = isBusy ? () => {} : onClose;
  return (
    <Modal opened onClose={close} title={title} centered>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(true);
          if (!isEmpty) onSave(next);
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={label}
            description={hint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={next}
            maxLength={maxLength}
            error={(isTold && isEmpty && t('required')) || fault}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <FormActions submit={t('save')} cancel={t('cancel')} isBusy={isBusy} error={error} onClose={close} />
        </Stack>
      </form>
    </Modal>
  );
}
