import { Button, Text } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { WebChannel } from '../../../shared/contracts/web-channels.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Week } from '../../ui/week.tsx';
import { ChannelState } from './channel-state.tsx';
import { MiniWidget } from './mini-widget.tsx';
import { stateOf } from './state.ts';
import classes from './web-channels.module.css';
import { useWebChannels } from './web-channels.queries.ts';

export function ChannelList({ onCreate }: { onCreate(): void }) {
  const { t } = useTranslation('web-channels');
  const channels = useWebChannels();
  const rows = channels.data ?? [];
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
      {t('list.create')}
    </Button>
  );
  return (
    <Page
      title={t('common:page.web-channels')}
      facts={
        rows.length > 0 &&
        !channels.hasNextPage &&
        t('list.facts', { count: rows.length, live: rows.filter((each) => stateOf(each) === 'live').length })
      }
      actions={rows.length > 0 && create}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t('list.about')}
      </Text>
      <PagedList
        query={channels}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<EmptyState drawing="website" title={t('list.empty')} text={t('list.emptyText')} action={create} />}
      >
        {(shown) => (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('list.website')}</th>
                <th data-from="md" style={{ width: '18%' }}>
                  {t('list.answers')}
                </th>
                <th data-from="sm" style={{ width: '15%' }}>
                  {t('list.state')}
                </th>
                <th data-number data-from="sm" style={{ width: 248 }}>
                  {t('list.conversations')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((channel) => (
                <Row key={channel.uuid} channel={channel} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </Page>
  );
}

function Row({ channel }: { channel: WebChannel }) {
  const { t } = useTranslation('web-channels');
  const { uuid, name, bot, settings, seenAt, seenOn, conversations, conversationsPerDay, unaided } = channel;
  const [first, ...others] = settings.domains;
  const state = <ChannelState channel={channel} />;
  const answers = bot ? (
    <span className={classes['answers']} title={bot.name}>
      <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
      <span className={table['one']}>{bot.name}</span>
    </span>
  ) : (
    <span className={classes['answers']}>
      <IconUsers size={16} stroke={1.75} aria-hidden />
      {t('list.people')}
    </span>
  );
  const domains = first
    ? others.length > 0
      ? t('list.domainsMore', { first, count: others.length })
      : first
    : t('list.nowhere');
  return (
    <tr className={classes['channel']} data-off={!channel.active || undefined}>
      <td>
        <Link to="/Web-Channel/$id" params={{ id: uuid }} className={table['name']} title={name}>
          <MiniWidget look={settings.look} />
          <span className={table['one']}>
            <span className={classes['whole']}>{name}</span>
            <small title={settings.domains.join('\n')}>{domains}</small>
            <span className={classes['onPhone']}>
              {state}
              {answers}
              {conversations > 0 && (
                <small>
                  {t('list.begun', { count: conversations })}
                  {t('common:dot')}
                  {t('list.unaided', { share: formatShare(unaided / conversations) })}
                </small>
              )}
            </span>
          </span>
        </Link>
      </td>
      <td data-from="md">{answers}</td>
      <td data-from="sm">
        {state}
        {seenAt && (
          <small className={classes['seen']} title={formatMoment(seenAt)}>
            {[formatAgo(seenAt), ...(seenOn ? [seenOn] : [])].join(t('common:dot'))}
          </small>
        )}
      </td>
      <td data-number data-from="sm" className={conversations === 0 ? table['quiet'] : undefined}>
        <Week
          perDay={conversationsPerDay}
          sum={formatNumber(conversations)}
          note={conversations > 0 ? t('list.unaided', { share: formatShare(unaided / conversations) }) : undefined}
        />
      </td>
    </tr>
  );
}
