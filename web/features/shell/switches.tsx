import { Button, Group, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
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

export function LanguageSwitch() {
  const { t } = useTranslation('common');
  const locale = currentLocale();
  return (
    <Group gap={4} role="group" aria-label={t('language')} wrap="nowrap">
      {(['en', 'ja'] as const).map((each) => (
        <Button key={each} lang={each} size="compact-sm" variant={each === locale ? 'light' : 'subtle'} color={each === locale ? 'green' : 'gray'} aria-pressed={each === locale} onClick={() => void choose(each)}>
          {each === 'en' ? 'English' : '日本語'}
        </Button>
      ))}
    </Group>
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
