import type { Staff } from '../../../shared/contracts/inbox.ts';
import { mentionsIn } from '../../../shared/mentions.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { MessageTable } from '../conversations/guest-threads.ts';

/** Keeps whom of the team a note names; whoever names themselves need not be told. */
export async function keepMentions(
  trx: Trx,
  { message, workspace, staff }: { message: MessageTable; workspace: string; staff: Staff[] },
): Promise<void> {
  const named = new Set(
    mentionsIn(
      message.text,
      staff.map(({ name }) => name),
    ).map(({ name }) => name),
  );
  const rows = staff
    .filter(({ name }) => named.has(name))
    .map(({ uuid: user, name }) => ({
      message: message.uuid,
      user,
      thread: message.thread,
      workspace,
      name,
      seen_at: user === message.author ? message.created_at : null,
      created_at: message.created_at,
    }));
  if (rows.length > 0) await trx.insertInto('mention').values(rows).execute();
}

export const listMentions = async (db: Db, messages: string[]) =>
  messages.length === 0
    ? []
    : db.selectFrom('mention').selectAll().where('message', 'in', messages).orderBy('name').execute();

/** They have the conversation before their eyes. */
export const seeMentions = (db: Db, thread: string, users: string[]) =>
  db
    .updateTable('mention')
    .set({ seen_at: Date.now() })
    .where('thread', '=', thread)
    .where('user', 'in', users)
    .where('seen_at', 'is', null)
    .execute();

const mostUnseen = 100;

/** Notes that name them in conversations that they have not looked at since, the newest of each, newest first. */
export async function listUnseen(db: Db, { workspace, user }: { workspace: string; user: string }) {
  const rows = await db
    .selectFrom('mention')
    .select(['thread', 'message'])
    .where('user', '=', user)
    .where('workspace', '=', workspace)
    .where('seen_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(mostUnseen)
    .execute();
  return rows.filter(({ thread }, at) => rows.findIndex((row) => row.thread === thread) === at);
}

/** They are no longer of the team. */
export const forgetMentions = (trx: Trx, { workspace, user }: { workspace: string; user: string }) =>
  trx.deleteFrom('mention').where('user', '=', user).where('workspace', '=', workspace).execute();
