import { Loader, UnstyledButton } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { fetchBytes } from '../../lib/api.ts';
import { formatBytes } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useTask } from '../../lib/use-task.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Pixels } from '../../ui/pixels.tsx';
import { useFile } from './inbox.queries.ts';
import classes from './inbox.module.css';

/** What a message carries: pictures as pictures, recordings with a player, other files by their names. */
export function Files({ thread, files }: { thread: string; files: Attachment[] }) {
  if (files.length === 0) return null;
  return (
    <div className={classes['files']}>
      {files.map((file) =>
        file.mime.startsWith('image/') ? (
          <Picture key={file.uuid} thread={thread} file={file} />
        ) : /^(?:audio|video)\//.test(file.mime) ? (
          <Recording key={file.uuid} thread={thread} file={file} />
        ) : (
          <Chip key={file.uuid} thread={thread} file={file} />
        ),
      )}
    </div>
  );
}

function Picture({ thread, file }: { thread: string; file: Attachment }) {
  const { t } = useTranslation('inbox');
  const { data: bytes, isError } = useFile(thread, file.uuid);
  const [isOpen, setIsOpen] = useState(false);
  if (isError) return <Chip thread={thread} file={file} />;
  return (
    <>
      <UnstyledButton
        className={classes['picture']}
        onClick={() => setIsOpen(true)}
        disabled={!bytes}
        aria-label={t('files.enlarge', { name: file.name })}
      >
        {bytes ? <Pixels bytes={bytes} mime={file.mime} alt="" /> : <Loader size="sm" />}
      </UnstyledButton>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={file.name} size="auto" centered>
        {bytes && <Pixels className={classes['largePicture'] ?? ''} bytes={bytes} mime={file.mime} alt={file.name} />}
        <Chip thread={thread} file={file} />
      </Modal>
    </>
  );
}

/** What is heard or watched where it stands; the browser draws its own player. */
function Recording({ thread, file }: { thread: string; file: Attachment }) {
  const { t } = useTranslation('inbox');
  const { data: bytes, isError } = useFile(thread, file.uuid);
  const [isUnknown, setIsUnknown] = useState(false);
  const play = useCallback(
    (player: HTMLMediaElement | null) => {
      if (!player || !bytes) return undefined;
      // A file needs the bearer, which a plain `src` does not send.
      const url = URL.createObjectURL(new Blob([bytes], { type: file.mime }));
      player.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [bytes, file.mime],
  );
  const Player = file.mime.startsWith('video/') ? 'video' : 'audio';
  return (
    <div className={classes['recording']}>
      {!isError && !isUnknown && (
        <Player
          ref={play}
          controls
          preload="metadata"
          aria-label={t('files.play', { name: file.name })}
          // Not every browser knows every kind: then there is the file.
          onError={() => setIsUnknown(true)}
        />
      )}
      <Chip thread={thread} file={file} />
    </div>
  );
}

function Chip({ thread, file }: { thread: string; file: Attachment }) {
  const { t } = useTranslation('inbox');
  const { run, error, isBusy } = useTask();
  const save = () =>
    run(async () =>
      // Whatever the file says it is, it is kept and not opened.
      saveFile(await fetchBytes(inbox.file, { params: { thread, uuid: file.uuid } }), {
        name: file.name,
        type: 'application/octet-stream',
      }),
    );
  return (
    <>
      <button
        type="button"
        className={classes['file']}
        onClick={() => void save()}
        disabled={isBusy}
        title={t('files.download', { name: file.name })}
      >
        <IconFile size={16} stroke={1.75} aria-hidden />
        <span>{file.name}</span>
        <small>{formatBytes(file.bytes)}</small>
      </button>
      {error && (
        <p role="alert" className={classes['problem']}>
          {error.message}
        </p>
      )}
    </>
  );
}
