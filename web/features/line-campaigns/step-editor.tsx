import { Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { StepScenario, StepTime } from '../../../shared/contracts/line-campaigns.ts';
import type { StepTemplate } from '../../../shared/step-templates.ts';
import { ApiError } from '../../lib/api.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { newId } from '../../lib/new-id.ts';
import { useMay } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useSharedEdit } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import type { ContentParts } from './content-parts.ts';
import { isConflict, sayFailure } from './failure.ts';
import classes from './line-campaigns.module.css';
import { useSaveScenario } from './line-campaigns.queries.ts';
import { StepItem, type Step } from './step-item.tsx';
import { StepTemplates } from './step-templates.tsx';
import { StepTest } from './step-test.tsx';
import { minutesTo, momentIn, whenOf } from './step-time.tsx';

interface Values extends Pick<StepScenario, 'name' | 'active' | 'trigger' | 'stop' | 'again'> {
  steps: Step[];
}

interface Props {
  channel: { name: string; settings: { greeting: unknown[] } };
  scenario: StepScenario;
  parts: ContentParts;
}

const triggers = ['follow', 'tag', 'hand'] as const;
const triggerOf = (on: (typeof triggers)[number], tag: string): StepScenario['trigger'] =>
  on === 'tag' ? { on, tag } : { on };

