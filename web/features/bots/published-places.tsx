import { Anchor, Menu, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight, IconCode, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, type ComponentType, type ReactNode } from 'react';
import type { ChannelKind, Connection } from '../../../shared/contracts/connections.ts';
import { errorText } from '../../lib/error-text.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { CodeBox } from '../../ui/code-box.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useChannels } from './bots.queries.ts';
import classes from './published.module.css';

interface Props {
  bot: string;
  states: Record<ChannelKind, ComponentType<{ uuid: string; onFail(): void }>>;
}

const pageOf = { web: '/Web-Channel/$id', line: '/Line-Channel/$id' } as const;

/** The channels on which it answers, and the ways to more. */
export function PublishedPlaces({ bot, states }: Props) {
  const { t } = useTranslation('bots-publish');
  const heading = useId();
  const mayEdit = useMay('edit');
  const channels = useChannels();
  const own = channels.data?.filter((each) => each.bot?.uuid === bot) ?? [];
  const has = (kind: ChannelKind) => own.some(({ channel }) => channel === kind);
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className={classes['heading']}>
        {t('where')}
      </h3>
      <ul className={classes['rows']}>
        {channels.isPending && (
          <li>
            <Skeleton height={20} my={12} />
          </li>
        )}
        {channels.isError && (
          <li>
            <ErrorState
              title={t('common:failed.title')}
              text={errorText(channels.error)}
              retry={t('common:retry')}
              onRetry={() => void channels.refetch()}
            />
          </li>
        )}
        {own.map((each) => (
          <li key={each.uuid}>
            <Place place={each} State={states[each.channel]} mayEdit={mayEdit} />
          </li>
        ))}
        {mayEdit && channels.data && (
          <>
            <li>
              <Link to="/Web-Channel" search={{ bot }} className={classes['row']}>
                <Words icon={<ChannelIcon kind="web" size={18} />} hint={t('websiteHint')}>
                  {t(has('web') ? 'toWebsiteMore' : 'toWebsite')}
                </Words>
                <IconChevronRight size={16} aria-hidden />
              </Link>
            </li>
            <li>
              <ToLine
                bot={bot}
                name={t(has('line') ? 'toLineMore' : 'toLine')}
                others={channels.data.filter((each) => each.channel === 'line' && each.bot?.uuid !== bot)}
              />
            </li>
          </>
        )}
        <li>
          <Api bot={bot} />
        </li>
      </ul>
    </section>
  );
}

function Words({ icon, hint, children }: { icon: ReactNode; hint: ReactNode; children: ReactNode }) {
  return (
    <>
      {icon}
      <span className={classes['words']}>
        <b>{children}</b>
        <small>{hint}</small>
      </span>
    </>
  );
}

interface PlaceProps {
  place: Connection;
  State: ComponentType<{ uuid: string; onFail(): void }>;
  mayEdit: boolean;
}

function Place({ place: { name, channel, channelId }, State, mayEdit }: PlaceProps) {
  const { t } = useTranslation('bots-publish');
  const words = (
    <Words icon={<ChannelIcon kind={channel} size={18} />} hint={<State uuid={channelId} onFail={() => {}} />}>
      {name}
    </Words>
  );
  if (!mayEdit) return <div className={classes['row']}>{words}</div>;
  return (
    <Link to={pageOf[channel]} params={{ id: channelId }} className={classes['row']}>
      {words}
      <span className={classes['end']}>
        {t('manage')}
        <IconChevronRight size={16} aria-hidden />
      </span>
    </Link>
  );
}

/** An account that is connected only has to be given this bot; connecting one is for those who manage the workspace. */
function ToLine({ bot, name, others }: { bot: string; name: string; others: Connection[] }) {
  const { t } = useTranslation('bots-publish');
  const mayConnect = useMay('manage');
  const words = (
    <Words icon={<ChannelIcon kind="line" size={18} />} hint={t(mayConnect || others[0] ? 'lineHint' : 'lineAsk')}>
      {name}
    </Words>
  );
  if (others.length > 0)
    return (
      <Menu position="bottom-end" width="target">
        <Menu.Target>
          <button type="button" className={classes['row']}>
            {words}
            <IconChevronDown size={16} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('accounts')} mah={280} style={{ overflowY: 'auto' }}>
          {others.map((each) => (
            <Menu.Item
              key={each.uuid}
              leftSection={<ChannelIcon kind="line" />}
              renderRoot={(props) => <Link {...props} to="/Bot-Connect/$id" params={{ id: each.uuid }} />}
            >
              <span className={classes['words']}>
                <b>{each.name}</b>
                <small>{each.bot ? t('answeredBy', { name: each.bot.name }) : t('answeredByPeople')}</small>
              </span>
            </Menu.Item>
          ))}
          {mayConnect && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconPlus size={16} />}
                renderRoot={(props) => <Link {...props} to="/Line-Channel" search={{ bot }} />}
              >
                {t('otherAccount')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    );
  if (!mayConnect) return <div className={classes['row']}>{words}</div>;
  return (
    <Link to="/Line-Channel" search={{ bot }} className={classes['row']}>
      {words}
      <IconChevronRight size={16} aria-hidden />
    </Link>
  );
}

/** One question, as a program asks it. */
function Api({ bot }: { bot: string }) {
  const { t } = useTranslation('bots-publish');
  const [isOpen, { toggle }] = useDisclosure();
  const panel = useId();
  const call = `curl ${window.location.origin}/v1/chat/completions \\
  -H 'Authorization: Bearer YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ model: bot, messages: [{ role: 'user', content: 'Hello' }] })}'`;
  return (
    <>
      <button type="button" className={classes['row']} aria-expanded={isOpen} aria-controls={panel} onClick={toggle}>
        <Words icon={<IconCode size={18} stroke={1.75} aria-hidden />} hint={t('apiHint')}>
          {t('api')}
        </Words>
        <IconChevronDown size={16} aria-hidden />
      </button>
      <div id={panel} hidden={!isOpen} className={classes['call']}>
        <CodeBox label={t('api')} code={call} copyLabel={t('common:copy')} copiedLabel={t('common:copied')} />
        <p>
          {t('apiKey')}
          {gap()}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link {...props} to="/Token" search={{ tab: 'keys' }} />}
          >
            {t('keys')}
          </Anchor>
        </p>
      </div>
    </>
  );
}
