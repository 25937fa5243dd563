import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { Modal } from '../../ui/overlays.tsx';
import type { SaveState } from './use-draft.ts';
import classes from './bots.module.css';

const Published = later(async () => (await import('./published.tsx')).Published);
const PublishForm = later(async () => (await import('./publish-form.tsx')).PublishForm);

export function PublishButton({ bot, state }: { bot: Bot; state: SaveState }) {
  const { t } = useTranslation('bots');
  const [isOpen, { open, close }] = useDisclosure();
  const [isPublished, setIsPublished] = useState(false);
  // What is live is what one sees: there is only where to find it.
  const isUpToDate = !bot.changed;
  const shut = () => {
    close();
    setIsPublished(false);
  };
  return (
    <>
      <Button size="xs" className={classes['publish'] ?? ''} variant={isUpToDate ? 'default' : 'filled'} onClick={open}>
        {t(isUpToDate ? 'publish.where' : 'publish.button')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={shut}
        title={t(isPublished ? 'publish.done' : isUpToDate ? 'publish.live' : 'publish.title')}
        centered
      >
        {isPublished || isUpToDate ? (
          <Published bot={bot} onClose={shut} onFail={shut} />
        ) : (
          <PublishForm bot={bot} state={state} onPublished={() => setIsPublished(true)} onClose={shut} onFail={shut} />
        )}
      </Modal>
    </>
  );
}
