import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Shown } from './fake-line.ts';
import { wrongMessages } from './limits.ts';
import {
  accepted,
  arrive,
  canReach,
  dayMs,
  done,
  friends,
  mistaken,
  refused,
  useReplyToken,
  type Answer,
  type Handler,
  type Request,
  type World,
} from './world.ts';

/* Messages of the bot: https://developers.line.biz/en/reference/messaging-api/#messages */

const Message = z.looseObject({ type: z.string() });
const Messages = z.object({ messages: z.array(Message), customAggregationUnits: z.array(z.string()).optional() });
const Reply = Messages.extend({ replyToken: z.string() });
const Push = Messages.extend({ to: z.string() });
const Multicast = Messages.extend({ to: z.array(z.string()) });
const Narrowcast = Messages.extend({
  recipient: z.looseObject({ type: z.string().optional(), requestId: z.string().optional() }).optional(),
  filter: z.unknown().optional(),
  limit: z.object({ max: z.number().optional(), upToRemainingQuota: z.boolean().optional() }).optional(),
});

const failed = refused(400, 'Failed to send messages');
const overQuota = refused(429, 'You have reached your monthly limit.');

/** Messages that are not as they must be: refused, and remembered. */
function wrong(world: World, { body, violate }: Request): Answer | undefined {
  const { messages, customAggregationUnits: units = [] } = Messages.parse(body);
  const problems = wrongMessages(messages, { allowHttp: world.options.allowHttp ?? false });
  if (units.length > 1 || units.some((unit) => !/^[A-Za-z0-9_]{1,30}$/.test(unit)))
    problems.push({ property: 'customAggregationUnits', message: 'is invalid' });
  if (problems.length === 0) {
    if (units.length > 0 && world.options.hasNoUnits)
      return refused(403, 'Access to this API is not available for your account');
    for (const unit of units) world.units.add(unit);
    return undefined;
  }
  for (const { property, message } of problems) violate(`${property}: ${message}`);
  return mistaken(problems);
}

/** A quote needs a token of the chat that it goes to. */
const quotesElsewhere = ({ quoteTokens }: World, messages: z.infer<typeof Message>[], chat: string | undefined) =>
  messages.some(({ quoteToken }) => quoteToken !== undefined && quoteTokens.get(String(quoteToken)) !== chat);

const reply: Handler = (world, request) => {
  const { replyToken, messages } = Reply.parse(request.body);
  const mistakes = wrong(world, request);
  if (mistakes) return mistakes;
  const known = world.replyTokens.get(replyToken);
  if (known && quotesElsewhere(world, messages, known.chat)) return failed;
  const chat = useReplyToken(world, replyToken);
  if (!chat) return refused(400, 'Invalid reply token');
  return { status: 200, body: { sentMessages: arrive(world, chat, messages, { via: 'reply', ...request }) } };
};

const push: Handler = (world, request) =>
  once(world, request, () => {
    const { to, messages } = Push.parse(request.body);
    const place = world.places.get(to);
    if (!world.people.has(to) && !place?.hasBot) return failed;
    if (quotesElsewhere(world, messages, to)) return failed;
    const recipients = place ? place.members.size : Number(canReach(world, to));
    if (!spend(world, recipients)) return overQuota;
    return { status: 200, body: { sentMessages: arrive(world, to, messages, { via: 'push', ...request }) } };
  });

const multicast: Handler = (world, request) =>
  once(world, request, () => {
    const { to } = Multicast.parse(request.body);
    const wrongId = to.findIndex((id) => !/^U[0-9a-f]{32}$/.test(id));
    if (wrongId >= 0)
      return refused(400, `The property, to[${wrongId}], in the request body is invalid (line: -, column: -)`);
    const reached = new Set(to.filter((id) => canReach(world, id) && world.people.get(id)?.isFriend));
    return toAll(world, request, 'multicast', [...reached]) ?? done;
  });

const broadcast: Handler = (world, request) =>
  once(world, request, () => {
    const everybody = friends(world).map(({ id }) => id);
    return toAll(world, request, 'broadcast', everybody) ?? done;
  });

const minReach = 100;

const narrowcast: Handler = (world, request) =>
  once(world, request, () => {
    const { recipient, filter, limit } = Narrowcast.parse(request.body);
    const reach = friends(world).map(({ id }) => id);
    if (filter !== undefined && reach.length < minReach)
      return refused(403, 'Your account does not have enough friends');
    if (recipient?.requestId !== undefined && !world.narrowcasts.has(recipient.requestId))
      return refused(400, `Invalid request id: ${recipient.requestId}`);
    const left =
      limit?.upToRemainingQuota && world.quota.type === 'limited' ? world.quota.value - world.quota.used : Infinity;
    const target = reach.slice(0, Math.min(limit?.max ?? Infinity, left));
    const isRestricted = filter !== undefined || recipient !== undefined;
    const isTooSmall = isRestricted && target.length < (world.options.minAudience ?? 50);
    const state = { acceptedAt: world.now(), target: target.length, ...(isTooSmall && { failedWith: 2 }) };
    if (!isTooSmall) {
      const refusal = toAll(world, request, 'narrowcast', target);
      if (refusal) return refusal;
    }
    world.narrowcasts.set(request.requestId, state);
    return accepted;
  });

