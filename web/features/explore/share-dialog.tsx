import { Stack, Text } from '@mantine/core';
import type { PublicBot } from '../../../shared/contracts/explore.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { LinkToShare } from '../../ui/link-to-share.tsx';
import { Modal } from '../../ui/overlays.tsx';

export const addressOf = (bot: string) => `${window.location.origin}/Bot/${bot}/Chat`;

export function ShareDialog({ bot, onClose }: { bot: Pick<PublicBot, 'uuid' | 'name'>; onClose(): void }) {
  const { t } = useTranslation('explore');
  return (
    <Modal opened onClose={onClose} title={t('share.title', { name: bot.name })} centered>
      <Stack>
        <LinkToShare
          name={bot.name}
          address={addressOf(bot.uuid)}
          labels={{ code: t('share.code', { name: bot.name }), send: t('share.send'), download: t('share.download') }}
          onDownload={(png) => saveFile(png, { name: `${bot.name}.png`, type: 'image/png' })}
        />
        <Text size="sm" c="dimmed">
          {t('share.text')}
        </Text>
      </Stack>
    </Modal>
  );
}
