import '@mantine/core/styles/NumberInput.css';
import { ActionIcon, Button, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { StepScenario, StepTime } from '../../../shared/contracts/line-campaigns.ts';
import type { LineBubble } from '../../../shared/line-content.ts';
import { ApiError } from '../../lib/api.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useSharedEdit } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import type { ContentParts } from './content-parts.ts';
import classes from './line-campaigns.module.css';
import { useSaveScenario } from './line-campaigns.queries.ts';

interface Step {
  /** What it is known by here, since it has no other name until it is saved. */
  key: string;
  uuid?: string;
  time: StepTime;
  content: LineBubble[];
  taps: boolean;
  tapTag: string | null;
}

interface Values extends Pick<StepScenario, 'name' | 'active' | 'trigger' | 'stop' | 'again'> {
  steps: Step[];
}

interface Props {
  scenario: StepScenario;
  parts: ContentParts;
}

const triggers = ['follow', 'tag', 'hand'] as const;
const triggerOf = (on: (typeof triggers)[number], tag: string): StepScenario['trigger'] =>
  on === 'tag' ? { on, tag } : { on };

/** Step messages: when they begin and end, and the steps on their line. */
export function StepEditor({ scenario, parts: { Field, filled } }: Props) {
  const { t } = useTranslation('line-campaigns');
  const mayChange = useMay('edit');
  const saved: Values = {
    name: scenario.name,
    active: scenario.active,
    trigger: scenario.trigger,
    stop: scenario.stop,
    again: scenario.again,
    steps: scenario.steps.map(({ uuid, time, content, taps, tapTag }) => ({
      key: uuid,
      uuid,
      time,
      content,
      taps,
      tapTag,
    })),
  };
  const edited = useSharedEdit(saved, scenario.updatedAt);
  const { values, changes, seen } = edited;
  const [isTold, setIsTold] = useState(false);
  const [removing, setRemoving] = useState<number>();
  const save = useSaveScenario(scenario.uuid);
  const guard = useUnsavedGuard(changes > 0);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const isNameless = values.name.trim() === '';
  const isTagless = values.trigger.on === 'tag' && values.trigger.tag.trim() === '';
  const set = (next: Partial<Values>) => {
    // Nobody would hear any more of one that is on its way.
    if (save.isError) save.reset();
    edited.set({ ...values, ...next });
  };
  const setStep = (at: number, next: Partial<Step>) =>
    set({ steps: values.steps.map((step, index) => (index === at ? { ...step, ...next } : step)) });
  const submit = () => {
    setIsTold(isNameless || isTagless);
    if (isNameless || isTagless) return goToFaultIn(document);
    save.mutate(
      {
        ...values,
        steps: values.steps.map(({ uuid, time, content, taps, tapTag }) => ({
          uuid,
          time,
          content: filled(content),
          taps,
          tapTag,
        })),
        ...(seen !== undefined && { seen }),
      },
      {
        onSuccess: ({ updatedAt, steps }) => {
          const made = new Map(values.steps.map(({ key }, at) => [key, steps[at]?.uuid]));
          edited.onSaved(values, updatedAt, (rest) => ({
            ...rest,
            steps: rest.steps.map((step) => {
              const uuid = step.uuid ?? made.get(step.key);
              return uuid === undefined ? step : { ...step, uuid };
            }),
          }));
          toast.success(t('editor.saved'));
        },
        onError: (failure) => {
          // Saved again, it takes the place of what somebody else has saved.
          if (isConflict(failure)) edited.onConflict();
          else goToFaultIn(document);
        },
      },
    );
  };
  const { timezone } = scenario;
  const drop = (at: number) => {
    set({ steps: values.steps.toSpliced(at, 1) });
    setRemoving(undefined);
  };
  return (
    <>
      <div>
        {!mayChange && <p className={classes['text']}>{t('editor.readOnly')}</p>}
        <fieldset className={classes['form']} disabled={!mayChange}>
          <Section title={t('scenario.settings')}>
            <Stack className={classes['fields'] ?? ''}>
              <Switch
                label={t('scenario.active')}
                description={t('scenario.activeHint')}
                checked={values.active}
                onChange={(event) => set({ active: event.currentTarget.checked })}
              />
              <TextInput
                label={t('editor.name')}
                description={t('editor.nameHint')}
                value={values.name}
                maxLength={100}
                error={(isTold && isNameless && t('common:required')) || fields['name']}
                onChange={(event) => set({ name: event.currentTarget.value })}
              />
              <div className={classes['pair']}>
                <Select
                  label={t('trigger.label')}
                  value={values.trigger.on}
                  data={triggers.map((on) => ({ value: on, label: t(`trigger.${on}`) }))}
                  allowDeselect={false}
                  onChange={(next) => set({ trigger: triggerOf(triggers.find((on) => on === next) ?? 'follow', '') })}
                />
                {values.trigger.on === 'tag' && (
                  <TextInput
                    label={t('trigger.tagName')}
                    value={values.trigger.tag}
                    maxLength={40}
                    error={(isTold && isTagless && t('common:required')) || fields['trigger.tag']}
                    onChange={(event) => set({ trigger: { on: 'tag', tag: event.currentTarget.value } })}
                  />
                )}
              </div>
              <div role="group" aria-label={t('scenario.stop')}>
                <p className={classes['label']}>{t('scenario.stop')}</p>
                <p className={classes['under']}>{t('scenario.stopLeave')}</p>
                <Stack gap={8}>
                  {(['writes', 'staff'] as const).map((name) => (
                    <Switch
                      key={name}
                      label={t(`scenario.${name}`)}
                      checked={values.stop[name]}
                      onChange={(event) => set({ stop: { ...values.stop, [name]: event.currentTarget.checked } })}
                    />
                  ))}
                  <TextInput
                    label={t('scenario.stopTag')}
                    value={values.stop.tag ?? ''}
                    maxLength={40}
                    maw={280}
                    error={fields['stop.tag']}
                    onChange={(event) => set({ stop: { ...values.stop, tag: event.currentTarget.value || null } })}
                  />
                </Stack>
              </div>
              <Switch
                label={t('scenario.again')}
                description={t('scenario.againHint')}
                checked={values.again}
                onChange={(event) => set({ again: event.currentTarget.checked })}
              />
            </Stack>
          </Section>
          <Section title={t('scenario.steps')} count={values.steps.length}>
            <p className={classes['hint']}>
              {t(values.steps.length === 0 ? 'scenario.stepsEmpty' : 'scenario.zone', { zone: timezone })}
            </p>
            {fields['steps'] && (
              <p className={classes['fault']} role="alert">
                {fields['steps']}
              </p>
            )}
            <ol className={classes['steps']}>
              {values.steps.map((step, at) => {
                const number = at + 1;
                const figures = scenario.steps.find(({ uuid }) => uuid === step.uuid);
                return (
                  <li key={step.key} className={classes['step']}>
                    <div className={classes['stepHead']}>
                      <h3>{whenOf(step.time, t)}</h3>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={36}
                        aria-label={t('scenario.remove', { number })}
                        onClick={() => (step.uuid ? setRemoving(at) : drop(at))}
                      >
                        <IconTrash size={16} />
                      </ActionIcon>
                    </div>
                    <div>
                      <TimeFields
                        number={number}
                        value={step.time}
                        error={fields[`steps.${at}.time`]}
                        onChange={(time) => setStep(at, { time })}
                      />
                      <Field
                        label={t('scenario.message', { number })}
                        value={step.content}
                        onChange={(content) => setStep(at, { content })}
                        error={(path) => fields[`steps.${at}.content.${path}`]}
                      />
                      {fields[`steps.${at}.content`] && (
                        <p className={classes['fault']} role="alert">
                          {fields[`steps.${at}.content`]}
                        </p>
                      )}
                      <div className={classes['after']}>
                        <Switch
                          label={t('scenario.taps')}
                          checked={step.taps}
                          onChange={(event) =>
                            setStep(at, {
                              taps: event.currentTarget.checked,
                              ...(!event.currentTarget.checked && { tapTag: null }),
                            })
                          }
                        />
                        {step.taps && (
                          <TextInput
                            label={t('scenario.tapTag')}
                            description={t('links.tagHint')}
                            value={step.tapTag ?? ''}
                            maxLength={40}
                            error={fields[`steps.${at}.tapTag`]}
                            onChange={(event) => setStep(at, { tapTag: event.currentTarget.value || null })}
                          />
                        )}
                      </div>
                    </div>
                    {figures && (
                      <dl className={classes['stepFigures']}>
                        {(['sent', 'waiting', 'stopped', 'tapped'] as const).map(
                          (name) =>
                            (name !== 'tapped' || step.taps) && (
                              <div key={name}>
                                <dt>{t(`scenario.${name}`)}</dt>
                                <dd>{formatNumber(figures[name])}</dd>
                              </div>
                            ),
                        )}
                      </dl>
                    )}
                  </li>
                );
              })}
            </ol>
            {values.steps.length < 30 && (
              <Button
                variant="default"
                leftSection={<IconPlus size={14} />}
                onClick={() => set({ steps: [...values.steps, nextOf(values.steps)] })}
              >
                {t('scenario.add')}
              </Button>
            )}
          </Section>
        </fieldset>
      </div>
      <SaveBar
        changes={changes}
        isBusy={save.isPending}
        error={
          save.error && Object.keys(fields).length === 0
            ? isConflict(save.error)
              ? t('editor.conflict')
              : save.error.message
            : undefined
        }
        onDiscard={() => {
          save.reset();
          setIsTold(false);
          edited.discard();
        }}
        onSave={submit}
      />
      <ConfirmDialog
        opened={removing !== undefined}
        title={t('scenario.removeTitle')}
        text={t('scenario.removeText')}
        confirm={t('scenario.delete')}
        cancel={t('common:cancel')}
        onConfirm={() => removing !== undefined && drop(removing)}
        onClose={() => setRemoving(undefined)}
      />
      <ConfirmDialog {...guard} />
    </>
  );
}

const isConflict = (error: Error | null) => error instanceof ApiError && error.code === 'conflict';

/** A greeting at once, then a few days after the one before. */
function nextOf(steps: Step[]): Step {
  const last = Math.max(0, ...steps.map(({ time }) => (time.kind === 'days' ? time.days : 0)));
  const time: StepTime =
    steps.length === 0 ? { kind: 'minutes', minutes: 0 } : { kind: 'days', days: last + 3, at: '09:00' };
  return { key: crypto.randomUUID(), time, content: [{ type: 'text', text: '' }], taps: false, tapTag: null };
}

const hour = 60;

export function whenOf(time: StepTime, t: ReturnType<typeof useTranslation<'line-campaigns'>>['t']): string {
  if (time.kind === 'days')
    return time.days === 0
      ? t('scenario.whenToday', { at: time.at })
      : t('scenario.whenDay', { count: time.days, at: time.at });
  if (time.minutes === 0) return t('scenario.atOnce');
  return time.minutes % hour === 0
    ? t('scenario.whenHours', { count: time.minutes / hour })
    : t('scenario.whenMinutes', { count: time.minutes });
}

interface TimeProps {
  number: number;
  value: StepTime;
  error: string | undefined;
  onChange(time: StepTime): void;
}

function TimeFields({ number, value, error, onChange }: TimeProps) {
  const { t } = useTranslation('line-campaigns');
  return (
    <div className={classes['when']}>
      <Segments
        label={t('scenario.step', { number })}
        value={value.kind}
        options={[
          { value: 'minutes', label: t('scenario.timeKind.minutes') },
          { value: 'days', label: t('scenario.timeKind.days') },
        ]}
        onChange={(kind) =>
          kind !== value.kind && onChange(kind === 'minutes' ? { kind, minutes: 0 } : { kind, days: 1, at: '09:00' })
        }
      />
      {value.kind === 'minutes' ? (
        <NumberInput
          label={t('scenario.minutesLabel')}
          value={value.minutes}
          min={0}
          max={43_200}
          allowDecimal={false}
          allowNegative={false}
          w={112}
          error={error}
          onChange={(minutes) => typeof minutes === 'number' && onChange({ ...value, minutes })}
        />
      ) : (
        <>
          <NumberInput
            label={t('scenario.daysLabel')}
            value={value.days}
            min={0}
            max={365}
            allowDecimal={false}
            allowNegative={false}
            w={88}
            error={error}
            onChange={(days) => typeof days === 'number' && onChange({ ...value, days })}
          />
          <TextInput
            type="time"
            label={t('scenario.atLabel')}
            value={value.at}
            w={112}
            onChange={(event) => {
              const at = event.currentTarget.value.slice(0, 5);
              if (at) onChange({ ...value, at });
            }}
          />
          {value.days === 0 && <p className={classes['hint']}>{t('scenario.todayHint')}</p>}
        </>
      )}
    </div>
  );
}
