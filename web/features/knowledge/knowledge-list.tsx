import { ActionIcon, Anchor, Badge, Button, Card, Group, Menu, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { IconDots, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Knowledge } from '../../../shared/contracts/knowledge.ts';
import { formatBytes, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useKnowledges, useLiveDocuments, useRemoveKnowledge, useRestoreKnowledge } from './knowledge.queries.ts';

export function KnowledgeList() {
  const { t } = useTranslation('knowledge');
  const [q, setQ] = useState('');
  const bases = useKnowledges(q);
  useLiveDocuments();
  const create = useMay('edit') && (
    <Button component={Link} to="/Knowledge/Add" leftSection={<IconPlus size={16} />}>
      {t('list.create')}
    </Button>
  );
  return (
    <Page title={t('common:page.knowledges')} facts={t('list.description')} actions={create}>
      <div style={{ maxWidth: 360, marginBottom: 16 }}>
        <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
      </div>
      {bases.isPending ? (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {Array.from({ length: 3 }, (_, at) => (
            <Skeleton key={at} height={140} />
          ))}
        </SimpleGrid>
      ) : bases.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={bases.error.message}
          retry={t('common:retry')}
          onRetry={() => void bases.refetch()}
        />
      ) : bases.data.data.length === 0 ? (
        q ? (
          <EmptyState drawing="search" title={t('list.noMatch')} text={t('list.noMatchText', { q })} />
        ) : (
          <EmptyState
            drawing="knowledge"
            title={t('list.empty')}
            text={create ? t('list.emptyText') : t('list.emptyForReaders')}
            action={create}
          />
        )
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {bases.data.data.map((base) => (
            <KnowledgeCard key={base.uuid} base={base} />
          ))}
        </SimpleGrid>
      )}
    </Page>
  );
}

function KnowledgeCard({ base }: { base: Knowledge }) {
  const { t } = useTranslation('knowledge');
  const remove = useRemoveKnowledge();
  const restore = useRestoreKnowledge();
  const canEdit = useMay('edit');
  const fail = (error: Error) => toast.error(error.message);
  const onRemove = () =>
    remove.mutate(base.uuid, {
      onError: fail,
      onSuccess: () =>
        toast.undo(t('common:trashed', { name: base.name }), t('common:undo'), () =>
          restore.mutate(base.uuid, { onError: fail }),
        ),
    });
  return (
    <Card withBorder padding="md" component="article" aria-label={base.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Anchor component={Link} to={`/Knowledge/${base.uuid}/documents`} fw={600} truncate title={base.name}>
          {base.name}
        </Anchor>
        {canEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('common:menuOf', { name: base.name })}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={onRemove}>
                {t('common:delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} mih={22}>
        {base.description}
      </Text>
      <Text size="sm" mt="sm">
        {t('list.counts', {
          documents: formatNumber(base.documentCount),
          chunks: formatNumber(base.chunkCount),
          size: formatBytes(base.bytes),
        })}
      </Text>
      <Group gap={6} mt="sm">
        {base.busyCount > 0 && (
          <Badge variant="light" color="blue">
            {t('list.busy', { count: base.busyCount })}
          </Badge>
        )}
        {base.failedCount > 0 && (
          <Badge variant="light" color="red">
            {t('list.failed', { count: base.failedCount })}
          </Badge>
        )}
        {base.bots.slice(0, 3).map((bot) => (
          <Badge
            key={bot.uuid}
            variant="default"
            component={Link}
            to={`/Bot/${bot.uuid}`}
            style={{ cursor: 'pointer', textTransform: 'none' }}
          >
            {bot.name}
          </Badge>
        ))}
      </Group>
    </Card>
  );
}
