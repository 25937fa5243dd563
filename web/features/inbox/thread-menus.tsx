import { Button, Group, Loader, Menu, Text, TextInput } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconClock,
  IconFileText,
  IconHandStop,
  IconMail,
  IconUser,
  IconUserCheck,
} from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { InboxThread } from '../../../shared/contracts/inbox.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { momentAt } from '../../lib/zoned.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { AnchoredMenu, AnchoredPopover } from '../../ui/floating.tsx';
import { useStaff } from './inbox.queries.ts';
import type { HeadMenu } from './thread-head.tsx';
import { snoozeTimes, type snoozeChoices } from './times.ts';
import type { useDoings } from './use-doings.ts';

interface Props {
  thread: InboxThread;
  carryOut: ReturnType<typeof useDoings>['carryOut'];
  onClose(): void;
}

/** Members who may answer, whoever asks first; and nobody. */
export function AssignMenu({ thread, carryOut, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const user = useUser()?.uuid;
  const staff = useStaff({ isChoosing: true });
  const members = staff.data?.toSorted((one, other) => Number(other.uuid === user) - Number(one.uuid === user));
  const item = (to: string | null, name: string, face: ReactNode) => (
    <Menu.Item
      key={to}
      leftSection={face}
      {...((thread.assignee?.uuid ?? null) === to && { rightSection: <IconCheck size={14} aria-hidden /> })}
      onClick={() => carryOut(thread, { does: 'assign', to })}
    >
      {name}
    </Menu.Item>
  );
  return (
    <AnchoredMenu label={t('thread.assign')} position="bottom-end" width={232} onClose={onClose}>
      {staff.isPending && <Loader size="sm" m="xs" />}
      {staff.isError && (
        <Text size="sm" p="xs" c="var(--shu-text)" role="alert">
          {errorText(staff.error)}
        </Text>
      )}
      {members?.map(({ uuid, name, avatar }) =>
        item(
          uuid,
          uuid === user ? t('thread.toMe', { name }) : name,
          <Avatar kind="person" id={uuid} name={name} url={avatar?.url} size={20} />,
        ),
      )}
      {members && item(null, t('thread.nobody'), <IconUser size={20} stroke={1.5} />)}
    </AnchoredMenu>
  );
}

export function SnoozeMenu({ thread, carryOut, onClose }: Props) {
  const { t } = useTranslation('inbox');
  const zone = useUser()?.timezone || undefined;
  const [now] = useState(() => Date.now());
  const [isOwn, setIsOwn] = useState(false);
  const snooze = (until: Date) => carryOut(thread, { does: 'snooze', until: until.toISOString() });
  if (isOwn)
    return (
      <AnchoredPopover label={t('snooze.own')} position="bottom-end" width={280} trapFocus onChange={onClose}>
        <OwnMoment
          zone={zone}
          onPick={(until) => {
            snooze(until);
            onClose();
          }}
        />
      </AnchoredPopover>
    );
  return (
    <AnchoredMenu
      label={t('thread.snooze')}
      position="bottom-end"
      width={240}
      closeOnItemClick={false}
      onClose={onClose}
    >
      {snoozeTimes(now, zone).map(({ choice, until }) => (
        <Menu.Item
          key={choice}
          rightSection={<small>{shortly(until, choice, zone)}</small>}
          onClick={() => {
            snooze(until);
            onClose();
          }}
        >
          {t(`snooze.${choice}`)}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => setIsOwn(true)}>{t('snooze.own')}</Menu.Item>
    </AnchoredMenu>
  );
}

/** What is not today with its day. */
const shortly = (until: Date, choice: (typeof snoozeChoices)[number], timeZone: string | undefined) =>
  new Intl.DateTimeFormat(formatLocale(), {
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    ...((choice === 'tomorrow' || choice === 'week') && { weekday: 'short' }),
  }).format(until);

function OwnMoment({ zone, onPick }: { zone: string | undefined; onPick(until: Date): void }) {
  const { t } = useTranslation('inbox');
  const [value, setValue] = useState('');
  const [error, setError] = useState('');
  const submit = () => {
    const [day, time] = value.split('T');
    const until = day && time ? momentAt(day, time.slice(0, 5), zone) : undefined;
    if (!until || Number.isNaN(until.getTime())) return setError(t('snooze.missing'));
    if (until.getTime() <= Date.now()) return setError(t('snooze.past'));
    return onPick(until);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        type="datetime-local"
        label={t('snooze.until')}
        value={value}
        error={error}
        data-autofocus
        onChange={(event) => {
          setValue(event.currentTarget.value);
          setError('');
        }}
      />
      <Group justify="flex-end" mt="sm">
        <Button type="submit" size="xs" variant="default">
          {t('thread.snooze')}
        </Button>
      </Group>
    </form>
  );
}

interface MoreProps extends Props {
  onMenu(menu: HeadMenu): void;
  onPerson(): void;
  onUnread(): void;
  onSummary(): void;
}

/** What the bar has no room for, on a phone nearly everything. */
export function MoreMenu({ thread, carryOut, onMenu, onPerson, onUnread, onSummary, onClose }: MoreProps) {
  const { t } = useTranslation('inbox');
  const user = useUser()?.uuid;
  const isMine = thread.status === 'staff' && thread.assignee?.uuid === user;
  // The menu that is opened from here takes this one's place.
  const toMenu = (menu: HeadMenu) => () => setTimeout(() => onMenu(menu));
  const icon = { size: 15, stroke: 1.75 };
  return (
    <AnchoredMenu
      label={t('common:menuOf', { name: thread.guest.name })}
      position="bottom-end"
      width={232}
      onClose={onClose}
    >
      <Menu.Item leftSection={<IconUser {...icon} />} onClick={onPerson}>
        {t('person.open')}
      </Menu.Item>
      <Menu.Item leftSection={<IconUserCheck {...icon} />} onClick={toMenu('assign')}>
        {t('thread.assign')}
      </Menu.Item>
      <Menu.Item leftSection={<IconClock {...icon} />} onClick={toMenu('snooze')}>
        {t('thread.snooze')}
      </Menu.Item>
      {!isMine && thread.status !== 'resolved' && (
        <Menu.Item leftSection={<IconHandStop {...icon} />} onClick={() => carryOut(thread, { does: 'take' })}>
          {t('thread.take')}
        </Menu.Item>
      )}
      {thread.bot && thread.status !== 'bot' && (
        <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => carryOut(thread, { does: 'giveBack' })}>
          {t('thread.giveBack')}
        </Menu.Item>
      )}
      {thread.status !== 'resolved' && (
        <Menu.Item leftSection={<IconCheck {...icon} />} onClick={() => carryOut(thread, { does: 'resolve' })}>
          {t('thread.resolve')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconMail {...icon} />} onClick={onUnread}>
        {t('thread.unread')}
      </Menu.Item>
      <Menu.Item leftSection={<IconFileText {...icon} />} onClick={onSummary}>
        {t('assist.summarize')}
      </Menu.Item>
    </AnchoredMenu>
  );
}
