import { AppError } from '../../../shared/errors.ts';
import type { Context, StoredFile } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { removeBlobs } from '../files/files.ts';
import { updateUser } from '../users/users.ts';
import { deleteWorkspace, findAnyWorkspace, listMemberUsers, updateWorkspace } from './workspaces.store.ts';
import { showChange } from './show-change.ts';

/**
 * Erases a workspace with everything in it. Each feature does its long work first, a little at a time, so that others are not
 * held up; then all rows go in one transaction, with whatever is written `alongside`; last the files, when nothing names them.
 */
export async function eraseWorkspace(
  context: Context,
  workspace: string,
  alongside: (trx: Trx) => Promise<void> = async () => {},
): Promise<void> {
  const features = context.features.toReversed();
  const members = await listMemberUsers(context.db, workspace);
  for (const feature of features) await feature.workspace?.clear?.(context, workspace);
  const files = await context.db.transaction().execute(async (trx) => {
    const found = await findAnyWorkspace(trx, workspace);
    if (!found) throw new AppError('workspace-not-found');
    // Pictures that the workspace shows go with it. A personal workspace goes together with its person.
    await updateWorkspace(trx, workspace, { avatar: null });
    if (found.personal_of) await updateUser(trx, found.personal_of, { avatar: null });
    const files: StoredFile[] = [];
    for (const feature of features) files.push(...((await feature.workspace?.erase?.(trx, workspace, context)) ?? []));
    await deleteWorkspace(trx, workspace);
    await alongside(trx);
    return files;
  });
  for (const user of members) showChange(context, user);
  await removeBlobs(context, files);
}
