import { useState, type ComponentProps, type ComponentType } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { PublishForm } from './publish-form.tsx';
import { Published } from './published.tsx';
import type { SaveState } from './use-draft.ts';

/** What other features know of where a bot is met. */
export interface SharingParts {
  states: ComponentProps<typeof Published>['states'];
  /** Who may use it. */
  Who: ComponentType<{ bot: Bot; onClose(): void; onFail(): void }>;
}

interface Props {
  bot: Pick<Bot, 'uuid' | 'name' | 'changed'> & { published: { number: number } | null };
  state: SaveState;
  parts: SharingParts;
  onClose(): void;
}

/** Makes the draft what everybody gets; where it is that already, and afterwards, tells where to find it. */
export function PublishDialog({ bot, state, parts: { states, Who }, onClose }: Props) {
  const { t } = useTranslation('bots-publish');
  const [isPublished, setIsPublished] = useState(false);
  const [changed, setChanged] = useState<Bot>();
  const isUpToDate = bot.published !== null && !bot.changed;
  const back = () => setChanged(undefined);
  if (changed) return <Who bot={changed} onClose={back} onFail={back} />;
  const isShared = isPublished || isUpToDate;
  return (
    <Modal
      opened
      onClose={onClose}
      size={isShared ? 520 : 'md'}
      title={isPublished ? t('done') : isUpToDate ? t('share', { name: bot.name }) : t('title')}
      centered
    >
      {isShared ? (
        <Published bot={bot} states={states} onChangeWho={setChanged} onClose={onClose} />
      ) : (
        <PublishForm bot={bot} state={state} onPublished={() => setIsPublished(true)} onClose={onClose} />
      )}
    </Modal>
  );
}
