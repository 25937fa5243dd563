import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { bots, type Bot, type BotConfig } from '../../../shared/contracts/bots.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { ApiError, call } from '../../lib/api.ts';
import { botKeys, useUpdateBot } from './bots.queries.ts';

const saveAfterMs = 700;

export type SaveState = 'saved' | 'saving' | 'failed';
export type Values = Pick<Bot, 'name' | 'description'> & BotConfig;
export type SetValue = <K extends keyof Values>(field: K, value: Values[K]) => void;

/** Fields that somebody else has changed and that are changed here as well. */
export interface Conflict {
  fields: string[];
  loadTheirs(): void;
  keepMine(): void;
}

interface Options {
  bot: Bot;
  /** The bases that are there; undefined while that is not known. */
  bases: { uuid: string }[] | undefined;
  onSaved(): void;
  onState(state: SaveState): void;
}

/** The draft as it is on the screen, saved by itself a moment after the last change. */
export function useDraft({ bot, bases, onSaved, onState }: Options) {
  const [values, setValues] = useState<Values>(() => toValues(bot));
  const [saved, setSaved] = useState(values);
  /** Why the last save failed, and what it was of. */
  const [failed, setFailed] = useState<{ error: ApiError; values: Values }>();
  const [attempt, setAttempt] = useState(0);
  /** What somebody else has changed that is changed here as well. */
  const [conflict, setConflict] = useState<{ theirs: Bot; fields: string[] }>();
  const client = useQueryClient();
  const { mutateAsync } = useUpdateBot(bot.uuid);
  const isDirty = Object.keys(changesOf(values, saved)).length > 0;
  const set: SetValue = useCallback((field, value) => setValues((before) => ({ ...before, [field]: value })), []);

  /** The bot as the server last said it is, with whatever else was saved on this page. */
  const stored = useRef(bot);
  const take = useCallback((theirs: Bot, saved: Values, given: string[]) => {
    stored.current = theirs;
    const fresh = toValues(theirs);
    setConflict(undefined);
    setSaved(fresh);
    setValues((before) => ({ ...fresh, ...without(changesOf(before, saved), given) }));
  }, []);

  const latest = useRef({ onSaved, onState, bases, saved });
  useEffect(() => {
    latest.current = { onSaved, onState, bases, saved };
  });
  // One at a time: an older change must not arrive after a newer one.
  const queue = useRef(Promise.resolve());
  /** Begins at once what waits for its moment. */
  const hurry = useRef(() => {});
  const leaving = useRef<((isSaved: boolean) => void)[]>([]);

  useEffect(() => {
    const tell = (isSaved: boolean) => {
      for (const each of leaving.current.splice(0)) each(isSaved);
    };
    if (!isDirty) {
      latest.current.onState('saved');
      tell(true);
      return;
    }
    latest.current.onState('saving');
    let [isOld, hasBegun] = [false, false];
    const save = async () => {
      if (isOld) return;
      const { bases, saved } = latest.current;
      const mine = changesOf(values, saved);
      try {
        const known = client.getQueryData<Bot>(botKeys.one(bot.uuid));
        if (known && known.updatedAt > stored.current.updatedAt && isSame(known, stored.current))
          stored.current = known;
        stored.current = await mutateAsync({ ...toBody(mine, bases), seen: stored.current.updatedAt });
        setConflict(undefined);
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
        if (failure.code === 'conflict') {
          const theirs = await readBot(bot.uuid);
          if (isOld) return;
          const fields = theirs ? Object.keys(changesOf(toValues(theirs), toValues(stored.current))) : [];
          const both = fields.filter((field) => field in mine);
          if (theirs && both.length === 0) {
            take(theirs, saved, []);
            setAttempt((before) => before + 1);
            return;
          }
          if (theirs) setConflict({ theirs, fields: both });
        }
        setFailed({ error: failure, values });
        latest.current.onState('failed');
        hasBegun = false;
        tell(false);
      }
    };
    const begin = () => {
      clearTimeout(timer);
      if (hasBegun) return;
      hasBegun = true;
      queue.current = queue.current.then(save);
    };
    const timer = setTimeout(begin, leaving.current.length > 0 ? 0 : saveAfterMs);
    hurry.current = begin;
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [values, isDirty, mutateAsync, attempt, client, bot.uuid, take]);

  /** Saves now what is not saved, and says whether all of it is. */
  const flush = useCallback(
    () =>
      new Promise<boolean>((resolve) => {
        leaving.current.push(resolve);
        hurry.current();
      }),
    [],
  );

  /** Saved already, by a dialog of its own. */
  const keep = useCallback(
    (changes: Partial<Values>) => {
      const known = client.getQueryData<Bot>(botKeys.one(bot.uuid));
      const expected = { ...toValues(stored.current), ...changes };
      // What somebody else changed in between is not seen yet: the next save meets it.
      if (known && Object.keys(changesOf(toValues(known), expected)).length === 0) stored.current = known;
      setValues((before) => ({ ...before, ...changes }));
      setSaved((before) => ({ ...before, ...changes }));
    },
    [client, bot.uuid],
  );

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
    flush,
    conflict:
      isDirty &&
      conflict &&
      ({
        fields: conflict.fields,
        loadTheirs: () => take(conflict.theirs, saved, conflict.fields),
        keepMine: () => {
          take(conflict.theirs, saved, []);
          setAttempt((before) => before + 1);
        },
      } satisfies Conflict),
    error: isMended ? undefined : failed?.error,
    retry: () => setAttempt((before) => before + 1),
    /** The fields that the server did not take, by the first part of their paths. */
    faulty: faults.map((path) => path.split('.')[0] ?? ''),
    fieldError: (path: string) => (isAsItWas(path) ? failed?.error.fields[toSentPath(path, values)] : undefined),
  };
}

const toValues = ({ name, description, draft }: Bot): Values => ({ name, description, ...draft });

const isSame = (one: Bot, other: Bot) => Object.keys(changesOf(toValues(one), toValues(other))).length === 0;

/** Undefined where it cannot be read: the next attempt tells. */
const readBot = async (uuid: string) => {
  try {
    return (await call(bots.get, { params: { uuid } })).data;
  } catch (failure) {
    if (failure instanceof ApiError) return undefined;
    throw failure;
  }
};

const without = (values: Partial<Values>, fields: string[]): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)));

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
  const [, field, at, rest = ''] = /^(starters|followUps|variables)\.(\d+)([^]*)/.exec(path) ?? [];
  if (field === undefined) return path;
  const before =
    field === 'variables'
      ? values.variables.slice(0, Number(at)).filter(isVariable)
      : (field === 'starters' ? values.starters : values.followUps).slice(0, Number(at)).filter(isWritten);
  return `${field}.${before.length}${rest}`;
}
