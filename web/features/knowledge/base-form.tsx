import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { usualSettings, type BaseSettings } from '../../../shared/contracts/knowledge.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { SettingsFields } from './settings-fields.tsx';

interface Props {
  isBusy: boolean;
  error: Error | null;
  onSubmit(values: { name: string; description: string; settings: BaseSettings }): void;
}

/** What a new base begins with. */
export function BaseForm({ isBusy, error, onSubmit }: Props) {
  const { t } = useTranslation('knowledge');
  const [values, setValues] = useState({ name: '', description: '', settings: usualSettings });
  const [isOpen, setIsOpen] = useState(false);
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(values);
      }}
    >
      <Stack maw={520}>
        <TextInput
          label={t('common:name')}
          placeholder={t('form.namePlaceholder')}
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          maxLength={80}
          required
          error={fields['name'] ?? (error && Object.keys(fields).length === 0 ? error.message : undefined)}
        />
        <Textarea
          label={t('form.description')}
          description={t('form.descriptionHint')}
          value={values.description}
          onChange={(event) => setValues({ ...values, description: event.currentTarget.value })}
          maxLength={500}
          autosize
          minRows={2}
          error={fields['description']}
        />
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          style={{ alignSelf: 'flex-start' }}
          leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t('settings.more')}
        </Button>
        {isOpen && (
          <SettingsFields value={values.settings} onChange={(settings) => setValues({ ...values, settings })} />
        )}
        <Group>
          <Button type="submit" loading={isBusy} disabled={!values.name.trim()}>
            {t('common:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
