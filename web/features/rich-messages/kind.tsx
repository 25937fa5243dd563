import type { RichDraft } from '../../../shared/rich-message.ts';
import { useTranslation } from '../../lib/i18n.ts';

/** What a message is, in a word, or how many cards it has. */
export function Kind({ draft }: { draft: RichDraft }) {
  const { t } = useTranslation('rich-messages');
  return draft.kind === 'cards' ? t('gallery.cards', { count: draft.cards.length }) : t(`kinds.${draft.kind}`);
}
