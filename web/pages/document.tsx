import {
  ActionIcon,
  Alert,
  Badge,
  Box,
  Button,
  Group,
  Loader,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Document, Embedding } from '../../shared/contracts/knowledge.ts';
import { useTranslation } from '../lib/i18n.ts';
import { Marked } from '../features/conversations/marked.tsx';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { DocumentStatus } from '../features/knowledge/document-status.tsx';
import { DocumentMenu } from '../features/knowledge/document-table.tsx';
import {
  useChunk,
  useChunks,
  useDocument,
  useKnowledge,
  useLiveDocuments,
} from '../features/knowledge/knowledge.queries.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { ApiError } from '../lib/api.ts';
import { formatBytes, formatNumber } from '../lib/format.ts';
import { useTitle } from '../lib/use-title.ts';

import { Page } from '../ui/page.tsx';
import { ErrorState } from '../ui/states.tsx';

const PdfPage = lazy(() => import('../features/conversations/pdf-page.tsx'));
const route = getRouteApi('/app/Knowledge/$id/documents/$documentId');

export default function DocumentPage() {
  const { id, documentId } = route.useParams();
  const base = useKnowledge(id);
  const document = useDocument(id, documentId);
  const navigate = useNavigate();
  useLiveDocuments();
  useTitle(document.data?.name);
  if (document.isError) return <RootErrorPage error={document.error} />;
  if (document.isPending) {
    return (
      <Page title="…" above={<Crumbs {...(base.data && { base: base.data })} />}>
        <Skeleton height={320} />
      </Page>
    );
  }
  return (
    <Page
      above={<Crumbs {...(base.data && { base: base.data })} />}
      title={document.data.name}
      facts={<Facts document={document.data} />}
      actions={
        <DocumentMenu document={document.data} onRemoved={() => void navigate({ to: `/Knowledge/${id}/documents` })} />
      }
    >
      <DocumentBody key={document.data.uuid} document={document.data} />
    </Page>
  );
}

function Facts({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  return (
    <Group component="span" style={{ gap: '2px 12px' }}>
      <DocumentStatus document={document} />
      <span>{formatBytes(document.bytes)}</span>
      {document.pages !== null && <span>{t('document.pages', { count: document.pages })}</span>}
      <span>{t('document.chunks', { count: document.chunkCount })}</span>
      <span>{t('document.tokens', { tokens: formatNumber(document.tokens) })}</span>
    </Group>
  );
}

function DocumentBody({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  const { page, chunk } = route.useSearch();
  const navigate = route.useNavigate();
  const quote = useLocation({ select: ({ state }) => state.quote });
  const named = useChunk(document.uuid, chunk);
  const active = named.data;
  const isWide = useMediaQuery('(min-width: 62em)', window.innerWidth >= 992);
  const isPdf = document.mime === 'application/pdf';
  const [pane, setPane] = useState<'original' | 'chunks'>(page ? 'original' : 'chunks');
  const cited = active?.page ?? undefined;
  const original = isPdf && (
    <Original
      document={document}
      page={toPage(page, document.pages) ?? cited ?? 1}
      cited={cited}
      words={quote ?? active?.text ?? ''}
      onTurn={(to) =>
        void navigate({ search: (before) => ({ ...before, page: String(to) }), state: true, replace: true })
      }
    />
  );
  const pick = ({ uuid, page: on }: Embedding) => {
    setPane('original');
    void navigate({ search: { chunk: uuid, ...(on !== null && { page: String(on) }) }, replace: true });
  };
  return (
    <>
      {named.error instanceof ApiError && named.error.status === 404 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} mb="md">
          {t('document.passageGone')}
        </Alert>
      )}
      {document.error && (
        <Alert color="red" icon={<IconAlertTriangle />} mb="md">
          {document.error.message}
        </Alert>
      )}
      {document.pagesWithoutText.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} mb="md">
          {t('status.pagesWithoutText', { pages: document.pagesWithoutText.slice(0, 20).join(', ') })}
        </Alert>
      )}
      {isPdf && !isWide && (
        <SegmentedControl
          fullWidth
          mb="md"
          value={pane}
          onChange={(value) => setPane(value === 'original' ? 'original' : 'chunks')}
          data={[
            { value: 'chunks', label: t('document.chunkPane') },
            { value: 'original', label: t('document.originalPane') },
          ]}
          aria-label={t('document.panes')}
        />
      )}
      <Box
        style={{
          display: 'grid',
          gridTemplateColumns: isPdf && isWide ? 'minmax(0, 1fr) minmax(0, 1fr)' : 'minmax(0, 1fr)',
          gap: 16,
          alignItems: 'start',
        }}
      >
        {(isWide || pane === 'original') && original}
        {(isWide || !isPdf || pane === 'chunks') && (
          <Chunks
            document={document}
            from={chunk && named.isPending ? undefined : Math.max(0, (active?.position ?? 0) - chunksBefore)}
            active={active}
            words={quote ?? ''}
            onPick={isPdf ? pick : undefined}
          />
        )}
      </Box>
    </>
  );
}

