import { Button, Skeleton, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconClock, IconSend } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { tapCounts, type Broadcast, type BroadcastPreview } from '../../../shared/contracts/line-campaigns.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { dayOf, formatDay, formatNumber, gap } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { useSharedEdit } from '../../lib/use-edited.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { Segments } from '../../ui/segments.tsx';
import { toast } from '../../ui/toast.tsx';
import { AudienceFields, FriendSelect, isWhole } from './audience-fields.tsx';
import { BroadcastPage } from './broadcast-page.tsx';
import type { ContentParts } from './content-parts.ts';
import { isConflict, sayFailure } from './failure.ts';
import { LeftList, type Left } from './left-list.tsx';
import classes from './line-campaigns.module.css';
import {
  useAudience,
  usePreview,
  useReadPreview,
  useSaveBroadcast,
  useSteerBroadcast,
  useTestBroadcast,
} from './line-campaigns.queries.ts';
import { QuotaLine } from './quota-line.tsx';
import { readable as nameless } from './step-time.tsx';
import { dayElsewhere, readable, zoneName } from './when.ts';

type Values = Pick<Broadcast, 'name' | 'content' | 'audience' | 'time' | 'taps' | 'tapTag'>;

/** Where there is no room for both, one of them is shown. */
const sides = ['form', 'preview'] as const;

/** React has drawn by then what was hidden. */
const drawnMs = 50;

interface Props {
  channel: { uuid: string; name: string };
  broadcast: Broadcast;
  parts: ContentParts;
}

