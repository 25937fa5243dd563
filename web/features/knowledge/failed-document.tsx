import { Button, FileButton } from '@mantine/core';
import { IconRefresh, IconTrash, IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './chunks.module.css';
import { useDocumentRemoval } from './document-table.tsx';
import { useDocumentAction, useUploadFile } from './knowledge.queries.ts';

type Reason = NonNullable<Document['error']>['code'];

/** Where the same file may do next time; any other needs another file. */
const passing: Reason[] = ['internal', 'parser-timeout'];

/** Where there is nothing of the original to look at. */
const unreadable: Reason[] = [
  'file-damaged',
  'file-encrypted',
  'file-unsafe',
  'file-missing',
  'type-mismatch',
  'file-too-old',
  'no-pages',
  'encoding-unknown',
];

/** All that there is of a document that could not be read: why, and what can be done. */
export function FailedDocument({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  const canEdit = useMay('edit');
  const { error } = document;
  if (!error) return null;
  return (
    <EmptyState
      drawing="documents"
      isFailure
      title={t(`reason.${error.code}`)}
      text={error.message}
      action={canEdit && <Remedies document={document} />}
    />
  );
}

export const hasNothingToShow = ({ error, chunkCount }: Document) =>
  error !== null && chunkCount === 0 && unreadable.includes(error.code);

/** What can be done about a document that could not be read. */
export function Remedies({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  const { knowledge: base, uuid, error, status } = document;
  const navigate = useNavigate();
  const act = useDocumentAction();
  const upload = useUploadFile(base);
  const removal = useDocumentRemoval(
    document,
    () => void navigate({ to: '/Knowledge/$id/documents', params: { id: base } }),
  );
  const variant = hasNothingToShow(document) ? 'filled' : 'default';
  const fail = (error: unknown) => toast.error(errorText(error));
  const replace = async (file: File) => {
    const { data } = await upload.mutateAsync({ file, document: uuid, onProgress: () => {} });
    if (data[0]?.duplicate) toast.error(t('drop.duplicate'));
  };
  return (
    <div className={classes['remedies']}>
      {status === 'failed' && error && passing.includes(error.code) ? (
        <Button
          variant={variant}
          leftSection={<IconRefresh size={16} />}
          loading={act.isPending}
          onClick={() => act.mutate({ base, document: uuid, action: 'retry' }, { onError: fail })}
        >
          {t('document.retry')}
        </Button>
      ) : (
        <FileButton
          onChange={(file) => file && void replace(file).catch(fail)}
          inputProps={{ 'aria-label': t('document.uploadAgain') }}
        >
          {(props) => (
            <Button
              {...props}
              variant={variant}
              leftSection={<IconUpload size={16} />}
              loading={upload.isPending || act.isPending}
            >
              {t('document.uploadAgain')}
            </Button>
          )}
        </FileButton>
      )}
      <Button variant="subtle" color="red" leftSection={<IconTrash size={16} />} onClick={removal.ask}>
        {t('common:delete')}
      </Button>
      {removal.dialog}
    </div>
  );
}
