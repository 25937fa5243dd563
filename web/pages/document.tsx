import {
  Alert,
  Badge,
  Box,
  Button,
  Container,
  Group,
  Loader,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Document, Embedding } from '../../shared/contracts/knowledge.ts';
import { useTranslation } from '../lib/i18n.ts';
import { Crumbs } from '../features/knowledge/crumbs.tsx';
import { DocumentStatus } from '../features/knowledge/document-status.tsx';
import { DocumentMenu } from '../features/knowledge/document-table.tsx';
import { useChunks, useDocument, useKnowledge, useLiveDocuments } from '../features/knowledge/knowledge.queries.ts';
import { RootErrorPage } from '../features/shell/error-pages.tsx';
import { formatBytes, formatNumber } from '../lib/format.ts';
import { useTitle } from '../lib/use-title.ts';
import { PageHeader } from '../ui/page-header.tsx';
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
      <Container size="lg" py="lg">
        <Skeleton height={320} />
      </Container>
    );
  }
  return (
    <Container size="xl" py="lg">
      <PageHeader
        above={<Crumbs {...(base.data && { base: base.data })} />}
        title={document.data.name}
        description={<Facts document={document.data} />}
        actions={
          <DocumentMenu
            document={document.data}
            onRemoved={() => void navigate({ to: `/Knowledge/${id}/documents` })}
          />
        }
      />
      <DocumentBody key={document.data.uuid} document={document.data} />
    </Container>
  );
}

function Facts({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  return (
    <Group gap="sm" component="span">
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
  const [active, setActive] = useState<Embedding>();
  const [pane, setPane] = useState<'original' | 'chunks'>('chunks');
  const isWide = useMediaQuery('(min-width: 62em)', window.innerWidth >= 992);
  const isPdf = document.mime === 'application/pdf';
  const original = isPdf && <Original document={document} page={active?.page ?? 1} highlight={active?.text ?? ''} />;
  return (
    <>
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
          <Chunks document={document} active={active} onPick={isPdf ? setActive : undefined} />
        )}
      </Box>
    </>
  );
}

function Original({ document, page: wanted, highlight }: { document: Document; page: number; highlight: string }) {
  const { t } = useTranslation('knowledge', 'conversations');
  const [turned, setTurned] = useState<{ from: number; page: number }>();
  const page = turned?.from === wanted ? turned.page : wanted;
  const [pages, setPages] = useState(document.pages ?? 1);
  const turn = (to: number) => setTurned({ from: wanted, page: to });
  return (
    <Paper withBorder p="sm" style={{ position: 'sticky', top: 72 }}>
      <Group justify="space-between" mb="xs">
        <Button size="compact-sm" variant="default" disabled={page <= 1} onClick={() => turn(page - 1)}>
          {t('conversations:citation.previousPage')}
        </Button>
        <Text size="sm">{t('conversations:citation.pageOf', { page, pages })}</Text>
        <Button size="compact-sm" variant="default" disabled={page >= pages} onClick={() => turn(page + 1)}>
          {t('conversations:citation.nextPage')}
        </Button>
      </Group>
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
            highlight={page === wanted ? highlight : ''}
            onPages={setPages}
            label={t('conversations:citation.page', { page })}
            failed={<Alert color="yellow">{t('conversations:citation.pageFailed')}</Alert>}
          />
        </Suspense>
      </Box>
    </Paper>
  );
}

function Chunks({
  document,
  active,
  onPick,
}: {
  document: Document;
  active: Embedding | undefined;
  onPick: ((chunk: Embedding) => void) | undefined;
}) {
  const { t } = useTranslation('knowledge');
  const chunks = useChunks(document.uuid, document.updatedAt);
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
  if (all.length === 0) return <Text c="dimmed">{t('document.noChunks')}</Text>;
  return (
    <Stack gap="sm">
      {all.map((chunk) => (
        <Paper
          key={chunk.uuid}
          withBorder
          p="md"
          component="article"
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
            {chunk.text}
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