/** Step messages: what begins them, the steps on their line, and what ends them. */
export function StepEditor({ channel, scenario, parts }: Props) {
  const { t } = useTranslation('line-campaigns');
  const mayChange = useMay('edit');
  /** What steps were known by before they were saved, and still are. */
  const [keys, setKeys] = useState<Record<string, string>>({});
  const saved: Values = {
    name: scenario.name,
    active: scenario.active,
    trigger: scenario.trigger,
    stop: scenario.stop,
    again: scenario.again,
    steps: scenario.steps.map(({ uuid, time, content, taps, tapTag }) => ({
      key: keys[uuid] ?? uuid,
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
  const [open, setOpen] = useState<string>();
  const [removing, setRemoving] = useState<number>();
  const [testing, setTesting] = useState<{ uuid: string; number: number } | 'all'>();
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
  const submit = () => {
    setIsTold(isNameless || isTagless);
    if (isNameless || isTagless) return goToFaultIn(document);
    const steps = values.steps.toSorted((one, other) => minutesTo(one.time) - minutesTo(other.time));
    const sent = { ...values, steps };
    edited.set(sent);
    save.mutate(
      {
        ...sent,
        steps: steps.map(({ uuid, time, content, taps, tapTag }) => ({
          uuid,
          time,
          content: parts.filled(content),
          taps,
          tapTag,
        })),
        ...(seen !== undefined && { seen }),
      },
      {
        onSuccess: (now) => {
          const made = new Map(steps.map(({ key }, at) => [key, now.steps[at]?.uuid]));
          setKeys((known) => ({
            ...known,
            ...Object.fromEntries([...made].flatMap(([key, uuid]) => (uuid === undefined ? [] : [[uuid, key]]))),
          }));
          edited.onSaved(sent, now.updatedAt, (rest) => ({
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
          if (isConflict(failure)) return edited.onConflict();
          const wrong = failure instanceof ApiError ? steps.find((_, at) => isWrongIn(failure.fields, at)) : undefined;
          if (wrong) setOpen(wrong.key);
          return goToFaultIn(document);
        },
      },
    );
  };
  const drop = (at: number) => {
    set({ steps: values.steps.toSpliced(at, 1) });
    setRemoving(undefined);
  };
  const add = () => {
    const step = nextOf(values.steps);
    set({ steps: [...values.steps, step] });
    setOpen(step.key);
  };
  const begin = ({ name, trigger, stop, steps }: StepTemplate) =>
    set({
      ...(values.name === t('steps.newName') && { name }),
      trigger,
      stop,
      steps: steps.map(({ time, text }) => ({ ...blankStep(time), content: [{ type: 'text', text }] })),
    });
  const { people, nextAt, timezone } = scenario;
  const isRun = people.active + people.done + people.stopped > 0;
  const first = values.steps.toSorted((one, other) => minutesTo(one.time) - minutesTo(other.time))[0];
  const isThankedTwice =
    values.trigger.on === 'follow' &&
    channel.settings.greeting.length > 0 &&
    first?.time.kind === 'minutes' &&
    first.time.minutes === 0;
  return (
    <>
      {!mayChange && <p className={classes['text']}>{t('editor.readOnly')}</p>}
      <fieldset className={classes['form']} disabled={!mayChange}>
        <div className={classes['lead']}>
          <Switch
            label={t('scenario.active')}
            description={t('scenario.activeHint')}
            checked={values.active}
            onChange={(event) => set({ active: event.currentTarget.checked })}
          />
          {isRun && (
            <p>
              {t('scenario.people', {
                active: formatNumber(people.active),
                done: formatNumber(people.done),
                stopped: formatNumber(people.stopped),
              })}
              {nextAt !== null && <small>{t('scenario.nextAt', { moment: momentIn(nextAt, timezone) })}</small>}
            </p>
          )}
        </div>
        <Section
          title={t('scenario.steps')}
          count={values.steps.length || undefined}
          end={
            mayChange &&
            values.steps.length > 0 && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconSend size={14} />}
                onClick={() => setTesting('all')}
              >
                {t('trial.all')}
              </Button>
            )
          }
        >
          {fields['steps'] && (
            <p className={classes['fault']} role="alert">
              {fields['steps']}
            </p>
          )}
          <ol className={classes['steps']}>
            <li className={classes['node']} data-end>
              <div className={classes['begins']}>
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
              {first && (
                <p className={classes['hint']}>
                  {t('scenario.first', { when: whenOf(first.time, t), zone: timezone })}
                </p>
              )}
              {isThankedTwice && (
                <p className={classes['hint']} role="status">
                  {t('scenario.greeting')}
                </p>
              )}
            </li>
            {values.steps.map((step, at) => (
              <StepItem
                key={step.key}
                number={at + 1}
                step={step}
                figures={isRun ? scenario.steps.find(({ uuid }) => uuid === step.uuid) : undefined}
                channel={channel}
                parts={parts}
                isOpen={open === step.key}
                isWrong={isWrongIn(fields, at)}
                error={(path) => fields[`steps.${at}.${path}`]}
                onToggle={() => setOpen(open === step.key ? undefined : step.key)}
                onChange={(next) => set({ steps: values.steps.with(at, { ...step, ...next }) })}
                onRemove={() => (step.uuid ? setRemoving(at) : drop(at))}
                onTest={step.uuid ? () => step.uuid && setTesting({ uuid: step.uuid, number: at + 1 }) : undefined}
              />
            ))}
            {mayChange && values.steps.length < 30 && (
              <li className={classes['node']} data-end>
                {values.steps.length === 0 && (
                  <>
                    <p className={classes['text']}>{t('scenario.stepsEmpty')}</p>
                    <StepTemplates onPick={begin} />
                  </>
                )}
                <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
                  {t('scenario.add')}
                </Button>
              </li>
            )}
          </ol>
        </Section>
        <Section title={t('scenario.settings')}>
          <Stack className={classes['fields'] ?? ''}>
            <TextInput
              label={t('editor.name')}
              description={t('editor.nameHint')}
              value={values.name}
              maxLength={100}
              error={(isTold && isNameless && t('common:required')) || fields['name']}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
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
      </fieldset>
      <SaveBar
        changes={changes}
        isBusy={save.isPending}
        error={save.error ? sayFailure(save.error, t) : undefined}
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
      {testing && (
        <StepTest
          scenario={scenario}
          step={testing === 'all' ? undefined : testing}
          isChanged={changes > 0}
          onClose={() => setTesting(undefined)}
        />
      )}
      <ConfirmDialog {...guard} />
    </>
  );
}

const isWrongIn = (fields: Record<string, string>, step: number): boolean =>
  Object.keys(fields).some((path) => path.startsWith(`steps.${step}.`));

const blankStep = (time: StepTime): Step => ({
  key: newId(),
  time,
  content: [{ type: 'text', text: '' }],
  taps: false,
  tapTag: null,
});

/** A greeting at once, then a few days after the one before. */
function nextOf(steps: Step[]): Step {
  const last = Math.max(0, ...steps.map(({ time }) => (time.kind === 'days' ? time.days : 0)));
  return blankStep(
    steps.length === 0 ? { kind: 'minutes', minutes: 0 } : { kind: 'days', days: last + 3, at: '09:00' },
  );
}

/** As the clock shows it by which the steps go. */
