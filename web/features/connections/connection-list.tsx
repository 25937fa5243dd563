import { Button, Switch, Text } from '@mantine/core';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Connection } from '../../../shared/contracts/connections.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { Page, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import classes from './connections.module.css';
import { useConnections, useUpdateConnection } from './connections.queries.ts';

export function ConnectionList({ onCreate }: { onCreate(): void }) {
  const { t } = useTranslation('connections');
  const connections = useConnections();
  const rows = connections.data ?? [];
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={onCreate}>
      {t('list.create')}
    </Button>
  );
  return (
    <Page
      title={t('common:page.connections')}
      facts={
        rows.length > 0 &&
        !connections.hasNextPage &&
        t('list.facts', { count: rows.length, open: rows.filter((each) => each.active && each.open).length })
      }
      actions={rows.length > 0 && create}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t('list.about')}
      </Text>
      <PagedList
        query={connections}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={<EmptyState drawing="connection" title={t('list.empty')} text={t('list.emptyText')} action={create} />}
      >
        {(shown) => (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('common:name')}</th>
                <th data-from="sm" style={{ width: '32%' }}>
                  {t('list.answers')}
                </th>
                <th data-from="sm" style={{ width: 150 }}>
                  {t('list.people')}
                </th>
                <th data-number style={{ width: 72 }}>
                  {t('list.active')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((connection) => (
                <Row key={connection.uuid} connection={connection} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </Page>
  );
}

function Row({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  const update = useUpdateConnection();
  const { uuid, name, active, bot } = connection;
  const onSwitch = () => update.mutate({ uuid, active: !active }, { onError: (error) => toast.error(error.message) });
  return (
    <tr>
      <td>
        <Link to="/Bot-Connect/$id" params={{ id: uuid }} className={table['name']} title={name}>
          <ChannelIcon kind={connection.channel} />
          <span className={table['one']}>
            <span className={classes['whole']}>{name}</span>
            <span className={classes['onPhone']}>{bot?.name ?? t('bot.none')}</span>
          </span>
        </Link>
      </td>
      <td data-from="sm">
        <Answers connection={connection} />
      </td>
      <td data-from="sm">
        <OpenState connection={connection} />
      </td>
      <td data-number>
        <Switch
          className={classes['switch'] ?? ''}
          checked={update.isPending ? !active : active}
          disabled={update.isPending}
          aria-label={t('list.switch', { name })}
          onChange={onSwitch}
        />
      </td>
    </tr>
  );
}

function Answers({ connection: { bot } }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  return (
    <span className={classes['answers']}>
      {bot ? (
        <>
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
          <span className={table['one']} title={bot.name}>
            {bot.name}
          </span>
          {!bot.published && <State kind="warning">{t('bot.unpublished')}</State>}
        </>
      ) : (
        <>
          <IconUsers size={16} stroke={1.75} aria-hidden />
          <span className={table['one']}>{t('bot.none')}</span>
        </>
      )}
    </span>
  );
}

/** Whether somebody is there now, in a word. */
export function OpenState({ connection: { active, open } }: { connection: Pick<Connection, 'active' | 'open'> }) {
  const { t } = useTranslation('connections');
  if (!active) return <State kind="off">{t('state.off')}</State>;
  return <State kind={open ? 'live' : 'draft'}>{t(open ? 'state.open' : 'state.closed')}</State>;
}
