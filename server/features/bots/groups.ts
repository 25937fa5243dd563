import { groupColors, type BotGroup } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import type { Context } from '../../feature.ts';
import { lockWorkspace } from '../workspaces/memberships.ts';
import { deleteGroup, findGroup, insertGroup, listGroups, updateGroup } from './groups.store.ts';

type GroupRow = Awaited<ReturnType<typeof listGroups>>[number];
interface Changes {
  name?: string | undefined;
  color?: BotGroup['color'] | undefined;
  position?: number | undefined;
}

const maxGroups = 100;

export async function listOwnGroups({ db }: Context, caller: Caller): Promise<BotGroup[]> {
  return (await listGroups(db, caller.workspace)).map(toGroup);
}

export async function getGroup({ db }: Context, caller: Caller, uuid: string): Promise<BotGroup> {
  const group = await findGroup(db, caller.workspace, uuid);
  if (!group) throw new AppError('botgroup-not-found');
  return toGroup(group);
}

export async function createGroup(
  context: Context,
  caller: Caller,
  { name, color = 'gray' }: { name: string; color?: BotGroup['color'] | undefined },
): Promise<BotGroup> {
  const uuid = newId();
  await changeGroups(context, caller, async (trx, groups) => {
    if (groups.length >= maxGroups) throw new AppError('too-many', { limit: maxGroups });
    const now = Date.now();
    await insertGroup(trx, {
      uuid,
      workspace: caller.workspace,
      name,
      color,
      position: groups.length,
      created_at: now,
      updated_at: now,
    });
  });
  return getGroup(context, caller, uuid);
}

/** A group that is moved takes the place, and the others close up; beyond the last place is the last. */
export async function updateOwnGroup(
  context: Context,
  caller: Caller,
  uuid: string,
  { name, color, position }: Changes,
): Promise<BotGroup> {
  await changeGroups(context, caller, async (trx, groups) => {
    if (!groups.includes(uuid)) throw new AppError('botgroup-not-found');
    await updateGroup(trx, uuid, { ...(name !== undefined && { name }), ...(color !== undefined && { color }) });
    if (position !== undefined)
      await setOrder(trx, groups.filter((other) => other !== uuid).toSpliced(position, 0, uuid));
  });
  return getGroup(context, caller, uuid);
}

export async function removeGroup(context: Context, caller: Caller, uuid: string): Promise<void> {
  await changeGroups(context, caller, async (trx, groups) => {
    if (!groups.includes(uuid)) throw new AppError('botgroup-not-found');
    await deleteGroup(trx, uuid);
    await setOrder(
      trx,
      groups.filter((other) => other !== uuid),
    );
  });
}

/** `change` gets the ids of the groups in their order, which nobody else changes meanwhile. */
async function changeGroups(
  { db }: Context,
  { workspace }: Caller,
  change: (trx: Trx, groups: string[]) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, workspace);
    await change(
      trx,
      (await listGroups(trx, workspace)).map(({ uuid }) => uuid),
    );
  });
}

async function setOrder(trx: Trx, groups: string[]): Promise<void> {
  for (const [position, uuid] of groups.entries()) await updateGroup(trx, uuid, { position });
}

function toGroup({ uuid, name, color, position, bots, ...row }: GroupRow): BotGroup {
  return {
    uuid,
    name,
    color: groupColors.find((known) => known === color) ?? 'gray',
    position,
    bots: Number(bots),
    ...momentsOf(row),
  };
}
