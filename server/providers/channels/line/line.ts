import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Channel, Outcome, Outgoing, Sending } from '../channel.ts';
import { createLine, lineAddress, LineError } from './api.ts';
import { isOpen, isPlain, plainOf, toPieces } from './format.ts';

/** https://developers.line.biz/en/reference/messaging-api/#send-reply-message */
const maxTogether = 5;
/** A token is taken while LINE knows it for this long at least: of its minute fifty seconds may be over. */
const tokenLeftMs = 10_000;
/** A retry key is remembered for so long: https://developers.line.biz/en/docs/messaging-api/retrying-api-request/ */
const keyMs = 24 * 60 * 60_000;

/** One call: up to five message objects. */
const Step = z.object({
  pieces: z.array(
    z.object({
      message: z.looseObject({ type: z.string() }),
      plain: z.string().optional(),
      /** Which of the messages it is of. */
      of: z.int(),
    }),
  ),
  /** With one it is a reply; without, a push. */
  token: z.string().optional(),
  /** It has gone out as a reply. */
  isReply: z.boolean().optional(),
  /** A push is taken once with it. */
  key: z.string(),
  /** When it was first pushed. */
  pushedAt: z.number().optional(),
  /** Since when it may have gone out as a reply: what became of a call is not known. */
  doubtfulSince: z.number().optional(),
  /** What LINE calls its objects, once it has them. */
  ids: z.array(z.string()).optional(),
  /** By which each can be referred to. */
  quotes: z.record(z.string(), z.string()).optional(),
  isUncertain: z.boolean().optional(),
});
type Step = z.output<typeof Step>;
/** All that is sent, as it is sent: an attempt goes on with the very bytes of the one before. */
const Plan = z.object({ steps: z.array(Step) });
type Plan = z.output<typeof Plan>;

interface Attempt extends Pick<Sending, 'to' | 'keep'> {
  line: ReturnType<typeof createLine>;
  plan: Plan;
}

/**
 * The Messaging API of LINE. `access` has `channelId`, `secret`, `address` where another server plays LINE, and `stop` with the reason
 * why nothing that costs is sent any more. The first five objects go out as a reply, which is free, where there is a token; the rest is
 * pushed. `timeoutMs` is for one call.
 */
export const lineChannel = (timeoutMs?: number): Channel => ({
  kind: 'line',
  maxTogether,
  async send({ access, to, messages, notes, keep, takeReply, request, signal }) {
    const { channelId = '', secret = '', address, stop } = access;
    if (messages.some(({ files }) => files.some(({ url }) => !isOpen(url)))) return failed('address');
    const line = createLine({
      request,
      address: lineAddress(address),
      access: { channelId, secret },
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const plan = Plan.safeParse(notes).data ?? (await planFor(messages, takeReply));
    const attempt: Attempt = { line, plan, to, keep };
    try {
      let step: Step | undefined;
      while ((step = plan.steps.find(({ ids }) => ids === undefined))) {
        if (step.token === undefined && stop !== undefined) return failed(stop, plan);
        const outcome = step.token === undefined ? await push(attempt, step) : await reply(attempt, step, step.token);
        if (outcome) return outcome;
      }
    } catch (error) {
      return outcomeOf(error, plan);
    }
    return {
      state: 'sent',
      ids: idsOf(plan, messages.length),
      quotes: Object.assign({}, ...plan.steps.map(({ quotes }) => quotes)),
      via: plan.steps[0]?.isReply ? 'reply' : 'push',
      ...(plan.steps.some(({ isUncertain }) => isUncertain) && { isUncertain: true }),
    };
  },
});

export const line = lineChannel();

/** What LINE calls the objects of the first so many messages. */
function idsOf({ steps }: Plan, count: number): string[][] {
  const ids = Array.from({ length: count }, (): string[] => []);
  for (const { pieces, ids: given = [] } of steps)
    for (const [at, id] of given.entries()) ids[pieces[at]?.of ?? -1]?.push(id);
  return ids;
}

/** Those messages that went out whole before it are not sent again with the others. */
function failed(reason: string, plan: Plan = { steps: [] }): Outcome {
  const open = plan.steps.flatMap(({ pieces, ids }) => (ids === undefined ? pieces.map(({ of }) => of) : []));
  return { state: 'failed', reason, taken: open.length === 0 ? [] : idsOf(plan, Math.min(...open)) };
}

const busy: Outcome = { state: 'again', reason: 'busy' };

async function planFor(messages: Outgoing[], takeReply: Sending['takeReply']): Promise<Plan> {
  // Quick replies go with the next message, so that only those of the last are ever seen.
  const pieces = messages.flatMap((message, of) =>
    toPieces(of === messages.length - 1 ? message : { ...message, suggestions: [] }).map((piece) => ({ ...piece, of })),
  );
  const token = pieces.length > 0 ? await takeReply() : undefined;
  return { steps: stepsOf(pieces, token) };
}

function stepsOf(pieces: Step['pieces'], token: string | undefined): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pieces.length; at += maxTogether)
    steps.push({
      pieces: pieces.slice(at, at + maxTogether),
      key: randomUUID(),
      ...(at === 0 && token !== undefined && { token }),
    });
  return steps;
}

