import { Loader, Text, UnstyledButton } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatBytes } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Pixels } from '../../ui/pixels.tsx';
import { useAttachment } from './conversations.queries.ts';
import classes from './conversations.module.css';

export const isPicture = ({ mime }: Attachment) => mime.startsWith('image/');

/** What a question carries: pictures as pictures, other files by their names. */
export function AttachmentList({ files }: { files: Attachment[] }) {
  const { t } = useTranslation('conversations');
  if (files.length === 0) return null;
  return (
    <div className={classes['files']} role="group" aria-label={t('attach.files')}>
      {files.map((file) =>
        isPicture(file) ? <Picture key={file.uuid} file={file} /> : <FileChip key={file.uuid} file={file} />,
      )}
    </div>
  );
}

function Picture({ file }: { file: Attachment }) {
  const { t } = useTranslation('conversations');
  const { data: bytes, isError } = useAttachment(file.uuid);
  const [isOpen, setIsOpen] = useState(false);
  if (isError) return <FileChip file={file} />;
  return (
    <>
      <UnstyledButton
        className={classes['picture']}
        onClick={() => setIsOpen(true)}
        disabled={!bytes}
        aria-label={t('attach.open', { name: file.name })}
      >
        {bytes ? <Pixels bytes={bytes} mime={file.mime} alt="" /> : <Loader size="sm" />}
      </UnstyledButton>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={file.name} size="auto" centered>
        {bytes && <Pixels className={classes['largePicture'] ?? ''} bytes={bytes} mime={file.mime} alt={file.name} />}
      </Modal>
    </>
  );
}

function FileChip({ file }: { file: Attachment }) {
  const { t } = useTranslation('conversations');
  const [isWanted, setIsWanted] = useState(false);
  const onDone = useCallback(() => setIsWanted(false), []);
  return (
    <>
      <button
        type="button"
        className={classes['fileChip']}
        onClick={() => setIsWanted(true)}
        aria-label={t('attach.download', { name: file.name })}
      >
        <IconFile size={16} aria-hidden />
        <span>{file.name}</span>
        <small>{formatBytes(file.bytes)}</small>
      </button>
      {isWanted && <Download file={file} onDone={onDone} />}
    </>
  );
}

/** Neither does a plain link. */
function Download({ file, onDone }: { file: Attachment; onDone(): void }) {
  const { data: bytes, error } = useAttachment(file.uuid);
  useEffect(() => {
    if (!bytes) return;
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    Object.assign(document.createElement('a'), { href: url, download: file.name }).click();
    // The address has to live until the browser has taken it.
    const timer = setTimeout(onDone, 1000);
    return () => {
      clearTimeout(timer);
      URL.revokeObjectURL(url);
    };
  }, [bytes, file.name, onDone]);
  return error ? (
    <Text size="xs" c="red" role="alert">
      {errorText(error)}
    </Text>
  ) : null;
}
