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

/** In how many fields two values of one shape differ; a list counts as one. */
export function countChanges(before: unknown, after: unknown): number {
  if (!isFields(before) || !isFields(after)) return JSON.stringify(before) === JSON.stringify(after) ? 0 : 1;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].reduce((sum, name) => sum + countChanges(before[name], after[name]), 0);
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
