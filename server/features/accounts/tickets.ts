import { AppError } from '../../../shared/errors.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { TicketTable } from './accounts.tables.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';

type Kind = TicketTable['kind'];

const maxTries = 5;

/** A code of 256 random bits for a link or a next step, good once and for `ms`; only its hash is kept. */
export async function issueTicket(
  trx: Trx | Db,
  { kind, user, data = {}, ms }: { kind: Kind; user: string | null; data?: object; ms: number },
): Promise<string> {
  const code = newSecret();
  const now = Date.now();
  await trx
    .insertInto('ticket')
    .values({
      hash: hashSecret(code),
      kind,
      user,
      data: JSON.stringify(data),
      attempts: 0,
      expires_at: now + ms,
      created_at: now,
    })
    .execute();
  return code;
}

/** Looks at a ticket without using it up. Throws `code-invalid`. */
export async function readTicket(db: Trx | Db, kind: Kind, code: string): Promise<TicketTable> {
  const found = await db
    .selectFrom('ticket')
    .selectAll()
    .where('hash', '=', hashSecret(code))
    .where('kind', '=', kind)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  if (!found) throw new AppError('code-invalid');
  return found;
}

/** Uses up a ticket; of two requests at the same moment, one gets it. Throws `code-invalid`. */
export async function takeTicket(trx: Trx | Db, kinds: Kind[], code: string): Promise<TicketTable> {
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
export async function tryTicket(db: Db, kind: Kind, code: string): Promise<TicketTable> {
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

export const dropTickets = (trx: Trx | Db, user: string, kinds: Kind[]) =>
  trx.deleteFrom('ticket').where('user', '=', user).where('kind', 'in', kinds).execute();

export const deleteExpiredTickets = async (db: Db, now = Date.now()): Promise<void> =>
  void (await db.deleteFrom('ticket').where('expires_at', '<', now).execute());