/** A broadcast that has not begun. */
export function BroadcastEditor({ channel, broadcast, parts: { Field, Preview, filled } }: Props) {
  const { t } = useTranslation('line-campaigns');
  const mayChange = useMay('edit');
  const saved: Values = {
    name: broadcast.name,
    content: broadcast.content,
    audience: broadcast.audience,
    time: broadcast.time,
    taps: broadcast.taps,
    tapTag: broadcast.tapTag,
  };
  const edited = useSharedEdit(saved, broadcast.updatedAt);
  const { values, changes, seen } = edited;
  /** What is to be confirmed, and stays as it was then. */
  const [asked, setAsked] = useState<{ broadcast: Broadcast; preview: BroadcastPreview }>();
  const [isAsking, setIsAsking] = useState(false);
  const [isLeftOpen, setIsLeftOpen] = useState(false);
  /** It was to be sent while something was missing. */
  const [isTold, setIsTold] = useState(false);
  const [side, setSide] = useState<(typeof sides)[number]>('form');
  const form = useRef<HTMLFieldSetElement>(null);
  const isWide = useMediaQuery('(min-width: 62.01em)', window.innerWidth > 992) ?? true;
  const save = useSaveBroadcast(broadcast.uuid);
  const steer = useSteerBroadcast(broadcast.uuid);
  const { data, isError } = usePreview(broadcast, mayChange);
  const readPreview = useReadPreview();
  const guard = useUnsavedGuard(changes > 0);
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  const isEmpty = filled(values.content).length === 0;
  const error = (path: string) => fields[path];
  const { taps } = values;
  const isEveryone = values.audience.kind === 'everyone';
  const set = (next: Partial<Values>) => {
    // Nobody would hear any more of one that is on its way.
    if (save.isError) save.reset();
    edited.set({ ...values, ...next });
  };
  const goToFault = () => {
    setSide('form');
    goToFaultIn(document);
  };
  const submit = (then?: (now: Broadcast) => void) => {
    save.mutate(
      {
        ...values,
        name: nameFor(values, broadcast, t),
        content: filled(values.content),
        ...(seen !== undefined && { seen }),
      },
      {
        onSuccess: (now) => {
          edited.onSaved(values, now.updatedAt, (rest) =>
            rest.name === values.name ? { ...rest, name: now.name } : rest,
          );
          if (then) then(now);
          else toast.success(t('editor.saved'));
        },
        onError: (failure) => {
          // Saved again, it takes the place of what somebody else has saved.
          if (isConflict(failure)) edited.onConflict();
          else goToFault();
        },
      },
    );
  };
  const mend = ({ place, bubble }: Left) => {
    setIsLeftOpen(false);
    setSide('form');
    setTimeout(() => {
      const part = form.current?.querySelector<HTMLElement>(`[data-place="${place}"]`);
      if (part instanceof HTMLDetailsElement) part.open = true;
      const at = bubble == null ? part : (part?.querySelector('[role="group"]')?.children[bubble] ?? part);
      (at?.querySelector<HTMLElement>('textarea, input') ?? at?.querySelector('button'))?.focus();
    }, drawnMs);
  };
  const ask = () => {
    const open = (now: Broadcast) =>
      void readPreview(now).then(
        (preview) => {
          if (preview.problems.some(({ level }) => level === 'error')) return setIsLeftOpen(true);
          setAsked({ broadcast: now, preview });
          return setIsAsking(true);
        },
        (failure: unknown) => void toast.error(errorText(failure)),
      );
    if (changes > 0) submit(open);
    else open(broadcast);
  };
  const isAddressed = isWhole(values.audience);
  const audience = useAudience(broadcast.channel, isAddressed ? values.audience : undefined);
  const count = isAddressed ? audience.data : 0;
  const remaining = data?.quota?.left;
  // What that leaves of the month stands beside it, where there is room for both.
  const summary =
    count === undefined
      ? undefined
      : count === null
        ? t('everyone.unknown')
        : t(typeof remaining === 'number' && !isWide ? 'editor.takes' : 'editor.reaches', {
            count,
            shown: formatNumber(count),
            left: formatNumber(remaining ?? 0),
          });
  // What is written since is not known to the server yet.
  const faults =
    changes === 0 ? (data?.problems.filter(({ code, level }) => level === 'error' && code !== 'empty') ?? []) : [];
  const left: Left[] = [
    ...(isEmpty ? [{ text: t('editor.messageMissing'), place: 'message' } as const] : []),
    ...(isAddressed ? [] : [{ text: t('editor.audienceMissing'), place: 'audience' } as const]),
    ...faults.map((fault) => ({ text: sayProblem(fault, t), place: placeOf(fault), bubble: fault.bubble })),
  ];
  const [first] = left;
  const send = mayChange && broadcast.state === 'draft' && (
    <Button
      leftSection={values.time ? <IconClock size={16} /> : <IconSend size={16} />}
      loading={save.isPending || steer.isPending}
      onClick={() => {
        if (!first) return ask();
        setIsTold(true);
        mend(first);
      }}
    >
      {t(values.time ? 'editor.schedule' : 'editor.send')}
    </Button>
  );
  const todo = send && (
    // That there is no message yet is seen where it belongs, which comes first.
    <LeftList
      left={left.slice(isEmpty ? 1 : 0)}
      isOpen={isLeftOpen}
      isWide={isWide}
      onOpen={setIsLeftOpen}
      onMend={mend}
    />
  );
  return (
    <BroadcastPage
      channel={channel}
      broadcast={broadcast}
      facts={
        mayChange && [summary, changes === 0 && !isEmpty && t('editor.saved')].filter(Boolean).join(t('common:dot'))
      }
      actions={
        <>
          {isWide && todo}
          {send}
        </>
      }
      seen={edited.seen}
      // What else was changed stays, and is of what is saved now.
      onRenamed={(now) => edited.onSaved({ ...values }, now.updatedAt, (rest) => ({ ...rest, name: now.name }))}
    >
      {!mayChange && <p className={classes['text']}>{t('editor.readOnly')}</p>}
      <div className={classes['sides']}>
        <Segments
          label={t('editor.side')}
          value={side}
          options={sides.map((value) => ({ value, label: t(`editor.sides.${value}`) }))}
          isWide
          onChange={setSide}
        />
      </div>
      {mayChange && (
        <div className={classes['summary']}>
          {summary ?? (!audience.isError && <Skeleton height={12} width={220} my={3} />)}
          {!isWide && todo}
        </div>
      )}
      <div className={classes['editor']} data-side={side}>
        <fieldset ref={form} className={classes['form']} disabled={!mayChange}>
          {changes === 0 && data && <Problems problems={data.problems} />}
          <Section title={t('editor.content')}>
            <div data-place="message" className={classes['fields']}>
              {isEmpty && (
                <p className={isTold ? classes['fault'] : classes['opening']} role={isTold ? 'alert' : undefined}>
                  {t('editor.messageMissing')}
                </p>
              )}
              <Field
                label={t('editor.content')}
                value={values.content}
                onChange={(content) => set({ content })}
                error={(path) => fields[`content.${path}`]}
                isNameless={values.audience.kind === 'everyone'}
              />
            </div>
          </Section>
          <Section title={t('editor.audience')}>
            <div data-place="audience">
              <AudienceFields
                broadcast={broadcast}
                value={values.audience}
                onChange={(audience) =>
                  // What is the same for everybody tells nobody apart.
                  set({
                    audience,
                    ...(audience.kind === 'everyone' && taps === 'person' && { taps: 'all', tapTag: null }),
                  })
                }
                error={error}
              />
            </div>
          </Section>
          <Section title={t('editor.time')}>
            <Stack gap={8} data-place="time" className={classes['fields'] ?? ''}>
              <div>
                <Segments
                  label={t('editor.time')}
                  value={values.time ? 'at' : 'now'}
                  options={[
                    { value: 'now', label: t('time.now') },
                    { value: 'at', label: t('time.at') },
                  ]}
                  onChange={(next) =>
                    set({
                      time:
                        next === 'now' ? null : { local: tomorrow(broadcast.timezone), timezone: broadcast.timezone },
                    })
                  }
                />
              </div>
              {values.time ? (
                <TextInput
                  type="datetime-local"
                  label={t('time.local')}
                  description={t('time.zone', { zone: zoneName(values.time.timezone) })}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  maw={260}
                  value={values.time.local}
                  error={fields['time'] ?? fields['time.local']}
                  onChange={(event) => {
                    const local = event.currentTarget.value.slice(0, 16);
                    if (local) set({ time: { local, timezone: values.time?.timezone ?? broadcast.timezone } });
                  }}
                />
              ) : (
                <p className={classes['under']}>{t('time.undo')}</p>
              )}
            </Stack>
          </Section>
          <details className={classes['fold']} data-place="links">
            <summary>
              {t('links.label')}
              <small>{t(`links.${values.taps}`)}</small>
            </summary>
            <Stack gap={8} className={classes['fields'] ?? ''}>
              <div>
                <Segments
                  label={t('links.label')}
                  value={values.taps}
                  options={tapCounts
                    .filter((value) => !isEveryone || value !== 'person')
                    .map((value) => ({ value, label: t(`links.${value}`) }))}
                  onChange={(taps) => set({ taps, ...(taps !== 'person' && { tapTag: null }) })}
                />
                <p className={classes['hint']}>{t(`links.${values.taps}Hint`)}</p>
              </div>
              {values.taps === 'person' && (
                <TextInput
                  label={t('links.tag')}
                  description={t('links.tagHint')}
                  maw={280}
                  maxLength={40}
                  value={values.tapTag ?? ''}
                  error={fields['tapTag']}
                  onChange={(event) => set({ tapTag: event.currentTarget.value || null })}
                />
              )}
            </Stack>
          </details>
        </fieldset>
        <aside className={classes['aside']} aria-label={t('editor.preview')}>
          <Preview name={channel.name} value={values.content} empty={t('editor.previewEmpty')} />
          {mayChange && (
            <>
              <section className={classes['quota']}>
                <h3>{t('quota.label')}</h3>
                {data ? (
                  <QuotaLine preview={data} />
                ) : (
                  !isError && (
                    <>
                      <Skeleton height={8} />
                      <Skeleton height={12} width="60%" mt={9} />
                    </>
                  )
                )}
              </section>
              <Tester
                broadcast={broadcast}
                tester={data?.tester ?? null}
                isEmpty={isEmpty}
                isChanged={changes > 0 && broadcast.state !== 'draft'}
                isSaving={save.isPending}
                saved={(then) => (changes > 0 ? submit(then) : then())}
              />
            </>
          )}
        </aside>
      </div>
      <SaveBar
        changes={changes}
        isQuiet={send !== false && left.length === 0}
        isBusy={save.isPending}
        error={save.error ? sayFailure(save.error, t) : undefined}
        onDiscard={() => {
          save.reset();
          edited.discard();
        }}
        onSave={() => submit()}
      />
      {asked && (
        <SendDialog
          {...asked}
          opened={isAsking}
          loading={steer.isPending}
          onConfirm={() =>
            steer.mutate(
              { send: asked.broadcast },
              {
                onError: (failure) => toast.error(isConflict(failure) ? t('confirm.changed') : errorText(failure)),
                onSettled: () => setIsAsking(false),
              },
            )
          }
          onClose={() => setIsAsking(false)}
        />
      )}
      <ConfirmDialog {...guard} />
    </BroadcastPage>
  );
}

