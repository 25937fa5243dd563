import { Button, Switch } from '@mantine/core';
import { IconPlus, IconTimeline } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import classes from './line-campaigns.module.css';
import { useBeginScenario, useCreateScenario, useSaveScenario, useScenarios } from './line-campaigns.queries.ts';
import { StepTemplates } from './step-templates.tsx';

/** Step messages of a channel. */
export function StepList({ channel }: { channel: { uuid: string; name: string } }) {
  const { t } = useTranslation('line-campaigns');
  const navigate = useNavigate();
  const scenarios = useScenarios(channel.uuid);
  const add = useCreateScenario();
  const mayChange = useMay('edit');
  const begin = useBeginScenario(channel.uuid);
  const reaction = {
    onSuccess: ({ uuid }: StepScenario) =>
      void navigate({ to: '/Line-Channel/$id/Steps/$scenario', params: { id: channel.uuid, scenario: uuid } }),
    onError: (error: unknown) => void toast.error(errorText(error)),
  };
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} />}
      loading={add.isPending}
      onClick={() => add.mutate({ channel: channel.uuid, name: t('steps.newName') }, reaction)}
    >
      {t('steps.new')}
    </Button>
  );
  return (
    <>
      {scenarios.data && scenarios.data.length > 0 && (
        <div className={classes['head']}>
          <p>{t('steps.about')}</p>
          {create}
        </div>
      )}
      <PagedList
        query={scenarios}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          <>
            <EmptyState drawing="line" title={t('steps.empty')} text={t('steps.emptyText')} action={create} />
            {mayChange && (
              <StepTemplates
                onPick={({ name, trigger, stop, steps }) =>
                  begin.mutate(
                    {
                      name,
                      trigger,
                      stop,
                      steps: steps.map(({ time, text }) => ({
                        time,
                        content: [{ type: 'text', text }],
                        taps: false,
                        tapTag: null,
                      })),
                    },
                    reaction,
                  )
                }
              />
            )}
          </>
        }
      >
        {(rows) => (
          <table className={table['list']}>
            <thead>
              <tr>
                <th>{t('steps.name')}</th>
                <th data-from="sm" style={{ width: 180 }}>
                  {t('steps.begins')}
                </th>
                <th data-number data-from="sm" style={{ width: 96 }}>
                  {t('steps.steps')}
                </th>
                <th data-number data-from="sm" style={{ width: 112 }}>
                  {t('steps.people')}
                </th>
                <th data-number style={{ width: 64 }}>
                  {t('steps.on')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((scenario) => (
                <Row key={scenario.uuid} scenario={scenario} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </>
  );
}

function Row({ scenario }: { scenario: StepScenario }) {
  const { t } = useTranslation('line-campaigns');
  const { uuid, channel, name, active, trigger, steps, people } = scenario;
  const save = useSaveScenario(uuid);
  const mayChange = useMay('edit');
  const begins = t(`trigger.short.${trigger.on}`, { tag: trigger.on === 'tag' ? trigger.tag : '' });
  return (
    <tr>
      <td>
        <Link
          to="/Line-Channel/$id/Steps/$scenario"
          params={{ id: channel, scenario: uuid }}
          className={table['name']}
          title={name}
        >
          <IconTimeline size={18} stroke={1.75} aria-hidden />
          <span className={table['one']}>
            {name}
            <span className={table['onPhone']}>
              <small>
                {[begins, t('steps.count', { count: steps.length }), t('steps.active', { count: people.active })].join(
                  t('common:dot'),
                )}
              </small>
            </span>
          </span>
        </Link>
      </td>
      <td data-from="sm" className={table['quiet']}>
        <span className={table['one']} title={begins}>
          {begins}
        </span>
      </td>
      <td data-number data-from="sm">
        {formatNumber(steps.length)}
      </td>
      <td data-number data-from="sm">
        {formatNumber(people.active)}
      </td>
      <td data-number>
        <Switch
          style={{ position: 'relative', zIndex: 1, display: 'inline-flex', verticalAlign: 'middle' }}
          checked={save.isPending ? !active : active}
          disabled={save.isPending || !mayChange}
          aria-label={t('steps.switch', { name })}
          onChange={() =>
            save.mutate(
              { active: !active },
              {
                onError: (error) =>
                  toast.error(
                    error instanceof ApiError && Object.keys(error.fields).length > 0
                      ? t('steps.unready', { name })
                      : errorText(error),
                  ),
              },
            )
          }
        />
      </td>
    </tr>
  );
}
