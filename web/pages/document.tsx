import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import type { Document, Embedding } from '../../shared/contracts/knowledge.ts';
import { errorText } from '../lib/error-text.ts';
import { useTranslation } from '../lib/i18n.ts';
import { Marked } from '../features/conversations/marked.tsx';
import { ChunkList } from '../features/knowledge/chunk-list.tsx';
import classes from '../features/knowledge/chunks.module.css';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { DocumentState, useWarnings } from '../features/knowledge/document-state.tsx';
import { DocumentMenu, download, ReindexDialog } from '../features/knowledge/document-table.tsx';
import { DownloadButton } from '../features/knowledge/download-button.tsx';
import {
  findChunkOnPage,
  isBusy,
  useChunk,
  useChunks,
  useDocument,
  useDocumentAction,
  useKnowledge,
  useLiveDocuments,
} from '../features/knowledge/knowledge.queries.ts';
import knowledge from '../features/knowledge/knowledge.module.css';
import { CutName } from '../features/knowledge/cut-name.tsx';
import { FailedDocument, hasNothingToShow, Remedies } from '../features/knowledge/failed-document.tsx';
import { headingsOf, Outline } from '../features/knowledge/outline.tsx';
import { PassageSkeletons } from '../features/knowledge/skeletons.tsx';
import { OriginalPane } from '../features/knowledge/original-pane.tsx';
import { PicturePage } from '../features/knowledge/picture-page.tsx';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { ApiError } from '../lib/api.ts';
import { formatBytes } from '../lib/format.ts';
import { formatOf, mostDrawnBytes } from '../lib/original-frame.ts';
import { useMay } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { useOriginal } from '../lib/use-original.ts';
import { Page, State } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';

const OriginalFrame = lazy(() => import('../features/knowledge/original-frame.tsx'));
const PdfPage = lazy(() => import('../features/conversations/pdf-page.tsx'));
const route = getRouteApi('/app/Knowledge/$id/documents/$documentId');

export default function DocumentPage() {
  const { id, documentId } = route.useParams();
  const { t } = useTranslation('knowledge');
  const base = useKnowledge(id);
  const document = useDocument(id, documentId);
  useLiveDocuments();
  useTitle(document.data?.name);
  if (document.isError) return <RootErrorPage error={document.error} />;
  return (
    <Page
      width={document.data ? 'full' : 'list'}
      above={<Crumbs {...(base.data && { base: base.data })} />}
      title={document.data?.name ?? t('tabs.documents')}
      {...(document.data && { heading: <CutName name={document.data.name} /> })}
      facts={document.data && <Facts document={document.data} />}
      actions={document.data && <Actions document={document.data} />}
    >
      {!document.data ? (
        <PassageSkeletons />
      ) : hasNothingToShow(document.data) ? (
        <FailedDocument document={document.data} />
      ) : (
        <DocumentBody key={documentId} document={document.data} />
      )}
    </Page>
  );
}

