import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRocket } from '@tabler/icons-react';
import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { usePublishBot } from './bots.queries.ts';

export function PublishButton({ bot, disabled }: { bot: Bot; disabled: boolean }) {
  const { t } = useTranslation('bots');
  const [isOpen, { open, close }] = useDisclosure();
  const [note, setNote] = useState('');
  const publish = usePublishBot(bot.uuid);
  return (
    <>
      <Button size="xs" leftSection={<IconRocket size={15} />} onClick={open} disabled={disabled || !bot.changed}>
        {t('publish.button')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('publish.title')} centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            publish.mutate(note, {
              onSuccess: () => {
                toast.success(t('publish.done'));
                setNote('');
                close();
              },
            });
          }}
        >
          <Stack>
            <Text size="sm">{t('publish.text', { number: (bot.published?.number ?? 0) + 1 })}</Text>
            <TextInput
              label={t('publish.note')}
              description={t('publish.noteHint')}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              maxLength={500}
              data-autofocus
              error={publish.error?.message}
            />
            <FormActions
              submit={t('publish.button')}
              cancel={t('common:cancel')}
              isBusy={publish.isPending}
              onClose={close}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
