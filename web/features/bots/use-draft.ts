import { useCallback, useEffect, useRef, useState } from 'react';
import type { Bot, BotConfig, bots } from '../../../shared/contracts/bots.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { ApiError } from '../../lib/api.ts';
import { useUpdateBot } from './bots.queries.ts';

const saveAfterMs = 700;

export type SaveState = 'saved' | 'saving' | 'failed';
export type Values = Pick<Bot, 'name' | 'description'> & BotConfig;
export type SetValue = <K extends keyof Values>(field: K, value: Values[K]) => void;

interface Options {
  bot: Bot;
  /** The bases that are there; undefined while that is not known. */
  bases: { uuid: string }[] | undefined;
  onSaved(): void;
  onState(state: SaveState): void;
}

/** The draft as it is on the screen, saved by itself a moment after the last change. */
export function useDraft({ bot, bases, onSaved, onState }: Options) {
  const [values, setValues] = useState<Values>(() => ({ name: bot.name, description: bot.description, ...bot.draft }));
  const [saved, setSaved] = useState(values);
  /** Why the last save failed, and what it was of. */
  const [failed, setFailed] = useState<{ error: ApiError; values: Values }>();
  const [attempt, setAttempt] = useState(0);
  const { mutateAsync } = useUpdateBot(bot.uuid);
  const isDirty = Object.keys(changesOf(values, saved)).length > 0;
  const set: SetValue = useCallback((field, value) => setValues((before) => ({ ...before, [field]: value })), []);

  const latest = useRef({ onSaved, onState, bases, saved });
  useEffect(() => {
    latest.current = { onSaved, onState, bases, saved };
  });
  // One at a time: an older change must not arrive after a newer one.
  const queue = useRef(Promise.resolve());

  useEffect(() => {
    if (!isDirty) {
      latest.current.onState('saved');
      return;
    }
    latest.current.onState('saving');
    let isOld = false;
    const save = async () => {
      if (isOld) return;
      const { bases, saved } = latest.current;
      try {
        await mutateAsync(toBody(changesOf(values, saved), bases));
        setSaved(values);
        // What is typed meanwhile is not: the next save tells.
        latest.current.saved = values;
        if (isOld) return;
        setFailed(undefined);
        latest.current.onState('saved');
        latest.current.onSaved();
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        if (isOld) return;
        setFailed({ error: failure, values });
        latest.current.onState('failed');
      }
    };
    const timer = setTimeout(() => (queue.current = queue.current.then(save)), saveAfterMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [values, isDirty, mutateAsync, attempt]);

  /** Saved already, by a dialog of its own. */
  const keep = useCallback((changes: Partial<Values>) => {
    setValues((before) => ({ ...before, ...changes }));
    setSaved((before) => ({ ...before, ...changes }));
  }, []);

  // What was said of a field holds until the field is another.
  const isAsItWas = (path: string) => {
    const field = Object.keys(values).find((each) => each === path.split('.')[0]) as keyof Values | undefined; // one of its own keys
    return field === undefined || failed?.values[field] === values[field];
  };
  const fields = Object.keys(failed?.error.fields ?? {});
  const faults = fields.filter(isAsItWas);
  const isMended = !isDirty || (fields.length > 0 && faults.length === 0);

  return {
    values,
    set,
    keep,
    isDirty,
    error: isMended ? undefined : failed?.error,
    retry: () => setAttempt((before) => before + 1),
    /** The fields that the server did not take, by the first part of their paths. */
    faulty: faults.map((path) => path.split('.')[0] ?? ''),
    fieldError: (path: string) => (isAsItWas(path) ? failed?.error.fields[toSentPath(path, values)] : undefined),
  };
}

const changesOf = (values: Values, saved: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) =>
        JSON.stringify(value) !== JSON.stringify(Object.entries(saved).find(([other]) => other === field)?.[1]),
    ),
  );

const isWritten = (text: string) => text.trim() !== '';
const isVariable = ({ name, value }: { name: string; value: string }) => isWritten(name) || isWritten(value);

/** Rows that wait for a text are not a change yet, and a base that was deleted meanwhile is not asked for. */
function toBody(
  { starters, followUps, variables, knowledges, ...rest }: Partial<Values>,
  bases: { uuid: string }[] | undefined,
): BodyIn<typeof bots.update> {
  return {
    ...rest,
    ...(starters && { starters: starters.filter(isWritten) }),
    ...(followUps && { followUps: followUps.filter(isWritten) }),
    ...(variables && { variables: variables.filter(isVariable) }),
    ...(knowledges && {
      knowledges: bases ? knowledges.filter((uuid) => bases.some((base) => base.uuid === uuid)) : knowledges,
    }),
  };
}

/** Where a row stands among those that are sent. */
function toSentPath(path: string, values: Values): string {
  const [, field, at, rest = ''] = /^(starters|followUps|variables)\.(\d+)(.*)$/.exec(path) ?? [];
  if (field === undefined) return path;
  const before =
    field === 'variables'
      ? values.variables.slice(0, Number(at)).filter(isVariable)
      : (field === 'starters' ? values.starters : values.followUps).slice(0, Number(at)).filter(isWritten);
  return `${field}.${before.length}${rest}`;
}
