import type { CreditCap } from '../../../shared/contracts/billing.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { mustFindBot } from '../bots/bots.ts';
import { findConnectionOf } from '../connections/connections.ts';
import { mustFindKey } from '../keys/keys.ts';
import { putCap } from '../usage/caps.ts';
import { listMembers } from '../workspaces/memberships.ts';

/** Sets what something of the workspace may use. Throws where it has no such thing. */
export async function setCap(
  context: Context,
  caller: Caller,
  { kind, target, span, credits }: Pick<CreditCap, 'kind' | 'target' | 'span' | 'credits'>,
): Promise<CreditCap> {
  await mustBeOwn(context, caller, kind, target);
  return putCap(context, caller, { kind, target: target ?? caller.workspace, span, credits });
}

async function mustBeOwn(
  context: Context,
  caller: Caller,
  kind: CreditCap['kind'],
  target: string | null,
): Promise<void> {
  const { db } = context;
  const { workspace } = caller;
  if ((kind === 'workspace') !== (target === null))
    throw new AppError('validation-failed', { fields: [{ path: 'target', code: 'invalid' }] });
  if (target === null) return;
  switch (kind) {
    case 'bot':
      return void (await mustFindBot(context, caller, target));
    case 'key':
      return void (await mustFindKey(context, caller, target));
    case 'member':
      if (!(await listMembers(db, workspace)).some(({ user }) => user === target))
        throw new AppError('member-not-found');
      return;
    default: {
      const [connection] = await findConnectionOf(db, { channelId: target });
      if (connection?.workspace !== workspace) throw new AppError('channel-not-found');
    }
  }
}
