import { ActionIcon, Anchor, Box, Group, Menu, Table, Text } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconPlayerStop,
  IconRefresh,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
} from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { documents as routes, type Document } from '../../../shared/contracts/knowledge.ts';
import { ApiError, fetchBytes } from '../../lib/api.ts';
import { formatAgo, formatBytes, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { toast } from '../../ui/toast.tsx';
import { DocumentStatus } from './document-status.tsx';
import { isBusy, useDocumentAction, useUpdateDocument } from './knowledge.queries.ts';

interface Props {
  documents: (Document & { knowledgeName?: string })[];
  withBase?: boolean;
}

export function DocumentTable({ documents, withBase = false }: Props) {
  const { t } = useTranslation('knowledge');
  // On a phone there is no room for a column of its own: a long word in it would push the menu out of sight.
  const hasStates = useMediaQuery('(min-width: 48em)', window.innerWidth >= 768);
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('common:name')}</Table.Th>
            {hasStates && <Table.Th>{t('table.status')}</Table.Th>}
            <Table.Th visibleFrom="sm" ta="right">
              {t('table.chunks')}
            </Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {t('table.size')}
            </Table.Th>
            <Table.Th visibleFrom="md" pl="lg">
              {t('table.added')}
            </Table.Th>
            <Table.Th w={48} aria-label={t('common:actions')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {documents.map((document) => (
            <Table.Tr key={document.uuid}>
              <Table.Td maw={360}>
                <Anchor
                  component={Link}
                  to={`/Knowledge/${document.knowledge}/documents/${document.uuid}`}
                  size="sm"
                  lineClamp={2}
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {document.name}
                </Anchor>
                {withBase && (
                  <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
                    {document.knowledgeName}
                  </Text>
                )}
                {document.error && (
                  <Text size="xs" c="red">
                    {document.error.message}
                  </Text>
                )}
                {!hasStates && (
                  <Box mt={4}>
                    <DocumentStatus document={document} />
                  </Box>
                )}
              </Table.Td>
              {hasStates && (
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <DocumentStatus document={document} />
                </Table.Td>
              )}
              <Table.Td visibleFrom="sm" ta="right">
                {formatNumber(document.chunkCount)}
              </Table.Td>
              <Table.Td visibleFrom="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
                {formatBytes(document.bytes)}
              </Table.Td>
              <Table.Td
                visibleFrom="md"
                pl="lg"
                title={formatMoment(document.createdAt)}
                style={{ whiteSpace: 'nowrap' }}
              >
                {formatAgo(document.createdAt)}
              </Table.Td>
              <Table.Td>
                <DocumentMenu document={document} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Saves the original under its name. */
async function download(document: Document): Promise<void> {
  try {
    const bytes = await fetchBytes(routes.file, { params: { knowledge: document.knowledge, document: document.uuid } });
    const url = URL.createObjectURL(new Blob([bytes]));
    const link = Object.assign(window.document.createElement('a'), { href: url, download: document.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    if (error instanceof ApiError) toast.error(error.message);
  }
}

export function DocumentMenu({ document, onRemoved }: { document: Document; onRemoved?: () => void }) {
  const { t } = useTranslation('knowledge');
  const act = useDocumentAction();
  const update = useUpdateDocument();
  const at = { base: document.knowledge, document: document.uuid };
  const fail = (error: Error) => toast.error(error.message);
  const run = (action: 'retry' | 'cancel' | 'reindex') => act.mutate({ ...at, action }, { onError: fail });
  const remove = () =>
    act.mutate(
      { ...at, action: 'remove' },
      {
        onError: fail,
        onSuccess: () => {
          toast.undo(t('common:trashed', { name: document.name }), t('common:undo'), () =>
            act.mutate({ ...at, action: 'restore' }, { onError: fail }),
          );
          onRemoved?.();
        },
      },
    );
  const busy = isBusy(document);
  const canEdit = useMay('edit');
  const canRetry = document.status === 'failed' || document.status === 'canceled';
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('common:menuOf', { name: document.name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canEdit && busy && (
            <Menu.Item leftSection={<IconPlayerStop size={15} />} onClick={() => run('cancel')}>
              {t('document.cancel')}
            </Menu.Item>
          )}
          {canEdit && canRetry && (
            <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => run('retry')}>
              {t('document.retry')}
            </Menu.Item>
          )}
          {canEdit && !busy && !canRetry && (
            <>
              <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => run('reindex')}>
                {t('document.reindex')}
              </Menu.Item>
              <Menu.Item
                leftSection={document.enabled ? <IconToggleRight size={15} /> : <IconToggleLeft size={15} />}
                onClick={() => update.mutate({ ...at, enabled: !document.enabled }, { onError: fail })}
              >
                {document.enabled ? t('document.disable') : t('document.enable')}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconDownload size={15} />} onClick={() => void download(document)}>
            {t('document.download')}
          </Menu.Item>
          {canEdit && (
            <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={remove}>
              {t('common:delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
