import { ActionIcon, Button, CloseButton, Menu } from '@mantine/core';
import { useEventListener } from '@mantine/hooks';
import {
  IconArrowMerge,
  IconDots,
  IconEye,
  IconEyeOff,
  IconPencil,
  IconPlus,
  IconRowInsertBottom,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Document, Embedding } from '../../../shared/contracts/knowledge.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { later } from '../../ui/later.tsx';
import { State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Written } from './chunk-editor.tsx';
import { ChunkText } from './chunk-text.tsx';
import classes from './chunks.module.css';
import { PassageSkeletons } from './skeletons.tsx';
import knowledge from './knowledge.module.css';
import { useChunkActions, type useChunks } from './knowledge.queries.ts';

const ChunkEditor = later(async () => (await import('./chunk-editor.tsx')).ChunkEditor);

const nothing: Written = { text: '', questions: [], keywords: [] };

type Mark = (text: string, words: string) => ReactNode;

interface Props {
  document: Document;
  chunks: ReturnType<typeof useChunks>;
  q: string;
  /** The one that the address names. */
  active: string | undefined;
  /** What to mark of it; nothing marks all of it. */
  words: string;
  /** To be brought into view as soon as it is there. */
  goal: string | undefined;
  /** The original is beside them, so that a click anywhere on one shows where it stands. */
  isBeside: boolean;
  /** A text in which words are marked. */
  mark: Mark;
  onFind(q: string): void;
  onPick: (chunk: Embedding) => void;
}

/** The chunks of a document, which editors may work on. */
export function ChunkList({ document, chunks, q, active, words, goal, isBeside, mark, onFind, onPick }: Props) {
  const { t } = useTranslation('knowledge');
  const canEdit = useMay('edit');
  const [editing, setEditing] = useState<string>();
  /** After which one a new one is written; `end` for the last. */
  const [adding, setAdding] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const reached = useRef<string>(undefined);
  const all = chunks.data?.pages.flatMap(({ data }) => data) ?? [];
  const selected = all.filter(({ uuid }) => chosen.has(uuid));
  const toggle = (uuid: string) =>
    setChosen(new Set(chosen.has(uuid) ? [...chosen].filter((each) => each !== uuid) : [...chosen, uuid]));
  const isThere = goal !== undefined && all.some(({ uuid }) => uuid === goal);
  useEffect(() => {
    if (!isThere || reached.current === goal) return;
    reached.current = goal;
    const row = list.current?.querySelector(`[data-chunk="${goal}"]`);
    (row?.querySelector('mark') ?? row)?.scrollIntoView({ block: 'center' });
  }, [isThere, goal]);

  const onKey = (event: KeyboardEvent, at: number) => {
    const { key } = event;
    const by = key === 'ArrowDown' || key === 'j' ? 1 : key === 'ArrowUp' || key === 'k' ? -1 : 0;
    const next = by === 0 ? undefined : all[at + by];
    const edited = key === 'e' && canEdit ? all[at] : undefined;
    if (!next && !edited) return;
    event.preventDefault();
    if (edited) setEditing(edited.uuid);
    if (!next) return;
    list.current?.querySelector<HTMLElement>(`[data-chunk="${next.uuid}"] a`)?.focus();
    onPick(next);
  };

  const writing = (after: string | undefined) => (
    <NewChunk document={document.uuid} after={after} onDone={() => setAdding(undefined)} />
  );
  return (
    <section className={classes['chunks']} aria-label={t('chunks.title')}>
      <div className={classes['toolbar']}>
        <h2>
          {t('chunks.title')} <span>{formatNumber(document.chunkCount)}</span>
        </h2>
        <div className={classes['find']}>
          {(document.chunkCount > 0 || q !== '') && (
            <SearchInput value={q} onChange={onFind} label={t('chunks.find')} clearLabel={t('common:clear')} />
          )}
        </div>
        {canEdit && document.chunkCount > 0 && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setAdding(active ?? 'end')}
            {...ChunkEditor.reach}
          >
            {t('chunks.add')}
          </Button>
        )}
      </div>
      {chunks.isPending ? (
        <PassageSkeletons />
      ) : chunks.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(chunks.error)}
          retry={t('common:retry')}
          onRetry={() => void chunks.refetch()}
        />
      ) : (
        <div ref={list} className={classes['rows']} data-choosing={selected.length > 0 || undefined}>
          {all.length === 0 && (
            <p className={classes['none']}>
              {q
                ? t('chunks.noMatch', { q })
                : t(document.status === 'failed' ? 'document.noChunksFailed' : 'document.noChunks')}
            </p>
          )}
          {adding === 'end' && writing(undefined)}
          {chunks.hasPreviousPage && (
            <Button
              variant="default"
              my="sm"
              loading={chunks.isFetchingPreviousPage}
              onClick={() => void chunks.fetchPreviousPage()}
            >
              {t('document.earlier')}
            </Button>
          )}
          {all.map((chunk, at) => (
            <div key={chunk.uuid}>
              <ChunkRow
                document={document.uuid}
                chunk={chunk}
                next={q ? undefined : all[at + 1]}
                isBeside={isBeside}
                isActive={active === chunk.uuid}
                isChosen={chosen.has(chunk.uuid)}
                onChoose={() => toggle(chunk.uuid)}
                isEditing={editing === chunk.uuid}
                words={active === chunk.uuid ? words : q}
                mark={mark}
                onPick={onPick}
                onKey={(event) => onKey(event, at)}
                onEdit={(isOn) => setEditing(isOn ? chunk.uuid : undefined)}
                onAdd={() => setAdding(chunk.uuid)}
              />
              {adding === chunk.uuid && writing(chunk.uuid)}
            </div>
          ))}
          {chunks.hasNextPage && (
            <Button
              variant="default"
              my="sm"
              loading={chunks.isFetchingNextPage}
              onClick={() => void chunks.fetchNextPage()}
            >
              {t('common:more')}
            </Button>
          )}
        </div>
      )}
      {selected.length > 0 && (
        <ChunkBar
          document={document.uuid}
          selected={selected}
          canMerge={!q && selected.length > 1 && areNeighbours(selected, all)}
          onDone={() => setChosen(new Set())}
        />
      )}
    </section>
  );
}

