import { Anchor, Button, Select } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconFolderPlus, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { botOrders } from '../../../shared/contracts/bots.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useKept } from '../../lib/preferences.ts';
import { useMay } from '../../lib/session.ts';
import { later } from '../../ui/later.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { BotBoard, BotGrid } from './bot-board.tsx';
import classes from './bot-list.module.css';
import { useBots, useGroups, useMoveBot } from './bots.queries.ts';
import { BotTable } from './bot-table.tsx';
import { GroupDialog } from './group-dialog.tsx';

const route = getRouteApi('/app/Bot');
const CreateDialog = later(async () => (await import('./create-dialog.tsx')).CreateDialog);

const all = 'all';
const layouts = ['cards', 'table'] as const;

export function BotList() {
  const { t } = useTranslation('bots-list');
  const [q, setQ] = useState('');
  const [sort, setSort] = useKept('botOrder', botOrders);
  const [layout, setLayout] = useKept('botLayout', layouts);
  const [filter, setFilter] = useState(all);
  const { new: isNew } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setIsCreating] = useState(Boolean(isNew));
  const closeCreate = () => {
    setIsCreating(false);
    if (isNew) void navigate({ search: {}, replace: true });
  };
  // A phone has room for them when they are asked for.
  const [isChoosing, setIsChoosing] = useState(false);
  const [isGrouping, setIsGrouping] = useState(false);
  const canEdit = useMay('edit');
  const groups = useGroups();
  const known = groups.data ?? [];
  // The group that was looked at may be gone.
  const shown = filter === all || filter === 'none' || known.some(({ uuid }) => uuid === filter) ? filter : all;
  const bots = useBots({ q, sort, botgroup: shown === all ? undefined : shown });
  const move = useMoveBot();
  const rows = bots.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = bots.isSuccess && groups.isSuccess && rows.length === 0 && known.length === 0 && !q;

  const onMove = (uuid: string, botgroup: string | null) => {
    const bot = rows.find((each) => each.uuid === uuid);
    if (!bot || bot.botgroup === botgroup) return;
    const before = bot.botgroup;
    const fail = (error: unknown) => toast.error(errorText(error));
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
    <Page
      title={t('common:page.bots')}
      facts={
        rows.length > 0 &&
        !bots.hasNextPage &&
        t('list.facts', {
          count: rows.length,
          published: formatNumber(rows.filter(({ published }) => published).length),
        })
      }
      actions={create}
    >
      {!isEmpty && (
        <div className={classes['tools']}>
          <div className={classes['find']}>
            <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
          </div>
          <Button
            className={classes['view'] ?? ''}
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} />}
            aria-expanded={isChoosing}
            onClick={() => setIsChoosing(!isChoosing)}
          >
            {[t('layout.view'), shown !== all && 1].filter(Boolean).join(' · ')}
          </Button>
          <div className={classes['choices']} data-open={isChoosing || undefined}>
            {known.length > 0 && (
              <Select
                className={classes['pick'] ?? ''}
                aria-label={t('groups.filter')}
                value={shown}
                onChange={(value) => setFilter(value ?? all)}
                allowDeselect={false}
                data={[
                  { value: all, label: t('groups.all') },
                  ...known.map((group) => ({ value: group.uuid, label: group.name })),
                  { value: 'none', label: t('groups.none') },
                ]}
              />
            )}
            <Select
              className={classes['pick'] ?? ''}
              aria-label={t('list.sort')}
              value={sort}
              onChange={(value) => setSort(botOrders.find((each) => each === value) ?? 'updated')}
              allowDeselect={false}
              data={botOrders.map((each) => ({ value: each, label: t(`order.${each}`) }))}
            />
            <Segments
              label={t('layout.label')}
              value={layout}
              options={layouts.map((each) => ({ value: each, label: t(`layout.${each}`) }))}
              onChange={setLayout}
            />
            {canEdit && (
              <Button
                variant="default"
                className={classes['newGroup'] ?? ''}
                leftSection={<IconFolderPlus size={16} />}
                onClick={() => setIsGrouping(true)}
              >
                {t('groups.create')}
              </Button>
            )}
          </div>
        </div>
      )}
      {bots.isPending || groups.isPending ? (
        <Skeletons layout={layout} />
      ) : bots.isError || groups.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(bots.error ?? groups.error)}
          retry={t('common:retry')}
          onRetry={() => void Promise.all([bots.refetch(), groups.refetch()])}
        />
      ) : isEmpty ? (
        <EmptyState
          drawing="bots"
          title={t('list.empty')}
          text={create ? t('list.emptyText') : t('list.emptyForReaders')}
          action={create}
        />
      ) : rows.length === 0 && (q || shown !== all) ? (
        <p className={classes['nothing']}>
          {q ? t('list.noMatch', { q }) : t('groups.empty')}
          {gap()}
          <Anchor
            component="button"
            type="button"
            onClick={() => {
              setQ('');
              setFilter(all);
            }}
          >
            {t('common:clear')}
          </Anchor>
        </p>
      ) : layout === 'table' ? (
        <BotTable bots={rows} groups={known} order={sort} onOrder={setSort} onMove={onMove} />
      ) : shown === all && known.length > 0 ? (
        <BotBoard bots={rows} groups={known} isSearching={q !== ''} onMove={onMove} />
      ) : (
        <BotGrid bots={rows} groups={known} onMove={onMove} />
      )}
      {bots.hasNextPage && (
        <Button variant="default" mt="md" loading={bots.isFetchingNextPage} onClick={() => void bots.fetchNextPage()}>
          {t('common:more')}
        </Button>
      )}
      {isCreating && <CreateDialog onClose={closeCreate} onFail={closeCreate} />}
      {isGrouping && <GroupDialog onClose={() => setIsGrouping(false)} />}
    </Page>
  );
}

/** In the shape of what comes. */
const Skeletons = ({ layout }: { layout: (typeof layouts)[number] }) =>
  layout === 'table' ? (
    <div aria-hidden>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={classes['ghost']}>
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  ) : (
    <div className={classes['cards']} aria-hidden>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={classes['card']}>
          <div className={classes['ghost']}>
            <i />
            <i />
            <i />
          </div>
        </div>
      ))}
    </div>
  );
