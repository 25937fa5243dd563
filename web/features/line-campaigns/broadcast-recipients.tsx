import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { recipientStates, type Broadcast, type BroadcastRecipient } from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Segments } from '../../ui/segments.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import classes from './line-campaigns.module.css';
import { useCreateBroadcast, useRecipients } from './line-campaigns.queries.ts';

type RecipientState = BroadcastRecipient['state'];

/** Who got it, of those who are known, and when they wrote back. */
export function BroadcastRecipients({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation('line-campaigns');
  const [state, setState] = useState<RecipientState>();
  const mayChange = useMay('edit');
  const isEveryone = broadcast.audience.kind === 'everyone';
  const { recipients, sent, failed, skipped } = broadcast;
  const counts = { sent, failed, skipped, waiting: Math.max(0, (recipients ?? 0) - sent - failed - skipped) };
  const states = recipientStates.filter((each) => counts[each] > 0);
  // Nobody may be left in the one that was asked for.
  const shown = states.find((each) => each === state);
  // Where all of them have got it, nobody needs to be told so one by one.
  const isMixed = states.length > 1 || sent === 0;
  const people = useRecipients(broadcast, shown);
  return (
    <Section
      title={t('recipient.title')}
      count={isEveryone || recipients === null ? undefined : formatNumber(recipients)}
      end={mayChange && broadcast.state === 'done' && !isEveryone && sent > 0 && <WriteAgain broadcast={broadcast} />}
    >
      {isEveryone && <p className={classes['hint']}>{t('recipient.known')}</p>}
      {!isEveryone && states.length > 1 && (
        <div className={classes['filter']}>
          <Segments
            label={t('recipient.filter')}
            value={shown ?? 'all'}
            options={(['all', ...states] as const).map((value) => ({
              value,
              label: t(`recipient.filters.${value}`, {
                count: formatNumber(value === 'all' ? (recipients ?? 0) : counts[value]),
              }),
            }))}
            isWide
            onChange={(next) => setState(next === 'all' ? undefined : next)}
          />
        </div>
      )}
      <PagedList
        query={people}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<p className={classes['hint']}>{t('recipient.none')}</p>}
      >
        {(rows) => (
          <table className={`${table['list']} ${classes['recipients']}`}>
            <thead>
              <tr>
                <th>{t('recipient.person')}</th>
                {isMixed && (
                  <th data-from="sm" style={{ width: 144 }}>
                    {t('recipient.state')}
                  </th>
                )}
                <th data-number style={{ width: 112 }}>
                  {t('recipient.replied')}
                </th>
              </tr>
            </thead>
            <tbody>
              {/* Who was brought together from two friends got it twice. */}
              {(rows.length > firstPage || people.hasNextPage ? rows : whoWroteFirst(rows)).map((recipient, at) => (
                <Row key={at} recipient={recipient} isMixed={isMixed} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </Section>
  );
}

/** So many come at first. */
const firstPage = 20;

/** Where all are shown at once: the latest reply on top, then who has not written. */
const whoWroteFirst = (rows: BroadcastRecipient[]) =>
  rows.toSorted((one, other) => (other.repliedAt ?? '').localeCompare(one.repliedAt ?? ''));

const kinds: Record<RecipientState, StateKind> = { sent: 'live', waiting: 'working', skipped: 'off', failed: 'failed' };

function Row({
  recipient: { guest, thread, state, repliedAt },
  isMixed,
}: {
  recipient: BroadcastRecipient;
  isMixed: boolean;
}) {
  const { t } = useTranslation('line-campaigns');
  const shown = <State kind={kinds[state]}>{t(`recipient.states.${state}`)}</State>;
  const face = (
    <>
      <Avatar kind="person" id={guest.uuid} name={guest.name} size={28} />
      <span className={table['one']}>
        <bdi>{guest.name}</bdi>
        {isMixed && <span className={table['onPhone']}>{shown}</span>}
      </span>
    </>
  );
  return (
    <tr>
      <td>
        {thread ? (
          <Link to="/Friend" search={{ thread }} className={table['name']} title={guest.name}>
            {face}
          </Link>
        ) : (
          <span className={classes['face']} title={guest.name}>
            {face}
          </span>
        )}
      </td>
      {isMixed && <td data-from="sm">{shown}</td>}
      <td data-number className={table['quiet']} {...(repliedAt && { title: formatMoment(repliedAt) })}>
        {repliedAt ? formatAgo(repliedAt) : '–'}
      </td>
    </tr>
  );
}

function WriteAgain({ broadcast: { uuid, channel, name } }: { broadcast: Broadcast }) {
  const { t } = useTranslation('line-campaigns');
  const navigate = useNavigate();
  const add = useCreateBroadcast();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconUsers size={14} aria-hidden />}
      loading={add.isPending}
      onClick={() =>
        add.mutate(
          {
            channel,
            name: t('recipient.againName', { name }).slice(0, 100).toWellFormed(),
            audience: { kind: 'did', did: { what: 'sent', broadcast: uuid } },
          },
          {
            onSuccess: (made) =>
              void navigate({
                to: '/Line-Channel/$id/Broadcast/$broadcast',
                params: { id: channel, broadcast: made.uuid },
              }),
            onError: (error) => toast.error(errorText(error)),
          },
        )
      }
    >
      {t('recipient.again')}
    </Button>
  );
}
