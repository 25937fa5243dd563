import type { CreditCap } from '../../../shared/contracts/billing.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { listBotNames } from '../bots/bots.ts';
import { listConnectionsOf } from '../connections/connections.ts';
import { findKey } from '../keys/keys.ts';
import { listCaps, putCap } from '../usage/caps.ts';
import { listMembers } from '../workspaces/memberships.ts';

type Target = Pick<CreditCap, 'kind' | 'target'>;

export async function listNamedCaps(context: Context, caller: Caller): Promise<CreditCap[]> {
  const caps = await listCaps(context, caller);
  const names = await namesOf(context, caller, caps);
  return caps.map((cap) => ({ ...cap, name: names.get(cap.target) ?? null }));
}

/** Sets what something of the workspace may use. Throws where it has no such thing. */
export async function setCap(
  context: Context,
  caller: Caller,
  given: Pick<CreditCap, 'kind' | 'target' | 'span' | 'credits'>,
): Promise<CreditCap> {
  const { kind, target } = given;
  if ((kind === 'workspace') !== (target === null))
    throw new AppError('validation-failed', { fields: [{ path: 'target', code: 'invalid' }] });
  const name = (await namesOf(context, caller, [given])).get(target) ?? null;
  if (target !== null && name === null) throw new AppError(kind === 'workspace' ? 'not-found' : `${kind}-not-found`);
  return { ...(await putCap(context, caller, { ...given, target: target ?? caller.workspace })), name };
}

/** What those are called that the workspace has. */
async function namesOf(context: Context, caller: Caller, targets: Target[]): Promise<Map<string | null, string>> {
  const { db } = context;
  const { workspace } = caller;
  const of = (kind: CreditCap['kind']) => targets.flatMap((each) => (each.kind === kind ? (each.target ?? []) : []));
  const [bots, members, channels, keys] = await Promise.all([
    of('bot').length > 0 ? listBotNames(context, caller) : [],
    of('member').length > 0 ? listMembers(db, workspace) : [],
    listConnectionsOf(db, of('channel')),
    Promise.all(of('key').map((uuid) => findKey(db, workspace, uuid))),
  ]);
  return new Map([
    ...bots.map(({ uuid, name }): [string, string] => [uuid, name]),
    ...members.map(({ user, username }): [string, string] => [user, username]),
    ...channels
      .filter((each) => each.workspace === workspace)
      .map(({ channel_id, name }): [string, string] => [channel_id, name]),
    ...keys.flatMap((key): [string, string][] => (key ? [[key.uuid, key.name]] : [])),
  ]);
}