/** What it is called by the first words of its message, where nobody has called it anything. */
function nameFor({ name, content }: Values, { createdAt }: Broadcast, t: Translate<'line-campaigns'>): string {
  const day = dayOf(createdAt);
  // Whoever began it may read another language.
  const given = [t('list.newName', { day: formatDay(day) }), t('list.newNameElsewhere', { day: dayElsewhere(day) })];
  if (!given.includes(name)) return name;
  const text = content.find((bubble) => bubble.type === 'text')?.text ?? '';
  const [line = ''] = nameless(text, t('scenario.someone')).trim().split('\n');
  if (line.length <= maxCalled) return line || name;
  // By whole characters, of which some are two long.
  return `${Array.from(line.slice(0, maxCalled)).slice(0, -1).join('').trimEnd()}…`;
}
const maxCalled = 40;

interface SendProps {
  broadcast: Broadcast;
  preview: BroadcastPreview;
  opened: boolean;
  loading: boolean;
  onConfirm(): void;
  onClose(): void;
}

function SendDialog({ broadcast: { time, audience }, preview, ...dialog }: SendProps) {
  const { t } = useTranslation('line-campaigns');
  const { recipients, quota, problems } = preview;
  const count = { count: recipients ?? 0, shown: formatNumber(recipients ?? 0) };
  const isEveryone = audience.kind === 'everyone';
  return (
    <ConfirmDialog
      {...dialog}
      title={
        time
          ? t(isEveryone ? 'everyone.titleAt' : 'confirm.titleAt', count)
          : t(isEveryone ? 'everyone.title' : 'confirm.title', count)
      }
      text={[
        time
          ? t('confirm.at', { moment: readable(time.local), zone: zoneName(time.timezone) })
          : t(isEveryone ? 'everyone.now' : 'confirm.now'),
        recipients === null ? t('everyone.costUnknown') : t(isEveryone ? 'everyone.cost' : 'confirm.cost', count),
        quota?.left != null &&
          recipients !== null &&
          t('confirm.left', { left: formatNumber(Math.max(0, quota.left - recipients)) }),
        ...problems.map((problem) => sayProblem(problem, t)),
      ]
        .filter(Boolean)
        .join(gap())}
      confirm={t(time ? 'confirm.schedule' : 'confirm.send')}
      cancel={t('common:cancel')}
      isHarmless
    />
  );
}