/** What of a document is shown before the chunk that is opened. */
const chunksBefore = 20;

/** A page that an address names, where there is one. */
function toPage(text: string | undefined, pages: number | null): number | undefined {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= (pages ?? 1) ? page : undefined;
}

interface OriginalProps {
  document: Document;
  page: number;
  /** The page with the words to mark. */
  cited: number | undefined;
  words: string;
  onTurn(page: number): void;
}

function Original({ document, page, cited, words, onTurn: turn }: OriginalProps) {
  const { t } = useTranslation('knowledge', 'conversations');
  const [pages, setPages] = useState(document.pages);
  return (
    <Paper withBorder p="sm" style={{ position: 'sticky', top: 72 }}>
      {pages !== null && (
        <Group justify="space-between" mb="xs">
          <ActionIcon
            variant="default"
            disabled={page <= 1}
            onClick={() => turn(page - 1)}
            aria-label={t('conversations:citation.previousPage')}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <Text size="sm">{t('conversations:citation.pageOf', { page, pages })}</Text>
          <ActionIcon
            variant="default"
            disabled={page >= pages}
            onClick={() => turn(page + 1)}
            aria-label={t('conversations:citation.nextPage')}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
      )}
      <Box
        mah="calc(100dvh - 180px)"
        style={{ overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={t('knowledge:document.originalPane')}
      >
        <Suspense fallback={<Loader mx="auto" my="xl" />}>
          <PdfPage
            knowledge={document.knowledge}
            document={document.uuid}
            page={page}
            highlight={page === cited ? words : ''}
            onPages={setPages}
            label={t('conversations:citation.page', { page })}
            failed={<Alert color="yellow">{t('document.originalFailed')}</Alert>}
          />
        </Suspense>
      </Box>
    </Paper>
  );
}

const asItIs = (text: string) => text;

interface ChunksProps {
  document: Document;
  /** Where to begin; not yet known while the chunk that is to be shown is asked for. */
  from: number | undefined;
  active: Embedding | undefined;
  /** What to mark of it; nothing marks all of it. */
  words: string;
  onPick: ((chunk: Embedding) => void) | undefined;
}

function Chunks({ document, from, active, words, onPick }: ChunksProps) {
  const { t } = useTranslation('knowledge');
  const [begin, setBegin] = useState(from);
  if (begin === undefined && from !== undefined) setBegin(from);
  const chunks = useChunks(document.uuid, document.updatedAt, begin);
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<string>(undefined);
  const isThere = chunks.data !== undefined;
  useEffect(() => {
    if (!isThere || !active || shown.current === active.uuid) return;
    shown.current = active.uuid;
    const row = list.current?.querySelector('[aria-current]');
    (row?.querySelector('mark') ?? row)?.scrollIntoView({ block: 'center' });
  }, [isThere, active]);
  if (chunks.isPending) return <Skeleton height={240} />;
  if (chunks.isError)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={chunks.error.message}
        retry={t('common:retry')}
        onRetry={() => void chunks.refetch()}
      />
    );
  const all = chunks.data.pages.flatMap((page) => page.data);
  if (all.length === 0) {
    return <Text c="dimmed">{t(document.status === 'failed' ? 'document.noChunksFailed' : 'document.noChunks')}</Text>;
  }
  return (
    <Stack gap="sm" ref={list}>
      {chunks.hasPreviousPage && (
        <Button
          variant="default"
          loading={chunks.isFetchingPreviousPage}
          onClick={() => void chunks.fetchPreviousPage()}
        >
          {t('document.earlier')}
        </Button>
      )}
      {all.map((chunk) => (
        <Paper
          key={chunk.uuid}
          withBorder
          p="md"
          component="article"
          aria-current={active?.uuid === chunk.uuid || undefined}
          style={active?.uuid === chunk.uuid ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
        >
          <Group justify="space-between" gap="xs" mb={4} wrap="nowrap" align="flex-start">
            <Group gap={6} wrap="nowrap" align="flex-start">
              <Badge variant="light" color="gray">
                {chunk.position + 1}
              </Badge>
              <Text size="xs" c="dimmed" pt={1} style={{ overflowWrap: 'anywhere' }}>
                {chunk.headings.join(' › ')}
              </Text>
            </Group>
            {chunk.page !== null && onPick && (
              <Button size="compact-xs" variant="subtle" flex="none" onClick={() => onPick(chunk)}>
                {t('test.page', { page: chunk.page })}
              </Button>
            )}
          </Group>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            <Marked text={chunk.text} words={active?.uuid === chunk.uuid ? words : ''} as={asItIs} />
          </Text>
          <Text size="xs" c="dimmed" mt={6}>
            {t('document.tokens', { tokens: formatNumber(chunk.tokens) })} ·{' '}
            {t('document.hits', { count: chunk.hitCount })}
          </Text>
        </Paper>
      ))}
      {chunks.hasNextPage && (
        <Button variant="default" loading={chunks.isFetchingNextPage} onClick={() => void chunks.fetchNextPage()}>
          {t('common:more')}
        </Button>
      )}
    </Stack>
  );
}
