import type { CreditCap } from '../../../shared/contracts/billing.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { dayNamer, listDays } from '../../infra/days.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { findUser } from '../users/users.ts';
import { addToCap, deleteCapRow, findCapRow, listCapRows, putCapRow, sumHeld } from './caps.store.ts';
import { sumEntries } from './sums.store.ts';
import { ensureAccount } from './accounts.ts';
import { lockAccount, sumUsed } from './usage.store.ts';
import type { CreditCapTable } from './usage.tables.ts';

/** Whose credits an answer uses. */
export interface Asker {
  workspace: string;
  member: string | null;
  bot: string | null;
  channel: string | null;
  key: string | null;
}

/** Whose it is, another feature knows. */
export type Nameless = Omit<CreditCap, 'name'>;

const mostCaps = 200;

/** By which an entry is counted against a cap; all of a workspace's are against its own. */
const columns = { member: 'member', bot: 'bot', channel: 'channel_id', key: 'api_key' } as const;
const columnOf = ({ kind }: Pick<CreditCapTable, 'kind'>) => (kind === 'workspace' ? undefined : columns[kind]);

const listCapsOf = async (db: Db | Trx, asker: Asker): Promise<CreditCapTable[]> =>
  (await listCapRows(db, asker.workspace)).filter(({ kind, target }) => asker[kind] === target);

/** Whether there are caps that count for an answer. */
export const isCapped = async ({ db }: Pick<Context, 'db'>, asker: Asker): Promise<boolean> =>
  (await listCapsOf(db, asker)).length > 0;

interface Span {
  /** Its first day. */
  name: string;
  /** Moments: its first, and the first that no longer is in it. */
  since: number;
  before: number;
}

/** To know when a day begins somewhere takes a millisecond, and it is the same for a day. */
const spans = new Map<string, Span>();
const mostSpans = 1000;

/** The calendar day or month of a moment, in the zone of whoever has set the cap. */
export function spanOf({ span, timezone }: Pick<CreditCapTable, 'span' | 'timezone'>, now = Date.now()): Span {
  const key = `${span} ${timezone}`;
  const known = spans.get(key);
  if (known && known.since <= now && now < known.before) return known;
  const today = dayNamer(timezone)(now);
  const first = span === 'day' ? today : `${today.slice(0, 7)}-01`;
  const days = listDays(timezone, first, span === 'day' ? today : lastOfMonth(today));
  const found = { name: first, since: days[0]?.since ?? 0, before: days.at(-1)?.before ?? 0 };
  if (spans.size >= mostSpans) spans.clear();
  spans.set(key, found);
  return found;
}

function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Micro-credits that were used in this span. */
const usedOf = (cap: CreditCapTable): number => (cap.used_span === spanOf(cap).name ? cap.used : 0);

const heldOf = (db: Db | Trx, cap: CreditCapTable) => sumHeld(db, cap.workspace, columnOf(cap), cap.target);

/** Counts what an answer cost against the caps of whoever asked, in the transaction that holds the account's row. */
export async function countAgainstCaps(trx: Trx, asker: Asker, amount: number): Promise<void> {
  for (const cap of await listCapsOf(trx, asker)) await addToCap(trx, cap.uuid, { span: spanOf(cap).name, amount });
}

/** Throws `cap-reached` where an answer would come after one of its caps; one that has begun goes on to its end. */
export async function mustBeUnderCaps(trx: Trx, asker: Asker): Promise<void> {
  for (const cap of await listCapsOf(trx, asker)) {
    if (usedOf(cap) + (await heldOf(trx, cap)) < cap.credits * microPerCredit) continue;
    const { kind, span } = cap;
    throw new AppError('cap-reached', { kind, span, until: new Date(spanOf(cap).before).toISOString() });
  }
}

export const listCaps = async ({ db }: Context, { workspace }: Caller): Promise<Nameless[]> =>
  Promise.all((await listCapRows(db, workspace)).map((row) => toCap(db, row)));

/** Sets what may be used; where there is such a cap, it is changed. `target` is known to be the workspace's own. */
export async function putCap(
  context: Context,
  caller: Caller,
  { kind, target, span, credits }: Pick<CreditCapTable, 'kind' | 'target' | 'span' | 'credits'>,
): Promise<Nameless> {
  const { db } = context;
  const { workspace } = caller;
  const now = Date.now();
  const timezone = (await findUser(db, caller.user))?.timezone ?? 'UTC';
  await sumEntries(context, workspace);
  const row = await db.transaction().execute(async (trx) => {
    // From here on no answer ends: what was used is counted once, by its entry or by the answer.
    await ensureAccount(context, trx, workspace);
    await lockAccount(trx, workspace);
    const known = await listCapRows(trx, workspace);
    const isNew = !known.some((each) => each.kind === kind && each.target === target && each.span === span);
    if (isNew && known.length >= mostCaps) throw new AppError('too-many', { limit: mostCaps });
    await record(trx, caller, 'cap.set', '', { kind, span, credits });
    const { name, since } = spanOf({ span, timezone });
    const column = columnOf({ kind });
    const used = await sumUsed(trx, workspace, { since, ...(column && { [column]: target }) });
    const common = { uuid: newId(), created_at: now, updated_at: now, warned: null };
    return putCapRow(trx, { ...common, workspace, kind, target, span, credits, timezone, used, used_span: name });
  });
  return toCap(db, row);
}

export async function removeCap({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await findCapRow(trx, uuid);
    if (row?.workspace !== caller.workspace) throw new AppError('cap-not-found');
    await deleteCapRow(trx, uuid);
    await record(trx, caller, 'cap.removed', '', { kind: row.kind, span: row.span });
  });
}

/** From here on somebody is told. */
const nearShare = 0.8;

interface NearCap {
  cap: CreditCapTable;
  used: number;
  /** The first day of its span. */
  name: string;
}

/** Caps of a workspace of which much is used, and of which nobody was told in this span. */
export const listNear = async ({ db }: Context, workspace: string): Promise<NearCap[]> =>
  (await listCapRows(db, workspace))
    .map((cap) => ({ cap, used: usedOf(cap), name: spanOf(cap).name }))
    .filter(
      ({ cap, used, name }) =>
        cap.warned !== name && cap.credits > 0 && used >= nearShare * cap.credits * microPerCredit,
    );

async function toCap(db: Db, row: CreditCapTable): Promise<Nameless> {
  return {
    uuid: row.uuid,
    kind: row.kind,
    target: row.kind === 'workspace' ? null : row.target,
    span: row.span,
    credits: row.credits,
    used: usedOf(row),
    held: await heldOf(db, row),
    until: new Date(spanOf(row).before).toISOString(),
    ...momentsOf(row),
  };
}

export { listCapped, markWarned } from './caps.store.ts';
