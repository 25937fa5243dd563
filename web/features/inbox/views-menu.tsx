import { Menu } from '@mantine/core';
import type { InboxView } from '../../../shared/contracts/inbox.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { useCounts } from './inbox.queries.ts';
import { countOf } from './thread-list.tsx';

interface Props {
  view: InboxView;
  onView(view: InboxView): void;
  onClose(): void;
}

/** The views that have no tab of their own. */
export function ViewsMenu({ view, onView, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const counts = useCounts().data?.views;
  return (
    <AnchoredMenu label={t('list.moreViews')} position="bottom-end" width={200} onClose={onClose}>
      {(['unassigned', 'snoozed', 'resolved'] as const).map((each) => (
        <Menu.Item
          key={each}
          role="menuitemradio"
          aria-checked={each === view}
          fw={each === view ? 600 : undefined}
          rightSection={<small>{counts && countOf(counts[each])}</small>}
          onClick={() => onView(each)}
        >
          {t(`view.${each}`)}
        </Menu.Item>
      ))}
    </AnchoredMenu>
  );
}