const areNeighbours = (selected: Embedding[], all: Embedding[]) =>
  selected.every((each, at) => all[all.indexOf(selected[0] ?? each) + at] === each);

/** Makes one chunk of several that follow each other; what they were can be brought back. */
function useMerge(document: string) {
  const { t } = useTranslation('knowledge');
  const actions = useChunkActions(document);
  const onError = (error: unknown) => toast.error(errorText(error));
  return ([first, ...others]: Embedding[]) => {
    if (!first) return;
    const { uuid, text, questions, keywords } = first;
    let { updatedAt } = first;
    const undo = async () => {
      await actions.update(uuid, { text, questions, keywords, updatedAt });
      let before = uuid;
      for (const other of others) {
        await actions.restore(other.uuid, before);
        before = other.uuid;
      }
    };
    actions.run(
      async () => {
        for (const _ of others) updatedAt = (await actions.merge(uuid, updatedAt)).data.updatedAt;
      },
      {
        onError,
        onSuccess: () =>
          toast.undo(t('chunks.merged', { count: others.length + 1 }), t('common:undo'), () =>
            actions.run(undo, { onError, onSuccess: () => {} }),
          ),
      },
    );
  };
}

interface BarProps {
  document: string;
  selected: Embedding[];
  canMerge: boolean;
  onDone(): void;
}

/** What to do with all that is chosen. */
function ChunkBar({ document, selected, canMerge, onDone }: BarProps) {
  const { t } = useTranslation('knowledge');
  const actions = useChunkActions(document);
  const merge = useMerge(document);
  const allOff = selected.every(({ enabled }) => !enabled);
  const run = (act: (chunk: Embedding) => Promise<unknown>, onSuccess = () => {}) =>
    actions.run(
      async () => {
        for (const each of selected) await act(each);
      },
      { onSuccess, onError: (error) => toast.error(errorText(error)) },
    );
  const remove = () =>
    run(
      ({ uuid }) => actions.remove(uuid),
      () => {
        toast.undo(t('chunks.deletedSome', { count: selected.length }), t('common:undo'), () =>
          run(({ uuid }) => actions.restore(uuid)),
        );
        onDone();
      },
    );
  return (
    <div className={knowledge['bulk']} role="region" aria-label={t('chunks.chosen')}>
      <span aria-live="polite">{t('bulk.selected', { count: selected.length })}</span>
      <hr aria-hidden />
      {canMerge && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowMerge size={14} />}
          onClick={() => {
            merge(selected);
            onDone();
          }}
        >
          {t('chunks.mergeChosen')}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={allOff ? <IconEye size={14} /> : <IconEyeOff size={14} />}
        onClick={() => run(({ uuid }) => actions.update(uuid, { enabled: allOff }))}
      >
        {t(allOff ? 'chunks.enable' : 'chunks.disable')}
      </Button>
      <Button size="xs" variant="subtle" color="red" leftSection={<IconTrash size={14} />} onClick={remove}>
        {t('common:delete')}
      </Button>
      <hr aria-hidden />
      <CloseButton size="sm" aria-label={t('bulk.clear')} onClick={onDone} />
    </div>
  );
}

