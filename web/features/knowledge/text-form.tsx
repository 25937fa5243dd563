import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { ApiError } from '../../lib/api.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ChunkPreview } from './chunk-preview.tsx';
import { useAddText } from './knowledge.queries.ts';

/** Characters that a preview takes. */
const previewed = 100_000;

export function TextForm({ base, onAdded }: { base: Pick<Knowledge, 'uuid' | 'settings'>; onAdded(): void }) {
  const { t } = useTranslation('knowledge');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isPreviewed, setIsPreviewed] = useState(false);
  const add = useAddText(base.uuid);
  const guard = useUnsavedGuard(text.trim() !== '' && !add.isPending && !add.isSuccess);
  const fields = add.error instanceof ApiError ? add.error.fields : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ name, text }, { onSuccess: onAdded });
      }}
    >
      <ConfirmDialog {...guard} />
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
          <Button
            ml="auto"
            variant="default"
            aria-pressed={isPreviewed}
            disabled={!text.trim()}
            onClick={() => setIsPreviewed(!isPreviewed)}
          >
            {t('text.preview')}
          </Button>
          <Button type="submit" loading={add.isPending} disabled={!name.trim() || !text.trim()}>
            {t('text.submit')}
          </Button>
        </Group>
        {isPreviewed && text.trim() !== '' && (
          <ChunkPreview
            base={base.uuid}
            chunking={base.settings.chunking}
            of={{ name, text: text.slice(0, previewed) }}
          />
        )}
      </Stack>
    </form>
  );
}
