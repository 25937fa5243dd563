import { partsAroundName } from '../../../shared/addressed.ts';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import type { LineReach, ListedBroadcast } from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayHere, dayOf, formatDay, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
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
import { dueOf, formatShort, hereOf } from './when.ts';

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
            onError: (error) => toast.error(errorText(error)),
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
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
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
        {(rows) => {
          const isResult = rows.some(({ startedAt }) => startedAt !== null);
          return (
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
                  {isResult && (
                    <th data-from="sm" style={{ width: 168 }}>
                      {t('list.result')}
                    </th>
                  )}
                  <th data-number data-from="md" style={{ width: 192 }}>
                    {t('list.when')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((broadcast) => (
                  <Row key={broadcast.uuid} broadcast={broadcast} reach={reach} isResult={isResult} />
                ))}
              </tbody>
            </table>
          );
        }}
      </PagedList>
      {mayChange && <TakeOver channel={channel.uuid} />}
    </>
  );
}

interface RowProps {
  broadcast: ListedBroadcast;
  reach: LineReach | undefined;
  /** Whether any of them has begun, so that there is a column for what became of it. */
  isResult: boolean;
}

function Row({ broadcast, reach, isResult }: RowProps) {
  const { t } = useTranslation('line-campaigns');
  const { uuid, channel, name, state, startedAt, dueAt, updatedAt } = broadcast;
  const [sent, became, besides] = resultsOf(broadcast, t);
  const people = peopleOf(broadcast, reach, t);
  const audienceName = t(`audience.kind.${broadcast.audience.kind}`);
  const at = startedAt ?? dueAt ?? updatedAt;
  const isDue = startedAt === null && dueAt !== null;
  const when = isDue ? dueOf(broadcast) : formatShort(at);
  const edited = (day: string) => (state === 'draft' ? t('list.edited', { at: day }) : day);
  // On a phone there is no room for when, where some did not get it.
  const onPhone =
    broadcast.skipped > 0
      ? [sent, became, besides]
      : [...(sent ? [sent, became] : [people]), isDue ? when : edited(formatDay(dayOf(at)))];
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
            <small className={classes['first']}>
              <First broadcast={broadcast} />
            </small>
            <span className={table['onPhone']}>
              <BroadcastState broadcast={broadcast} />
              <small className={classes['beside']}>{onPhone.filter(Boolean).join(t('common:dot'))}</small>
            </span>
          </span>
        </Link>
      </td>
      <td data-from="md">
        <span className={classes['cut']} title={audienceName}>
          {audienceName}
          {people && <small className={classes['first']}>{people}</small>}
        </span>
      </td>
      <td data-from="sm">
        <BroadcastState broadcast={broadcast} />
      </td>
      {isResult && (
        <td data-from="sm">
          {sent ?? <span className={table['quiet']}>–</span>}
          {became && (
            <small className={classes['first']}>{[became, besides].filter(Boolean).join(t('common:dot'))}</small>
          )}
        </td>
      )}
      <td data-number data-from="md" className={table['quiet']} title={isDue ? hereOf(at) : formatMoment(at)}>
        {edited(when)}
      </td>
    </tr>
  );
}

/** How many have got it, and what became of it, the weightiest first. */
function resultsOf(broadcast: ListedBroadcast, t: Translate<'line-campaigns'>): string[] {
  const { taps, tapped, opened, replies, failed, skipped } = broadcast;
  const sent = sentOf(broadcast);
  if (sent === null) return [];
  const counted = (count: number) => ({ count, shown: formatNumber(count) });
  return [
    t('list.delivered', counted(sent)),
    ...(failed > 0 ? [t('run.failed', counted(failed))] : []),
    ...(skipped > 0 ? [t('list.skipped', counted(skipped))] : []),
    ...(opened !== null && sent > 0 ? [t('list.opened', { share: formatShare(opened / sent) })] : []),
    ...(taps !== 'off' && tapped > 0 ? [t('list.clicks', counted(tapped))] : []),
    ...(replies ? [t('list.replies', counted(replies))] : []),
  ];
}

/** Whom it went to; before it begins, how many would get it, where that is known. */
function peopleOf(
  { audience, startedAt, recipients }: ListedBroadcast,
  reach: LineReach | undefined,
  t: Translate<'line-campaigns'>,
): string | undefined {
  const isAll = audience.kind === 'all' && audience.without.length === 0;
  const now = isAll ? reach?.known : audience.kind === 'everyone' ? reach?.reached : null;
  const count = startedAt === null ? now : recipients;
  return count == null ? undefined : t('list.expected', { count, shown: formatNumber(count) });
}

/** Its first picture, or the form of what comes first. */
function Thumbnail({ broadcast: { content, rich } }: { broadcast: ListedBroadcast }) {
  const picture = content.find((bubble) => bubble.type === 'image')?.file ?? rich?.image;
  return (
    <span className={classes['thumbnail']} data-kind={content[0]?.type} aria-hidden>
      {picture ? (
        <img src={`/line/image/${picture}/240`} alt="" loading="lazy" />
      ) : content[0]?.type === 'rich' ? (
        <b style={rich?.color ? { borderTopColor: rich.color } : undefined} />
      ) : (
        <i />
      )}
    </span>
  );
}

/** How its message begins. */
function First({ broadcast: { name, content, rich } }: { broadcast: ListedBroadcast }) {
  const { t } = useTranslation('line-campaigns');
  const [bubble] = content;
  if (!bubble) return t('list.blank');
  const text = content.find((each) => each.type === 'text')?.text;
  // One that was begun from a message is called as that is.
  if (bubble.type === 'rich') return rich && rich.name !== name ? rich.name : t('scenario.bubble.rich');
  if (text === undefined) return t('scenario.bubble.image');
  return partsAroundName(text).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <span className={classes['chip']}>{t('list.chip')}</span>}
      {readable(part, '')}
    </Fragment>
  ));
}
