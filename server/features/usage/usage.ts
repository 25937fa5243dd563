import type { TokenEntry } from '../../../shared/contracts/usage.ts';
import type { TokenEntryTable } from './usage.tables.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import type { Context } from '../../feature.ts';
import { ensureAccount } from './ledger.ts';
import { findAccount, listEntries } from './usage.store.ts';

export async function listHistory(
  context: Context,
  caller: Caller,
  query: { limit: number; cursor?: string | undefined; bot?: string | undefined },
) {
  const { db } = context;
  await db.transaction().execute((trx) => ensureAccount(context, trx, caller.workspace));
  const [account, rows] = await Promise.all([
    findAccount(db, caller.workspace),
    listEntries(db, {
      workspace: caller.workspace,
      bot: query.bot,
      limit: query.limit,
      after: readCursor(query.cursor),
    }),
  ]);
  const shown = page(rows, query.limit, (row) => row.created_at);
  return {
    data: shown.rows.map(toEntry),
    meta: { nextCursor: shown.nextCursor, balance: account?.balance ?? 0, reserved: account?.reserved ?? 0 },
  };
}

function toEntry(row: TokenEntryTable): TokenEntry {
  return {
    uuid: row.uuid,
    kind: row.kind,
    amount: row.amount,
    balance: row.balance,
    use:
      row.service === null
        ? null
        : {
            service: row.service,
            serviceName: row.service_name ?? '',
            ownKey: row.own_key === 1,
            bot: row.bot === null ? null : { uuid: row.bot, name: row.bot_name ?? '' },
            thread: row.thread,
            channel: row.channel ?? '',
            tokensIn: row.tokens_in,
            tokensOut: row.tokens_out,
            tokensCached: row.tokens_cached,
            tokensCacheWritten: row.tokens_cache_written,
            latencyMs: row.latency_ms ?? 0,
            firstTokenMs: row.first_token_ms,
          },
    createdAt: new Date(row.created_at).toISOString(),
  };
}
