import { useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';

export const maxFiles = 5;
const maxBytes = 10_000_000;

/** A file on its way to a reply. */
export interface Upload {
  id: number;
  file: File;
  state: 'sending' | 'ready' | 'failed';
  message?: string;
  attachment?: Attachment;
}

let lastId = 0;

/** The files that the next reply will carry; each is sent by itself, so a bad one does not take the others with it. */
export function useUploads() {
  const { t } = useTranslation('inbox');
  const [uploads, setUploads] = useState<Upload[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const patch = (id: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  const send = async ({ id, file }: Upload) => {
    const abort = new AbortController();
    running.current.set(id, abort);
    const form = new FormData();
    form.append('file', file, file.name || t('files.unnamed'));
    try {
      const { data } = await call(inbox.attach, { form, signal: abort.signal });
      if (data[0]) patch(id, { state: 'ready', attachment: data[0] });
    } catch (error) {
      if (!abort.signal.aborted) patch(id, { state: 'failed', message: errorText(error) });
    } finally {
      running.current.delete(id);
    }
  };
  useEffect(() => {
    const all = running.current;
    return () => all.forEach((abort) => abort.abort());
  }, []);
  return {
    uploads,
    add(files: File[]) {
      const free = Math.max(0, maxFiles - uploads.length);
      const added = files.map((file, at): Upload => {
        const message =
          at >= free ? t('files.tooMany', { most: maxFiles }) : file.size > maxBytes ? t('files.tooLarge') : undefined;
        return { id: ++lastId, file, ...(message ? { state: 'failed', message } : { state: 'sending' }) };
      });
      setUploads((before) => [...before, ...added]);
      for (const each of added) if (each.state === 'sending') void send(each);
    },
    retry(upload: Upload) {
      patch(upload.id, { state: 'sending', message: '' });
      void send(upload);
    },
    remove(id: number) {
      running.current.get(id)?.abort();
      setUploads((before) => before.filter((each) => each.id !== id));
    },
    clear: () => setUploads([]),
  };
}
