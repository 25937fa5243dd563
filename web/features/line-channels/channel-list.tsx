import { Anchor, Button, Code, Text } from '@mantine/core';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Page, type StateKind } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Week } from '../../ui/week.tsx';
import { Answering, ChannelState } from './channel-state.tsx';
import classes from './line-channels.module.css';
import { useLineChannels } from './line-channels.queries.ts';
import { OneChannel } from './one-channel.tsx';
import { QuotaBar } from './quota.tsx';
import { drawnDays, stateOf } from './state.ts';

/** Fewer are seen at a glance. */
const searchedFrom = 8;

export function ChannelList({ onConnect }: { onConnect(): void }) {
  const { t } = useTranslation('line-channels');
  const [q, setQ] = useState('');
  const channels = useLineChannels(q);
  const rows = channels.data ?? [];
  const isEmpty = rows.length === 0 && !q;
  const [only] = rows.length === 1 && !q && !channels.hasNextPage ? rows : [];
  const mayConnect = useMay('manage');
  const connect = mayConnect && (
    <Button variant={isEmpty ? 'filled' : 'default'} leftSection={<IconPlus size={16} />} onClick={onConnect}>
      {t('list.connect')}
    </Button>
  );
  const wrong = rows.filter((each) => ['failed', 'warning'].includes(stateOf(each).kind)).length;
  return (
    <Page
      title={t('common:page.line-channels')}
      facts={
        rows.length > 0 &&
        !q &&
        !channels.hasNextPage &&
        t(wrong > 0 ? 'list.facts' : 'list.allWork', { count: rows.length, wrong })
      }
      actions={!isEmpty && connect}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t('list.about')}
      </Text>
      {(q || channels.hasNextPage || rows.length >= searchedFrom) && (
        <div className={classes['find']}>
          <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
        </div>
      )}
      <PagedList
        query={channels}
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
            <>
              <EmptyState
                drawing="line"
                title={t('list.empty')}
                text={mayConnect ? t('list.emptyText') : t('list.emptyForReaders')}
                action={connect}
              />
              {mayConnect && (
                <div className={classes['help']}>
                  <p>
                    <Anchor
                      inherit
                      display="inline-block"
                      py={4}
                      href={`/docs/guides/${currentLocale() === 'ja' ? 'line.ja' : 'line'}.md`}
                      target="_blank"
                    >
                      {t('list.guide')}
                    </Anchor>
                  </p>
                  <p>{t('list.simulator')}</p>
                  <Code>npm run line:simulate</Code>
                </div>
              )}
            </>
          )
        }
      >
        {(shown) =>
          only ? (
            <OneChannel channel={only} />
          ) : (
            <table className={`${table['list']} ${classes['channels']}`}>
              <thead>
                <tr>
                  <th>{t('common:name')}</th>
                  <th data-from="sm" style={{ width: 180 }}>
                    {t('list.state')}
                  </th>
                  <th data-from="sm" style={{ width: '20%' }}>
                    {t('list.bot')}
                  </th>
                  <th data-number data-from="md" style={{ width: 248, paddingInlineEnd: 24 }}>
                    {t('list.conversations')}
                  </th>
                  <th data-number data-from="md" style={{ width: 148 }}>
                    {t('list.quota')}
                  </th>
                  <th data-number data-from="md" style={{ width: 140 }}>
                    {t('list.last')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown
                  .toSorted((one, other) => urgencyOf(one) - urgencyOf(other))
                  .map((channel) => (
                    <Row key={channel.uuid} channel={channel} />
                  ))}
              </tbody>
            </table>
          )
        }
      </PagedList>
    </Page>
  );
}

const urgency: StateKind[] = ['failed', 'warning'];

/** What somebody has to look at stands first; the others keep their order. */
function urgencyOf(channel: LineChannel): number {
  const at = urgency.indexOf(stateOf(channel).kind);
  return at < 0 ? urgency.length : at;
}

function Row({ channel }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  const { uuid, name, basicId, avatar, lastEventAt, conversations, unaided } = channel;
  const state = <ChannelState channel={channel} />;
  const alone = conversations > 0 ? t('list.unaided', { share: formatShare(unaided / conversations) }) : undefined;
  const last = lastEventAt ? formatAgo(lastEventAt) : t('list.never');
  return (
    <tr className={classes['row']}>
      <td>
        <Link to="/Line-Channel/$id" params={{ id: uuid }} className={table['name']} title={name}>
          <Avatar kind="person" id={uuid} name={name} url={avatar?.url} size={28} />
          <span className={table['one']}>
            <span className={classes['whole']}>{name}</span>
            <span className={classes['second']}>
              <span>{basicId}</span>
            </span>
            <span className={classes['onPhone']}>{state}</span>
          </span>
          <IconChevronRight className={classes['onPhone'] ?? ''} size={16} aria-hidden />
        </Link>
        <dl className={classes['rowFacts']}>
          <div>
            <dt>{t('list.bot')}</dt>
            <dd>
              <Answering channel={channel} />
            </dd>
          </div>
          <div>
            <dt>{t('list.conversations')}</dt>
            <dd>{[formatNumber(conversations), ...(alone ? [alone] : [])].join(t('common:dot'))}</dd>
          </div>
          <div>
            <dt>{t('list.last')}</dt>
            <dd>{last}</dd>
          </div>
          {channel.quota && (
            <div>
              <dt>{t('list.quota')}</dt>
              <dd>
                <QuotaBar channel={channel} />
              </dd>
            </div>
          )}
        </dl>
      </td>
      <td data-from="sm">{state}</td>
      <td data-from="sm">
        <Answering channel={channel} />
      </td>
      <td data-number data-from="md" style={{ paddingInlineEnd: 24 }}>
        <Week perDay={drawnDays(channel)} sum={formatNumber(conversations)} note={alone} />
      </td>
      <td data-number data-from="md">
        <QuotaBar channel={channel} />
      </td>
      <td data-number data-from="md" className={table['quiet']} title={lastEventAt ? formatMoment(lastEventAt) : ''}>
        <span className={classes['end']}>
          {last}
          <IconChevronRight size={16} aria-hidden />
        </span>
      </td>
    </tr>
  );
}
