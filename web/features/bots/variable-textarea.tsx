import { Button, Group, Stack, Text, Textarea, type TextareaProps } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef } from 'react';
import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { unknownVariables } from './variables.ts';

interface Props extends Omit<TextareaProps, 'value' | 'onChange'> {
  value: string;
  variables: BotConfig['variables'];
  onChange(value: string): void;
  /** Makes a variable that the text already uses. */
  onVariable(name: string): void;
}

/** A text that variables are filled into: one press inserts one, and what has no value is pointed out. */
export function VariableTextarea({ value, variables, onChange, onVariable, ...rest }: Props) {
  const { t } = useTranslation('bots-editor');
  const field = useRef<HTMLTextAreaElement>(null);
  const unknown = unknownVariables([value], variables);
  const insert = (name: string) => {
    const { selectionStart: from = value.length, selectionEnd: to = value.length } = field.current ?? {};
    const mark = `{{${name}}}`;
    onChange(value.slice(0, from) + mark + value.slice(to));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + mark.length, from + mark.length);
    });
  };
  return (
    <Stack gap={6}>
      <Textarea
        ref={field}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autosize
        {...rest}
      />
      {variables.some(({ name }) => name) && (
        <Group gap={6} role="group" aria-label={t('variables.insertInto', { field: String(rest.label) })}>
          {variables.flatMap(({ name }, at) =>
            name ? (
              <Button
                key={at}
                size="compact-xs"
                variant="light"
                color="gray"
                ff="monospace"
                onClick={() => insert(name)}
              >
                {`{{${name}}}`}
              </Button>
            ) : (
              []
            ),
          )}
        </Group>
      )}
      {unknown.map((name) => (
        <Group key={name} gap={6} role="status">
          <IconAlertTriangle size={15} color="var(--mantine-color-yellow-7)" aria-hidden />
          <Text size="xs">{t('variables.unknown', { name: `{{${name}}}` })}</Text>
          <Button size="compact-xs" variant="subtle" onClick={() => onVariable(name)}>
            {t('variables.addThis')}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