const objectsOf = ({ pieces }: Step) => pieces.map(({ message }) => message);

/**
 * A reply has no key, so that what was called and not answered is called once more: when its token is not good any more before its time
 * is over, the first one has most likely arrived; after that nobody knows. Without an outcome there is more to do, or nothing.
 */
async function reply({ line, plan, keep }: Attempt, step: Step, token: string): Promise<Outcome | undefined> {
  // What fails before the call itself leaves no doubt.
  await line.authorize();
  const before = step.doubtfulSince;
  step.doubtfulSince ??= Date.now();
  await keep(plan);
  try {
    const { sent } = await line.reply(token, objectsOf(step));
    note(step, sent);
    step.isReply = true;
  } catch (error) {
    const isRefused = wasNotBegun(error) || (error instanceof LineError && error.status < 500);
    if (isRefused) step.doubtfulSince = before;
    if (isDeadToken(error)) {
      if (before === undefined) delete step.token;
      else if (Date.now() - before > tokenLeftMs) return failed('unconfirmed', plan);
      else [step.ids, step.isUncertain, step.isReply] = [[], true, true];
    } else if ((isRefused || before !== undefined) && !degrade(plan, step, error)) {
      await keep(plan);
      throw error;
    }
  }
  await keep(plan);
  return undefined;
}

/** Its key is kept before the first call, so that it is taken once however often it is called. */
async function push({ line, plan, to, keep }: Attempt, step: Step): Promise<Outcome | undefined> {
  if (step.pushedAt !== undefined && Date.now() - step.pushedAt > keyMs) return failed('unreachable', plan);
  await line.authorize();
  step.pushedAt ??= Date.now();
  await keep(plan);
  try {
    const { sent } = await line.push(to, objectsOf(step), step.key);
    note(step, sent);
  } catch (error) {
    if (error instanceof LineError && error.status === 409) note(step, error.sent ?? []);
    else if (!degrade(plan, step, error)) throw error;
  }
  await keep(plan);
  return undefined;
}

function note(step: Step, sent: { id: string; quoteToken?: string | undefined }[]): void {
  step.ids = sent.map(({ id }) => id);
  step.quotes = Object.fromEntries(
    sent.flatMap(({ id, quoteToken }) => (quoteToken === undefined ? [] : [[id, quoteToken]])),
  );
}

/** What LINE does not take as it is drawn is said in words alone, by the same token or a new key. False where that cannot help. */
function degrade({ steps }: Plan, step: Step, error: unknown): boolean {
  const isRefused = error instanceof LineError && error.status === 400;
  if (!isRefused || step.pieces.every(isPlain)) return false;
  const pieces = step.pieces.flatMap(({ of, ...piece }) => plainOf(piece).map((said) => ({ ...said, of })));
  steps.splice(steps.indexOf(step), 1, ...stepsOf(pieces, step.token));
  return true;
}

const isDeadToken = (error: unknown): boolean =>
  error instanceof LineError && error.status === 400 && error.message === 'Invalid reply token';

function outcomeOf(error: unknown, plan: Plan): Outcome {
  if (!(error instanceof LineError)) throw error;
  const { status, message } = error;
  if (status === 429 && /monthly limit/i.test(message)) return failed('quota', plan);
  return status === 429 || status >= 500 ? busy : failed('refused', plan);
}

/** There never was a connection. */
const wasNotBegun = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && noConnection.has(error.code);
const noConnection = new Set<unknown>([
  'address-not-allowed',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
