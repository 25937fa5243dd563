import { Button } from '@mantine/core';
import { IconLayoutCards, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LineReach, ListedBroadcast } from '../../../shared/contracts/line-campaigns.ts';
import { dayHere, formatAgo, formatDay, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { BroadcastState, sentOf } from './broadcast-state.tsx';
import classes from './line-campaigns.module.css';
import { useBroadcasts, useCreateBroadcast, useReach } from './line-campaigns.queries.ts';
import { readable } from './step-time.tsx';
import { TakeOver } from './take-over.tsx';
import { dueOf } from './when.ts';

/** So many are looked through sooner than searched. */
const few = 5;

/** Broadcasts of a channel, the newest first. */
export function BroadcastList({ channel }: { channel: { uuid: string; name: string } }) {
  const { t } = useTranslation('line-campaigns');
  const navigate = useNavigate();
  const [q, setQ] = useState('');
  const broadcasts = useBroadcasts(channel.uuid, q);
  const add = useCreateBroadcast();
  const { data: reach } = useReach(channel.uuid);
  const mayChange = useMay('edit');
  const open = ({ uuid }: { uuid: string }) =>
    navigate({ to: '/Line-Channel/$id/Broadcast/$broadcast', params: { id: channel.uuid, broadcast: uuid } });
  // Who left a new one as it was begins there again, so that looking leaves no trail of empty drafts.
  const untouched = broadcasts.data?.find(
    ({ state, content, createdAt, updatedAt }) => state === 'draft' && content.length === 0 && createdAt === updatedAt,
  );
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} />}
      loading={add.isPending}
      onClick={() => {
        if (untouched) return void open(untouched);
        add.mutate(
          {
            channel: channel.uuid,
            name: t('list.newName', { day: formatDay(dayHere()) }),
            ...((reach?.reached ?? 0) > (reach?.known ?? 0) && { audience: { kind: 'everyone' } }),
          },
          {
            onSuccess: (made) => void open(made),
            onError: (error) => toast.error(error.message),
          },
        );
      }}
    >
      {t('list.new')}
    </Button>
  );
  const isEmpty = broadcasts.data?.length === 0 && !q;
  return (
    <>
      {broadcasts.data && !isEmpty && (
        <div className={classes['head']}>
          <p>{t('list.about')}</p>
          {(q !== '' || (broadcasts.data?.length ?? 0) > few) && (
            <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
          )}
          {create}
        </div>
      )}
      <PagedList
        query={broadcasts}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={
          q ? (
            <p className={classes['hint']}>{t('list.noMatch', { q })}</p>
          ) : (
            <EmptyState
              drawing="line"
              title={t('list.empty')}
              text={t('list.emptyText', { name: channel.name })}
              action={create}
            />
          )
        }
      >
        {(rows) => (
          <table className={`${table['list']} ${classes['broadcasts']}`}>
            <thead>
              <tr>
                <th>{t('list.name')}</th>
                <th data-from="md" style={{ width: 184 }}>
                  {t('audience.label')}
                </th>
                <th data-from="sm" style={{ width: 128 }}>
                  {t('list.state')}
                </th>
                <th data-from="sm" style={{ width: 168 }}>
                  {t('list.result')}
                </th>
                <th data-number data-from="md" style={{ width: 192 }}>
                  {t('list.when')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((broadcast) => (
                <Row key={broadcast.uuid} broadcast={broadcast} reach={reach} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
      {mayChange && <TakeOver channel={channel.uuid} />}
    </>
  );
}

function Row({ broadcast, reach }: { broadcast: ListedBroadcast; reach: LineReach | undefined }) {
  const { t } = useTranslation('line-campaigns');
  const { uuid, channel, name, state, startedAt, dueAt, updatedAt } = broadcast;
  const result = resultOf(broadcast, t);
  const expected = expectedOf(broadcast, reach, t);
  const audienceName = t(`audience.kind.${broadcast.audience.kind}`);
  const at = startedAt ?? dueAt ?? updatedAt;
  const when = startedAt === null && dueAt !== null ? dueOf(broadcast) : formatAgo(at);
  return (
    <tr>
      <td>
        <Link
          to="/Line-Channel/$id/Broadcast/$broadcast"
          params={{ id: channel, broadcast: uuid }}
          className={table['name']}
          title={name}
        >
          <Thumbnail broadcast={broadcast} />
          <span className={table['one']}>
            {name}
            <small className={classes['first']}>{firstOf(broadcast, t)}</small>
            <span className={table['onPhone']}>
              <BroadcastState broadcast={broadcast} />
              <small className={classes['beside']}>
                {[result ?? expected, when].filter(Boolean).join(t('common:dot'))}
              </small>
            </span>
          </span>
        </Link>
      </td>
      <td data-from="md">
        <span className={classes['cut']} title={audienceName}>
          {audienceName}
          {expected && <small className={classes['first']}>{expected}</small>}
        </span>
      </td>
      <td data-from="sm">
        <BroadcastState broadcast={broadcast} />
      </td>
      <td data-from="sm">{result}</td>
      <td data-number data-from="md" className={table['quiet']} title={formatMoment(at)}>
        {state === 'draft' ? t('list.edited', { ago: when }) : when}
      </td>
    </tr>
  );
}

/** How many have got it and clicked. */
function resultOf(broadcast: ListedBroadcast, t: Translate<'line-campaigns'>): string | undefined {
  const { taps, tapped } = broadcast;
  const sent = sentOf(broadcast);
  if (sent === null) return undefined;
  const words = (key: 'list.sent' | 'list.clicks', count: number) => t(key, { count, shown: formatNumber(count) });
  return [words('list.sent', sent), ...(taps === 'off' ? [] : [words('list.clicks', tapped)])].join(t('common:dot'));
}

/** Before it begins, how many would get it, where that is known. */
function expectedOf(
  { audience, startedAt }: ListedBroadcast,
  reach: LineReach | undefined,
  t: Translate<'line-campaigns'>,
): string | undefined {
  if (startedAt !== null || !reach) return undefined;
  const isAll = audience.kind === 'all' && audience.without.length === 0;
  const count = isAll ? reach.known : audience.kind === 'everyone' ? reach.reached : null;
  return count === null ? undefined : t('list.expected', { count, shown: formatNumber(count) });
}

/** Its first picture, or the form of what comes first. */
function Thumbnail({ broadcast: { content } }: { broadcast: ListedBroadcast }) {
  const picture = content.find((bubble) => bubble.type === 'image');
  return (
    <span className={classes['thumbnail']} data-kind={content[0]?.type} aria-hidden>
      {picture ? (
        <img src={`/line/image/${picture.file}/240`} alt="" loading="lazy" />
      ) : content[0]?.type === 'rich' ? (
        <IconLayoutCards size={16} stroke={1.75} />
      ) : (
        <i />
      )}
    </span>
  );
}

/** How its message begins. */
function firstOf({ content: [bubble] }: ListedBroadcast, t: Translate<'line-campaigns'>): string {
  if (!bubble) return t('list.blank');
  return bubble.type === 'text' ? readable(bubble.text, t('scenario.someone')) : t(`scenario.bubble.${bubble.type}`);
}
