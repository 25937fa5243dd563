import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { ConsolePicture } from './console-picture.tsx';
import classes from './line-channels.module.css';
import { consoleUrl, managerUrl } from './state.ts';

const places = [
  { place: 'console', url: consoleUrl, tab: 'messaging', todos: ['webhook', 'redelivery', 'groups'] },
  { place: 'manager', url: managerUrl, tab: undefined, todos: ['greeting', 'auto', 'chat'] },
] as const;
type Todo = (typeof places)[number]['todos'][number];

/** How these have to be set. */
const isOnThere: Record<Todo, boolean> = {
  webhook: true,
  redelivery: true,
  groups: true,
  greeting: false,
  auto: false,
  chat: false,
};

/** What only LINE's own pages can set: what for, where, and whether it is, of those that LINE tells. */
export function TodoList({ channel, isShort = false }: { channel: LineChannel; isShort?: boolean }) {
  const { t } = useTranslation('line-channels');
  const done: Partial<Record<Todo, boolean | null>> = {
    webhook: channel.webhook.active,
    chat: channel.chatMode === 'bot',
  };
  return (
    <div className={classes['places']}>
      {places.map(({ place, url, tab, todos }) => (
        <div key={place}>
          <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" className={classes['outside'] ?? ''}>
            {t(`todo.${place}`)}
            <IconExternalLink size={14} stroke={1.75} aria-hidden />
          </Anchor>
          {!isShort && (
            <ConsolePicture
              place={place}
              {...(tab && { tab })}
              rows={todos.map((todo) => ({ label: t(`todo.${todo}.name`), value: isOnThere[todo] }))}
            />
          )}
          <ul className={classes['todos']}>
            {todos
              .filter((todo) => !isShort || !done[todo])
              .map((todo) => (
                <li key={todo}>
                  <State
                    kind={done[todo] == null ? 'draft' : done[todo] ? 'live' : todo === 'chat' ? 'warning' : 'failed'}
                  >
                    <span title={done[todo] == null ? t('todo.unseen') : undefined}>
                      <b>{t(`todo.${todo}.name`)}</b> {t(`todo.${todo}.should`)}
                    </span>
                  </State>
                  <p>{t(`todo.${todo}.why`)}</p>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