function NewChunk({ document, after, onDone }: { document: string; after: string | undefined; onDone(): void }) {
  const { t } = useTranslation('knowledge');
  const actions = useChunkActions(document);
  const [error, setError] = useState<object>();
  return (
    <article className={classes['chunk']} data-editing>
      <header>
        <b>{t('chunks.newTitle')}</b>
      </header>
      <ChunkEditor
        onFail={onDone}
        initial={nothing}
        label={t('chunks.newText')}
        isBusy={actions.isPending}
        error={error}
        onCancel={onDone}
        onSave={(values) =>
          actions.run(() => actions.add({ ...values, ...(after && { after }) }), {
            onSuccess: onDone,
            onError: setError,
          })
        }
      />
    </article>
  );
}

interface RowProps {
  document: string;
  chunk: Embedding;
  /** What follows it, where that is shown. */
  next: Embedding | undefined;
  isBeside: boolean;
  isActive: boolean;
  isChosen: boolean;
  isEditing: boolean;
  words: string;
  mark: Mark;
  onPick(chunk: Embedding): void;
  onChoose(): void;
  /** Arrows, or j and k, go from number to number; e edits. */
  onKey(event: KeyboardEvent): void;
  onEdit(isOn: boolean): void;
  onAdd(): void;
}

/** A click that neither selects a text nor is meant for what else can be pressed there. */
const isOnText = ({ target }: Event) =>
  target instanceof Element && target.closest('a, button, label') === null && getSelection()?.isCollapsed !== false;

function ChunkRow({
  document,
  chunk,
  next,
  isBeside,
  isActive,
  isChosen,
  isEditing,
  words,
  mark,
  onPick,
  onChoose,
  onKey,
  onEdit,
  onAdd,
}: RowProps) {
  const { t } = useTranslation('knowledge');
  const canEdit = useMay('edit');
  const { uuid, enabled, questions, keywords } = chunk;
  const isTarget = isBeside && !isEditing;
  // By keys the number does the same.
  const row = useEventListener('click', (event) => isTarget && isOnText(event) && onPick(chunk));
  const number = formatNumber(chunk.position + 1);
  const facts = [
    ...(chunk.page === null ? [] : [t('chunks.page', { page: chunk.page })]),
    t('chunks.tokens', { tokens: formatNumber(chunk.tokens) }),
    t('chunks.hits', { count: chunk.hitCount }),
  ];
  return (
    <article
      className={classes['chunk']}
      data-chunk={uuid}
      data-off={!enabled || undefined}
      data-chosen={isChosen || undefined}
      data-editing={isEditing || undefined}
      data-target={isTarget || undefined}
      aria-current={isActive || undefined}
      ref={row}
    >
      <header>
        {canEdit && !isEditing && (
          <label className={classes['choose']}>
            <input
              type="checkbox"
              className={knowledge['check']}
              aria-label={t('chunks.select', { number })}
              checked={isChosen}
              onChange={onChoose}
            />
          </label>
        )}
        <Link
          from="/Knowledge/$id/documents/$documentId"
          search={{ chunk: uuid, ...(chunk.page !== null && { page: String(chunk.page) }) }}
          className={classes['number']}
          onKeyDown={onKey}
          aria-label={t(chunk.page === null ? 'chunks.link' : 'chunks.number', { number })}
          aria-current={isActive || undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onPick(chunk);
          }}
        >
          {number}
        </Link>
        <span className={classes['path']}>{chunk.headings.join(' › ')}</span>
        <span className={classes['facts']}>{facts.join(t('common:dot'))}</span>
        {isEditing ? (
          <b className={classes['tag']}>{t('chunks.editing')}</b>
        ) : enabled ? (
          (chunk.byHand || chunk.original !== null) && (
            <span className={classes['tag']}>
              {t(chunk.byHand && chunk.start === chunk.end ? 'chunks.byHand' : 'chunks.edited')}
            </span>
          )
        ) : (
          <State kind="off">{t('chunks.off')}</State>
        )}
        {!isEditing && (
          <ChunkMenu
            document={document}
            chunk={chunk}
            number={number}
            next={next}
            onEdit={() => onEdit(true)}
            onAdd={onAdd}
          />
        )}
      </header>
      {isEditing ? (
        <EditChunk document={document} chunk={chunk} number={number} onDone={() => onEdit(false)} />
      ) : (
        <>
          <ChunkText text={chunk.text} words={words} mark={mark} />
          {questions.length + keywords.length > 0 && (
            <ul className={classes['found']} aria-label={t('chunks.questions')}>
              {[...questions, ...keywords].map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          )}
        </>
      )}
    </article>
  );
}

