import { Anchor, Button } from '@mantine/core';
import { IconExternalLink, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { LineChannel, LineProblem } from '../../../shared/contracts/line-channels.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { later } from '../../ui/later.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Section, State, rowClass } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { Week } from '../../ui/week.tsx';
import { Answering } from './channel-state.tsx';
import classes from './line-channels.module.css';
import { useAskLine, useSwitchLine, useSync } from './line-channels.queries.ts';
import { QuotaGauge } from './quota.tsx';
import { consoleUrl, drawnDays, kindOf, managerUrl } from './state.ts';
import { TodoList } from './todo-list.tsx';
import { WebhookChecks, whyUnreached } from './webhook-checks.tsx';

const AddFriend = later(async () => (await import('./add-friend.tsx')).AddFriend);

/** How the channel is: what keeps it from working, and what to do about it. */
export function Overview({ channel, onSettings }: { channel: LineChannel; onSettings(): void }) {
  const { t } = useTranslation('line-channels');
  const sync = useSync(channel.uuid);
  const ask = useAskLine(channel.uuid);
  const { webhook, avatar, basicId, channelId, lastEventAt, name, uuid } = channel;
  const { conversations, unaided } = channel;
  const isSetUp = lastEventAt !== null && channel.problems.length === 0;
  const [isShown, setIsShown] = useState(!isSetUp);
  const fail = (error: unknown) => toast.error(errorText(error));
  const register = () =>
    sync.mutate(undefined, { onSuccess: () => toast.success(t('overview.synced')), onError: fail });
  return (
    <div className={classes['columns']}>
      <div>
        {lastEventAt && (
          <Section
            title={t('overview.week')}
            end={
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                renderRoot={(props) => <Link {...props} to="/Friend" search={{ channel: uuid }} />}
              >
                {t('overview.toInbox')}
              </Button>
            }
          >
            <dl className={classes['week']}>
              <div>
                <dt>{t('overview.conversations')}</dt>
                <dd>
                  <Week perDay={drawnDays(channel)} sum={formatNumber(conversations)} />
                </dd>
              </div>
              <div>
                <dt>{t('overview.unaided')}</dt>
                <dd>{conversations > 0 ? formatShare(unaided / conversations) : t('events.none')}</dd>
              </div>
              {channel.quota && (
                <div className={classes['ofMonth']}>
                  <dt>{t('quota.title')}</dt>
                  <dd>
                    {formatNumber(channel.quota.used)}
                    {channel.quota.limit !== null && <small> / {formatNumber(channel.quota.limit)}</small>}
                  </dd>
                </div>
              )}
            </dl>
          </Section>
        )}
        <Section
          title={t('overview.health')}
          end={
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<IconRefresh size={14} />}
              loading={ask.isPending}
              onClick={() => ask.mutate(undefined, { onError: fail })}
            >
              {t('overview.refresh')}
            </Button>
          }
        >
          <Health channel={channel} isSyncing={sync.isPending} onSync={register} onSettings={onSettings} />
        </Section>
        <Section
          title={t('overview.webhook')}
          count={webhook.checkedAt ? t('overview.checked', { ago: formatAgo(webhook.checkedAt) }) : undefined}
          end={
            <Button variant="default" size="xs" loading={sync.isPending} onClick={register}>
              {t('overview.sync')}
            </Button>
          }
        >
          <div className={classes['field']}>
            <CopyField
              label={t('overview.url')}
              value={webhook.url}
              copyLabel={t('common:copy')}
              copiedLabel={t('common:copied')}
              quiet
            />
          </div>
          <WebhookChecks channel={channel} isBusy={sync.isPending} />
        </Section>
        <Section title={t('todo.title')}>
          <p className={classes['hint']}>{t('todo.hint')}</p>
          {isShown ? (
            <TodoList channel={channel} />
          ) : (
            <Button variant="default" size="xs" mt={10} onClick={() => setIsShown(true)}>
              {t('todo.show')}
            </Button>
          )}
        </Section>
      </div>
      <aside>
        <Section title={t('overview.account')}>
          <div className={classes['account']}>
            <Avatar kind="person" id={uuid} name={name} url={avatar?.url} size={40} />
            <span>
              <b>{name}</b>
              <span>{basicId}</span>
            </span>
          </div>
          <dl className={classes['facts']}>
            <dt>{t('overview.channelId')}</dt>
            <dd>{channelId}</dd>
            <dt>{t('overview.answers')}</dt>
            <dd>
              <Answering channel={channel} />
            </dd>
            <dt>{t('overview.lastEvent')}</dt>
            <dd title={lastEventAt ? formatMoment(lastEventAt) : undefined}>
              {lastEventAt ? formatAgo(lastEventAt) : t('list.never')}
            </dd>
          </dl>
          {basicId && <AddFriend basicId={basicId} onFail={() => {}} />}
        </Section>
        <Section title={t('quota.title')}>
          <QuotaGauge channel={channel} />
        </Section>
      </aside>
    </div>
  );
}

