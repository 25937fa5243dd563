import type { Broadcast } from '../../../shared/contracts/line-campaigns.ts';
import { ApiError } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { sayFailure } from './failure.ts';
import { useSaveBroadcast } from './line-campaigns.queries.ts';

interface Props {
  broadcast: Broadcast;
  /** What was read when something else of it was changed, which is not saved yet. */
  seen: string | undefined;
  onRenamed(now: Broadcast): void;
  onClose(): void;
}

/** What the team calls a broadcast. */
export function RenameBroadcast({ broadcast, seen, onRenamed, onClose }: Props) {
  const { t } = useTranslation('line-campaigns');
  const save = useSaveBroadcast(broadcast.uuid);
  const fault = save.error instanceof ApiError ? save.error.fields['name'] : undefined;
  return (
    <RenameDialog
      title={t('editor.rename')}
      label={t('editor.name')}
      hint={t('editor.nameHint')}
      name={broadcast.name}
      maxLength={100}
      isBusy={save.isPending}
      fault={fault}
      error={save.error && !fault ? sayFailure(save.error, t) : undefined}
      onSave={(name) =>
        save.mutate(
          { name, ...(seen !== undefined && { seen }) },
          {
            onSuccess: (now) => {
              onRenamed(now);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
