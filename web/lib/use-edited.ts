import { useState } from 'react';

/** What a form holds of something that is saved: it follows what is saved until somebody changes it. */
export function useEdited<Values>(saved: Values) {
  const [edited, setEdited] = useState<Values>();
  return {
    values: edited ?? saved,
    changes: edited === undefined ? 0 : countChanges(saved, edited),
    set: setEdited,
    discard: () => setEdited(undefined),
    /** What was sent is saved now; what was written since then stays. */
    onSaved: (sent: Values) => setEdited((now) => (now === sent ? undefined : now)),
  };
}

/**
 * The same for what others may change, too. `seen` is what was saved when the first of these changes was made, by which the server
 * knows whether somebody else has saved since: once that is told, what is saved again takes the place of theirs.
 */
export function useSharedEdit<Values>(saved: Values, updatedAt: string) {
  const [edit, setEdit] = useState<{ values: Values; seen: string | undefined }>();
  return {
    values: edit?.values ?? saved,
    changes: edit ? countChanges(saved, edit.values) : 0,
    seen: edit ? edit.seen : updatedAt,
    set: (values: Values) => setEdit((now) => ({ values, seen: now ? now.seen : updatedAt })),
    discard: () => setEdit(undefined),
    /** `rest`: what was written since then, with what the server has made of what was sent. */
    onSaved: (sent: Values, at: string, rest: (values: Values) => Values = (values) => values) =>
      setEdit((now) => (now && now.values !== sent ? { values: rest(now.values), seen: at } : undefined)),
    onConflict: () => setEdit((now) => now && { ...now, seen: undefined }),
  };
}

/** In how many fields two values of one shape differ; a list counts as one. */
export function countChanges(before: unknown, after: unknown): number {
  if (!isFields(before) || !isFields(after)) return JSON.stringify(before) === JSON.stringify(after) ? 0 : 1;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].reduce((sum, name) => sum + countChanges(before[name], after[name]), 0);
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
