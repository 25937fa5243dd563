import { Button, CloseButton, FileButton, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { ApiError } from '../../lib/api.ts';
import { filesOf, pathOf } from '../../lib/dropped-files.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatBytes } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import { CutName } from './cut-name.tsx';
import { useWarnings } from './document-state.tsx';
import classes from './knowledge.module.css';
import { findNamed, isBusy, useMaxUploadMb, useUploadFile } from './knowledge.queries.ts';

interface Upload {
  id: number;
  file: File;
  /** With its folders; of a file in a ZIP its name there. */
  name: string;
  state: 'waiting' | 'sending' | 'done' | 'duplicate' | 'failed';
  /** Which share of it has left. */
  share?: number;
  message?: string;
  /** What kept it back may be over by now. */
  canRetry?: boolean;
  /** The document whose place it takes. */
  replaces?: string | undefined;
  document?: string | undefined;
}

let lastId = 0;

/** Refused for what the file is, it is refused again. */
const isPassing = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 429 || error.status >= 500 || error.code === 'document-busy');

interface Question {
  files: File[];
  /** The documents that have the names of some of them. */
  named: Map<File, string>;
}

/** Files sent one after another; each tells how it went until that is dismissed. Whether they take the place of others is asked once. */
export function useUploads(base: string, onSettled?: () => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [question, setQuestion] = useState<Question>();
  const { mutateAsync } = useUploadFile(base);
  const patch = (id: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...changes } : each)));

  /** Has the results of a file take its place: of a ZIP each file inside has one. */
  const settle = (id: number, results: Partial<Upload>[]) =>
    setUploads((before) =>
      before.flatMap((each) =>
        each.id === id ? results.map((result, at) => ({ ...each, ...result, id: at === 0 ? id : ++lastId })) : each,
      ),
    );

  const sendOne = async ({ id, file, replaces }: Upload) => {
    patch(id, { state: 'sending', share: 0 });
    try {
      const { data, meta } = await mutateAsync({
        file,
        document: replaces,
        onProgress: (share) => patch(id, { share }),
      });
      const added = data.map(({ uuid, fileName: name, duplicate }): Partial<Upload> => {
        return { name, state: duplicate ? 'duplicate' : 'done', document: uuid };
      });
      const skipped = meta.skipped.map(({ name, message }): Partial<Upload> => ({ name, state: 'failed', message }));
      settle(id, [...added, ...skipped]);
    } catch (error) {
      patch(id, { state: 'failed', message: errorText(error), canRetry: isPassing(error) });
    }
  };
  const sendAll = async (files: File[], named?: Question['named']) => {
    const added = files.map((file): Upload => ({
      id: ++lastId,
      file,
      name: pathOf(file),
      state: 'waiting',
      replaces: named?.get(file),
    }));
    setUploads((before) => [...added, ...before]);
    for (const upload of added) await sendOne(upload);
    onSettled?.();
  };
  const send = async (files: File[]) => {
    if (files.length === 0) return;
    // Where they cannot be looked up, they cannot be sent either, and each says so.
    const named = await findNamed(base, files).catch(() => new Map<File, string>());
    // More may be dropped while the question stands.
    if (named.size > 0)
      setQuestion((before) => ({
        files: [...(before?.files ?? []), ...files],
        named: new Map([...(before?.named ?? []), ...named]),
      }));
    else await sendAll(files);
  };
  const answer = (choice?: 'replace' | 'keep') => {
    setQuestion(undefined);
    if (question && choice) void sendAll(question.files, choice === 'replace' ? question.named : undefined);
  };
  const dismiss = (id?: number) =>
    setUploads((before) => (id === undefined ? [] : before.filter((each) => each.id !== id)));
  return {
    uploads,
    send: (files: File[]) => void send(files),
    retry: (upload: Upload) => void sendOne(upload).then(onSettled),
    dismiss,
    dialog: <SameNames question={question} onAnswer={answer} />,
  };
}

