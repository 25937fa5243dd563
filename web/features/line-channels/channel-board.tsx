import { Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import bar from '../../ui/part-tabs.module.css';
import { useOpenTab } from '../../ui/use-open-tab.ts';
import { ChannelState } from './channel-state.tsx';
import { ChannelMenu } from './channel-menu.tsx';
import { Events } from './events.tsx';
import classes from './line-channels.module.css';
import type { EventFilter } from './line-channels.queries.ts';
import { Overview } from './overview.tsx';
import { Settings, type ContentParts } from './settings.tsx';

/** Parts that other features know. */
const others = ['menus', 'messages', 'broadcasts', 'steps'] as const;
export const tabs = ['overview', ...others, 'settings', 'events'] as const;
export type Tab = (typeof tabs)[number];

interface Props {
  channel: LineChannel;
  tab: Tab;
  parts: Record<(typeof others)[number], ReactNode>;
  content: ContentParts;
  filter: EventFilter;
  /** Which event is open. */
  event: string | undefined;
  onTab(tab: Tab): void;
  onFilter(filter: EventFilter): void;
  onEvent(event: string | undefined): void;
}

export function ChannelBoard({ channel, tab, parts, content, filter, event, onTab, onFilter, onEvent }: Props) {
  const { t } = useTranslation('line-channels');
  const list = useOpenTab(tab);
  return (
    <Page
      width="full"
      above={
        <>
          <Link to="/Line-Channel">{t('common:page.line-channels')}</Link>
          <span aria-hidden>/</span>
        </>
      }
      title={channel.name}
      facts={<ChannelState channel={channel} />}
      actions={<ChannelMenu channel={channel} />}
    >
      <div>
        <Tabs
          value={tab}
          onChange={(next) => onTab(tabs.find((each) => each === next) ?? 'overview')}
          keepMounted={false}
        >
          <Tabs.List ref={list} className={bar['bar'] ?? ''}>
            {tabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`tabs.${each}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="overview" className={classes['panel'] ?? ''}>
            <Overview channel={channel} onSettings={() => onTab('settings')} />
          </Tabs.Panel>
          {others.map((each) => (
            <Tabs.Panel key={each} value={each} className={classes['panel'] ?? ''}>
              {parts[each]}
            </Tabs.Panel>
          ))}
          <Tabs.Panel value="settings" className={classes['panel'] ?? ''}>
            <Settings channel={channel} content={content} />
          </Tabs.Panel>
          <Tabs.Panel value="events">
            <Events channel={channel.uuid} filter={filter} event={event} onFilter={onFilter} onEvent={onEvent} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </Page>
  );
}
