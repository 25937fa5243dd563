import { Anchor, Button, Menu, Switch, Text } from '@mantine/core';
import { IconChevronRight, IconPlus, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { Trans } from 'react-i18next';
import { channelKinds, type ChannelKind, type Connection } from '../../../shared/contracts/connections.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { Page, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import column from '../../ui/switch-column.module.css';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import classes from './connections.module.css';
import { useConnections, useUpdateConnection } from './connections.queries.ts';

interface Props {
  onCreate(channel: ChannelKind): void;
  /** Shows what it is given where a LINE account wants to be looked after. */
  Attention: ComponentType<{ channel: string; children: ReactNode }>;
}

export function ConnectionList({ onCreate, Attention }: Props) {
  const { t } = useTranslation('connections');
  const connections = useConnections();
  const rows = connections.data ?? [];
  const create = (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>{t('list.create')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {channelKinds.map((channel) => (
          <Menu.Item key={channel} leftSection={<ChannelIcon kind={channel} />} onClick={() => onCreate(channel)}>
            {t(`channel.${channel}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <Page
      title={t('common:page.connections')}
      facts={
        rows.length > 0 &&
        !connections.hasNextPage &&
        t('list.facts', { count: rows.length, on: rows.filter((each) => each.active).length })
      }
      actions={rows.length > 0 && create}
    >
      <Text size="sm" c="dimmed" mb="md">
        <Trans
          ns="connections"
          i18nKey={'list.about' satisfies KeyIn<'connections'>}
          components={{
            web: (
              <Anchor
                inherit
                c="inherit"
                underline="always"
                renderRoot={(props) => <Link {...props} to="/Web-Channel" />}
              />
            ),
            line: (
              <Anchor
                inherit
                c="inherit"
                underline="always"
                renderRoot={(props) => <Link {...props} to="/Line-Channel" />}
              />
            ),
          }}
        />
      </Text>
      <PagedList
        query={connections}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<EmptyState drawing="connection" title={t('list.empty')} text={t('list.emptyText')} action={create} />}
      >
        {(shown) => (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('common:name')}</th>
                <th data-from="md" style={{ width: '19%' }}>
                  {t('list.rules')}
                </th>
                <th data-from="sm" style={{ width: '27%' }}>
                  {t('list.answers')}
                </th>
                <th data-from="sm" style={{ width: '25%' }}>
                  {t('list.people')}
                </th>
                <th data-number className={column['head']}>
                  <span>{t('list.active')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((connection) => (
                <Row key={connection.uuid} connection={connection} Attention={Attention} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </Page>
  );
}

function Row({ connection, Attention }: { connection: Connection } & Pick<Props, 'Attention'>) {
  const { t } = useTranslation('connections');
  const update = useUpdateConnection();
  const { uuid, name, active, channel, channelId } = connection;
  // It is told of what is undone after the list has gone, too.
  const turn = (next: boolean): void =>
    void update.mutateAsync({ uuid, active: next }).then(
      () => toast.undo(t(next ? 'list.turnedOn' : 'list.turnedOff', { name }), t('common:undo'), () => turn(!next)),
      (error: unknown) => toast.error(errorText(error)),
    );
  return (
    <tr className={classes['connection']} data-off={!active || undefined}>
      <td>
        <Link to="/Bot-Connect/$id" params={{ id: uuid }} className={table['name']} title={name}>
          <ChannelIcon kind={channel} />
          <span className={table['one']}>
            <span className={classes['whole']}>{name}</span>
            <span className={classes['about']}>
              <small className={classes['notOnPhone']}>{t(`channel.${channel}`)}</small>
              {channel === 'line' && (
                <Attention channel={channelId}>
                  <State kind="warning">{t('list.attention')}</State>
                </Attention>
              )}
            </span>
            <span className={classes['onPhone']}>
              <small>{t('list.answers')}</small>
              <Bot connection={connection} />
              <small>{t('list.people')}</small>
              <OpenState connection={connection} />
            </span>
          </span>
        </Link>
      </td>
      <td data-from="md">
        <Rules connection={connection} />
      </td>
      <td data-from="sm">
        <Bot connection={connection} />
      </td>
      <td data-from="sm">
        <People connection={connection} />
      </td>
      <td data-number>
        <span className={column['cell']}>
          <Switch
            checked={update.isPending ? !active : active}
            disabled={update.isPending}
            aria-label={t('list.switch', { name })}
            onChange={() => turn(!active)}
          />
          <IconChevronRight size={16} aria-hidden />
        </span>
      </td>
    </tr>
  );
}

const mostPhrases = 3;

/** How many rules are read before the bot is asked, and the first words that they look for. */
function Rules({ connection: { settings } }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  const { rules } = settings;
  const phrases = rules.flatMap((rule) => rule.phrases);
  if (rules.length === 0) return <span className={table['quiet']}>{t('list.noRules')}</span>;
  return (
    <span className={classes['two']} title={phrases.join('\n')}>
      <span>{t('list.ruleCount', { count: rules.length })}</span>
      <small>{phrases.slice(0, mostPhrases).join(t('common:comma'))}</small>
    </span>
  );
}

function Bot({ connection: { bot } }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  return (
    <span className={classes['answers']}>
      {bot ? (
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={28} />
      ) : (
        <IconUsers size={18} stroke={1.75} aria-hidden />
      )}
      <span className={classes['two']}>
        <span title={bot?.name}>{bot?.name ?? t('bot.none')}</span>
        {bot && !bot.published && <State kind="warning">{t('bot.unpublished')}</State>}
      </span>
    </span>
  );
}

/** Whether people are there, and how a conversation comes to them; a warning where nobody at all answers now. */
function People({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  const { active, open, bot, channel, settings } = connection;
  return (
    <span className={classes['two']}>
      <OpenState connection={connection} />
      {active && !open && !bot?.published ? (
        <State kind="warning">{t('list.nobody')}</State>
      ) : (
        <small>{t(settings.handoff.offered ? `list.offered.${channel}` : 'list.notOffered')}</small>
      )}
    </span>
  );
}

/** Whether somebody is there now, where nothing else says of whom that is told. */
export function Team({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  return (
    <span className={classes['team']}>
      {connection.active && <small>{t('list.people')}</small>}
      <OpenState connection={connection} />
    </span>
  );
}

/** Whether somebody is there now, in a word. */
function OpenState({
  connection: { active, open, settings },
}: {
  connection: Pick<Connection, 'active' | 'open' | 'settings'>;
}) {
  const { t } = useTranslation('connections');
  if (!active) return <State kind="off">{t('state.off')}</State>;
  if (!settings.hours) return <State kind="live">{t('state.always')}</State>;
  return <State kind={open ? 'live' : 'draft'}>{t(open ? 'state.open' : 'state.closed')}</State>;
}
