import { Anchor, Select, Stack, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { messageKinds, type Connection, type ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { useBotNames } from '../../lib/bot-names.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { gap } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { State } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { BotSelect } from './bot-select.tsx';
import classes from './connections.module.css';
import { useUpdateConnection } from './connections.queries.ts';
import { Contents } from './contents.tsx';
import { Group } from './group.tsx';
import { KindsFields } from './kinds-fields.tsx';
import { RulesEditor, type RichField } from './rules-editor.tsx';
import { hasProblem } from './spans.ts';
import { TestMessage, type AnswerText } from './test-message.tsx';
import { weekInShort } from './week-in-short.ts';

const HoursFields = later(async () => (await import('./hours-fields.tsx')).HoursFields);

type Values = ConnectionSettings & { bot: string | null; active: boolean };

const parts = ['answers', 'rules', 'kinds', 'hours', 'handoff'] as const;
type Part = (typeof parts)[number] | 'test' | 'language';

/** Where something of a connection is set. */
const partOf = (path: string): Part =>
  path.startsWith('rules')
    ? 'rules'
    : path.startsWith('kinds')
      ? 'kinds'
      : path.startsWith('hours') || path === 'awayText' || path === 'holidayText'
        ? 'hours'
        : path.startsWith('handoff')
          ? 'handoff'
          : 'answers';

const never = 'never';
const waits = [15, 30, 60, 180, 720, 1440, 4320, 10_080];

const valuesOf = ({ bot, active, settings }: Connection): Values => ({ bot: bot?.uuid ?? null, active, ...settings });

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';

/** Which bot answers, when people are there, what words do, and how it goes back to the bot. */
export function ConnectionForm({
  connection,
  RichField,
  AnswerText,
  above,
  isNarrow = false,
}: {
  connection: Connection;
  RichField: RichField;
  /** Draws what a bot says. */
  AnswerText: AnswerText;
  /** What its channel has to say. */
  above?: ReactNode;
  /** Something stands beside it. */
  isNarrow?: boolean;
}) {
  const { t } = useTranslation('connections');
  const { uuid, channel } = connection;
  const saved = valuesOf(connection);
  const { values, changes, set: edit, discard, onSaved } = useEdited(saved);
  const [isTold, setIsTold] = useState(false);
  const [matched, setMatched] = useState<number | null>(null);
  /** What was saved when the first of these changes was made. */
  const [begun, setBegun] = useState<{ saved: Values; seen: string | undefined }>();
  const [open, setOpen] = useState<Part[]>(['answers', 'test']);
  const hasRoom = useMediaQuery('(min-width: 78em)', window.innerWidth >= 1248);
  const isWide = hasRoom && !isNarrow;
  const bots = useBotNames();
  const update = useUpdateConnection();
  const guard = useUnsavedGuard(changes > 0);
  const fields = update.error instanceof ApiError ? update.error.fields : {};
  const isWordless = (at: number) => values.rules[at]?.match !== 'any' && values.rules[at]?.phrases.length === 0;
  /** A reply that was there as an example, and that nobody has looked at: what it says of the shop is not so. */
  const isExample = (at: number) =>
    values.rules[at]?.reply === t('rules.ready.hours.reply') &&
    !saved.rules.some(({ reply }) => reply === values.rules[at]?.reply);
  const fieldError = (path: string) => {
    const reply = /^rules\.(\d+)(\.reply)?$/.exec(path);
    if (isTold && reply && isExample(Number(reply[1]))) return t('rules.ownReply');
    const rule = /^rules\.(\d+)(\.phrases)?$/.exec(path);
    if (isTold && rule && isWordless(Number(rule[1]))) return t('rules.phraseMissing');
    // A part that is closed, or has no field of its own, says whatever is wrong below it.
    return fields[path] ?? Object.entries(fields).find(([each]) => each.startsWith(`${path}.`))?.[1];
  };
  const set = (next: Partial<Values>) => {
    update.reset();
    setBegun((at) => at ?? { saved, seen: connection.updatedAt });
    setMatched(null);
    edit({ ...values, ...next });
  };
  const fail = (error: unknown) => toast.error(errorText(error));
  const show = (wrong: Part[]) => {
    setOpen((now) => [...new Set([...now, ...wrong])]);
    goToFaultIn(document);
  };
  const check = () => {
    const wrong: Part[] = [
      ...(hasProblem(values.hours) ? (['hours'] as const) : []),
      ...(values.rules.some((_, at) => isWordless(at) || isExample(at)) ? (['rules'] as const) : []),
    ];
    setIsTold(wrong.length > 0);
    if (wrong.length > 0) show(wrong);
    return wrong.length === 0;
  };
  const save = () => {
    if (!check()) return;
    const before = begun?.saved ?? saved;
    update.mutate(
      { uuid, ...changed(before, values), seen: begun?.seen ?? connection.updatedAt },
      {
        onSuccess: () => {
          onSaved(values);
          setBegun((now) => (now === begun ? undefined : now));
          toast.undo(t('form.saved'), t('common:undo'), () =>
            update.mutate({ uuid, ...changed(values, before) }, { onError: fail }),
          );
        },
        onError: (error) => {
          // Saved again, it takes the place of what somebody else has saved.
          if (isConflict(error)) setBegun((now) => now && { ...now, seen: undefined });
          else show(error instanceof ApiError ? Object.keys(error.fields).map(partOf) : []);
        },
      },
    );
  };
  const wait = values.handoff.returnMinutes;
  const name = bots.data?.find((each) => each.uuid === values.bot)?.name ?? connection.bot?.name;
  const summaries: Record<Part, string> = {
    answers: !values.active ? t('state.off') : values.bot === null ? t('bot.none') : (name ?? ''),
    rules: values.rules.length > 0 ? t('list.ruleCount', { count: values.rules.length }) : t('list.noRules'),
    kinds: [...new Set(messageKinds.map((kind) => values.kinds[kind].does))]
      .map((does) => t(`kinds.does.${does}`))
      .join(t('common:comma')),
    hours: values.hours
      ? weekInShort(values.hours, t)
          .flatMap(({ days, times }) => (times === null ? [] : [`${days} ${times}`]))
          .join(t('common:comma')) || t('hours.closed')
      : t('hours.always'),
    handoff: t(values.handoff.offered ? `form.isOffered.${channel}` : 'form.isNotOffered'),
    test: t('test.summary'),
    language: t(values.language === 'visitor' ? `language.asker.${channel}` : `language.${values.language}`),
  };
  const group = (part: Part) => ({
    id: part,
    summary: summaries[part],
    isOpen: hasRoom ? undefined : open.includes(part),
    onToggle: () => setOpen(open.includes(part) ? open.filter((each) => each !== part) : [...open, part]),
  });
  const language = (
    <Select
      {...(isWide ? { label: t('form.language') } : { 'aria-label': t('form.language') })}
      description={t('form.languageHint')}
      value={values.language}
      onChange={(value) => set({ language: (['en', 'ja'] as const).find((each) => each === value) ?? 'visitor' })}
      data={[
        { value: 'visitor', label: t(`language.asker.${channel}`) },
        ...(['en', 'ja'] as const).map((value) => ({ value, label: t(`language.${value}`) })),
      ]}
      allowDeselect={false}
    />
  );
  const test = (
    <Group {...group('test')} title={t('test.title')}>
      <TestMessage connection={connection} values={values} check={check} onMatch={setMatched} AnswerText={AnswerText} />
    </Group>
  );
  return (
    <>
      {above}
      <div className={classes['columns']}>
        {isWide && (
          <Contents parts={parts.map((part) => ({ id: part, title: t(`form.${part}`), summary: summaries[part] }))} />
        )}
        <div>
          <Group {...group('answers')} title={t('form.answers')}>
            <Stack className={classes['fields'] ?? ''}>
              <Switch
                label={t(`form.active.${channel}`)}
                description={t(`form.activeHint.${channel}`)}
                checked={values.active}
                onChange={(event) => set({ active: event.currentTarget.checked })}
              />
              <BotSelect
                label={t('form.bot')}
                description={t(`form.botHint.${channel}`)}
                value={values.bot}
                onChange={(bot) => set({ bot })}
                error={fieldError('bot')}
              />
              {connection.bot && connection.bot.uuid === values.bot && !connection.bot.published && (
                <p className={classes['note']} role="status">
                  <State kind="warning">{t('form.unpublished')}</State>{' '}
                  <Anchor
                    size="sm"
                    className={classes['link'] ?? ''}
                    renderRoot={(props) => <Link {...props} to={`/Bot/${connection.bot?.uuid}`} />}
                  >
                    {t('form.publish')}
                  </Anchor>
                </p>
              )}
              {isWide && language}
            </Stack>
          </Group>
          <Group {...group('rules')} title={t('form.rules')} count={values.rules.length || undefined}>
            <p className={classes['hint']}>{t(values.rules.length > 0 ? 'form.rulesHint' : 'rules.empty')}</p>
            <RulesEditor
              RichField={RichField}
              hours={values.hours}
              rules={values.rules}
              matched={matched}
              onChange={(rules) => set({ rules })}
              fieldError={fieldError}
            />
          </Group>
          <Group {...group('kinds')} title={t('form.kinds')}>
            <div className={classes['fields']}>
              <p className={classes['hint']}>{t('kinds.hint')}</p>
              <KindsFields kinds={values.kinds} onChange={(kinds) => set({ kinds })} fieldError={fieldError} />
            </div>
          </Group>
          <Group {...group('hours')} title={t('form.hours')}>
            <div className={classes['fields']}>
              <p className={`${classes['hint']} ${classes['meaning']}`}>
                {t(values.hours ? 'hours.meaning.set' : 'hours.meaning.always')}
              </p>
              <HoursFields
                values={values}
                japaneseHolidays={connection.japaneseHolidays}
                onChange={set}
                fieldError={fieldError}
                onFail={() => setOpen((now) => now.filter((each) => each !== 'hours'))}
              />
              {channel === 'web' && (
                <p className={classes['hint']}>
                  {t('form.shared')}
                  {gap()}
                  <Anchor
                    inherit
                    underline="always"
                    renderRoot={(props) => <Link {...props} to={`/Web-Channel/${connection.channelId}`} />}
                  >
                    {t('form.toWebsite')}
                  </Anchor>
                </p>
              )}
            </div>
          </Group>
          <Group {...group('handoff')} title={t('form.handoff')}>
            <Stack className={classes['fields'] ?? ''}>
              <Switch
                label={t('form.offered')}
                description={t(`form.offeredHint.${channel}`)}
                checked={values.handoff.offered}
                onChange={(event) => set({ handoff: { ...values.handoff, offered: event.currentTarget.checked } })}
              />
              <Select
                label={t('form.return')}
                description={t('form.returnHint')}
                value={String(wait ?? never)}
                onChange={(value) =>
                  set({ handoff: { ...values.handoff, returnMinutes: value === never ? null : Number(value) } })
                }
                data={[
                  ...[...new Set([...waits, ...(wait === null ? [] : [wait])])]
                    .sort((one, other) => one - other)
                    .map((minutes) => ({ value: String(minutes), label: formatLength(minutes) })),
                  { value: never, label: t('form.never') },
                ]}
                allowDeselect={false}
              />
              {values.hours && (
                <Select
                  label={t('form.whileAway')}
                  description={t(`form.whileAwayHint.${values.handoff.whileAway}`)}
                  value={values.handoff.whileAway}
                  onChange={(value) => value && set({ handoff: { ...values.handoff, whileAway: value } })}
                  data={(['wait', 'answer'] as const).map((value) => ({
                    value,
                    label: t(`form.whileAwayWays.${value}`),
                  }))}
                  allowDeselect={false}
                />
              )}
            </Stack>
          </Group>
          {!isWide && (
            <>
              <Group {...group('language')} title={t('form.language')}>
                <div className={classes['fields']}>{language}</div>
              </Group>
              {test}
            </>
          )}
        </div>
        {isWide && <aside>{test}</aside>}
      </div>
      <SaveBar
        changes={changes}
        isBusy={update.isPending}
        error={
          update.error && Object.keys(fields).length === 0
            ? isConflict(update.error)
              ? t('form.conflict')
              : errorText(update.error)
            : undefined
        }
        onDiscard={() => {
          update.reset();
          setIsTold(false);
          setBegun(undefined);
          discard();
        }}
        onSave={save}
      />
      <ConfirmDialog {...guard} />
    </>
  );
}

/** The parts that differ, as `to` has them. */
const changed = (from: Values, to: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(to).filter(([name, value]) => {
      const former = new Map<string, unknown>(Object.entries(from)).get(name);
      return JSON.stringify(former) !== JSON.stringify(value);
    }),
  );

/** 30 minutes, 12 hours, 3 days. */
function formatLength(minutes: number): string {
  const [unit, size] =
    minutes % 1440 === 0
      ? (['day', 1440] as const)
      : minutes % 60 === 0
        ? (['hour', 60] as const)
        : (['minute', 1] as const);
  const locale = currentLocale();
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
  return locale === 'ja' ? text.replaceAll(' ', '') : text;
}
