import { ActionIcon, Button } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconCheck,
  IconClock,
  IconDots,
  IconHandStop,
  IconRefresh,
  IconUserCheck,
} from '@tabler/icons-react';
import type { InboxThread } from '../../../shared/contracts/inbox.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { keepsOpen } from '../../ui/anchored.tsx';
import { later } from '../../ui/later.tsx';
import { State } from '../../ui/page.tsx';
import { stateOf } from './state.ts';
import type { useDoings } from './use-doings.ts';
import classes from './inbox.module.css';

const AssignMenu = later(async () => (await import('./thread-menus.tsx')).AssignMenu);
const SnoozeMenu = later(async () => (await import('./thread-menus.tsx')).SnoozeMenu);
const MoreMenu = later(async () => (await import('./thread-menus.tsx')).MoreMenu);

export type HeadMenu = 'assign' | 'snooze' | 'more';

interface Props {
  thread: InboxThread;
  doings: ReturnType<typeof useDoings>;
  /** Which of its menus is open: keys open them, too. */
  menu: HeadMenu | undefined;
  onMenu(menu: HeadMenu | undefined): void;
  onBack(): void;
  onPerson(): void;
  onUnread(): void;
  onSummary(): void;
}

export function ThreadHead({ thread, doings, menu, onMenu, onBack, onPerson, onUnread, onSummary }: Props) {
  const { t } = useTranslation('inbox');
  const user = useUser()?.uuid;
  const { guest, status, channelName, assignee, bot } = thread;
  const state = stateOf(thread, t, user);
  const { carryOut } = doings;
  const isMine = status === 'staff' && assignee?.uuid === user;
  const isOver = status === 'resolved';
  const close = () => onMenu(undefined);
  const opener = (name: HeadMenu) => ({
    'aria-haspopup': 'menu' as const,
    'aria-expanded': menu === name,
    onClick: () => onMenu(menu === name ? undefined : name),
    ...keepsOpen,
  });
  return (
    <header className={classes['bar']}>
      <ActionIcon
        className={classes['phoneOnly'] ?? ''}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('thread.back')}
        onClick={onBack}
      >
        <IconArrowLeft size={20} stroke={1.6} />
      </ActionIcon>
      <button type="button" className={classes['person']} onClick={onPerson} title={t('person.open')}>
        <Avatar kind="person" id={guest.uuid} name={guest.name} url={guest.avatar?.url} size={26} />
        <h2>{guest.name}</h2>
      </button>
      <span className={classes['channelName']}>{channelName}</span>
      <span className={classes['headState']} title={state.title}>
        {status === 'bot' ? t('state.withBot') : <State kind={state.kind}>{state.label}</State>}
      </span>
      <span className={classes['barEnd']} data-untaken={(!isMine && !isOver) || undefined}>
        <span className={classes['anchor']} data-wide>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUserCheck size={14} stroke={1.75} />}
            {...opener('assign')}
            {...AssignMenu.reach}
          >
            {t('thread.assign')}
          </Button>
          {menu === 'assign' && <AssignMenu thread={thread} carryOut={carryOut} onClose={close} onFail={close} />}
        </span>
        <span className={classes['anchor']} data-wide data-roomy>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconClock size={14} stroke={1.75} />}
            {...opener('snooze')}
            {...SnoozeMenu.reach}
          >
            {t('thread.snooze')}
          </Button>
          {menu === 'snooze' && <SnoozeMenu thread={thread} carryOut={carryOut} onClose={close} onFail={close} />}
        </span>
        {isMine && bot ? (
          <Button
            data-wide
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={14} stroke={1.75} />}
            onClick={() => carryOut(thread, { does: 'giveBack' })}
          >
            {t('thread.giveBack')}
          </Button>
        ) : (
          !isMine &&
          !isOver && (
            <Button
              data-wide
              data-take
              size="xs"
              variant={status === 'waiting' ? 'filled' : 'default'}
              leftSection={<IconHandStop size={14} stroke={1.75} />}
              onClick={() => carryOut(thread, { does: 'take' })}
            >
              {t('thread.take')}
            </Button>
          )
        )}
        {isOver ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} stroke={1.75} />}
            onClick={() => carryOut(thread, { does: 'reopen' })}
          >
            {t('thread.reopen')}
          </Button>
        ) : (
          <Button
            data-resolve
            size="xs"
            variant="default"
            leftSection={<IconCheck size={14} stroke={1.75} />}
            onClick={() => carryOut(thread, { does: 'resolve' })}
          >
            {t('thread.resolve')}
          </Button>
        )}
        <span className={classes['anchor']}>
          <ActionIcon
            size={28}
            variant="subtle"
            color="gray"
            aria-label={t('common:menuOf', { name: guest.name })}
            {...opener('more')}
            {...MoreMenu.reach}
          >
            <IconDots size={16} stroke={1.75} />
          </ActionIcon>
          {menu === 'more' && (
            <MoreMenu
              thread={thread}
              carryOut={carryOut}
              onMenu={onMenu}
              onPerson={onPerson}
              onUnread={onUnread}
              onSummary={onSummary}
              onClose={close}
              onFail={close}
            />
          )}
        </span>
      </span>
    </header>
  );
}
