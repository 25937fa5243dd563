import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import type { SharingParts } from './publish-dialog.tsx';
import type { SaveState } from './use-draft.ts';
import classes from './bots.module.css';

const PublishDialog = later(async () => (await import('./publish-dialog.tsx')).PublishDialog);

export function PublishButton({ bot, state, parts }: { bot: Bot; state: SaveState; parts: SharingParts }) {
  const { t } = useTranslation('bots');
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="xs"
        className={classes['publish'] ?? ''}
        variant={bot.changed ? 'filled' : 'default'}
        onClick={open}
        {...PublishDialog.reach}
      >
        {t(bot.changed ? 'publish.button' : 'publish.where')}
      </Button>
      {isOpen && <PublishDialog bot={bot} state={state} parts={parts} onClose={close} onFail={close} />}
    </>
  );
}
