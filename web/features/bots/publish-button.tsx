import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRocket } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { usePublishBot } from './bots.queries.ts';

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
          <Live bot={bot} onClose={shut} />
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

/** Where it can be met now, by whom, and how a program asks it. */
function Live({ bot, onClose }: { bot: Bot; onClose(): void }) {
  const { t } = useTranslation('bots');
  const chat = `/Bot/${bot.uuid}/Chat`;
  const labels = { copyLabel: t('common:copy'), copiedLabel: t('common:copied'), quiet: true } as const;
  const call = `curl '${window.location.origin}/v1/chat/completions' -H 'Authorization: Bearer YOUR_KEY' -H 'Content-Type: application/json' -d '${JSON.stringify({ model: bot.uuid, messages: [{ role: 'user', content: 'Hello' }] })}'`;
  return (
    <Stack>
      <CopyField
        label={t('publish.link')}
        description={t('publish.who')}
        value={window.location.origin + chat}
        {...labels}
      />
      <CopyField label={t('publish.api')} description={t('publish.apiHint')} value={call} {...labels} />
      <Text size="sm" c="dimmed">
        <Anchor component={Link} to="/Token" inherit>
          {t('publish.keys')}
        </Anchor>
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
        <Button component={Link} to={chat} data-autofocus>
          {t('publish.chat')}
        </Button>
      </Group>
    </Stack>
  );
}
