import { ActionIcon, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconFile, IconPhoto, IconX } from '@tabler/icons-react';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { formatBytes } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Pixels } from '../../ui/pixels.tsx';
import { isPicture } from './attachment-list.tsx';
import { useAttachment } from './conversations.queries.ts';
import type { Upload } from './use-attachments.ts';
import classes from './conversations.module.css';

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

function Thumbnail({ file }: { file: Attachment }) {
  const { data: bytes } = useAttachment(file.uuid);
  return bytes ? (
    <Pixels className={classes['thumbnail'] ?? ''} bytes={bytes} mime={file.mime} alt="" />
  ) : (
    <IconPhoto size={16} aria-hidden />
  );
}
