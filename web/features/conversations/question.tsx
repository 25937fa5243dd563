import { Button, Group, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Message } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { isComposing } from '../../ui/keyboard.ts';
import { AttachmentList } from './attachment-list.tsx';
import { BranchSwitch } from './branch-switch.tsx';
import { CopyAction } from './copy-action.tsx';
import type { Asked } from './live.ts';
import classes from './conversations.module.css';

interface Props {
  message: Message;
  isBusy: boolean;
  isEditing: boolean;
  onEditing(message: string | undefined): void;
  onEdit(message: Message, text: string): void;
  onShow(message: string): void;
}

export const Question = memo(function Question({ message, isBusy, isEditing, onEditing, onEdit, onShow }: Props) {
  const { t } = useTranslation('conversations');
  return (
    <div className={classes['asked']} role="group" aria-label={t('chat.you')}>
      <AttachmentList files={message.files} />
      {isEditing ? (
        <EditForm
          text={message.text}
          onCancel={() => onEditing(undefined)}
          onSave={(text) => {
            onEditing(undefined);
            onEdit(message, text);
          }}
        />
      ) : (
        <div className={classes['question']}>{message.text}</div>
      )}
      {!isEditing && (
        <div className={classes['actions']}>
          <BranchSwitch message={message} disabled={isBusy} onShow={onShow} />
          <CopyAction value={message.text} label={t('chat.copyQuestion')} />
          <IconButton label={t('edit.label')} disabled={isBusy} onClick={() => onEditing(message.uuid)}>
            <IconPencil size={15} />
          </IconButton>
        </div>
      )}
    </div>
  );
});

/** A question that the server has not confirmed yet. */
export function PendingQuestion({ asked }: { asked: Asked }) {
  const { t } = useTranslation('conversations');
  return (
    <div className={classes['asked']} role="group" aria-label={t('chat.you')}>
      <AttachmentList files={asked.files} />
      <div className={classes['question']}>{asked.text}</div>
    </div>
  );
}

const longest = 8000;

function EditForm({ text: before, onSave, onCancel }: { text: string; onSave(text: string): void; onCancel(): void }) {
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
