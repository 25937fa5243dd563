import { ActionIcon, Button, CloseButton, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconDots,
  IconDownload,
  IconEye,
  IconEyeOff,
  IconFileText,
  IconHistory,
  IconMessage2Question,
  IconPlayerStop,
  IconRefresh,
  IconSquareCheck,
  IconTag,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { documents as routes, type Document, type DocumentSorting } from '../../../shared/contracts/knowledge.ts';
import { ApiError, fetchBytes } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatBytes, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import { CutName } from './cut-name.tsx';
import { DocumentState } from './document-state.tsx';
import classes from './knowledge.module.css';
import { bulkActions, isBusy, useBulk, useDocumentAction } from './knowledge.queries.ts';
import { useRemoval } from './removal.tsx';

const LabelsDialog = later(async () => (await import('./labels-dialog.tsx')).LabelsDialog);
const VersionsDialog = later(async () => (await import('./versions-dialog.tsx')).VersionsDialog);

type Row = Document & { knowledgeName?: string };

interface Props {
  documents: Row[];
  sort: DocumentSorting;
  withBase?: boolean;
  onSort(sort: DocumentSorting): void;
}

const icons = { file: IconFileText, text: IconFileText, url: IconWorld, qa: IconMessage2Question };

/** What a column is sorted by first: letters from A, figures and days from the largest. */
const columns = [
  { by: 'name', first: 'name' },
  { by: 'chunks', first: '-chunks' },
  { by: 'size', first: '-size' },
  { by: 'changed', first: '-changed' },
] as const;

export function DocumentTable({ documents, sort, withBase = false, onSort }: Props) {
  const { t } = useTranslation('knowledge');
  const canEdit = useMay('edit');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = documents.filter(({ uuid }) => chosen.has(uuid));
  const toggle = (uuid: string) =>
    setChosen((before) => new Set(before.has(uuid) ? [...before].filter((each) => each !== uuid) : [...before, uuid]));
  const head = (by: (typeof columns)[number]['by']) => {
    const column = columns.find((each) => each.by === by) ?? columns[0];
    const opposite = column.first.startsWith('-') ? by : (`-${by}` as const);
    const isSorted = sort === by || sort === `-${by}`;
    return {
      ...(isSorted && { 'aria-sort': sort.startsWith('-') ? ('descending' as const) : ('ascending' as const) }),
      children: (
        <button
          type="button"
          className={classes['sort']}
          onClick={() => onSort(sort === column.first ? opposite : column.first)}
        >
          {t(`table.${by}`)}
        </button>
      ),
    };
  };
  return (
    <>
      <table className={`${classes['list']} ${classes['lines']}`} data-choosing={selected.length > 0 || undefined}>
        <thead>
          <tr>
            {canEdit && (
              <th data-from="sm" style={{ width: 28 }}>
                <input
                  type="checkbox"
                  className={classes['check']}
                  aria-label={t('bulk.all')}
                  checked={selected.length > 0 && selected.length === documents.length}
                  ref={(box) => {
                    if (box) box.indeterminate = selected.length > 0 && selected.length < documents.length;
                  }}
                  onChange={({ currentTarget }) =>
                    setChosen(new Set(currentTarget.checked ? documents.map(({ uuid }) => uuid) : []))
                  }
                />
              </th>
            )}
            <th {...head('name')} />
            {withBase && (
              <th data-from="md" style={{ width: '20%' }}>
                {t('table.base')}
              </th>
            )}
            <th className={classes['stateColumn']}>{t('table.status')}</th>
            <th data-number data-from="sm" style={{ width: 76 }} {...head('chunks')} />
            <th data-number data-from="sm" style={{ width: 88 }} {...head('size')} />
            <th data-number data-from="md" style={{ width: 120 }} {...head('changed')} />
            <th style={{ width: 44 }} aria-label={t('common:actions')} />
          </tr>
        </thead>
        <tbody>
          {documents.map((document) => (
            <tr key={document.uuid} data-chosen={chosen.has(document.uuid) || undefined}>
              {canEdit && (
                <td data-check>
                  <input
                    type="checkbox"
                    className={`${classes['check']} ${classes['above']}`}
                    aria-label={t('bulk.one', { name: document.name })}
                    checked={chosen.has(document.uuid)}
                    onChange={() => toggle(document.uuid)}
                  />
                </td>
              )}
              <td data-name>
                <DocumentLink document={document} />
              </td>
              {withBase && (
                <td data-from="md" className={`${classes['quiet']} ${classes['one']}`}>
                  {document.knowledgeName}
                </td>
              )}
              <td data-under>
                <DocumentState document={document} withBar />
                <span className={classes['more']}>
                  {withBase ? document.knowledgeName : formatBytes(document.bytes)}
                </span>
              </td>
              <td data-number data-from="sm">
                {document.chunkCount > 0 ? formatNumber(document.chunkCount) : '–'}
              </td>
              <td data-number data-from="sm" className={classes['quiet']}>
                {formatBytes(document.bytes)}
              </td>
              <td data-number data-from="md" className={classes['quiet']} title={formatMoment(document.updatedAt)}>
                {formatAgo(document.updatedAt)}
              </td>
              <td data-number data-menu>
                <DocumentMenu document={document} {...(canEdit && { onChoose: () => toggle(document.uuid) })} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {selected.length > 0 && <BulkBar selected={selected} onDone={() => setChosen(new Set())} />}
    </>
  );
}

function DocumentLink({ document: { knowledge, uuid, name, source } }: { document: Document }) {
  const Icon = icons[source];
  return (
    <Link
      to="/Knowledge/$id/documents/$documentId"
      params={{ id: knowledge, documentId: uuid }}
      className={classes['name']}
      title={name}
      aria-label={name}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
      <CutName name={name} />
    </Link>
  );
}

/** What to do with all that is chosen. */
function BulkBar({ selected, onDone }: { selected: Document[]; onDone(): void }) {
  const { t } = useTranslation('knowledge');
  const bulk = useBulk();
  const [isAsking, setIsAsking] = useState(false);
  const [isLabelling, setIsLabelling] = useState(false);
  const allOff = selected.every(({ enabled }) => !enabled);
  // A promise, since the bar is gone with the last row that was chosen, and what follows is still to be said.
  const run = (action: keyof typeof bulkActions, of: Document[], onSuccess = () => {}) =>
    void bulk.mutateAsync({ of, act: bulkActions[action] }).then((failed) => {
      if (failed[0]) toast.error(t('bulk.failed', { count: failed.length, reason: errorText(failed[0]) }));
      if (failed.length < of.length) onSuccess();
    });
  const removal = useRemoval();
  const remove = () => {
    const gone = selected;
    removal.ask(gone, () =>
      run('remove', gone, () => {
        toast.undo(t('bulk.trashed', { count: gone.length }), t('common:undo'), () => run('restore', gone));
        onDone();
      }),
    );
  };
  return (
    <div className={classes['bulk']} role="region" aria-label={t('bulk.label')}>
      <span aria-live="polite">{t('bulk.selected', { count: selected.length })}</span>
      <hr aria-hidden />
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconRefresh size={14} />}
        onClick={() => setIsAsking(true)}
      >
        {t('document.reindex')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={allOff ? <IconEye size={14} /> : <IconEyeOff size={14} />}
        onClick={() => run(allOff ? 'enable' : 'disable', selected)}
      >
        {t(allOff ? 'document.enable' : 'document.disable')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconTag size={14} />}
        onClick={() => setIsLabelling(true)}
        {...LabelsDialog.reach}
      >
        {t('document.labels')}
      </Button>
      <Button size="xs" variant="subtle" color="red" leftSection={<IconTrash size={14} />} onClick={remove}>
        {t('common:delete')}
      </Button>
      <hr aria-hidden />
      <CloseButton size="sm" aria-label={t('bulk.clear')} onClick={onDone} />
      {removal.dialog}
      {isLabelling && (
        <LabelsDialog documents={selected} onClose={() => setIsLabelling(false)} onFail={() => setIsLabelling(false)} />
      )}
      <ReindexDialog
        opened={isAsking}
        name={t('bulk.selected', { count: selected.length })}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          run(
            'reindex',
            selected.filter((document) => !isBusy(document)),
          );
        }}
      />
    </div>
  );
}

/** Says before a document is read again what becomes of what people changed in it. */
export function ReindexDialog({
  name,
  ...rest
}: {
  opened: boolean;
  name: string;
  onConfirm(): void;
  onClose(): void;
}) {
  const { t } = useTranslation('knowledge');
  return (
    <ConfirmDialog
      {...rest}
      isHarmless
      title={t('reindex.title', { name })}
      text={t('reindex.text')}
      confirm={t('document.reindex')}
      cancel={t('common:cancel')}
    />
  );
}

/** Saves the original under its name. */
export const download = ({ knowledge, uuid, name }: Document): Promise<void> =>
  save(name, fetchBytes(routes.file, { params: { knowledge, document: uuid } }));

export async function save(name: string, fetched: Promise<ArrayBuffer>): Promise<void> {
  try {
    const url = URL.createObjectURL(new Blob([await fetched]));
    const link = Object.assign(document.createElement('a'), { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    if (error instanceof ApiError) toast.error(error.message);
  }
}

/** Moves one to the trash, after the question that this needs, and offers to take it back. */
export function useDocumentRemoval(document: Document, onRemoved?: () => void) {
  const { t } = useTranslation('knowledge');
  const act = useDocumentAction();
  const removal = useRemoval();
  const at = { base: document.knowledge, document: document.uuid };
  const fail = (error: unknown) => toast.error(errorText(error));
  const restore = () => act.mutate({ ...at, action: 'restore' }, { onError: fail });
  const ask = () =>
    removal.ask(
      [document],
      () =>
        void act.mutateAsync({ ...at, action: 'remove' }).then(() => {
          toast.undo(t('common:trashed', { name: document.name }), t('common:undo'), restore);
          onRemoved?.();
        }, fail),
    );
  return { ask, dialog: removal.dialog };
}

interface MenuProps {
  document: Document;
  onRemoved?: () => void;
  /** Where there are several to choose from. */
  onChoose?: () => void;
}

export function DocumentMenu({ document, onRemoved, onChoose }: MenuProps) {
  const { t } = useTranslation('knowledge');
  const act = useDocumentAction();
  const bulk = useBulk();
  const [isAsking, setIsAsking] = useState(false);
  const [isShowingVersions, versions] = useDisclosure();
  const at = { base: document.knowledge, document: document.uuid };
  const fail = (error: unknown) => toast.error(errorText(error));
  const run = (action: 'retry' | 'cancel' | 'reindex') => act.mutate({ ...at, action }, { onError: fail });
  const removal = useDocumentRemoval(document, onRemoved);
  const [isLabelling, setIsLabelling] = useState(false);
  const busy = isBusy(document);
  const canEdit = useMay('edit');
  const canRetry = document.status === 'failed' || document.status === 'canceled';
  return (
    <span className={`${classes['menu']} ${classes['above']}`}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('common:menuOf', { name: document.name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {onChoose && (
            <Menu.Item
              className={classes['onPhone'] ?? ''}
              leftSection={<IconSquareCheck size={16} />}
              onClick={onChoose}
            >
              {t('bulk.choose')}
            </Menu.Item>
          )}
          {canEdit && busy && (
            <Menu.Item leftSection={<IconPlayerStop size={16} />} onClick={() => run('cancel')}>
              {t('document.cancel')}
            </Menu.Item>
          )}
          {canEdit && canRetry && (
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => run('retry')}>
              {t('document.retry')}
            </Menu.Item>
          )}
          {canEdit && !busy && !canRetry && (
            <>
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => setIsAsking(true)}>
                {t('document.reindex')}
              </Menu.Item>
              <Menu.Item
                leftSection={document.enabled ? <IconEyeOff size={16} /> : <IconEye size={16} />}
                onClick={() =>
                  bulk.mutate(
                    { of: [document], act: bulkActions[document.enabled ? 'disable' : 'enable'] },
                    { onSuccess: ([failed]) => failed && fail(failed) },
                  )
                }
              >
                {document.enabled ? t('document.disable') : t('document.enable')}
              </Menu.Item>
            </>
          )}
          {canEdit && (
            <Menu.Item leftSection={<IconTag size={16} />} onClick={() => setIsLabelling(true)} {...LabelsDialog.reach}>
              {t('document.labels')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => void download(document)}>
            {t('document.download')}
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory size={16} />} onClick={versions.open} {...VersionsDialog.reach}>
            {t('document.versions')}
          </Menu.Item>
          {canEdit && (
            <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={removal.ask}>
              {t('common:delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ReindexDialog
        opened={isAsking}
        name={document.name}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          run('reindex');
        }}
      />
      {isLabelling && (
        <LabelsDialog
          documents={[document]}
          onClose={() => setIsLabelling(false)}
          onFail={() => setIsLabelling(false)}
        />
      )}
      {removal.dialog}
      {isShowingVersions && <VersionsDialog document={document} onClose={versions.close} onFail={versions.close} />}
    </span>
  );
}
