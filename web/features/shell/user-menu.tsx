import { Switch, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBell,
  IconCode,
  IconContrast,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconUserCircle,
  IconVolume,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { User } from '../../../shared/contracts/accounts.ts';
import { ApiError } from '../../lib/api.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useChatSound, useChatToast } from '../../lib/preferences.ts';
import { chooseLocale, signOut } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { AnchoredPopover, useReturnedFocus } from '../../ui/floating.tsx';
import { Drawer } from '../../ui/overlays.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './user-menu.module.css';

interface Props {
  user: User;
  onShortcuts(): void;
  onClose(): void;
}

/** Above the name that opens it; on a phone a sheet from below. */
export function UserMenu({ user, onShortcuts, onClose }: Props) {
  const { t } = useTranslation('common');
  const isPhone = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  const [isOpen, setIsOpen] = useState(true);
  useReturnedFocus();
  const label = t('user.menu', { name: user.username });
  const person = (
    <span className={classes['person']}>
      <Avatar kind="person" id={user.uuid} name={user.username} url={user.avatar?.url} />
      <span>
        <b>{user.username}</b>
        <small>{user.email}</small>
      </span>
    </span>
  );
  if (isPhone)
    return (
      <Drawer
        opened={isOpen}
        // It slides out before it is gone, and gives the focus back.
        onClose={() => setIsOpen(false)}
        onExitTransitionEnd={onClose}
        position="bottom"
        title={
          <>
            <VisuallyHidden>{label}</VisuallyHidden>
            {person}
          </>
        }
        classNames={{ content: classes['sheet'] ?? '', header: classes['head'] ?? '', body: classes['body'] ?? '' }}
      >
        <Rows onClose={() => setIsOpen(false)} />
      </Drawer>
    );
  return (
    <AnchoredPopover
      label={label}
      position="top-start"
      width={320}
      trapFocus
      onChange={onClose}
      styles={{ dropdown: { padding: 4 } }}
    >
      {person}
      <Rows
        onClose={onClose}
        onShortcuts={() => {
          onClose();
          onShortcuts();
        }}
      />
    </AnchoredPopover>
  );
}

const modes = ['light', 'dark', 'auto'] as const;
const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** Without `onShortcuts` there is no keyboard to speak of. */
function Rows({ onClose, onShortcuts }: { onClose(): void; onShortcuts?: () => void }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [chatToast, setChatToast] = useChatToast();
  const [chatSound, setChatSound] = useChatSound();
  const leave = async () => {
    try {
      await signOut();
      await navigate({ to: '/Login' });
    } catch (error) {
      if (error instanceof ApiError) toast.error(error.message);
    }
  };
  return (
    <>
      <div className={classes['group']}>
        <UnstyledButton component={Link} to="/Account" className={classes['row'] ?? ''} onClick={onClose}>
          <IconUserCircle {...icon} />
          {t('common:page.account')}
        </UnstyledButton>
      </div>
      <div className={classes['group']}>
        <div className={classes['row']}>
          <IconLanguage {...icon} />
          <span>{t('common:language')}</span>
          <Segments
            label={t('common:language')}
            value={currentLocale()}
            options={[
              { value: 'en', label: 'English', lang: 'en' },
              { value: 'ja', label: '日本語', lang: 'ja' },
            ]}
            onChange={(locale) => void chooseLocale(locale)}
          />
        </div>
        <div className={classes['row']}>
          <IconContrast {...icon} />
          <span>{t('common:colorMode.label')}</span>
          <Segments
            label={t('common:colorMode.label')}
            value={colorScheme}
            options={modes.map((value) => ({ value, label: t(`common:colorMode.${value}`) }))}
            onChange={setColorScheme}
          />
        </div>
        <Turned icon={<IconBell {...icon} />} label={t('user.chatToast')} isOn={chatToast} onTurn={setChatToast} />
        <Turned icon={<IconVolume {...icon} />} label={t('user.chatSound')} isOn={chatSound} onTurn={setChatSound} />
      </div>
      <div className={classes['group']}>
        {onShortcuts && (
          <UnstyledButton className={classes['row'] ?? ''} onClick={onShortcuts}>
            <IconKeyboard {...icon} />
            {t('user.shortcuts')}
          </UnstyledButton>
        )}
        <UnstyledButton component="a" href="/docs" target="_blank" rel="noreferrer" className={classes['row'] ?? ''}>
          <IconCode {...icon} />
          {t('user.docs')}
        </UnstyledButton>
      </div>
      <div className={classes['group']}>
        <UnstyledButton className={classes['row'] ?? ''} onClick={() => void leave()}>
          <IconLogout {...icon} />
          {t('user.signOut')}
        </UnstyledButton>
      </div>
    </>
  );
}

interface TurnedProps {
  icon: ReactNode;
  label: string;
  isOn: boolean;
  onTurn(isOn: boolean): void;
}

/** A switch at the end of its row, all of which turns it. */
function Turned({ icon, label, isOn, onTurn }: TurnedProps) {
  return (
    <Switch
      size="sm"
      labelPosition="left"
      classNames={{ body: classes['turned'] ?? '', labelWrapper: classes['words'] ?? '', label: classes['row'] ?? '' }}
      label={
        <>
          {icon}
          {label}
        </>
      }
      checked={isOn}
      onChange={(event) => onTurn(event.currentTarget.checked)}
    />
  );
}
