import type { Db } from '../../infra/db.ts';
import {
  findTaken,
  happened,
  wasActedOn,
  wasCutOff,
  type Change,
  type Happening,
  type ThreadTable,
} from './guest-threads.ts';

/** How somebody took a thread over by a letter and has done nothing else since. */
interface TypedClaim {
  seq: number;
  at: number;
  by: string | null;
  before: NonNullable<Happening['before']>;
  /** An answer was cut off by it after its first words. */
  hasCut: boolean;
}

export async function findTypedClaim(db: Db, thread: string): Promise<TypedClaim | undefined> {
  const taken = await findTaken(db, thread);
  const { by = null, before, cut }: Partial<Happening> = JSON.parse(taken?.happening ?? '{}');
  if (!taken || !before || (await wasActedOn(db, thread, taken.seq))) return undefined;
  return { seq: taken.seq, at: taken.at, by, before, hasCut: cut !== undefined && (await wasCutOff(db, cut)) };
}

/**
 * What a thread becomes when whoever took it over by a letter is gone: what it was. Where its visitor has written since, or was left with
 * half an answer, it waits for people, since no bot knows what they would have said.
 */
export function endTypedClaim(now: ThreadTable, { at, before, hasCut }: TypedClaim, by: string | null): Change {
  const isOwed = before.status !== 'waiting' && now.left_at === null && (now.waiting_since !== null || hasCut);
  return {
    rows: [happened('released', { by }), ...(isOwed ? [happened('handed-off', { reason: 'staff' })] : [])],
    changes: {
      ...before,
      // Whoever had it may have deleted their account meanwhile.
      assignee: now.assignee === null ? null : before.assignee,
      ...(isOwed && {
        status: 'waiting',
        reason: 'staff',
        waiting_since: now.waiting_since ?? at,
        snoozed_until: null,
      }),
      typed_until: null,
    },
  };
}
