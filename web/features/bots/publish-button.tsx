import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRocket } from '@tabler/icons-react';
import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { usePublishBot } from './bots.queries.ts';
import { later } from '../../ui/later.tsx';

const Published = later(async () => (await import('./published.tsx')).Published);

export function PublishButton({ bot, disabled }: { bot: Bot; disabled: boolean }) {
  const { t } = useTranslation('bots');
  const [isOpen, { open, close }] = useDisclosure();
  const [note, setNote] = useState('');
  const publish = usePublishBot(bot.uuid);
  const [isLive, setIsLive] = useState(false);
  const shut = () => {
    close();
    setIsLive(false);
  };
  return (
    <>
      <Button size="xs" leftSection={<IconRocket size={15} />} onClick={open} disabled={disabled || !bot.changed}>
        {t('publish.button')}
      </Button>
      <Modal opened={isOpen} onClose={shut} title={t(isLive ? 'publish.done' : 'publish.title')} centered>
        {isLive ? (
          <Published bot={bot} onClose={shut} onFail={shut} />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              publish.mutate(note, {
                onSuccess: () => {
                  setNote('');
                  setIsLive(true);
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
                onClose={shut}
              />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
