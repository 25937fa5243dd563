import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { AnchoredMenu } from '../../ui/floating.tsx';
import { useChannels, useCounts } from './inbox.queries.ts';
import type { Filter } from './rows.ts';

interface Props {
  filter: Filter;
  onFilter(changes: Partial<Filter>): void;
  onClose(): void;
}

/** What a list can be narrowed to. What is set already is taken back. */
export function FilterMenu({ filter, onFilter, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const channels = useChannels().data ?? [];
  const counts = useCounts().data;
  const bots = new Map(channels.flatMap(({ bot }) => (bot ? [[bot.uuid, bot.name] as const] : [])));
  const item = (isOn: boolean, name: string, changes: Partial<Filter>, end?: ReactNode) => (
    <Menu.Item
      key={name}
      role="menuitemcheckbox"
      aria-checked={isOn}
      leftSection={isOn ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
      rightSection={end}
      onClick={() => onFilter(changes)}
    >
      {name}
    </Menu.Item>
  );
  return (
    <AnchoredMenu label={t('common:filters')} position="bottom-end" width={248} onClose={onClose}>
      {channels.length > 0 && <Menu.Label>{t('filter.channel')}</Menu.Label>}
      {channels.map(({ channel, channelId, name }) =>
        item(
          filter.channel === channelId,
          name,
          { channel: filter.channel === channelId ? undefined : channelId },
          <ChannelIcon kind={channel} size={14} />,
        ),
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
