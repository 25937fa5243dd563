import { givenRoles } from '../../../shared/roles.ts';
import type { Db, Trx } from '../../infra/db.ts';

export async function listOwned(db: Db | Trx, user: string) {
  const owned = await db
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.uuid', 'member.workspace')
    .select(['workspace.uuid', 'workspace.name', 'workspace.personal_of'])
    .where('member.user', '=', user)
    .where('member.role', '=', 'owner')
    .orderBy('workspace.created_at')
    .execute();
  if (owned.length === 0) return [];
  const others = await db
    .selectFrom('member')
    .innerJoin('user', 'user.uuid', 'member.user')
    .select(['member.workspace', 'member.role', 'user.uuid', 'user.username'])
    .where(
      'member.workspace',
      'in',
      owned.map((workspace) => workspace.uuid),
    )
    .where('member.user', '!=', user)
    .where('user.suspended_at', 'is', null)
    .orderBy('member.created_at')
    .execute();
  return owned.map(({ uuid, name, personal_of }) => {
    const candidates = others.filter((other) => other.workspace === uuid);
    // Who could take over: longest in the highest role first.
    const successor = givenRoles
      .map((role) => candidates.find((candidate) => candidate.role === role))
      .find((found) => found !== undefined);
    return { uuid, name, isPersonal: personal_of === user, candidates, successor };
  });
}

export async function handOverWorkspace(trx: Trx, workspace: string, to: string): Promise<void> {
  await trx
    .updateTable('member')
    .set({ role: 'owner' })
    .where('workspace', '=', workspace)
    .where('user', '=', to)
    .execute();
  await trx
    .updateTable('workspace')
    .set({ personal_of: null, updated_at: Date.now() })
    .where('uuid', '=', workspace)
    .execute();
}

/** The person goes; what a workspace keeps of them no longer says who it was. Answers where their pictures lie, which nobody shows any more. */
export async function deletePerson(trx: Trx, user: string, email: string): Promise<string[]> {
  await trx
    .deleteFrom('message')
    .where('thread', 'in', (threads) => threads.selectFrom('thread').select('uuid').where('user', '=', user))
    .execute();
  await trx.deleteFrom('thread').where('user', '=', user).execute();
  await trx.updateTable('bot').set({ created_by: null }).where('created_by', '=', user).execute();
  await trx.updateTable('bot_version').set({ published_by: null }).where('published_by', '=', user).execute();
  await trx.updateTable('file').set({ user: null }).where('user', '=', user).where('kind', '!=', 'avatar').execute();
  const shown = trx
    .selectFrom('bot')
    .select('avatar')
    .where('avatar', 'is not', null)
    .union(trx.selectFrom('workspace').select('avatar').where('avatar', 'is not', null));
  await trx.updateTable('file').set({ user: null }).where('user', '=', user).where('uuid', 'in', shown).execute();
  const pictures = await trx.deleteFrom('file').where('user', '=', user).returning('storage_key').execute();
  await trx.deleteFrom('mail').where('recipient', '=', email).execute();
  await trx.deleteFrom('user').where('uuid', '=', user).execute();
  return pictures.map((picture) => picture.storage_key);
}

export const hasOtherUsers = async (trx: Trx, user: string) =>
  (await trx.selectFrom('user').select('uuid').where('uuid', '!=', user).limit(1).executeTakeFirst()) !== undefined;

// What an export holds. Secrets and hashes are not among it.

export const listOwnAudit = (db: Db, user: string) =>
  db
    .selectFrom('audit')
    .select(['created_at', 'action', 'workspace_name', 'subject', 'details', 'address'])
    .where('user', '=', user)
    .orderBy('created_at')
    .execute();

export const listOwnKeys = (db: Db, user: string) =>
  db
    .selectFrom('api_key')
    .select(['name', 'prefix', 'scopes', 'bots', 'expires_at', 'last_used_at', 'revoked_at', 'created_at'])
    .where('user', '=', user)
    .orderBy('created_at')
    .execute();

export const listOwnThreads = (db: Db, user: string) =>
  db
    .selectFrom('thread')
    .select(['uuid', 'bot', 'title', 'created_at'])
    .where('user', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();

export const listThreadMessages = (db: Db, thread: string) =>
  db
    .selectFrom('message')
    .select(['seq', 'role', 'text', 'citations', 'status', 'created_at'])
    .where('thread', '=', thread)
    .orderBy('seq')
    .execute();

export const listWorkspaceBots = (db: Db, workspace: string) =>
  db
    .selectFrom('bot')
    .select(['uuid', 'name', 'description', 'draft', 'created_at'])
    .where('workspace', '=', workspace)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();

export const listBotVersions = (db: Db, bot: string) =>
  db
    .selectFrom('bot_version')
    .select(['number', 'config', 'note', 'created_at'])
    .where('bot', '=', bot)
    .orderBy('number')
    .execute();

export const listWorkspaceDocuments = (db: Db, workspace: string) =>
  db
    .selectFrom('document')
    .innerJoin('knowledge', 'knowledge.uuid', 'document.knowledge')
    .leftJoin('file', 'file.uuid', 'document.file')
    .select([
      'knowledge.uuid as knowledge',
      'knowledge.name as knowledgeName',
      'document.uuid',
      'document.name',
      'document.mime',
      'document.bytes',
      'document.created_at',
      'file.storage_key',
    ])
    .where('knowledge.workspace', '=', workspace)
    .where('knowledge.deleted_at', 'is', null)
    .where('document.deleted_at', 'is', null)
    .orderBy('document.created_at')
    .execute();
