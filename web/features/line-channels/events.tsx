import { Select, UnstyledButton } from '@mantine/core';
import type { LineEvent } from '../../../shared/contracts/line-channels.ts';
import { lineEventStates } from '../../../shared/contracts/line-channels.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { Filters } from '../../ui/filters.tsx';
import { State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { PanelArea, SidePanel } from '../../ui/side-panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './line-channels.module.css';
import { useLineEvents, type EventFilter } from './line-channels.queries.ts';
import { Refused } from './refused.tsx';
import { eventKinds } from './state.ts';
import { formatTook } from './took.ts';

const EventDetail = later(async () => (await import('./event-detail.tsx')).EventDetail);

const messageKinds = ['text', 'image', 'sticker', 'location', 'video', 'audio', 'file', 'other'] as const;
const otherTypes = [
  'messageEdited',
  'unsend',
  'follow',
  'unfollow',
  'join',
  'leave',
  'memberJoined',
  'memberLeft',
  'postback',
  'videoPlayComplete',
  'beacon',
  'accountLink',
  'membership',
] as const;
export const eventTypes = ['message', ...messageKinds, ...otherTypes] as const;

interface Props {
  channel: string;
  filter: EventFilter;
  event: string | undefined;
  onFilter(filter: EventFilter): void;
  onEvent(event: string | undefined): void;
}

/** What LINE has sent and what became of it, as it comes in. */
export function Events({ channel, filter, event, onFilter, onEvent }: Props) {
  const { t } = useTranslation('line-channels');
  const events = useLineEvents(channel, filter);
  const set = [filter.type, filter.state].filter(Boolean).length;
  const types = (names: readonly (typeof eventTypes)[number][]) =>
    names.map((value) => ({ value, label: t(`eventType.${value}`) }));
  return (
    <div className={classes['events']}>
      <PanelArea className={classes['scroll']}>
        <div className={classes['tools']}>
          <Filters label={t('common:filters')} count={set}>
            <Select
              aria-label={t('events.type')}
              placeholder={t('events.anyType')}
              value={filter.type ?? null}
              onChange={(type) => onFilter({ ...filter, type: type ?? undefined })}
              data={[
                { group: t('events.messages'), items: types(['message', ...messageKinds]) },
                { group: t('events.others'), items: types(otherTypes) },
              ]}
              clearable
            />
            <Select
              aria-label={t('events.state')}
              placeholder={t('events.anyState')}
              value={filter.state ?? null}
              onChange={(state) => onFilter({ ...filter, state: lineEventStates.find((each) => each === state) })}
              data={lineEventStates.map((value) => ({ value, label: t(`eventState.${value}`) }))}
              clearable
            />
          </Filters>
          <State kind="live">{t('events.live')}</State>
        </div>
        <Refused channel={channel} />
        <PagedList
          query={events}
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={
            set > 0 ? (
              <p className={classes['hint']}>{t('events.noMatch')}</p>
            ) : (
              <EmptyState drawing="line" title={t('events.empty')} text={t('events.emptyText')} />
            )
          }
        >
          {(rows) => <Rows rows={rows} opened={event} onOpen={onEvent} />}
        </PagedList>
        <SidePanel opened={event !== undefined} onClose={() => onEvent(undefined)} title={t('event.title')}>
          {event !== undefined && (
            <EventDetail key={event} channel={channel} event={event} onFail={() => onEvent(undefined)} />
          )}
        </SidePanel>
      </PanelArea>
    </div>
  );
}

function Rows({
  rows,
  opened,
  onOpen,
}: {
  rows: LineEvent[];
  opened: string | undefined;
  onOpen(event: string): void;
}) {
  const { t, has } = useTranslation('line-channels', 'errors');
  return (
    <table className={table['list']} aria-label={t('events.label')}>
      <thead>
        <tr>
          <th className={classes['columnType']}>{t('events.type')}</th>
          <th data-from="sm" style={{ width: '18%' }}>
            {t('events.who')}
          </th>
          <th>{t('events.state')}</th>
          <th data-from="md" style={{ width: 104 }}>
            {t('events.way')}
          </th>
          <th data-number data-from="md" style={{ width: 120 }}>
            {t('events.took')}
          </th>
          <th data-number style={{ width: 104 }}>
            {t('events.when')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((event) => {
          const { uuid, state, guest, ms, way, redelivered, createdAt } = event;
          const reason = reasonOf(event, { t, has });
          return (
            <tr key={uuid} data-chosen={uuid === opened || undefined}>
              <td>
                <UnstyledButton
                  fz="inherit"
                  className={`${table['name']} ${classes['type']}`}
                  onClick={() => onOpen(uuid)}
                  aria-label={t('events.open', {
                    type: typeOf(event, { t, has }),
                    state: t(`eventState.${state}`),
                    at: formatMoment(createdAt),
                  })}
                >
                  <span className={table['one']}>
                    {typeOf(event, { t, has })}
                    {guest && <small className={table['onPhone']}>{guest.name}</small>}
                  </span>
                  {redelivered && (
                    <small className={classes['again']} title={t('events.redelivered')}>
                      {t('events.redeliveredShort')}
                    </small>
                  )}
                </UnstyledButton>
              </td>
              <td data-from="sm" className={table['one']} title={guest?.name}>
                {guest?.name ?? t('events.none')}
              </td>
              <td title={reason}>
                <span className={classes['became']}>
                  <State kind={eventKinds[state]}>{t(`eventState.${state}`)}</State>
                  {reason && <span className={classes['reason']}>{reason}</span>}
                </span>
              </td>
              <td data-from="md" className={table['quiet']}>
                {way ? t(`way.${way}`) : t('events.none')}
              </td>
              <td data-number data-from="md" className={table['quiet']}>
                {ms === null || way === null ? t('events.none') : formatTook(ms)}
              </td>
              <td data-number className={table['quiet']} title={formatMoment(createdAt)}>
                {formatAgo(createdAt)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface Words {
  t: Translate<'line-channels', 'errors'>;
  has: ReturnType<typeof useTranslation<'line-channels', 'errors'>>['has'];
}

/** LINE may send types that it has announced to nobody: those are called as LINE calls them. */
export function typeOf({ type, kind }: Pick<LineEvent, 'type' | 'kind'>, { t, has }: Words): string {
  const key = `eventType.${(type === 'message' && kind) || type}`;
  return has(key) ? t(key) : type;
}

/** Why it was ignored or has failed: a reason of ours, or what an error of ours says. */
export function reasonOf({ reason }: Pick<LineEvent, 'reason'>, { t, has }: Words): string | undefined {
  if (reason === null) return undefined;
  const key = `reason.${reason}`;
  if (has(key)) return t(key);
  return has(reason) ? t(reason) : reason;
}
