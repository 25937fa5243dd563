import { useState } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { PublishForm } from './publish-form.tsx';
import { Published } from './published.tsx';
import type { SaveState } from './use-draft.ts';

interface Props {
  bot: Pick<Bot, 'uuid' | 'name' | 'changed'> &
    Partial<Pick<Bot, 'visibility'>> & { published: { number: number } | null };
  state: SaveState;
  onClose(): void;
}

/** Makes the draft what everybody gets; where it is that already, and afterwards, tells where to find it. */
export function PublishDialog({ bot, state, onClose }: Props) {
  const { t } = useTranslation('bots-publish');
  const [isPublished, setIsPublished] = useState(false);
  const isUpToDate = bot.published !== null && !bot.changed;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isPublished ? t('done') : isUpToDate ? t('share', { name: bot.name }) : t('title')}
      centered
    >
      {isPublished || isUpToDate ? (
        <Published bot={bot} onClose={onClose} />
      ) : (
        <PublishForm bot={bot} state={state} onPublished={() => setIsPublished(true)} onClose={onClose} />
      )}
    </Modal>
  );
}
