import { Button, Center, Skeleton } from '@mantine/core';
import { IconBooks, IconFileText, IconMessageChatbot, IconPhoto, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { trashKinds, type TrashItem, type TrashKind } from '../../../shared/contracts/trash.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useThumb } from '../../lib/use-thumb.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page, State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { useEmptyTrash, useErase, useRestore, useTrash } from './trash.queries.ts';
import classes from './trash.module.css';

type Filter = TrashKind | 'all';
type Asking = { about: 'erase' | 'both'; item: TrashItem } | { about: 'empty' };

const icons = { bot: IconMessageChatbot, knowledge: IconBooks, document: IconFileText, image: IconPhoto };
const dayMs = 86_400_000;

/** What was deleted in the last 30 days, to be taken back or thrown away for good. */
export function TrashList() {
  const { t } = useTranslation('trash');
  const [q, setQ] = useState('');
  const [kind, setKind] = useState<Filter>('all');
  const [asking, setAsking] = useState<Asking>();
  const trash = useTrash(q, kind === 'all' ? undefined : kind);
  const restore = useRestore();
  const erase = useErase();
  const empty = useEmptyTrash();
  const rows = trash.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = trash.data?.pages[0]?.meta.total ?? 0;
  const isEmpty = trash.isSuccess && total === 0 && q === '' && kind === 'all';
  const close = () => setAsking(undefined);
  const fail = (error: unknown) => {
    close();
    toast.error(errorText(error));
  };
  const takeBack = (item: TrashItem) =>
    restore.mutate(item, {
      onSuccess() {
        close();
        toast.success(t('restored', { name: item.name }));
      },
      onError: fail,
    });

  return (
    <Page
      title={t('common:page.trash')}
      facts={t('facts')}
      actions={
        total > 0 && (
          <Button variant="default" onClick={() => setAsking({ about: 'empty' })}>
            {t('empty')}
          </Button>
        )
      }
    >
      {!isEmpty && (
        <div className={classes['tools']}>
          <SearchInput value={q} onChange={setQ} label={t('search')} clearLabel={t('common:clear')} />
          <Segments<Filter>
            label={t('filter')}
            value={kind}
            onChange={setKind}
            options={[
              { value: 'all', label: t('all') },
              ...trashKinds.map((each) => ({ value: each, label: t(`kind.${each}`) })),
            ]}
          />
        </div>
      )}
      {trash.isPending ? (
        <div role="status" aria-label={t('common:loading')}>
          {[60, 40, 50].map((width) => (
            <div key={width} className={classes['loading']}>
              <Skeleton height={10} width={`${width}%`} />
              <Skeleton height={10} width={56} />
            </div>
          ))}
        </div>
      ) : trash.isError ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(trash.error)}
          retry={t('common:retry')}
          onRetry={() => void trash.refetch()}
        />
      ) : rows.length === 0 && total > 0 ? (
        <p className={classes['none']}>{t('noMatch')}</p>
      ) : rows.length === 0 ? (
        <EmptyState drawing="documents" title={t('nothing')} text={t('nothingText')} />
      ) : (
        <table className={classes['list']}>
          <thead>
            <tr>
              <th>{t('column.name')}</th>
              <th data-from="md">{t('column.by')}</th>
              <th data-from="sm">{t('column.at')}</th>
              <th data-number>{t('column.left')}</th>
              <th className={classes['acts']} aria-label={t('common:actions')} />
            </tr>
          </thead>
          <tbody>
            {rows.map((item) => (
              <Row
                key={item.uuid}
                item={item}
                isBusy={restore.isPending && restore.variables.uuid === item.uuid}
                onRestore={() => (item.knowledge?.isDeleted ? setAsking({ about: 'both', item }) : takeBack(item))}
                onErase={() => setAsking({ about: 'erase', item })}
              />
            ))}
          </tbody>
        </table>
      )}
      {trash.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={trash.isFetchingNextPage} onClick={() => void trash.fetchNextPage()}>
            {t('common:more')}
          </Button>
        </Center>
      )}
      {asking?.about === 'erase' && (
        <ConfirmDialog
          opened
          title={t('eraseTitle', { name: asking.item.name })}
          text={t(`eraseText.${asking.item.kind}`)}
          confirm={t('erase')}
          cancel={t('common:cancel')}
          loading={erase.isPending}
          onClose={close}
          onConfirm={() =>
            erase.mutate(asking.item, {
              onSuccess() {
                close();
                toast.success(t('erased', { name: asking.item.name }));
              },
              onError: fail,
            })
          }
        />
      )}
      {asking?.about === 'both' && (
        <ConfirmDialog
          opened
          isHarmless
          title={t('both.title', { base: asking.item.knowledge?.name ?? '' })}
          text={t('both.text', { name: asking.item.name, base: asking.item.knowledge?.name ?? '' })}
          confirm={t('restoreBoth')}
          cancel={t('common:cancel')}
          loading={restore.isPending}
          onClose={close}
          onConfirm={() => takeBack(asking.item)}
        />
      )}
      {asking?.about === 'empty' && (
        <ConfirmDialog
          opened
          title={t('emptyTitle', { count: total })}
          text={t('emptyText')}
          confirm={t('empty')}
          cancel={t('common:cancel')}
          loading={empty.isPending}
          onClose={close}
          onConfirm={() =>
            empty.mutate(undefined, {
              onSuccess(count) {
                close();
                toast.success(t('emptied', { count }));
              },
              onError: fail,
            })
          }
        />
      )}
    </Page>
  );
}

