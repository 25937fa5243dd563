import { Button, Group, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { isComposing } from '../../ui/keyboard.ts';
import classes from './conversations.module.css';

const longest = 8000;

interface Props {
  text: string;
  onSave(text: string): void;
  onCancel(): void;
}

/** A question in other words. */
export function EditForm({ text: before, onSave, onCancel }: Props) {
  const { t } = useTranslation('conversations');
  const [text, setText] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(before.length, before.length);
  }, [before]);
  const save = () => text.trim() !== '' && onSave(text.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') onCancel();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    save();
  };
  return (
    <div className={classes['editForm']}>
      <Textarea
        ref={field}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autosize
        minRows={1}
        maxRows={12}
        maxLength={longest}
        aria-label={t('edit.field')}
        description={t('edit.hint')}
        inputWrapperOrder={['input', 'description']}
      />
      <Group gap="xs" justify="flex-end" mt="xs">
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button size="xs" onClick={save} disabled={text.trim() === ''}>
          {t('composer.send')}
        </Button>
      </Group>
    </div>
  );
}
