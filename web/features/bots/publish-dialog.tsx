import { useState, type ComponentProps, type ComponentType } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { useBot } from './bots.queries.ts';
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
  const [isChoosing, setIsChoosing] = useState(false);
  const whole = useBot(bot.uuid).data;
  const isUpToDate = bot.published !== null && !bot.changed;
  // The bot may be known to be live before whoever made it so is told.
  const [wasUpToDate] = useState(isUpToDate);
  const back = () => setIsChoosing(false);
  if (isChoosing && whole) return <Who bot={whole} onClose={back} onFail={back} />;
  const isShared = isPublished || isUpToDate;
  return (
    <Modal
      opened
      onClose={onClose}
      size={isShared ? 520 : 'md'}
      title={!isShared ? t('title') : wasUpToDate ? t('share', { name: bot.name }) : t('done')}
      centered
    >
      {isShared ? (
        <Published
          bot={bot}
          visibility={whole?.visibility}
          states={states}
          onChangeWho={() => setIsChoosing(true)}
          onClose={onClose}
        />
      ) : (
        <PublishForm bot={bot} state={state} onPublished={() => setIsPublished(true)} onClose={onClose} />
      )}
    </Modal>
  );
}
