import { ActionIcon, Menu, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { changeLocale, currentLocale, type Locale } from '../../lib/i18n.ts';
import { getUser, setUser } from '../../lib/session.ts';

/** At once on the screen, and kept with the account for mails and other devices. */
async function choose(locale: Locale): Promise<void> {
  await changeLocale(locale);
  if (getUser()) setUser((await call(accounts.update, { body: { locale } })).data);
}

export function LanguageMenu() {
  const { t } = useTranslation('common');
  const locale = currentLocale();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('language')}>
          <IconLanguage size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['en', 'ja'] as const).map((each) => (
          <Menu.Item key={each} lang={each} onClick={() => void choose(each)} aria-current={each === locale || undefined} fw={each === locale ? 600 : undefined}>
            {each === 'en' ? 'English' : '日本語'}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ColorModeSwitch() {
  const { t } = useTranslation('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t('colorMode.label')}
      value={colorScheme}
      onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
      data={(['light', 'dark', 'auto'] as const).map((value) => {
        const Icon = icons[value];
        return { value, label: <Icon size={16} role="img" aria-label={t(`colorMode.${value}`)} style={{ display: 'block', margin: '2px auto' }} /> };
      })}
    />
  );
}
