import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { Price } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import { ensureAccount } from './accounts.ts';
import { countAgainstCaps, mustBeUnderCaps, type Asker } from './caps.ts';
import type { TokenEntryTable } from './usage.tables.ts';
import type { Tokens } from '../../providers/models/model.ts';
import type { UsedModel } from '../models/models.ts';
import type { Speaker } from '../users/speaker.ts';
import {
  deleteHold,
  holdMore,
  insertEntry,
  insertHold,
  reserveCredits,
  listOldHolds,
  spendCredits,
  sumOfChannel,
} from './usage.store.ts';

/** A credit is one US cent of list price times the operator's margin. */
const creditsPerDollar = 100;

/** Micro-credits for one picture at a price in US dollars: price × 100 × margin × 10⁶, rounded up. */
export const costOfPicture = (dollars: number, margin: number): number =>
  Math.ceil(Number((dollars * creditsPerDollar * margin * microPerCredit).toFixed(3)));

/**
 * Micro-credits for tokens at a price in US dollars per million of them: tokens × price ÷ 10⁶ × 100 × margin × 10⁶, rounded up.
 * What came from the provider's cache, or was put into it, has a price of its own, and so has everything of a long prompt.
 */
export function costOf(
  price: Price,
  { tokensIn, tokensOut, tokensCached, tokensCacheWritten = 0 }: Tokens,
  margin: number,
): number {
  const rates = price.long && tokensIn > price.long.above ? price.long : price;
  const cached = Math.min(tokensCached, tokensIn);
  const written = Math.min(tokensCacheWritten, tokensIn - cached);
  const dollarsPerMillion =
    (tokensIn - cached - written) * rates.in +
    cached * rates.cached +
    written * (rates.cacheWrite ?? rates.in) +
    tokensOut * rates.out;
  return Math.ceil(dollarsPerMillion * creditsPerDollar * margin * (microPerCredit / 1_000_000));
}

type Needs = Pick<Context, 'config' | 'sealer'>;

interface Reservation {
  workspace: string;
  message: string;
  /** Micro-credits. */
  amount: number;
  channel?: CappedChannel | undefined;
  asker?: Asker | undefined;
}

/** A channel, and the micro-credits that its answers may cost in a day. */
export interface CappedChannel {
  id: string;
  cap: number | null;
}

/**
 * Sets aside what an answer may cost, or may cost more, at most. Throws `balance-empty` when the workspace has not that much
 * left, and `channel-spent` or `cap-reached` when a new answer would come after a cap; one that has begun goes on to its end.
 */
export async function reserve(
  context: Needs,
  trx: Trx,
  { workspace, message, amount, channel, asker }: Reservation,
): Promise<void> {
  if (amount === 0) return;
  await ensureAccount(context, trx, workspace);
  // From here on the account's row is ours: of many answers at once, each in a transaction of its own, each counts those before it.
  if (!(await reserveCredits(trx, workspace, amount))) throw new AppError('balance-empty');
  if (await holdMore(trx, message, amount)) return;
  if (channel && (await isSpent(trx, channel))) throw new AppError('channel-spent');
  if (asker) await mustBeUnderCaps(trx, asker);
  await insertHold(trx, {
    message,
    workspace,
    amount,
    channel_id: channel?.id ?? null,
    bot: asker?.bot ?? null,
    member: asker?.member ?? null,
    api_key: asker?.key ?? null,
    created_at: Date.now(),
  });
}

const dayMs = 86_400_000;

/** Whether the answers of a channel have cost in the last 24 hours what they may, those on their way at what they may cost at most. */
export const isSpent = async (db: Db | Trx, { id, cap }: CappedChannel): Promise<boolean> =>
  cap !== null && (await sumOfChannel(db, id, Date.now() - dayMs)) >= cap;

export type Use = Omit<TokenEntryTable, 'uuid' | 'created_at' | 'kind' | 'amount' | 'balance' | 'note'>;

