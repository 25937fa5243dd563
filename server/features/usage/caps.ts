import type { CreditCap } from '../../../shared/contracts/billing.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { dayNamer, listDays } from '../../infra/days.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { record } from '../audit/audit.ts';
import { findUser } from '../users/users.ts';
import { deleteCapRow, findCapRow, listCapRows, putCapRow, sumHeld } from './caps.store.ts';
import { sumEntries } from './sums.store.ts';
import { sumUsed } from './usage.store.ts';
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

/** Those that count for an answer. */
export const capsOf = async ({ db }: Pick<Context, 'db'>, asker: Asker): Promise<CreditCapTable[]> =>
  (await listCapRows(db, asker.workspace)).filter(({ kind, target }) => asker[kind] === target);

/** The calendar day or month of a moment, in the zone of whoever has set the cap: its name, and when it began and will end. */
export function spanOf({ span, timezone }: Pick<CreditCapTable, 'span' | 'timezone'>, now = Date.now()) {
  const today = dayNamer(timezone)(now);
  const first = span === 'day' ? today : `${today.slice(0, 7)}-01`;
  const last = span === 'day' ? today : lastOfMonth(today);
  const days = listDays(timezone, first, last);
  return { name: first, since: days[0]?.since ?? 0, before: days.at(-1)?.before ?? 0 };
}

function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** Micro-credits of this span: what was used, and what answers on their way may cost at most. */
async function sumOf(db: Db | Trx, cap: CreditCapTable): Promise<{ used: number; held: number }> {
  const column = columnOf(cap);
  const { since } = spanOf(cap);
  const [used, held] = [
    await sumUsed(db, cap.workspace, { since, ...(column && { [column]: cap.target }) }),
    await sumHeld(db, cap.workspace, column, cap.target),
  ];
  return { used, held };
}

/** Throws `cap-reached` where an answer would come after one of its caps; one that has begun goes on to its end. */
export async function mustBeUnderCaps(trx: Trx, caps: CreditCapTable[]): Promise<void> {
  for (const cap of caps) {
    const { used, held } = await sumOf(trx, cap);
    if (used + held < cap.credits * microPerCredit) continue;
    const { kind, span } = cap;
    throw new AppError('cap-reached', { kind, span, until: new Date(spanOf(cap).before).toISOString() });
  }
}

export async function listCaps(context: Context, { workspace }: Caller): Promise<Nameless[]> {
  const { db } = context;
  await sumEntries(context, workspace);
  return Promise.all((await listCapRows(db, workspace)).map((row) => toCap(db, row)));
}

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
  const row = await db.transaction().execute(async (trx) => {
    const known = await listCapRows(trx, workspace);
    const isNew = !known.some((each) => each.kind === kind && each.target === target && each.span === span);
    if (isNew && known.length >= mostCaps) throw new AppError('too-many', { limit: mostCaps });
    await record(trx, caller, 'cap.set', '', { kind, span, credits });
    const common = { uuid: newId(), created_at: now, updated_at: now, warned: null };
    return putCapRow(trx, { ...common, workspace, kind, target, span, credits, timezone });
  });
  await sumEntries(context, workspace);
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
export async function listNear(context: Context, workspace: string, signal: AbortSignal): Promise<NearCap[]> {
  await sumEntries(context, workspace, signal);
  const near: NearCap[] = [];
  for (const cap of await listCapRows(context.db, workspace)) {
    const { name } = spanOf(cap);
    if (cap.warned === name || cap.credits === 0) continue;
    const { used } = await sumOf(context.db, cap);
    if (used >= nearShare * cap.credits * microPerCredit) near.push({ cap, used, name });
  }
  return near;
}

async function toCap(db: Db, row: CreditCapTable): Promise<Nameless> {
  const { used, held } = await sumOf(db, row);
  return {
    uuid: row.uuid,
    kind: row.kind,
    target: row.kind === 'workspace' ? null : row.target,
    span: row.span,
    credits: row.credits,
    used,
    held,
    until: new Date(spanOf(row).before).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

export { listCapped, markWarned } from './caps.store.ts';