function EditChunk({
  document,
  chunk,
  number,
  onDone,
}: Pick<RowProps, 'document' | 'chunk'> & { number: string; onDone(): void }) {
  const { t } = useTranslation('knowledge');
  const actions = useChunkActions(document);
  const [error, setError] = useState<object>();
  // As it was when it was opened: what others change meanwhile is not to be written over.
  const [{ uuid, text, questions, keywords, original, updatedAt }] = useState(chunk);
  const initial = { text, questions, keywords };
  return (
    <ChunkEditor
      onFail={onDone}
      initial={initial}
      original={original}
      label={t('chunks.text', { number })}
      isBusy={actions.isPending}
      error={error}
      onCancel={onDone}
      onSave={(values) =>
        actions.run(() => actions.update(uuid, { ...values, updatedAt }), { onSuccess: onDone, onError: setError })
      }
      onSplit={(at, values) =>
        actions.run(
          async () => {
            const isChanged = JSON.stringify(values) !== JSON.stringify(initial);
            const saved = isChanged ? (await actions.update(uuid, { ...values, updatedAt })).data.updatedAt : updatedAt;
            return actions.split(uuid, { at, updatedAt: saved });
          },
          { onSuccess: onDone, onError: setError },
        )
      }
    />
  );
}

interface MenuProps {
  document: string;
  chunk: Embedding;
  number: string;
  next: Embedding | undefined;
  onEdit(): void;
  onAdd(): void;
}

function ChunkMenu({ document, chunk, number, next, onEdit, onAdd }: MenuProps) {
  const { t } = useTranslation('knowledge');
  const actions = useChunkActions(document);
  const merge = useMerge(document);
  const { uuid, enabled } = chunk;
  const canEdit = useMay('edit');
  const fail = (error: unknown) => toast.error(errorText(error));
  const run = (act: () => Promise<unknown>, onSuccess = () => {}) => actions.run(act, { onError: fail, onSuccess });
  if (!canEdit) return null;
  return (
    <>
      <ActionIcon
        className={classes['edit'] ?? ''}
        variant="subtle"
        color="gray"
        aria-label={`${t('common:edit')} ${number}`}
        title={t('common:edit')}
        onClick={onEdit}
        {...ChunkEditor.reach}
      >
        <IconPencil size={16} />
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('chunks.menu', { number })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            {t('common:edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRowInsertBottom size={16} />} onClick={onAdd}>
            {t('chunks.addAfter')}
          </Menu.Item>
          {next && (
            <Menu.Item leftSection={<IconArrowMerge size={16} />} onClick={() => merge([chunk, next])}>
              {t('chunks.merge')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={enabled ? <IconEyeOff size={16} /> : <IconEye size={16} />}
            onClick={() => run(() => actions.update(uuid, { enabled: !enabled }))}
          >
            {t(enabled ? 'chunks.disable' : 'chunks.enable')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            color="red"
            onClick={() =>
              run(
                () => actions.remove(uuid),
                () =>
                  toast.undo(t('chunks.deleted', { number }), t('common:undo'), () => run(() => actions.restore(uuid))),
              )
            }
          >
            {t('common:delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
