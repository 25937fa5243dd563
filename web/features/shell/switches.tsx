import { ActionIcon, Button, Group, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { chooseLocale } from '../../lib/session.ts';

export function LanguageSwitch() {
  const { t } = useTranslation('common');
  const locale = currentLocale();
  return (
    <Group gap={4} role="group" aria-label={t('language')} wrap="nowrap">
      {(['en', 'ja'] as const).map((each) => (
        <Button
          key={each}
          lang={each}
          size="compact-sm"
          variant={each === locale ? 'default' : 'subtle'}
          color="gray"
          aria-pressed={each === locale}
          onClick={() => void chooseLocale(each)}
        >
          {each === 'en' ? 'English' : '日本語'}
        </Button>
      ))}
    </Group>
  );
}

const modes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

export function ColorModeSwitch() {
  const { t } = useTranslation('common');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap={4} role="group" aria-label={t('colorMode.label')} wrap="nowrap">
      {(['light', 'dark', 'auto'] as const).map((each) => {
        const Icon = modes[each];
        return (
          <ActionIcon
            key={each}
            variant={each === colorScheme ? 'default' : 'subtle'}
            color="gray"
            title={t(`colorMode.${each}`)}
            aria-pressed={each === colorScheme}
            onClick={() => setColorScheme(each)}
          >
            <Icon size={16} role="img" aria-label={t(`colorMode.${each}`)} />
          </ActionIcon>
        );
      })}
    </Group>
  );
}
