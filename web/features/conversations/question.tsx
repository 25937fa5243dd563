import { IconPencil } from '@tabler/icons-react';
import { memo } from 'react';
import type { Message } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { later } from '../../ui/later.tsx';
import { CopyAction } from './copy-action.tsx';
import type { Asked } from './live.ts';
import classes from './conversations.module.css';

// Few questions carry any.
const BranchSwitch = later(async () => (await import('./branch-switch.tsx')).BranchSwitch);
export const AttachmentList = later(async () => (await import('./attachment-list.tsx')).AttachmentList);
const EditForm = later(async () => (await import('./edit-form.tsx')).EditForm);

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
      {message.files.length > 0 && <AttachmentList files={message.files} onFail={() => {}} />}
      {isEditing ? (
        <EditForm
          text={message.text}
          onCancel={() => onEditing(undefined)}
          onFail={() => onEditing(undefined)}
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
          {message.siblings.length > 1 && (
            <BranchSwitch message={message} disabled={isBusy} onShow={onShow} onFail={() => {}} />
          )}
          <CopyAction value={message.text} label={t('chat.copyQuestion')} />
          <IconButton
            label={t('edit.label')}
            disabled={isBusy}
            onClick={() => onEditing(message.uuid)}
            {...EditForm.reach}
          >
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
      {asked.files.length > 0 && <AttachmentList files={asked.files} onFail={() => {}} />}
      <div className={classes['question']}>{asked.text}</div>
    </div>
  );
}
