import { Button, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { embeddingLimits } from '../../../shared/contracts/knowledge.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import classes from './chunks.module.css';
import { Phrases } from './phrases.tsx';

export interface Written {
  text: string;
  questions: string[];
  keywords: string[];
}

interface Props {
  initial: Written;
  /** As it was read, where that is something else. */
  original?: string | null;
  label: string;
  isBusy: boolean;
  error: object | undefined;
  onSave(values: Written): void;
  onCancel(): void;
  /** Where there is something to split. */
  onSplit?: ((at: number, values: Written) => void) | undefined;
}

/** Where a chunk is written: what it says, and what else it is found by. */
export function ChunkEditor({ initial, original, label, isBusy, error, onSave, onCancel, onSplit }: Props) {
  const { t } = useTranslation('knowledge');
  const [values, setValues] = useState(initial);
  const [hint, setHint] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const isDirty = JSON.stringify(values) !== JSON.stringify(initial);
  const guard = useUnsavedGuard(isDirty && !isBusy);
  const { text } = values;
  const split = () => {
    const at = field.current?.selectionStart ?? 0;
    if (!text.slice(0, at).trim() || !text.slice(at).trim()) setHint(t('chunks.splitHint'));
    else onSplit?.(at - (text.length - text.trimStart().length), { ...values, text: text.trim() });
  };
  const save = () => {
    if (text.trim() === '') {
      setHint(t('text.textMissing'));
      field.current?.focus();
    } else if (isDirty) onSave({ ...values, text: text.trim() });
    else onCancel();
  };
  return (
    <form
      className={classes['editor']}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Textarea
        ref={field}
        autosize
        minRows={3}
        maxRows={24}
        data-autofocus
        autoFocus
        aria-label={label}
        value={text}
        maxLength={embeddingLimits.text}
        onChange={(event) => {
          setHint(undefined);
          setValues({ ...values, text: event.currentTarget.value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isDirty) onCancel();
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save();
        }}
        error={hint ?? problemOf(error)}
      />
      <Phrases
        label={t('chunks.questions')}
        placeholder={t('chunks.questionsHint')}
        value={values.questions}
        most={embeddingLimits.questions}
        maxLength={embeddingLimits.question}
        onChange={(questions) => setValues({ ...values, questions })}
      />
      <Phrases
        label={t('chunks.keywords')}
        placeholder={t('chunks.keywordsHint')}
        value={values.keywords}
        most={embeddingLimits.keywords}
        maxLength={embeddingLimits.keyword}
        onChange={(keywords) => setValues({ ...values, keywords })}
      />
      <footer>
        <p>{t('chunks.note')}</p>
        <span>
          {onSplit && (
            <Button size="xs" variant="default" disabled={isBusy} onClick={split}>
              {t('chunks.split')}
            </Button>
          )}
          {original && original !== text && (
            <Button size="xs" variant="default" onClick={() => setValues({ ...values, text: original })}>
              {t('chunks.original')}
            </Button>
          )}
        </span>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button size="xs" type="submit" loading={isBusy}>
          {t('common:save')}
        </Button>
      </footer>
      <ConfirmDialog {...guard} />
    </form>
  );
}
