import { ActionIcon, Loader, Progress, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconFile, IconPhoto, IconX } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { formatBytes } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { useAttachment } from './conversations.queries.ts';
import type { Upload } from './use-attachments.ts';
import classes from './conversations.module.css';

const isPicture = ({ mime }: Attachment) => mime.startsWith('image/');

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

function Thumbnail({ file }: { file: Attachment }) {
  const { data: bytes } = useAttachment(file.uuid);
  return bytes ? (
    <Pixels className={classes['thumbnail'] ?? ''} bytes={bytes} mime={file.mime} alt="" />
  ) : (
    <IconPhoto size={16} aria-hidden />
  );
}

/** A file needs the bearer, which a plain `src` does not send. */
function Pixels({
  bytes,
  mime,
  alt,
  className,
}: {
  bytes: ArrayBuffer;
  mime: string;
  alt: string;
  className?: string;
}) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [bytes, mime]);
  return <img ref={image} className={className} alt={alt} />;
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
      {error.message}
    </Text>
  ) : null;
}

/** What the next question will carry, each with how far it is and a cross to leave it out. */
interface TrayProps {
  uploads: Upload[];
  onRemove(id: number): void;
  onRetry(upload: Upload): void;
}

export function UploadTray({ uploads, onRemove, onRetry }: TrayProps) {
  const { t } = useTranslation('conversations');
  if (uploads.length === 0) return null;
  return (
    <ul className={classes['tray']} aria-label={t('attach.files')}>
      {uploads.map((upload) => {
        const { id, name, state, share, message, attachment, file } = upload;
        return (
          <li key={id} className={classes['upload']} data-failed={state === 'failed' || undefined}>
            {state === 'failed' ? (
              <IconAlertTriangle size={16} aria-hidden />
            ) : attachment && isPicture(attachment) ? (
              <Thumbnail file={attachment} />
            ) : (
              <IconFile size={16} aria-hidden />
            )}
            <div>
              <Text size="xs" truncate>
                {name}
              </Text>
              {state === 'sending' && (
                <Progress value={share * 100} size={4} aria-label={t('attach.sending', { name })} animated />
              )}
              {state === 'ready' && attachment && (
                <Text size="xs" c="dimmed">
                  {formatBytes(attachment.bytes)}
                </Text>
              )}
              {message && (
                <Text size="xs" c="red" role="alert">
                  {message}
                </Text>
              )}
              {state === 'failed' && (
                <div className={classes['uploadActs']}>
                  {file && (
                    <button type="button" onClick={() => onRetry(upload)} aria-label={`${t('common:retry')}: ${name}`}>
                      {t('common:retry')}
                    </button>
                  )}
                  <button type="button" onClick={() => onRemove(id)} aria-label={t('attach.remove', { name })}>
                    {t('common:remove')}
                  </button>
                </div>
              )}
            </div>
            {state !== 'failed' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                onClick={() => onRemove(id)}
                aria-label={t('attach.remove', { name })}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </li>
        );
      })}
    </ul>
  );
}
