import { useCallback, useEffect, useRef, useState } from 'react';
import { conversations, type Attachment } from '../../../shared/contracts/conversations.ts';
import { call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { Asked } from './live.ts';

export const maxFiles = 10;
const maxBytes = 10_000_000;

/** A file on its way to a question. */
export interface Upload {
  id: number;
  name: string;
  state: 'sending' | 'ready' | 'failed';
  /** From 0 to 1. */
  share: number;
  message?: string;
  /** What could be sent once more. */
  file?: File;
  attachment?: Attachment;
}

let lastId = 0;

/** The files that the next question will carry; each is sent by itself, so a bad one does not take the others with it. */
export function useAttachments(takesImages: boolean) {
  const { t } = useTranslation('conversations');
  const [uploads, setUploads] = useState<Upload[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const patch = useCallback(
    (id: number, changes: Partial<Upload>) =>
      setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each))),
    [],
  );

  const send = useCallback(
    async (id: number, file: File) => {
      const abort = new AbortController();
      running.current.set(id, abort);
      const form = new FormData();
      form.append('file', file, file.name || t('attach.unnamed'));
      try {
        const { data } = await call(conversations.attach, {
          form,
          signal: abort.signal,
          onProgress: (share) => patch(id, { share }),
        });
        if (data[0]) patch(id, { state: 'ready', attachment: data[0] });
      } catch (error) {
        if (!abort.signal.aborted)
          patch(id, {
            state: 'failed',
            file,
            message: errorText(error),
          });
      } finally {
        running.current.delete(id);
      }
    },
    [patch, t],
  );

  const add = useCallback(
    (files: File[]) => {
      const refusal = (file: File) => {
        if (file.type.startsWith('image/') && !takesImages) return t('attach.noPictures');
        return file.size > maxBytes ? t('attach.tooLarge') : undefined;
      };
      const free = Math.max(0, maxFiles - uploads.length);
      const added = files.map((file, at) => ({
        file,
        id: ++lastId,
        message: at < free ? refusal(file) : t('attach.tooMany', { most: maxFiles }),
      }));
      setUploads((before) => [
        ...before,
        ...added.map(({ file, id, message }): Upload => ({
          id,
          name: file.name,
          share: 0,
          ...(message === undefined ? { state: 'sending' } : { state: 'failed', message }),
        })),
      ]);
      for (const { file, id, message } of added) if (message === undefined) void send(id, file);
    },
    [send, t, takesImages, uploads.length],
  );

  const remove = useCallback((id: number) => {
    running.current.get(id)?.abort();
    setUploads((before) => before.filter((each) => each.id !== id));
  }, []);

  const retry = useCallback(
    ({ id, file }: Upload) => {
      if (!file) return;
      setUploads((before) =>
        before.map((each) => (each.id === id ? { id, name: each.name, state: 'sending', share: 0 } : each)),
      );
      void send(id, file);
    },
    [send],
  );

  const restore = useCallback(
    (files: Asked['files']) =>
      setUploads(
        files.map((attachment): Upload => ({
          id: ++lastId,
          name: attachment.name,
          state: 'ready',
          share: 1,
          attachment,
        })),
      ),
    [],
  );

  useEffect(() => {
    const all = running.current;
    return () => all.forEach((abort) => abort.abort());
  }, []);

  return { uploads, add, remove, retry, restore };
}