interface Spent {
  speaker: Speaker;
  message: string | null;
  thread?: string | undefined;
  bot?: { uuid: string; name: string } | undefined;
  channel: string;
  target: UsedModel;
  tokens: Tokens;
  /** Micro-credits. */
  cost: number;
  latencyMs: number;
  firstTokenMs: number | null;
}

/** What an answer was, for its entry, and what it costs. */
export function toUse({
  speaker,
  message,
  thread,
  bot,
  channel,
  target,
  tokens,
  cost,
  latencyMs,
  firstTokenMs,
}: Spent): { use: Use; cost: number } {
  return {
    cost,
    use: {
      workspace: speaker.workspace,
      message,
      thread: thread ?? null,
      bot: bot?.uuid ?? null,
      bot_name: bot?.name ?? null,
      user: speaker.kind === 'guest' ? null : speaker.user,
      api_key: speaker.kind === 'key' ? speaker.key : null,
      channel,
      channel_id: speaker.kind === 'guest' && !speaker.isPreview ? speaker.channelId : null,
      service: target.service.uuid,
      service_name: target.service.name,
      provider: target.service.provider,
      model: target.model,
      model_key: target.ownKey?.uuid ?? null,
      own_key: target.ownKey ? 1 : 0,
      price: target.price && JSON.stringify(target.price),
      tokens_in: tokens.tokensIn,
      tokens_out: tokens.tokensOut,
      tokens_cached: tokens.tokensCached,
      tokens_cache_written: tokens.tokensCacheWritten ?? 0,
      latency_ms: latencyMs,
      first_token_ms: firstTokenMs,
    },
  };
}

/** Enters that something said was written down, with the workspace's own key: that costs no credits. */
export async function enterTranscription(context: Needs, trx: Trx, use: Use): Promise<void> {
  const balance = await ensureAccount(context, trx, use.workspace);
  await insertEntry(trx, {
    ...use,
    uuid: newId(),
    created_at: Date.now(),
    kind: 'transcription',
    amount: 0,
    balance,
    note: null,
  });
}

const askerOf = ({ workspace, user, bot, channel_id, api_key }: Use): Asker => ({
  workspace,
  member: user,
  bot,
  channel: channel_id,
  key: api_key,
});

/**
 * Ends an answer's account, once: what was set aside is free again, and what it cost is an entry, also where a provider counted
 * more than was set aside: the balance may end below zero, and nothing more is answered then. Without a `use` nothing was
 * delivered, and nothing is charged. `record` writes what else ends with it. Both are told what was charged, in micro-credits.
 */
export async function settle(
  context: Needs,
  trx: Trx,
  message: string,
  spent: { use: Use; cost: number; kind?: 'image' } | undefined,
  record?: (cost: number) => Promise<void>,
): Promise<number> {
  const [hold, known] = await Promise.all([
    deleteHold(trx, message),
    spent && ensureAccount(context, trx, spent.use.workspace),
  ]);
  const cost = spent?.cost ?? 0;
  const workspace = hold?.workspace ?? spent?.use.workspace;
  // A free answer does not wait for the lock of the account's row.
  const balance =
    workspace && (hold || cost > 0) ? await spendCredits(trx, workspace, { free: hold?.amount ?? 0, cost }) : known;
  if (spent && cost > 0) await countAgainstCaps(trx, askerOf(spent.use), cost);
  await Promise.all([
    spent &&
      insertEntry(trx, {
        ...spent.use,
        uuid: newId(),
        created_at: Date.now(),
        kind: spent.kind ?? 'use',
        amount: cost === 0 ? 0 : -cost,
        balance: balance ?? 0,
        note: null,
      }),
    record?.(cost),
  ]);
  return cost;
}

/** Ends accounts of answers that were begun before, but for those that `isWritten` says are still on their way. */
export async function releaseStrayHolds(
  context: Needs & { db: Db },
  isWritten: (messages: string[]) => Promise<Set<string>>,
  before: number,
): Promise<void> {
  const { db } = context;
  const old = (await listOldHolds(db, before)).map(({ message }) => message);
  const written = await isWritten(old);
  for (const message of old.filter((each) => !written.has(each)))
    await db.transaction().execute((trx) => settle(context, trx, message, undefined));
}