function SameNames({
  question,
  onAnswer,
}: {
  question: Question | undefined;
  onAnswer(choice?: 'replace' | 'keep'): void;
}) {
  const { t } = useTranslation('knowledge');
  // It closes with what it asked.
  const [asked, setAsked] = useState(question);
  if (question && question !== asked) setAsked(question);
  const names = [...(asked?.named.keys() ?? [])].map(pathOf);
  const count = names.length;
  return (
    <Modal opened={question !== undefined} onClose={() => onAnswer()} title={t('same.title', { count })} centered>
      <Text size="sm">{t('same.text', { count })}</Text>
      <ul className={classes['files']}>
        {names.map((name) => (
          <li key={name}>
            <span className={classes['one']}>{name}</span>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={() => onAnswer()}>
          {t('common:cancel')}
        </Button>
        <Button variant="default" onClick={() => onAnswer('keep')}>
          {t('same.keep')}
        </Button>
        <Button data-autofocus onClick={() => onAnswer('replace')}>
          {t('same.replace')}
        </Button>
      </Group>
    </Modal>
  );
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
  onRetry(upload: Upload): void;
  onDismiss(id?: number): void;
}

interface Told {
  kind: StateKind;
  text: string;
  percent?: number;
}

/** How each file went, in one way: refused, here already, without text, or there. */
export function UploadResults({ uploads, documents, onRetry, onDismiss }: ResultsProps) {
  const { t } = useTranslation('knowledge');
  const warningsOf = useWarnings();
  if (uploads.length === 0) return null;
  const tell = ({ state, share = 0, message, replaces }: Upload, document: Document | undefined): Told => {
    if (document?.error) return { kind: 'failed', text: document.error.message };
    if (document && document.warnings.length > 0) return { kind: 'warning', text: warningsOf(document).join('\n') };
    if (document && isBusy(document))
      return { kind: 'working', text: t(`status.${document.status}`), percent: Math.round(document.progress * 100) };
    if (document && state === 'done') return { kind: 'live', text: t(`status.${document.status}`) };
    if (state === 'sending') return { kind: 'working', text: t('drop.sending'), percent: Math.round(share * 100) };
    const word = state === 'done' && replaces ? 'replaced' : state;
    return { kind: kinds[state], text: message ?? t(`drop.${word}`) };
  };
  return (
    <div className={classes['results']} aria-live="polite">
      <Section
        title={t('drop.results')}
        count={uploads.length}
        end={<CloseButton size="sm" aria-label={t('drop.dismissAll')} onClick={() => onDismiss()} />}
      >
        {uploads.map((upload) => {
          const document = documents.find((each) => each.uuid === upload.document);
          const { kind, text, percent } = tell(upload, upload.state === 'done' ? document : undefined);
          const { name } = upload;
          return (
            <div key={upload.id} className={classes['result']}>
              <State kind={kind} {...(percent !== undefined && { done: percent })}>
                {document ? (
                  <Link
                    to="/Knowledge/$id/documents/$documentId"
                    params={{ id: document.knowledge, documentId: document.uuid }}
                    className={classes['resultName']}
                    title={name}
                    aria-label={name}
                  >
                    <CutName name={name} />
                  </Link>
                ) : (
                  <span className={classes['resultName']}>{name}</span>
                )}
              </State>
              <span>
                {text}
                {percent !== undefined && ` ${percent}%`}
              </span>
              {percent !== undefined && (
                <span className={classes['bar']} aria-hidden>
                  <span style={{ width: `${Math.max(3, percent)}%` }} />
                </span>
              )}
              {upload.canRetry && upload.state === 'failed' && (
                <Button size="compact-xs" variant="default" onClick={() => onRetry(upload)}>
                  {t('common:retry')}
                </Button>
              )}
              <CloseButton size="sm" aria-label={t('drop.dismiss', { name })} onClick={() => onDismiss(upload.id)} />
            </div>
          );
        })}
      </Section>
    </div>
  );
}

/** Nothing is dropped with a finger. */
export const useIsTouch = () => useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });

/** Where files are chosen. */
export function FilePicker({ isArea = false, onFiles }: { isArea?: boolean; onFiles(files: File[]): void }) {
  const { t } = useTranslation('knowledge');
  const isTouch = useIsTouch();
  const limitMb = useMaxUploadMb();
  return (
    <label className={classes['drop']} data-area={isArea || undefined}>
      <input
        type="file"
        multiple
        aria-label={t(isTouch ? 'drop.choose' : 'drop.title')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <IconUpload size={isArea ? 24 : 14} stroke={1.6} aria-hidden />
      {isArea ? (
        <>
          <b>{t(isTouch ? 'drop.choose' : 'drop.title')}</b>
          <span>{t('drop.formats')}</span>
          <span className={classes['count']}>{limitMb !== undefined && t('drop.limit', { limitMb })}</span>
        </>
      ) : (
        t(isTouch ? 'drop.choose' : 'drop.anywhere')
      )}
    </label>
  );
}

/** The one button of a place that has no files yet. */
export function ChooseFiles({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation('knowledge');
  return (
    <FileButton multiple onChange={onFiles} inputProps={{ 'aria-label': t('drop.choose') }}>
      {(props) => (
        <Button {...props} mt="xs" leftSection={<IconUpload size={16} />}>
          {t('drop.choose')}
        </Button>
      )}
    </FileButton>
  );
}

/** Files that go with what is made, and wait for it. */
export function ChosenFiles({ files, onFiles }: { files: File[]; onFiles(files: File[]): void }) {
  const { t } = useTranslation('knowledge');
  if (files.length === 0) return null;
  return (
    <ul className={classes['files']}>
      {files.map((file) => (
        <li key={pathOf(file)}>
          <span className={classes['one']}>{pathOf(file)}</span>
          <span className={classes['count']}>{formatBytes(file.size)}</span>
          <CloseButton
            size="sm"
            aria-label={t('drop.leaveOut', { name: pathOf(file) })}
            onClick={() => onFiles(files.filter((each) => each !== file))}
          />
        </li>
      ))}
    </ul>
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
        void filesOf(event.dataTransfer).then((files) => files.length > 0 && take(files));
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

interface Props {
  base: string;
  into?: string;
  documents?: Document[];
  onSettled?: () => void;
}

/** A place for files that is all there is on its page. */
export function FileDrop({ base, into = '', documents = [], onSettled }: Props) {
  const { uploads, send, retry, dismiss, dialog } = useUploads(base, onSettled);
  return (
    <>
      <FilePicker isArea onFiles={send} />
      <UploadResults uploads={uploads} documents={documents} onRetry={retry} onDismiss={dismiss} />
      <DropAnywhere into={into} onFiles={send} />
      {dialog}
    </>
  );
}
