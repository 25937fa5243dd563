import { AppError } from '../../../shared/errors.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { TicketKind, TicketTable } from './accounts.tables.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { findUser, type User } from '../users/users.ts';

const maxTries = 5;

/** A code of 256 random bits for a link or a next step, good once, for `ms`, and until the epoch of its person ends; only its hash is kept. */
export async function issueTicket(
  trx: Trx | Db,
  {
    kind,
    user,
    data = {},
    ms,
  }: { kind: TicketKind; user: Pick<User, 'uuid' | 'security_epoch'> | null; data?: object; ms: number },
): Promise<string> {
  const code = newSecret();
  const now = Date.now();
  await trx
    .insertInto('ticket')
    .values({
      hash: hashSecret(code),
      kind,
      user: user?.uuid ?? null,
      security_epoch: user?.security_epoch ?? 0,
      data: JSON.stringify(data),
      attempts: 0,
      expires_at: now + ms,
      created_at: now,
    })
    .execute();
  return code;
}

/** Looks at a ticket without using it up. Throws `code-invalid`. */
export async function readTicket(db: Trx | Db, kinds: TicketKind[], code: string): Promise<TicketTable> {
  const found = await db
    .selectFrom('ticket')
    .selectAll()
    .where('hash', '=', hashSecret(code))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  if (!found) throw new AppError('code-invalid');
  return found;
}

/** Of some codes, those whose tickets are still good. */
export async function listGoodCodes(db: Db, codes: string[]): Promise<string[]> {
  if (codes.length === 0) return [];
  const found = await db
    .selectFrom('ticket')
    .select('hash')
    .where('hash', 'in', codes.map(hashSecret))
    .where('expires_at', '>', Date.now())
    .execute();
  const good = new Set(found.map(({ hash }) => hash));
  return codes.filter((code) => good.has(hashSecret(code)));
}

/** Uses up a ticket; of two requests at the same moment, one gets it. A transaction that locks the person does so before. Throws `code-invalid`. */
export async function takeTicket(trx: Trx | Db, kinds: TicketKind[], code: string): Promise<TicketTable> {
  const found = await trx
    .deleteFrom('ticket')
    .where('hash', '=', hashSecret(code))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', Date.now())
    .returningAll()
    .executeTakeFirst();
  if (!found) throw new AppError('code-invalid');
  return found;
}

/** Counts a try at a code that could be guessed; a ticket has five. Throws `code-invalid`. */
export async function tryTicket(db: Db, kind: TicketKind, code: string): Promise<TicketTable> {
  const found = await db
    .updateTable('ticket')
    .set((to) => ({ attempts: to('attempts', '+', 1) }))
    .where('hash', '=', hashSecret(code))
    .where('kind', '=', kind)
    .where('expires_at', '>', Date.now())
    .where('attempts', '<', maxTries)
    .returningAll()
    .executeTakeFirst();
  if (!found) throw new AppError('code-invalid');
  return found;
}

/** Whose ticket it is. Throws `code-invalid` when they are gone, or what was on its way has been ended since. */
export async function holderOf(db: Trx | Db, ticket: Pick<TicketTable, 'user' | 'security_epoch'>): Promise<User> {
  const user = ticket.user === null ? undefined : await findUser(db, ticket.user);
  if (user?.security_epoch !== ticket.security_epoch) throw new AppError('code-invalid');
  return user;
}

/** All tickets of a person, or those of some kinds. */
export function dropTickets(trx: Trx | Db, user: string, kinds?: TicketKind[]) {
  const all = trx.deleteFrom('ticket').where('user', '=', user);
  return (kinds === undefined ? all : all.where('kind', 'in', kinds)).execute();
}

export const deleteExpiredTickets = async (db: Db, now = Date.now()): Promise<void> =>
  void (await db.deleteFrom('ticket').where('expires_at', '<', now).execute());
