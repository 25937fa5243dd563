import type { RichMessage } from '../../../shared/contracts/rich-messages.ts';
import { ApiError } from '../../lib/api.ts';
import { problemOf } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { useSaveRich } from './rich-messages.queries.ts';

interface Props {
  /** Nothing where it is not stored yet: its name goes with it then. */
  message: RichMessage | undefined;
  name: string;
  /** What was read when something else of it was changed, which is not saved yet. */
  seen: string | undefined;
  onNamed(name: string): void;
  /** Not where it took the place of somebody else's change: what else is written has not met that yet. */
  onRenamed(now: RichMessage): void;
  onClose(): void;
}

/** What the team calls a message. */
export function RenameRich({ message, name, seen, onNamed, onRenamed, onClose }: Props) {
  const { t } = useTranslation('rich-messages');
  const save = useSaveRich(message?.uuid ?? '');
  const problem = save.error instanceof ApiError ? save.error : undefined;
  const fault = problem?.fields['name'];
  const failed = problem?.code === 'conflict' ? t('editor.conflict') : problemOf(save.error);
  return (
    <RenameDialog
      title={t(message ? 'editor.rename' : 'editor.nameIt')}
      label={t('common:name')}
      hint={t('editor.nameHint')}
      name={name}
      maxLength={maxName}
      isBusy={save.isPending}
      fault={fault}
      error={fault ? undefined : failed}
      onSave={(next) => {
        if (!message) return onNamed(next);
        return save.mutate(
          // Once somebody else's change was told, what is saved again takes its place.
          { name: next, ...(seen !== undefined && problem?.code !== 'conflict' && { seen }) },
          {
            onSuccess: (now) => {
              if (problem?.code !== 'conflict') onRenamed(now);
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    />
  );
}

const maxName = 80;