/** What a message says of itself on its way: it is waiting, then it is being sent, then it was. */
const phases = { waitingMs: 1_000, sendingMs: 2_000 };

const narrowcastProgress: Handler = ({ narrowcasts, now }, { query }) => {
  const known = narrowcasts.get(query.get('requestId') ?? '');
  if (!known) return refused(404, 'Not found');
  const { acceptedAt, target, failedWith } = known;
  const age = now() - acceptedAt;
  const acceptedTime = new Date(acceptedAt).toISOString();
  if (age < phases.waitingMs) return { status: 200, body: { phase: 'waiting', acceptedTime } };
  const completedTime = new Date(acceptedAt + phases.sendingMs).toISOString();
  if (failedWith)
    return {
      status: 200,
      body: {
        phase: 'failed',
        errorCode: failedWith,
        failedDescription: 'Not enough recipients',
        acceptedTime,
        completedTime,
      },
    };
  if (age < phases.sendingMs)
    return {
      status: 200,
      body: { phase: 'sending', successCount: 0, failureCount: 0, targetCount: target, acceptedTime },
    };
  const counts = { successCount: target, failureCount: 0, targetCount: target };
  return { status: 200, body: { phase: 'succeeded', ...counts, acceptedTime, completedTime } };
};

/** Nobody gets it when not everybody can. */
function toAll(world: World, request: Request, via: Shown['via'], to: string[]): Answer | undefined {
  if (!spend(world, to.length)) return overQuota;
  const { messages } = Messages.parse(request.body);
  for (const chat of to) arrive(world, chat, messages, { via, requestId: request.requestId });
  return undefined;
}

/** Recipients are counted, not messages: https://developers.line.biz/en/docs/messaging-api/pricing/ */
function spend({ quota }: World, recipients: number): boolean {
  if (quota.type === 'limited' && quota.used + recipients > quota.value) return false;
  quota.used += recipients;
  return true;
}

/** https://developers.line.biz/en/docs/messaging-api/retrying-api-request/: what was accepted with a key is not done again. */
function once(world: World, request: Request, send: () => Answer): Answer {
  const key = request.headers['x-line-retry-key'];
  const digest = createHash('sha256').update(request.bytes).digest('hex');
  const known = typeof key === 'string' ? world.retryKeys.get(key.toLowerCase()) : undefined;
  if (known && world.now() - known.at < dayMs) {
    if (known.digest !== digest) request.violate('the same retry key with another body');
    return {
      status: 409,
      body: {
        message: 'The retry key is already accepted',
        ...(known.sentMessages && { sentMessages: known.sentMessages }),
      },
      headers: { 'x-line-accepted-request-id': known.requestId },
    };
  }
  const answer = wrong(world, request) ?? send();
  if (typeof key === 'string' && answer.status < 300) {
    const { sentMessages } = Sent.parse(answer.body);
    const { requestId } = request;
    world.retryKeys.set(key.toLowerCase(), {
      at: world.now(),
      requestId,
      digest,
      ...(sentMessages && { sentMessages }),
    });
  }
  return answer;
}
const Sent = z.object({
  sentMessages: z
    .array(
      z
        .object({ id: z.string(), quoteToken: z.string().optional() })
        .transform(({ id, quoteToken }) => ({ id, ...(quoteToken !== undefined && { quoteToken }) })),
    )
    .optional(),
});

/** These tell what is wrong, so asking is no mistake. */
const validate: Handler = (world, { body }) => {
  const problems = wrongMessages(Messages.parse(body).messages, { allowHttp: world.options.allowHttp ?? false });
  return problems.length > 0 ? mistaken(problems) : done;
};

/** Operations that take a retry key; the others refuse a request with one. */
export const retryable = ['pushMessage', 'multicast', 'narrowcast', 'broadcast'];

export const sendingHandlers: Record<string, Handler> = {
  replyMessage: reply,
  pushMessage: push,
  multicast,
  broadcast,
  narrowcast,
  getNarrowcastProgress: narrowcastProgress,
  validateReply: validate,
  validatePush: validate,
  validateMulticast: validate,
  validateNarrowcast: validate,
  validateBroadcast: validate,
  getMessageQuota: ({ quota }) => ({
    status: 200,
    body: quota.type === 'limited' ? { type: 'limited', value: quota.value } : { type: 'none' },
  }),
  getMessageQuotaConsumption: ({ quota }) => ({ status: 200, body: { totalUsage: quota.used } }),
  getAggregationUnitUsage: ({ units, options }) =>
    options.hasNoUnits
      ? refused(403, 'Access to this API is not available for your account')
      : { status: 200, body: { numOfCustomAggregationUnits: units.size } },
  getAggregationUnitNameList: ({ units }, { query }) => {
    const start = Number(query.get('start') ?? 0);
    const end = start + Number(query.get('limit') ?? 100);
    return {
      status: 200,
      body: {
        customAggregationUnits: [...units].slice(start, end),
        ...(end < units.size && { next: String(end) }),
      },
    };
  },
};
