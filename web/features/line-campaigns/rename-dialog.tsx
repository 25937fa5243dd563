import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Broadcast } from '../../../shared/contracts/line-campaigns.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { sayFailure } from './failure.ts';
import { useSaveBroadcast } from './line-campaigns.queries.ts';

interface Props {
  broadcast: Broadcast;
  /** What was read when something else of it was changed, which is not saved yet. */
  seen: string | undefined;
  onRenamed(now: Broadcast): void;
  onClose(): void;
}

/** What the team calls a broadcast. */
export function RenameDialog({ broadcast, seen, onRenamed, onClose }: Props) {
  const { t } = useTranslation('line-campaigns');
  const [name, setName] = useState(broadcast.name);
  const [isTold, setIsTold] = useState(false);
  const save = useSaveBroadcast(broadcast.uuid);
  const fault = save.error instanceof ApiError ? save.error.fields['name'] : undefined;
  return (
    <Modal opened onClose={onClose} title={t('editor.rename')} centered>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsTold(true);
          if (name.trim() === '') return;
          save.mutate(
            { name, ...(seen !== undefined && { seen }) },
            {
              onSuccess: (now) => {
                onRenamed(now);
                onClose();
              },
            },
          );
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t('editor.name')}
            description={t('editor.nameHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={name}
            maxLength={100}
            error={(isTold && name.trim() === '' && t('common:required')) || fault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FormActions
            submit={t('common:save')}
            cancel={t('common:cancel')}
            isBusy={save.isPending}
            error={save.error && !fault ? sayFailure(save.error, t) : undefined}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
