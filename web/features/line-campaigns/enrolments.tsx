import { Button, Group, VisuallyHidden } from '@mantine/core';
import { IconCircleX, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { enrolmentStates, type StepEnrolment, type StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { State, type StateKind } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { FriendSelect } from './audience-fields.tsx';
import classes from './line-campaigns.module.css';
import { useEnrol, useEnrolments, useStopEnrolment, type EnrolmentState } from './line-campaigns.queries.ts';
import { momentIn, whenOf } from './step-time.tsx';

const shownStates = ['all', ...enrolmentStates] as const;

interface Props {
  scenario: StepScenario;
  /** Its channel is off. */
  isWaiting: boolean;
}

/** Who is, or was, on their way through step messages. */
export function Enrolments({ scenario, isWaiting }: Props) {
  const { t } = useTranslation('line-campaigns');
  const [state, setState] = useState<EnrolmentState>();
  const [q, setQ] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const [stopping, setStopping] = useState<StepEnrolment>();
  const [isStopping, setIsStopping] = useState(false);
  const { uuid, channel, active, trigger, people } = scenario;
  const enrolments = useEnrolments(channel, uuid, { state, q });
  const stop = useStopEnrolment(uuid);
  const mayConverse = useMay('converse');
  const all = people.active + people.done + people.stopped;
  const add = mayConverse && (
    <Button leftSection={<IconPlus size={16} />} disabled={!active} onClick={() => setIsAdding(true)}>
      {t('enrolment.add')}
    </Button>
  );
  const isUnfiltered = state === undefined && q === '';
  return (
    <>
      {(all > 0 || !isUnfiltered) && (
        <div className={classes['head']}>
          <Segments
            label={t('enrolment.filter')}
            value={state ?? 'all'}
            options={shownStates.map((value) => ({
              value,
              label: t(`enrolment.filters.${value}`, { count: formatNumber(value === 'all' ? all : people[value]) }),
            }))}
            isWide
            onChange={(next) => setState(next === 'all' ? undefined : next)}
          />
          <div className={classes['headEnd']}>
            <SearchInput value={q} onChange={setQ} label={t('enrolment.search')} clearLabel={t('common:clear')} />
            {add}
          </div>
        </div>
      )}
      {!active && <p className={classes['text']}>{t('enrolment.offHint')}</p>}
      <PagedList
        query={enrolments}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          isUnfiltered ? (
            <EmptyState
              drawing="line"
              title={t('enrolment.empty')}
              text={t(`enrolment.emptyText.${trigger.on}`, { tag: trigger.on === 'tag' ? trigger.tag : '' })}
              action={add}
            />
          ) : (
            <p className={classes['hint']}>{q ? t('enrolment.noMatch', { q }) : t('enrolment.none')}</p>
          )
        }
      >
        {(rows) => (
          <table className={table['list']} data-people>
            <thead>
              <tr>
                <th>{t('enrolment.person')}</th>
                <th data-from="sm" style={{ width: 176 }}>
                  {t('enrolment.state')}
                </th>
                <th data-from="sm" style={{ width: 176 }}>
                  {t('enrolment.next')}
                </th>
                <th data-from="sm" style={{ width: 232 }}>
                  {t('enrolment.due')}
                </th>
                <th data-number data-from="md" style={{ width: 72 }}>
                  {t('enrolment.sent')}
                </th>
                <th data-number data-from="md" style={{ width: 116 }}>
                  {t('enrolment.began')}
                </th>
                {mayConverse && (
                  <th style={{ width: 44 }}>
                    <VisuallyHidden>{t('enrolment.stop')}</VisuallyHidden>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((enrolment) => (
                <Row
                  key={enrolment.uuid}
                  enrolment={enrolment}
                  scenario={scenario}
                  isWaiting={isWaiting}
                  onStop={
                    mayConverse
                      ? () => {
                          setStopping(enrolment);
                          setIsStopping(true);
                        }
                      : undefined
                  }
                />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
      <AddDialog opened={isAdding} scenario={scenario} onClose={() => setIsAdding(false)} />
      {stopping && (
        <ConfirmDialog
          opened={isStopping}
          title={t('enrolment.stopTitle', { name: stopping.guest.name })}
          text={t('enrolment.stopText')}
          confirm={t('enrolment.stop')}
          cancel={t('common:cancel')}
          loading={stop.isPending}
          onConfirm={() =>
            stop.mutate(stopping.uuid, {
              onError: (error) => toast.error(errorText(error)),
              onSettled: () => setIsStopping(false),
            })
          }
          onClose={() => setIsStopping(false)}
        />
      )}
    </>
  );
}

const kinds: Record<EnrolmentState, StateKind> = { active: 'working', done: 'live', stopped: 'off' };

interface RowProps {
  enrolment: StepEnrolment;
  scenario: StepScenario;
  isWaiting: boolean;
  onStop: (() => void) | undefined;
}

function Row({ enrolment, scenario: { steps, active, timezone }, isWaiting, onStop }: RowProps) {
  const { t } = useTranslation('line-campaigns');
  const { guest, thread, state, reason, sent, step, nextAt, startedAt } = enrolment;
  const at = steps.findIndex(({ uuid }) => uuid === step);
  const found = steps[at];
  const next = found && state !== 'done' ? t('enrolment.step', { number: at + 1, when: whenOf(found.time, t) }) : '–';
  const due =
    state !== 'active' ? '–' : !active || isWaiting ? t('enrolment.waits') : nextAt ? momentIn(nextAt, timezone) : '–';
  const shown = (
    <State kind={state === 'active' && (!active || isWaiting) ? 'warning' : kinds[state]}>
      {reason ? t(`enrolment.reason.${reason}`) : t(`enrolment.states.${state}`)}
    </State>
  );
  const face = (
    <>
      <Avatar kind="person" id={guest.uuid} name={guest.name} size={28} />
      <span className={table['one']}>
        <bdi>{guest.name}</bdi>
        <span className={table['onPhone']}>
          {shown}
          {state === 'active' && (
            <>
              <small className={classes['beside']}>{next}</small>
              <small className={classes['next']}>{due}</small>
            </>
          )}
        </span>
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
      <td data-from="sm">{shown}</td>
      <td data-from="sm" className={table['quiet']}>
        <span className={classes['cut']} title={next}>
          {next}
        </span>
      </td>
      <td data-from="sm" className={table['quiet']}>
        {due}
      </td>
      <td data-number data-from="md">
        {formatNumber(sent)}
      </td>
      <td data-number data-from="md" className={table['quiet']} title={formatMoment(startedAt)}>
        {formatAgo(startedAt)}
      </td>
      {onStop && (
        <td>
          {state === 'active' && (
            <IconButton
              className={classes['act'] ?? ''}
              label={t('enrolment.stopFor', { name: guest.name })}
              onClick={onStop}
            >
              <IconCircleX size={16} />
            </IconButton>
          )}
        </td>
      )}
    </tr>
  );
}

interface AddProps {
  opened: boolean;
  scenario: StepScenario;
  onClose(): void;
}

function AddDialog({ opened, scenario: { uuid, channel, again }, onClose }: AddProps) {
  const { t } = useTranslation('line-campaigns');
  const [guest, setGuest] = useState<string | null>(null);
  const enrol = useEnrol(uuid);
  const close = () => {
    enrol.reset();
    setGuest(null);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t('enrolment.addTitle')} centered>
      <FriendSelect
        channel={channel}
        label={t('enrolment.person')}
        placeholder={t('audience.peoplePlaceholder')}
        known={null}
        value={guest}
        onChange={(next) => {
          if (enrol.isError) enrol.reset();
          setGuest(next);
        }}
      />
      <p className={classes['hint']}>{t('enrolment.addHint')}</p>
      {enrol.error && (
        <p className={classes['fault']} role="alert">
          {enrol.error instanceof ApiError && enrol.error.code === 'conflict'
            ? t(again ? 'enrolment.addActive' : 'enrolment.addTwice')
            : errorText(enrol.error)}
        </p>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button
          disabled={guest === null}
          loading={enrol.isPending}
          onClick={() =>
            guest !== null &&
            enrol.mutate(guest, {
              onSuccess: () => {
                toast.success(t('enrolment.added'));
                close();
              },
            })
          }
        >
          {t('enrolment.addConfirm')}
        </Button>
      </Group>
    </Modal>
  );
}
