import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyField } from '../../ui/copy-field.tsx';

/** Where it can be met now, by whom, and how a program asks it. */
export function Published({ bot, onClose }: { bot: Bot; onClose(): void }) {
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
        <Anchor renderRoot={(props) => <Link {...props} to="/Token" search={{ tab: 'keys' }} />} inherit>
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
