import { Anchor, Button, Select, Stack, Switch, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { Connection, ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { ApiError } from '../../lib/api.ts';
import { goToFaultIn } from '../../lib/first-fault.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useEdited } from '../../lib/use-edited.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section, State } from '../../ui/page.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { BotSelect } from './bot-select.tsx';
import classes from './connections.module.css';
import { useUpdateConnection } from './connections.queries.ts';
import { HoursFields } from './hours-fields.tsx';
import { RulesEditor, type RichField } from './rules-editor.tsx';
import { hasProblem } from './spans.ts';
import { TestMessage } from './test-message.tsx';

type Values = ConnectionSettings & { bot: string | null; active: boolean };

const never = 'never';
const waits = [15, 30, 60, 180, 720, 1440, 4320, 10_080];

const valuesOf = ({ bot, active, settings }: Connection): Values => ({ bot: bot?.uuid ?? null, active, ...settings });

const isConflict = (error: Error) => error instanceof ApiError && error.code === 'conflict';

/** Which bot answers, when people are there, what words do, and how it goes back to the bot. */
export function ConnectionForm({
  connection,
  RichField,
  beside,
}: {
  connection: Connection;
  RichField: RichField;
  /** What its channel has to say. */
  beside?: ReactNode;
}) {
  const { t } = useTranslation('connections');
  const { uuid } = connection;
  const saved = valuesOf(connection);
  const { values, changes, set: edit, discard, onSaved } = useEdited(saved);
  const [isTold, setIsTold] = useState(false);
  const [matched, setMatched] = useState<number | null>(null);
  /** What was saved when the first of these changes was made. */
  const [begun, setBegun] = useState<{ saved: Values; seen: string | undefined }>();
  const update = useUpdateConnection();
  const guard = useUnsavedGuard(changes > 0);
  const fields = update.error instanceof ApiError ? update.error.fields : {};
  const isWordless = (at: number) => values.rules[at]?.match !== 'any' && values.rules[at]?.phrases.length === 0;
  const fieldError = (path: string) => {
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
  const fail = (error: Error) => toast.error(error.message);
  const check = () => {
    const isWrong = hasProblem(values.hours) || values.rules.some((_, at) => isWordless(at));
    setIsTold(isWrong);
    if (isWrong) goToFaultIn(document);
    return !isWrong;
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
          else goToFaultIn(document);
        },
      },
    );
  };
  const wait = values.handoff.returnMinutes;
  const tried = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className={classes['columns']}>
        <div className={classes['first']}>
          <Section
            title={t('form.answers')}
            end={
              <Button
                className={classes['toTest'] ?? ''}
                size="xs"
                variant="default"
                onClick={() => tried.current?.focus()}
              >
                {t('test.title')}
              </Button>
            }
          >
            <Stack className={classes['fields'] ?? ''}>
              <BotSelect
                label={t('form.bot')}
                description={t('form.botHint')}
                value={values.bot}
                onChange={(bot) => set({ bot })}
                error={fieldError('bot')}
              />
              {connection.bot && connection.bot.uuid === values.bot && !connection.bot.published && (
                <p className={classes['note']} role="status">
                  <State kind="warning">{t('form.unpublished')}</State>{' '}
                  <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/Bot/${connection.bot?.uuid}`} />}>
                    {t('form.publish')}
                  </Anchor>
                </p>
              )}
              <Switch
                label={t('form.active')}
                description={t(`form.activeHint.${connection.channel}`)}
                checked={values.active}
                onChange={(event) => set({ active: event.currentTarget.checked })}
              />
              <Select
                label={t('form.language')}
                description={t('form.languageHint')}
                value={values.language}
                onChange={(value) =>
                  set({ language: (['en', 'ja'] as const).find((each) => each === value) ?? 'visitor' })
                }
                data={(['visitor', 'en', 'ja'] as const).map((value) => ({ value, label: t(`language.${value}`) }))}
                allowDeselect={false}
              />
            </Stack>
          </Section>
          <Section title={t('form.rules')} count={values.rules.length > 0 ? values.rules.length : undefined}>
            <p className={classes['hint']}>{t('form.rulesHint')}</p>
            <RulesEditor
              RichField={RichField}
              hours={values.hours}
              rules={values.rules}
              matched={matched}
              onChange={(rules) => set({ rules })}
              fieldError={fieldError}
            />
          </Section>
        </div>
        <aside className={classes['beside']}>
          <div>
            <TestMessage field={tried} connection={connection} values={values} check={check} onMatch={setMatched} />
          </div>
          {beside && <div className={classes['own']}>{beside}</div>}
        </aside>
        <div className={classes['then']}>
          <Section title={t('form.hours')}>
            <div className={classes['fields']}>
              {connection.channel === 'web' && (
                <Text size="sm" c="dimmed" mb="sm">
                  {t('form.shared')}{' '}
                  <Anchor
                    size="sm"
                    underline="always"
                    renderRoot={(props) => <Link {...props} to={`/Web-Channel/${connection.channelId}`} />}
                  >
                    {t('form.toWebsite')}
                  </Anchor>
                </Text>
              )}
              <HoursFields values={values} onChange={set} fieldError={fieldError} />
            </div>
          </Section>
          <Section title={t('form.handoff')}>
            <Stack className={classes['fields'] ?? ''}>
              <Switch
                label={t('form.offered')}
                description={t('form.offeredHint')}
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
            </Stack>
          </Section>
        </div>
      </div>
      <SaveBar
        changes={changes}
        isBusy={update.isPending}
        error={
          update.error && Object.keys(fields).length === 0
            ? isConflict(update.error)
              ? t('form.conflict')
              : update.error.message
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
  return new Intl.NumberFormat(currentLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
}
