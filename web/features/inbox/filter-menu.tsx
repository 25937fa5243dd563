import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { useChannels, useCounts } from './inbox.queries.ts';
import type { Filter } from './rows.ts';

interface Props {
  filter: Filter;
  onFilter(changes: Partial<Filter>): void;
  onClose(): void;
}

/** The views that have no tab, and what a list can be narrowed to. What is set already is taken back. */
export function FilterMenu({ filter, onFilter, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const channels = useChannels().data ?? [];
  const counts = useCounts().data;
  const bots = new Map(channels.flatMap(({ bot }) => (bot ? [[bot.uuid, bot.name] as const] : [])));
  const item = (isOn: boolean, name: string, changes: Partial<Filter>, count?: number) => (
    <Menu.Item
      key={name}
      role="menuitemcheckbox"
      aria-checked={isOn}
      leftSection={isOn ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
      {...(count !== undefined && { rightSection: <small>{count}</small> })}
      onClick={() => onFilter(changes)}
    >
      {name}
    </Menu.Item>
  );
  return (
    <AnchoredMenu label={t('common:filters')} position="bottom-end" width={248} onClose={onClose}>
      {(['unassigned', 'snoozed', 'resolved'] as const).map((view) =>
        item(
          filter.view === view,
          t(`view.${view}`),
          { view: filter.view === view ? 'all' : view },
          counts?.views[view] ?? 0,
        ),
      )}
      {channels.length > 0 && <Menu.Label>{t('filter.channel')}</Menu.Label>}
      {channels.map(({ channelId, name }) =>
        item(filter.channel === channelId, name, { channel: filter.channel === channelId ? undefined : channelId }),
      )}
      {bots.size > 0 && <Menu.Label>{t('filter.bot')}</Menu.Label>}
      {[...bots].map(([uuid, name]) =>
        item(filter.bot === uuid, name, { bot: filter.bot === uuid ? undefined : uuid }),
      )}
      {counts && counts.tags.length > 0 && <Menu.Label>{t('filter.tag')}</Menu.Label>}
      {counts?.tags.map((tag) => item(filter.tag === tag, tag, { tag: filter.tag === tag ? undefined : tag }))}
    </AnchoredMenu>
  );
}
