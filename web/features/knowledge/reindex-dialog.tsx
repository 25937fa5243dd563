import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useReindexBase } from './knowledge.queries.ts';

interface Props {
  base: Pick<Knowledge, 'uuid' | 'documentCount'>;
  opened: boolean;
  onClose(): void;
}

/** Asks whether all documents of a base are to be read again. */
export function ReindexDialog({ base, opened, onClose }: Props) {
  const { t } = useTranslation('knowledge');
  const reindex = useReindexBase(base.uuid);
  const start = () =>
    void reindex.mutateAsync().then(
      () => {
        toast.success(t('settings.reindexStarted'));
        onClose();
      },
      (error: unknown) => toast.error(errorText(error)),
    );
  return (
    <ConfirmDialog
      opened={opened}
      title={t('settings.reindexTitle', { count: base.documentCount })}
      text={t('settings.reindexText')}
      confirm={t('document.reindex')}
      cancel={t('settings.later')}
      loading={reindex.isPending}
      isHarmless
      onConfirm={start}
      onClose={onClose}
    />
  );
}
