import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useAddText } from './knowledge.queries.ts';

export function TextForm({ base, onAdded }: { base: string; onAdded(): void }) {
  const { t } = useTranslation('knowledge');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const add = useAddText(base);
  const fields = add.error instanceof ApiError ? add.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ name, text }, { onSuccess: onAdded });
      }}
    >
      <Stack>
        <TextInput
          label={t('text.name')}
          placeholder={t('text.namePlaceholder')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={200}
          error={fields['name']}
        />
        <Textarea
          label={t('text.text')}
          description={t('text.hint')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={24}
          error={fields['text'] ?? (Object.keys(fields).length === 0 ? add.error?.message : undefined)}
        />
        <Group justify="space-between">
          <span style={{ fontSize: 13, color: 'var(--mantine-color-dimmed)' }}>
            {t('text.characters', { count: formatNumber(text.length) })}
          </span>
          <Button type="submit" loading={add.isPending} disabled={!name.trim() || !text.trim()}>
            {t('text.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