/** At nine on the day after, there. */
function tomorrow(timezone: string): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(Date.now() + 86_400_000);
  return `${day}T09:00`;
}

type Problem = BroadcastPreview['problems'][number];

const sayProblem = ({ code, bubble, count }: Problem, t: ReturnType<typeof useTranslation<'line-campaigns'>>['t']) =>
  t(`problem.${code}`, { bubble: (bubble ?? 0) + 1, count: formatNumber(count ?? 0) });

/** The part of the form in which it is mended. */
const placeOf = ({ code, bubble }: Problem): Left['place'] =>
  bubble !== null ? 'message' : code === 'past' ? 'time' : code === 'taps-everyone' ? 'links' : 'audience';

function Problems({ problems }: { problems: Problem[] }) {
  const { t } = useTranslation('line-campaigns');
  const shown = problems.filter(({ code }) => code !== 'empty');
  if (shown.length === 0) return null;
  return (
    <ul className={classes['problems']} role="status">
      {shown.map((problem, at) => (
        <li key={at} data-level={problem.level}>
          {sayProblem(problem, t)}
        </li>
      ))}
    </ul>
  );
}

interface TesterProps {
  broadcast: Broadcast;
  tester: BroadcastPreview['tester'];
  isEmpty: boolean;
  /** What is written is not what is going to be sent, and only its maker may say so. */
  isChanged: boolean;
  isSaving: boolean;
  /** Goes on when what is written is saved. */
  saved(then: () => void): void;
}

function Tester({ broadcast, tester, isEmpty, isChanged, isSaving, saved }: TesterProps) {
  const { t } = useTranslation('line-campaigns');
  const [chosen, setChosen] = useState<string | null>();
  const test = useTestBroadcast(broadcast.uuid);
  const guest = chosen === undefined ? (tester?.uuid ?? null) : chosen;
  return (
    <section>
      <div className={classes['tester']}>
        <FriendSelect
          channel={broadcast.channel}
          label={t('test.label')}
          placeholder={t('test.placeholder')}
          known={tester}
          value={guest}
          onChange={setChosen}
        />
        <Button
          variant="default"
          disabled={guest === null || isEmpty || isChanged}
          loading={isSaving || test.isPending}
          onClick={() =>
            guest !== null &&
            saved(() =>
              test.mutate(guest, {
                onSuccess: () => toast.success(t('test.done')),
                onError: (error) => toast.error(errorText(error)),
              }),
            )
          }
        >
          {t('test.send')}
        </Button>
      </div>
      <p className={classes['hint']}>{t(isEmpty ? 'test.empty' : isChanged ? 'test.save' : 'test.hint')}</p>
    </section>
  );
}