function Facts({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge', 'labels');
  return (
    <>
      <DocumentState document={document} />{' '}
      <span className={classes['figures']}>
        {[
          ...(document.pages === null ? [] : [t('document.pages', { count: document.pages })]),
          formatBytes(document.bytes),
          t('document.chunks', { count: document.chunkCount }),
          ...document.tags,
          ...document.fields.map((field) => t('labels:pair', field)),
        ].join(t('common:dot'))}
      </span>
    </>
  );
}

function Actions({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  const navigate = useNavigate();
  const act = useDocumentAction();
  const canEdit = useMay('edit');
  const [isAsking, setIsAsking] = useState(false);
  const onConfirm = () => {
    setIsAsking(false);
    act.mutate(
      { base: document.knowledge, document: document.uuid, action: 'reindex' },
      { onError: (error) => toast.error(errorText(error)) },
    );
  };
  return (
    <>
      <ActionIcon
        className={knowledge['wide'] ?? ''}
        variant="subtle"
        color="gray"
        aria-label={t('document.download')}
        title={t('document.download')}
        onClick={() => void download(document)}
      >
        <IconDownload size={16} />
      </ActionIcon>
      {canEdit && document.status !== 'failed' && (
        <Button
          className={knowledge['wide'] ?? ''}
          variant="default"
          disabled={isBusy(document)}
          leftSection={<IconRefresh size={16} />}
          onClick={() => setIsAsking(true)}
        >
          {t('document.reindex')}
        </Button>
      )}
      <DocumentMenu
        document={document}
        onRemoved={() => void navigate({ to: '/Knowledge/$id/documents', params: { id: document.knowledge } })}
      />
      <ReindexDialog opened={isAsking} name={document.name} onConfirm={onConfirm} onClose={() => setIsAsking(false)} />
    </>
  );
}

const asItIs = (text: string) => text;

/** TIFF is for printers and scanners; most browsers show nothing of it. */
const shownPictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Texts that were written here are their own originals. */
const isWritten = ({ source }: Document) => source === 'text' || source === 'qa';

/** How a frame draws the original; nothing where none does. */
const drawnAs = (document: Document) =>
  isWritten(document) || document.bytes > mostDrawnBytes ? undefined : formatOf(document.mime);

/** Why its original is not beside its chunks. */
function whyUnseen(document: Document) {
  const isDrawn = shownPictures.includes(document.mime) || document.mime === 'application/pdf' || drawnAs(document);
  if (isDrawn || isWritten(document)) return undefined;
  return formatOf(document.mime) ? 'document.originalTooLarge' : 'document.originalNotShown';
}

/** What of a document is shown before the chunk that is opened. */
const chunksBefore = 20;
const beginBefore = (chunk: Embedding | undefined) => Math.max(0, (chunk?.position ?? 0) - chunksBefore);

function DocumentBody({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  const { page, chunk } = route.useSearch();
  const open = useOriginal(document);
  const navigate = route.useNavigate();
  const quote = useLocation({ select: ({ state }) => state.quote });
  const named = useChunk(document.uuid, chunk);
  const [q, setQ] = useState('');
  const isKnown = chunk === undefined || !named.isPending;
  const [begin, setBegin] = useState<number>();
  if (begin === undefined && isKnown) setBegin(beginBefore(named.data));
  const chunks = useChunks(document.uuid, q, q ? 0 : begin);
  const all = chunks.data?.pages.flatMap(({ data }) => data) ?? [];
  const active = all.find(({ uuid }) => uuid === chunk) ?? named.data;
  const headings = headingsOf(q ? [] : all);
  const [picked, setPicked] = useState<string>();
  const [turned, setTurned] = useState<string>();
  const isWide = useMediaQuery('(min-width: 62em)', window.innerWidth >= 992);
  const isPicture = shownPictures.includes(document.mime);
  const format = drawnAs(document);
  const hasPages = isPicture || document.mime === 'application/pdf' || format !== undefined;
  const [sheets, setSheets] = useState<string[]>([]);
  /** Its page, slide or sheet; chunks of a sheet begin with its name. */
  const placeOf = (each: Embedding | undefined) =>
    each?.page ?? (sheets.indexOf(each?.headings[0] ?? '') + 1 || undefined);
  const [pane, setPane] = useState<'original' | 'chunks'>(page ? 'original' : 'chunks');
  const cited = placeOf(active);
  const shownPage = toPage(page, document.pages ?? sheets.length) ?? cited ?? 1;
  const words = quote ?? active?.original ?? active?.text ?? '';

  const pick = (each: Embedding) => {
    const place = placeOf(each);
    setPicked(each.uuid);
    if (place) setPane('original');
    void navigate({
      search: { chunk: each.uuid, ...(place && { page: String(place) }) },
      replace: true,
      resetScroll: false,
    });
  };
  const leap = (each: Embedding) => {
    pick(each);
    setTurned(each.uuid);
  };
  const turn = async (to: number) => {
    void navigate({
      search: (before) => ({ ...before, page: String(to) }),
      state: true,
      replace: true,
      resetScroll: false,
    });
    const first =
      sheets.length > 0
        ? all.find((each) => placeOf(each) === to)
        : await findChunkOnPage(document.uuid, to).catch(() => undefined); // the page is there without it
    if (!first) return;
    if (!all.some(({ uuid }) => uuid === first.uuid)) setBegin(beginBefore(first));
    setTurned(first.uuid);
  };

  return (
    <>
      <Notes document={document} isGone={named.error instanceof ApiError && named.error.status === 404} />
      {hasPages && !isWide && (
        <div className={classes['panePick']}>
          <SegmentedControl
            fullWidth
            value={pane}
            onChange={(value) => setPane(value === 'original' ? 'original' : 'chunks')}
            data={[
              { value: 'chunks', label: t('document.chunkPane') },
              { value: 'original', label: t('document.originalPane') },
            ]}
            aria-label={t('document.panes')}
          />
        </div>
      )}
      <div
        className={classes['panes']}
        data-two={(hasPages && isWide) || undefined}
        data-outline={(!hasPages && headings.length > 1) || undefined}
      >
        {hasPages && (isWide || pane === 'original') && (
          <OriginalPane
            document={document}
            page={shownPage}
            sheets={sheets}
            onTurn={(to) => void turn(to)}
            draw={(props) =>
              isPicture ? (
                <PicturePage open={open} mime={document.mime} {...props} />
              ) : format ? (
                <OriginalFrame
                  open={open}
                  format={format}
                  page={shownPage}
                  words={cited === undefined || shownPage === cited ? words : ''}
                  onSheets={setSheets}
                  {...props}
                />
              ) : (
                <PdfPage open={open} page={shownPage} highlight={shownPage === cited ? words : ''} {...props} />
              )
            }
          />
        )}
        {(isWide || !hasPages || pane === 'chunks') && (
          <ChunkList
            document={document}
            chunks={chunks}
            q={q}
            active={chunk}
            words={quote ?? ''}
            goal={turned ?? (chunk === picked ? undefined : chunk)}
            mark={(text, marked) => <Marked text={text} words={marked} as={asItIs} />}
            isBeside={hasPages && isWide}
            onFind={setQ}
            onPick={pick}
          />
        )}
        {!hasPages && headings.length > 1 && <Outline headings={headings} active={active} onPick={leap} />}
      </div>
    </>
  );
}

/** What is to be known of a document before its chunks are read. */
function Notes({ document, isGone }: { document: Document; isGone: boolean }) {
  const { t } = useTranslation('knowledge');
  const { error } = document;
  const warnings = useWarnings()(document);
  const canEdit = useMay('edit');
  const unseen = whyUnseen(document);
  if (!isGone && !error && !unseen && warnings.length === 0) return null;
  return (
    <div className={classes['notes']}>
      {isGone && (
        <p>
          <State kind="warning">{t('document.passageGone')}</State>
        </p>
      )}
      {error && (
        <p>
          <State kind="failed">{error.message}</State>
        </p>
      )}
      {error && canEdit && <Remedies document={document} />}
      {unseen && (
        <p>
          {t(unseen, { size: formatBytes(mostDrawnBytes) })} <DownloadButton document={document} />
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning}>
          <State kind="warning">{warning}</State>
        </p>
      ))}
    </div>
  );
}

/** A page that an address names, where there is one. */
function toPage(text: string | undefined, pages: number | null): number | undefined {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= (pages ?? 1) ? page : undefined;
}
