import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconRestore } from '@tabler/icons-react';
import { documents, type Document, type DocumentVersion } from '../../../shared/contracts/knowledge.ts';
import { fetchBytes } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatBytes, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { save } from './document-table.tsx';
import { isBusy, useRestoreVersion, useVersions } from './knowledge.queries.ts';

const act = { size: 'xs', variant: 'default' } as const;

/** The files that a document had before, and the way back to each. */
export function VersionsDialog({ document, onClose }: { document: Document; onClose(): void }) {
  const { t } = useTranslation('knowledge-versions');
  const canEdit = useMay('edit');
  const versions = useVersions(document);
  const restore = useRestoreVersion(document);
  const onRestore = ({ uuid, name }: DocumentVersion) =>
    restore.mutate(uuid, {
      onSuccess: (after) =>
        after.duplicate ? toast.error(t('known', { name: after.name })) : toast.success(t('restoring', { name })),
      onError: (error) => toast.error(errorText(error)),
    });
  const onDownload = ({ uuid, name }: DocumentVersion) => {
    const params = { knowledge: document.knowledge, document: document.uuid, version: uuid };
    void save(name, fetchBytes(documents.versionFile, { params }));
  };
  const facts = ({ bytes, replacedAt, by }: DocumentVersion) =>
    [formatBytes(bytes), formatAgo(replacedAt), by ? (by.name ?? t('unknown')) : t('visit')].join(t('common:dot'));
  return (
    <Modal opened onClose={onClose} title={t('title', { name: document.name })} size="lg" centered>
      <PagedList
        query={{ ...versions, hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => {} }}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<EmptyState drawing="documents" title={t('empty')} text={t('emptyText')} />}
      >
        {(rows) => (
          <Stack component="ul" gap={0} m={0} p={0}>
            {rows.map((version) => {
              const named = { name: version.name, ago: formatAgo(version.replacedAt) };
              return (
                <Group key={version.uuid} component="li" className={rowClass ?? ''} justify="space-between" gap="xs">
                  <Stack gap={0} miw={160} flex={1}>
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {version.name}
                    </Text>
                    <Text size="xs" c="dimmed" title={formatMoment(version.replacedAt)}>
                      {facts(version)}
                    </Text>
                  </Stack>
                  <Group gap="xs">
                    <Button
                      {...act}
                      aria-label={t('downloadOf', named)}
                      leftSection={<IconDownload size={14} />}
                      onClick={() => onDownload(version)}
                    >
                      {t('download')}
                    </Button>
                    {canEdit && (
                      <Button
                        {...act}
                        aria-label={t('restoreOf', named)}
                        leftSection={<IconRestore size={14} />}
                        disabled={isBusy(document) || restore.isPending}
                        onClick={() => onRestore(version)}
                      >
                        {t('restore')}
                      </Button>
                    )}
                  </Group>
                </Group>
              );
            })}
          </Stack>
        )}
      </PagedList>
    </Modal>
  );
}
