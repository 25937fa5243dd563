import { Alert, Button, Group, Input, Switch, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { monospace } from '../../ui/monospace.ts';
import { contrastWithWhite, minContrast } from './contrast.ts';
import { Section, type SectionProps } from './section.tsx';

const presets = ['#077d0b', '#1862ab', '#6741d9', '#a61e4d', '#b02525', '#8a5300', '#212529'];
const isColor = (text: string) => /^#[0-9a-f]{6}$/.test(text);

export function AppearanceSection({ values, set, fieldError }: SectionProps) {
  const { t } = useTranslation('bots-editor');
  const { appearance } = values;
  const [typed, setTyped] = useState(appearance.color);
  const change = (changes: Partial<typeof appearance>) => set('appearance', { ...appearance, ...changes });
  const choose = (text: string) => {
    const color = text.trim().toLowerCase();
    setTyped(color);
    if (isColor(color)) change({ color });
  };
  const contrast = contrastWithWhite(appearance.color);
  return (
    <Section name="appearance">
      <Input.Wrapper
        label={t('appearance.color')}
        labelElement="div"
        labelProps={{ id: 'color-label' }}
        description={t('appearance.colorHint')}
      >
        <Group gap="xs" mt={6} role="group" aria-labelledby="color-label">
          {presets.map((color) => (
            <Button
              key={color}
              size="xs"
              w={30}
              h={30}
              p={0}
              radius="xl"
              bg={color}
              aria-label={color}
              aria-pressed={appearance.color === color}
              onClick={() => choose(color)}
              bd="1px solid var(--mantine-color-default-border)"
              style={
                appearance.color === color
                  ? { outline: '2px solid var(--mantine-color-text)', outlineOffset: 2 }
                  : undefined
              }
            />
          ))}
          <input
            type="color"
            value={appearance.color}
            onChange={(event) => choose(event.currentTarget.value)}
            aria-label={t('appearance.pick')}
            style={{ width: 36, height: 36, padding: 2, border: 0, background: 'none' }}
          />
          <TextInput
            w={110}
            styles={monospace}
            value={typed}
            onChange={(event) => choose(event.currentTarget.value)}
            aria-label={t('appearance.code')}
            maxLength={7}
            error={isColor(typed) ? fieldError('appearance.color') : t('appearance.codeInvalid')}
          />
          <Text
            component="span"
            size="sm"
            c="#ffffff"
            px="md"
            py={6}
            style={{ background: appearance.color, borderRadius: 16 }}
            aria-hidden
          >
            {t('appearance.sample')}
          </Text>
        </Group>
      </Input.Wrapper>
      {contrast < minContrast && (
        <Alert color="yellow" variant="light" role="status" icon={<IconAlertTriangle size={18} />}>
          {t('appearance.contrast', {
            contrast: formatNumber(Math.round(contrast * 10) / 10),
            least: formatNumber(minContrast),
          })}
        </Alert>
      )}
      <TextInput
        label={t('appearance.placeholder')}
        description={t('appearance.placeholderHint')}
        value={appearance.placeholder}
        onChange={(event) => change({ placeholder: event.currentTarget.value })}
        maxLength={120}
        error={fieldError('appearance.placeholder')}
      />
      <Switch
        label={t('appearance.showCitations')}
        description={t('appearance.showCitationsHint')}
        checked={appearance.showCitations}
        onChange={(event) => change({ showCitations: event.currentTarget.checked })}
      />
    </Section>
  );
}