const soonDays = 3;

const daysUntil = (iso: string) => Math.ceil((Date.parse(iso) - Date.now()) / dayMs);

interface RowProps {
  item: TrashItem;
  isBusy: boolean;
  onRestore(): void;
  onErase(): void;
}

function Row({ item, isBusy, onRestore, onErase }: RowProps) {
  const { t } = useTranslation('trash');
  const { uuid, kind, name, knowledge, deletedBy, deletedAt, erasedAt } = item;
  const Icon = icons[kind];
  const { data: src } = useThumb(uuid, { isDeleted: true, enabled: kind === 'image' });
  const days = daysUntil(erasedAt);
  return (
    <tr>
      <td>
        <span className={classes['name']}>
          {src ? (
            <img className={classes['picture']} src={src} alt={t('one.image')} />
          ) : (
            <Icon size={16} stroke={1.75} role="img" aria-label={t(`one.${kind}`)} />
          )}
          <span title={name}>
            <bdi>{name}</bdi>
          </span>
          {knowledge && (
            <small title={knowledge.name}>
              {t(knowledge.isDeleted ? 'inDeleted' : 'in', { base: knowledge.name })}
            </small>
          )}
        </span>
      </td>
      <td data-from="md" className={classes['quiet']}>
        {deletedBy?.name ?? t('unknown')}
      </td>
      <td data-from="sm" className={classes['quiet']} title={formatMoment(deletedAt)}>
        {formatAgo(deletedAt)}
      </td>
      <td data-number title={formatMoment(erasedAt)}>
        {days <= soonDays ? (
          <State kind="warning">{days <= 1 ? t('lastDay') : t('left', { count: days })}</State>
        ) : (
          t('left', { count: days })
        )}
        <small className={table['onPhone']}>
          {t('common:dot')}
          {t('deletedBy', { ago: formatAgo(deletedAt), name: deletedBy?.name ?? t('unknown') })}
        </small>
      </td>
      <td className={classes['acts']}>
        <Button
          variant="default"
          size="xs"
          loading={isBusy}
          onClick={onRestore}
          aria-label={`${t('restore')}: ${name}`}
        >
          {t('restore')}
        </Button>
        <IconButton label={`${t('erase')}: ${name}`} onClick={onErase}>
          <IconTrash size={16} stroke={1.75} />
        </IconButton>
      </td>
    </tr>
  );
}
