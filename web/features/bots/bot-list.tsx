import { Button, Center, Group, Select, SimpleGrid, Skeleton } from '@mantine/core';
import { IconFolderPlus, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { later } from '../../ui/later.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { BotBoard, BotGrid } from './bot-board.tsx';
import { useBots, useGroups, useMoveBot } from './bots.queries.ts';
import { GroupDialog } from './group-dialog.tsx';

const route = getRouteApi('/app/Bot');
const CreateDialog = later(async () => (await import('./create-dialog.tsx')).CreateDialog);

const all = 'all';

export function BotList() {
  const { t } = useTranslation('bots');
  const [q, setQ] = useState('');
  const [sort, setSort] = useState<'updated' | 'name'>('updated');
  const [filter, setFilter] = useState(all);
  const { new: isNew } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setIsCreating] = useState(Boolean(isNew));
  const closeCreate = () => {
    setIsCreating(false);
    if (isNew) void navigate({ search: {}, replace: true });
  };
  const [isGrouping, setIsGrouping] = useState(false);
  const canEdit = useMay('edit');
  const groups = useGroups();
  const known = groups.data ?? [];
  // The group that was looked at may be gone.
  const shown = filter === all || filter === 'none' || known.some(({ uuid }) => uuid === filter) ? filter : all;
  const bots = useBots({ q, sort, botgroup: shown === all ? undefined : shown });
  const move = useMoveBot();
  const rows = bots.data?.pages.flatMap(({ data }) => data) ?? [];

  const onMove = (uuid: string, botgroup: string | null) => {
    const bot = rows.find((each) => each.uuid === uuid);
    if (!bot || bot.botgroup === botgroup) return;
    const before = bot.botgroup;
    const fail = (error: Error) => toast.error(error.message);
    const name = known.find((group) => group.uuid === botgroup)?.name ?? t('groups.none');
    move.mutate(
      { uuid, botgroup },
      {
        onError: fail,
        onSuccess: () =>
          toast.undo(t('groups.moved', { bot: bot.name, group: name }), t('common:undo'), () =>
            move.mutate({ uuid, botgroup: before }, { onError: fail }),
          ),
      },
    );
  };
  const create = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      {t('list.create')}
    </Button>
  );

  return (
    <Page title={t('common:page.bots')} facts={t('list.description')} actions={create}>
      <Group mb="md" gap="sm">
        <div style={{ flex: '1 1 220px', maxWidth: 360 }}>
          <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
        </div>
        {known.length > 0 && (
          <Select
            maw={200}
            style={{ flex: '1 1 140px' }}
            aria-label={t('groups.filter')}
            value={shown}
            onChange={(value) => setFilter(value ?? all)}
            allowDeselect={false}
            data={[
              { value: all, label: t('groups.all') },
              ...known.map((group) => ({ value: group.uuid, label: `${group.name} (${group.bots})` })),
              { value: 'none', label: t('groups.none') },
            ]}
          />
        )}
        <Select
          maw={200}
          style={{ flex: '1 1 140px' }}
          aria-label={t('list.sort')}
          value={sort}
          onChange={(value) => setSort(value === 'name' ? 'name' : 'updated')}
          allowDeselect={false}
          data={[
            { value: 'updated', label: t('list.byUpdated') },
            { value: 'name', label: t('list.byName') },
          ]}
        />
        {canEdit && (
          <Button variant="default" leftSection={<IconFolderPlus size={16} />} onClick={() => setIsGrouping(true)}>
            {t('groups.create')}
          </Button>
        )}
      </Group>
      {bots.isPending || groups.isPending ? (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {Array.from({ length: 3 }, (_, at) => (
            <Skeleton key={at} height={152} />
          ))}
        </SimpleGrid>
      ) : bots.isError || groups.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={(bots.error ?? groups.error)?.message ?? ''}
          retry={t('common:retry')}
          onRetry={() => void Promise.all([bots.refetch(), groups.refetch()])}
        />
      ) : rows.length === 0 && (q || shown !== all || known.length === 0) ? (
        q ? (
          <EmptyState drawing="search" title={t('list.noMatch')} text={t('list.noMatchText', { q })} />
        ) : shown !== all ? (
          <EmptyState drawing="bots" title={t('groups.empty')} text={t('groups.emptyText')} />
        ) : (
          <EmptyState
            drawing="bots"
            title={t('list.empty')}
            text={create ? t('list.emptyText') : t('list.emptyForReaders')}
            action={create}
          />
        )
      ) : shown === all && known.length > 0 ? (
        <BotBoard bots={rows} groups={known} isSearching={q !== ''} onMove={onMove} />
      ) : (
        <BotGrid bots={rows} groups={known} onMove={onMove} />
      )}
      {bots.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={bots.isFetchingNextPage} onClick={() => void bots.fetchNextPage()}>
            {t('common:more')}
          </Button>
        </Center>
      )}
      {isCreating && <CreateDialog onClose={closeCreate} onFail={closeCreate} />}
      {isGrouping && <GroupDialog onClose={() => setIsGrouping(false)} />}
    </Page>
  );
}
