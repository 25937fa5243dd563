import { AppError } from '../../../shared/errors.ts';
import type { Trx } from '../../infra/db.ts';
import type { Context } from '../context.ts';
import { removeBlobs } from '../files/files.ts';
import { eraseKnowledges } from '../knowledge/knowledge.ts';
import { deleteWorkspace, listMemberUsers } from './workspaces.store.ts';
import { showChange } from './show-change.ts';

/**
 * Erases a workspace with everything in it. Its knowledge goes first, a few passages at a time, so that others are not held
 * up; then all the rest in one transaction, with whatever is written `alongside`; the files when nothing names them any more.
 */
export async function eraseWorkspace(
  context: Context,
  workspace: string,
  alongside: (trx: Trx) => Promise<void> = async () => {},
): Promise<void> {
  const members = await listMemberUsers(context.db, workspace);
  await eraseKnowledges(context, workspace);
  const files = await context.db.transaction().execute(async (trx) => {
    const deleted = await deleteWorkspace(trx, workspace);
    if (!deleted) throw new AppError('workspace-not-found');
    await alongside(trx);
    return deleted;
  });
  for (const user of members) showChange(context, user);
  // What cannot be removed now only takes up room; nothing leads to it.
  for (const file of files)
    await removeBlobs(context, file).catch((err: unknown) =>
      context.log.warn({ err, file: file.uuid }, 'a file of an erased workspace could not be removed'),
    );
}
