import type { Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import { claimGrant } from './grants.ts';
import { findAccount, insertAccount, insertEntry } from './usage.store.ts';

type Needs = Pick<Context, 'config' | 'sealer'>;

/** An account begins with what its owner is granted; of two who open it at once, one grants. Returns the balance. */
export async function ensureAccount(context: Needs, trx: Trx, workspace: string): Promise<number> {
  const known = await findAccount(trx, workspace);
  if (known) return known.balance;
  const amount = await claimGrant(context, trx, workspace);
  // Dated before its first use, which may be in the same millisecond.
  const now = Date.now() - 1;
  if ((await insertAccount(trx, { workspace, balance: amount, reserved: 0 })) && amount > 0)
    await insertEntry(trx, {
      ...nobody,
      uuid: newId(now),
      created_at: now,
      workspace,
      kind: 'grant',
      amount,
      balance: amount,
      note: null,
    });
  return (await findAccount(trx, workspace))?.balance ?? 0;
}

/** An entry that is about no answer. */
export const nobody = {
  message: null,
  thread: null,
  bot: null,
  bot_name: null,
  user: null,
  api_key: null,
  channel: null,
  channel_id: null,
  service: null,
  service_name: null,
  provider: null,
  model: null,
  model_key: null,
  own_key: 0,
  price: null,
  tokens_in: 0,
  tokens_out: 0,
  tokens_cached: 0,
  tokens_cache_written: 0,
  latency_ms: null,
  first_token_ms: null,
} as const;
