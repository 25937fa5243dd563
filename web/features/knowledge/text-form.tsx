import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { ChunkPreview } from './chunk-preview.tsx';
import classes from './knowledge.module.css';
import { useAddText } from './knowledge.queries.ts';

/** Characters that a preview takes. */
const previewed = 100_000;

export function TextForm({ base, onAdded }: { base: Pick<Knowledge, 'uuid' | 'settings'>; onAdded(): void }) {
  const { t } = useTranslation('knowledge');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isTold, setIsTold] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const add = useAddText(base.uuid);
  const guard = useUnsavedGuard(text.trim() !== '' && !add.isPending && !add.isSuccess);
  const fields = add.error instanceof ApiError ? add.error.fields : {};
  const missing = (value: string, sentence: string) => (isTold && value.trim() === '' ? sentence : undefined);
  return (
    <form
      noValidate
      className={classes['settings']}
      onSubmit={(event) => {
        event.preventDefault();
        const [empty] = [!name.trim() && nameField, !text.trim() && textField].filter((each) => each !== false);
        setIsTold(empty !== undefined);
        if (empty) empty.current?.focus();
        else add.mutate({ name, text }, { onSuccess: onAdded });
      }}
    >
      <ConfirmDialog {...guard} />
      <Stack>
        <TextInput
          ref={nameField}
          label={t('text.name')}
          placeholder={t('text.namePlaceholder')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={200}
          required
          error={missing(name, t('text.nameMissing')) ?? fields['name']}
        />
        <Textarea
          ref={textField}
          label={t('text.text')}
          description={t('text.hint')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={24}
          required
          error={
            missing(text, t('text.textMissing')) ??
            fields['text'] ??
            (Object.keys(fields).length === 0 ? problemOf(add.error) : undefined)
          }
        />
        <div className={classes['formFoot']}>
          <span className={classes['count']}>{t('text.characters', { count: formatNumber(text.length) })}</span>
          <Button type="submit" loading={add.isPending}>
            {t('text.submit')}
          </Button>
        </div>
      </Stack>
      <div className={classes['beside']}>
        <Section title={t('settings.preview')}>
          {text.trim() === '' ? (
            <p className={classes['hint']}>{t('text.previewNone')}</p>
          ) : (
            <ChunkPreview
              base={base.uuid}
              chunking={base.settings.chunking}
              of={{ name, text: text.slice(0, previewed) }}
            />
          )}
        </Section>
      </div>
    </form>
  );
}
