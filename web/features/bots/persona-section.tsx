import { ActionIcon, Box, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { monospace } from '../../ui/monospace.ts';
import { Section, type SectionProps } from './section.tsx';
import { VariableTextarea } from './variable-textarea.tsx';

const maxVariables = 30;

export function PersonaSection({
  values,
  set,
  fieldError,
  onVariable,
}: SectionProps & { onVariable(name: string): void }) {
  const { t } = useTranslation('bots-editor');
  const { variables } = values;
  const change = (at: number, changes: Partial<(typeof variables)[number]>) =>
    set(
      'variables',
      variables.map((each, other) => (other === at ? { ...each, ...changes } : each)),
    );
  return (
    <Section name="persona">
      <VariableTextarea
        label={t('persona.instructions')}
        description={t('persona.instructionsHint')}
        placeholder={t('persona.instructionsPlaceholder')}
        value={values.instructions}
        variables={variables}
        onChange={(instructions) => set('instructions', instructions)}
        onVariable={onVariable}
        minRows={6}
        maxRows={24}
        maxLength={20_000}
        error={fieldError('instructions')}
      />
      <Box role="group" aria-labelledby="variables-label">
        <Input.Label labelElement="div" id="variables-label">
          {t('variables.label')}
        </Input.Label>
        <Input.Description mb={6}>{t('variables.hint', { mark: '{{shop}}' })}</Input.Description>
        <Stack gap={6}>
          {variables.map(({ name, value }, at) => (
            <Group key={at} gap={6} wrap="nowrap" align="flex-start">
              <TextInput
                style={{ flex: 2, minWidth: 0 }}
                value={name}
                placeholder={t('variables.namePlaceholder')}
                aria-label={t('variables.title', { number: at + 1 })}
                maxLength={64}
                styles={monospace}
                error={fieldError(`variables.${at}.name`)}
                onChange={(event) => change(at, { name: event.currentTarget.value })}
              />
              <TextInput
                style={{ flex: 3, minWidth: 0 }}
                value={value}
                placeholder={t('variables.valuePlaceholder')}
                aria-label={t('variables.value', { number: at + 1 })}
                maxLength={2000}
                error={fieldError(`variables.${at}.value`)}
                onChange={(event) => change(at, { value: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('variables.remove', { number: at + 1 })}
                onClick={() => set('variables', variables.toSpliced(at, 1))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        {variables.length < maxVariables && (
          <Button
            variant="subtle"
            size="xs"
            mt={6}
            leftSection={<IconPlus size={14} />}
            onClick={() => set('variables', [...variables, { name: '', value: '' }])}
          >
            {t('variables.add')}
          </Button>
        )}
      </Box>
    </Section>
  );
}
