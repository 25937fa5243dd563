import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  initial: { name: string; description: string };
  submit: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit(values: { name: string; description: string }): void;
}

export function BaseForm({ initial, submit, isBusy, error, onSubmit }: Props) {
  const { t } = useTranslation('knowledge');
  const [values, setValues] = useState(initial);
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
        <Group>
          <Button type="submit" loading={isBusy} disabled={!values.name.trim()}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