interface HealthProps {
  channel: LineChannel;
  isSyncing: boolean;
  onSync(): void;
  onSettings(): void;
}

/** Each thing that is wrong in a sentence, with what mends it. */
function Health({ channel, isSyncing, onSync, onSettings }: HealthProps) {
  const { t, has } = useTranslation('line-channels');
  const turn = useSwitchLine(channel);
  const { active, bot, problems, webhook, quota, settings, lastEventAt } = channel;
  // By ours, and not yet by LINE's.
  const isStopped = !(quota?.limit != null && quota.used >= quota.limit);
  const button = (label: string, onClick: () => void, isBusy = false) => (
    <Button variant="default" size="xs" loading={isBusy} onClick={onClick}>
      {label}
    </Button>
  );
  const link = (label: string, href: string) => (
    <Button
      variant="default"
      size="xs"
      component="a"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      rightSection={<IconExternalLink size={14} />}
    >
      {label}
    </Button>
  );
  const mend = (problem: LineProblem): ReactNode => {
    const label = t(`problem.${problem}.action`);
    switch (problem) {
      case 'secret':
        return button(label, onSettings);
      case 'quota':
        return isStopped ? button(t('tabs.settings'), onSettings) : link(label, managerUrl);
      case 'elsewhere':
      case 'unreachable':
        return button(label, onSync, isSyncing);
      case 'chat-mode':
        return link(label, managerUrl);
      default:
        return link(label, consoleUrl);
    }
  };
  const said = (problem: LineProblem) =>
    problem === 'elsewhere' && webhook.registered === null
      ? t('problem.elsewhere.nowhere')
      : problem === 'quota' && isStopped
        ? t('problem.quota.stopped', { stopAt: formatNumber(settings.stopAt ?? 0) })
        : t(`problem.${problem}.text`, webhook.test ? { why: whyUnreached(webhook.test, { t, has }) } : {});
  const isUnpublished = bot !== null && !bot.published;
  return (
    <ul className={classes['health']}>
      {!active && (
        <li className={rowClass}>
          <State kind="off">{t('overview.isOff')}</State>
          {button(
            t('overview.switchOn'),
            () => turn.mutate(true, { onError: (error) => toast.error(errorText(error)) }),
            turn.isPending,
          )}
        </li>
      )}
      {problems.map((problem) => (
        <li key={problem} className={rowClass}>
          <State kind={kindOf(problem)}>{said(problem)}</State>
          {mend(problem)}
        </li>
      ))}
      {channel.refused > 0 && !problems.includes('secret') && (
        <li className={rowClass}>
          <State kind="warning">{t('request.refused', { count: channel.refused })}</State>
        </li>
      )}
      {isUnpublished && (
        <li className={rowClass}>
          <State kind="warning">{t('overview.unpublished', { name: bot.name })}</State>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Bot/$id" params={{ id: bot.uuid }} />}>
            {t('overview.publish')}
          </Anchor>
        </li>
      )}
      {active && problems.length === 0 && !isUnpublished && (
        <li className={rowClass}>
          <State kind={lastEventAt ? 'live' : 'draft'}>{t(lastEventAt ? 'overview.fine' : 'overview.notYet')}</State>
        </li>
      )}
    </ul>
  );
}
