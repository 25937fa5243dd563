import { CloseButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import classes from './knowledge.module.css';
import { isBusy, useUploadFile } from './knowledge.queries.ts';

interface Upload {
  id: number;
  name: string;
  state: 'waiting' | 'sending' | 'done' | 'duplicate' | 'failed';
  message?: string;
  document?: string | undefined;
}

let lastId = 0;

/** Files sent one after another; each tells how it went until that is dismissed. */
export function useUploads(base: string, onSettled?: () => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const { mutateAsync } = useUploadFile(base);
  const patch = (id: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)));

  const send = async (files: File[]) => {
    const added = files.map((file) => ({ file, upload: { id: ++lastId, name: file.name, state: 'waiting' as const } }));
    setUploads((before) => [...added.map(({ upload }) => upload), ...before].slice(0, 50));
    for (const { file, upload } of added) {
      patch(upload.id, { state: 'sending' });
      try {
        const document = await mutateAsync(file);
        patch(upload.id, { state: document?.duplicate ? 'duplicate' : 'done', document: document?.uuid });
      } catch (error) {
        patch(upload.id, { state: 'failed', message: error instanceof Error ? error.message : '' });
      }
    }
    onSettled?.();
  };
  const dismiss = (id?: number) =>
    setUploads((before) => (id === undefined ? [] : before.filter((each) => each.id !== id)));
  return { uploads, send: (files: File[]) => void send(files), dismiss };
}

const kinds: Record<Upload['state'], StateKind> = {
  waiting: 'draft',
  sending: 'working',
  done: 'live',
  duplicate: 'warning',
  failed: 'failed',
};

interface ResultsProps {
  uploads: Upload[];
  /** As the list has them: what was taken may turn out to have no text. */
  documents: Document[];
  onDismiss(id?: number): void;
}

/** How each file went, in one way: refused, here already, without text, or there. */
export function UploadResults({ uploads, documents, onDismiss }: ResultsProps) {
  const { t } = useTranslation('knowledge');
  if (uploads.length === 0) return null;
  const tell = ({ state, message, document: uuid }: Upload): { kind: StateKind; text: string } => {
    const document = state === 'done' ? documents.find((each) => each.uuid === uuid) : undefined;
    if (document?.error) return { kind: 'failed', text: document.error.message };
    if (document && document.pagesWithoutText.length > 0)
      return {
        kind: 'warning',
        text: t('status.pagesWithoutText', { pages: document.pagesWithoutText.slice(0, 20).join(t('common:comma')) }),
      };
    if (document && isBusy(document)) return { kind: 'working', text: t(`status.${document.status}`) };
    return { kind: kinds[state], text: message ?? t(`drop.${state}`) };
  };
  return (
    <div className={classes['results']} aria-live="polite">
      <Section
        title={t('drop.results')}
        count={uploads.length}
        end={<CloseButton size="sm" aria-label={t('drop.dismissAll')} onClick={() => onDismiss()} />}
      >
        {uploads.map((upload) => {
          const { kind, text } = tell(upload);
          return (
            <div key={upload.id} className={classes['result']}>
              <State kind={kind}>
                <span className={classes['resultName']}>{upload.name}</span>
              </State>
              <span>{text}</span>
              <CloseButton
                size="xs"
                aria-label={t('drop.dismiss', { name: upload.name })}
                onClick={() => onDismiss(upload.id)}
              />
            </div>
          );
        })}
      </Section>
    </div>
  );
}

/** Where files are chosen. */
export function FilePicker({ isArea = false, onFiles }: { isArea?: boolean; onFiles(files: File[]): void }) {
  const { t } = useTranslation('knowledge');
  return (
    <label className={classes['drop']} data-area={isArea || undefined}>
      <input
        type="file"
        multiple
        aria-label={t('drop.title')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <IconUpload size={isArea ? 28 : 14} stroke={1.6} aria-hidden />
      {isArea ? (
        <>
          <b>{t('drop.title')}</b>
          <span>{t('drop.formats')}</span>
        </>
      ) : (
        t('drop.anywhere')
      )}
    </label>
  );
}

/** The whole page takes files that are dropped on it. */
export function DropAnywhere({ into, onFiles }: { into: string; onFiles(files: File[]): void }) {
  const { t } = useTranslation('knowledge');
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    // It enters each element that it comes over, before it leaves the one before.
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const end = () => {
      depth = 0;
      setIsOver(false);
    };
    window.addEventListener(
      'dragenter',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth++;
        setIsOver(true);
      },
      { signal },
    );
    window.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), { signal });
    window.addEventListener('dragleave', (event) => hasFiles(event) && --depth <= 0 && end(), { signal });
    window.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        const files = filesOf(event.dataTransfer);
        if (files.length > 0) take(files);
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  if (!isOver) return null;
  return (
    <div className={classes['over']} aria-hidden>
      {t('drop.into', { name: into })}
      <small>{t('drop.formats')}</small>
    </div>
  );
}

/** Folders cannot be sent. */
const filesOf = (data: DataTransfer | null): File[] =>
  [...(data?.items ?? [])].flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory === true ? null : item.getAsFile();
    return file ? [file] : [];
  });

interface Props {
  base: string;
  into?: string;
  documents?: Document[];
  onSettled?: () => void;
}

/** A place for files that is all there is on its page. */
export function FileDrop({ base, into = '', documents = [], onSettled }: Props) {
  const { uploads, send, dismiss } = useUploads(base, onSettled);
  return (
    <>
      <UploadResults uploads={uploads} documents={documents} onDismiss={dismiss} />
      <FilePicker isArea onFiles={send} />
      <DropAnywhere into={into} onFiles={send} />
    </>
  );
}
