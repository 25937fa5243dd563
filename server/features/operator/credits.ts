import type { OperatedWorkspace } from '../../../shared/contracts/operator.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { give, listBalances } from '../usage/gifts.ts';
import { listMemberships } from '../workspaces/memberships.ts';
import { asOperator, mustFindUser } from './operator.ts';

export async function listWorkspacesOf({ db }: Context, uuid: string): Promise<OperatedWorkspace[]> {
  const user = await mustFindUser(db, uuid);
  const workspaces = await listMemberships(db, { user: user.uuid });
  const balances = await listBalances(
    db,
    workspaces.map((workspace) => workspace.uuid),
  );
  return workspaces.map(({ uuid, name, role, personal_of, ...row }) => ({
    uuid,
    name,
    role,
    personal: personal_of === user.uuid,
    balance: balances.get(uuid) ?? 0,
    ...momentsOf(row),
  }));
}

/** Asked again with the same key it does nothing more, and answers how the workspace is now. */
export async function giveCredits(
  context: Context,
  caller: Caller,
  {
    uuid,
    key,
    workspace,
    credits,
    reason,
  }: {
    uuid: string;
    key: string | undefined;
    workspace: string | undefined;
    credits: number;
    reason: string;
  },
): Promise<OperatedWorkspace> {
  if (!key) throw new AppError('idempotency-key-missing');
  const to = await context.db.transaction().execute(async (trx) => {
    const found = await findWorkspaceOf(trx, uuid, workspace);
    if (await give(context, trx, { operator: caller.user, key, workspace: found.uuid, credits, reason }))
      await record(
        trx,
        { ...asOperator(caller), workspace: found.uuid, workspaceName: found.name },
        'credits.given',
        found.username,
        { credits, reason },
      );
    return found.uuid;
  });
  const given = (await listWorkspacesOf(context, uuid)).find((each) => each.uuid === to);
  if (!given) throw new AppError('workspace-not-found');
  return given;
}

async function findWorkspaceOf(trx: Db | Trx, uuid: string, workspace: string | undefined) {
  const user = await mustFindUser(trx, uuid);
  const found = (await listMemberships(trx, { user: user.uuid })).find((each) =>
    workspace ? each.uuid === workspace : each.personal_of === user.uuid,
  );
  if (!found) throw new AppError('workspace-not-found');
  return { uuid: found.uuid, name: found.name, username: user.username };
}
