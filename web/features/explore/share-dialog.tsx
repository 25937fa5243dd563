import { Stack, Text } from '@mantine/core';
import { useId } from 'react';
import type { PublicBot } from '../../../shared/contracts/explore.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Modal } from '../../ui/overlays.tsx';
import QrCode from '../../ui/qr-code.tsx';
import classes from './explore.module.css';

export const addressOf = (bot: string) => `${window.location.origin}/Bot/${bot}/Chat`;

export function ShareDialog({ bot, onClose }: { bot: Pick<PublicBot, 'uuid' | 'name'>; onClose(): void }) {
  const { t } = useTranslation('explore');
  return (
    <Modal opened onClose={onClose} title={t('share.title', { name: bot.name })} centered>
      <Stack>
        <ShareLink bot={bot} />
        <Text size="sm" c="dimmed">
          {t('share.text')}
        </Text>
      </Stack>
    </Modal>
  );
}

/** Its address, and the same as a picture for whatever is printed. */
export function ShareLink({ bot }: { bot: Pick<PublicBot, 'uuid' | 'name'> }) {
  const { t } = useTranslation('explore');
  const address = addressOf(bot.uuid);
  const id = useId();
  return (
    <div className={classes['share']}>
      <div>
        <b id={id}>{t('share.link')}</b>
        <code aria-labelledby={id}>{address}</code>
        <CopyText value={address} copyLabel={t('common:copy')} copiedLabel={t('common:copied')} quiet />
      </div>
      <QrCode value={address} label={t('share.code', { name: bot.name })} size={112} />
    </div>
  );
}
