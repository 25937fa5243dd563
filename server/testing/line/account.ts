import sharp from 'sharp';
import { z } from 'zod';
import { isFetchable } from './limits.ts';
import { bodyOf, deliver, send } from './webhook.ts';
import {
  chatOf,
  done,
  friends,
  mistaken,
  newToken,
  newUlid,
  refused,
  type Answer,
  type Content,
  type Handler,
  type World,
} from './world.ts';

/* Everything that is neither a message nor a menu: tokens, the webhook, people, groups, what people sent, figures. */

const Token = z.object({
  grant_type: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});
const Verify = z.object({ access_token: z.string() });
const Endpoint = z.object({ endpoint: z.string().optional() });
const Loading = z.object({ chatId: z.string(), loadingSeconds: z.number().optional() });
const Read = z.object({ markAsReadToken: z.string() });

const tokenMs = 15 * 60_000;
const linkTokenMs = 10 * 60_000;
const unknown = refused(404, 'Not found');

const issueToken: Handler = ({ channel, accessTokens, now }, { body }) => {
  const { grant_type: grant, client_id: id, client_secret: secret } = Token.parse(body);
  if (grant !== 'client_credentials' || id !== channel.id || secret !== channel.secret)
    return {
      status: 400,
      body: { error: 'invalid_request', error_description: "Invalid 'client_credentials'." },
    };
  const token = newToken();
  accessTokens.set(token, now() + tokenMs);
  return { status: 200, body: { token_type: 'Bearer', access_token: token, expires_in: tokenMs / 1000 } };
};

/** https://developers.line.biz/en/reference/messaging-api/#verify-channel-access-token */
const verifyToken: Handler = ({ channel }, { body }) =>
  Verify.parse(body).access_token === channel.longLivedToken
    ? { status: 200, body: { client_id: channel.id, expires_in: 3_138_007_490, scope: 'P CM' } }
    : { status: 400, body: { error: 'invalid_request', error_description: 'access_token invalid' } };

export function isAuthorized({ channel, accessTokens, now }: World, authorization: string | undefined): boolean {
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? [];
  return token === channel.longLivedToken || (accessTokens.get(token) ?? 0) > now();
}

const setEndpoint: Handler = (world, { body, violate }) => {
  const { endpoint = '' } = Endpoint.parse(body);
  if (!isFetchable(endpoint, world.options.allowHttp ?? false)) {
    violate(`endpoint: ${endpoint} is no https URL`);
    return refused(400, 'Invalid webhook endpoint URL');
  }
  world.webhook.endpoint = endpoint;
  world.changed();
  return done;
};

const testEndpoint: Handler = async (world, { body }) => {
  const { endpoint = world.webhook.endpoint } = Endpoint.parse(body ?? {});
  if (!endpoint) return refused(404, 'Webhook endpoint not found');
  if (!isFetchable(endpoint, world.options.allowHttp ?? false)) return refused(400, 'Invalid webhook endpoint URL');
  const { status, reason, detail } = await send(world, endpoint, bodyOf(world, [], {}));
  const timestamp = new Date(world.now()).toISOString();
  return { status: 200, body: { success: reason === 'OK', timestamp, statusCode: status, reason, detail } };
};

/** https://developers.line.biz/en/reference/messaging-api/#get-profile: friends, and those who wrote, unless they have blocked the bot. */
const profile: Handler = ({ people }, { params }) => {
  const person = people.get(params['userId'] ?? '');
  if (!person || person.hasBlocked || (!person.isFriend && person.wroteAt === undefined)) return unknown;
  const { id, name, picture, status, language } = person;
  return {
    status: 200,
    body: {
      userId: id,
      displayName: name,
      ...(picture && { pictureUrl: picture }),
      ...(status && { statusMessage: status }),
      ...(language && { language }),
    },
  };
};

/** A place that the bot is in. */
const placeOf = ({ places }: World, params: Record<string, string>) => {
  const place = places.get(params['groupId'] ?? params['roomId'] ?? '');
  return place?.hasBot ? place : undefined;
};

const member: Handler = (world, { params }) => {
  const place = placeOf(world, params);
  const person = world.people.get(params['userId'] ?? '');
  if (!place || !person || !place.members.has(person.id)) return unknown;
  const { id, name, picture } = person;
  return { status: 200, body: { userId: id, displayName: name, ...(picture && { pictureUrl: picture }) } };
};

const forbidden = refused(403, 'Access to this API is not available for your account');
const membersOnPage = 100;

const memberIds: Handler = (world, { params, query }) => {
  if (!world.options.isVerified) return forbidden;
  const place = placeOf(world, params);
  if (!place) return unknown;
  return page([...place.members], query.get('start'), membersOnPage, 'memberIds');
};

const followers: Handler = (world, { query }) => {
  if (!world.options.isVerified) return forbidden;
  const ids = friends(world).map(({ id }) => id);
  return page(ids, query.get('start'), Number(query.get('limit') ?? 300), 'userIds');
};

/** The token of a page is where it starts, which nobody but this LINE knows. */
function page(ids: string[], start: string | null, size: number, name: string): Answer {
  const from = start === null ? 0 : Number(Buffer.from(start, 'base64url').toString('utf8'));
  if (!Number.isInteger(from) || (start !== null && from < 1)) return refused(400, 'Invalid start param');
  const next = from + size < ids.length ? Buffer.from(String(from + size)).toString('base64url') : undefined;
  return { status: 200, body: { [name]: ids.slice(from, from + size), ...(next && { next }) } };
}

const memberCount: Handler = (world, { params }) => {
  const place = placeOf(world, params);
  return place ? { status: 200, body: { count: place.members.size } } : unknown;
};

/** The bot goes, and hears of it by an event as when it is removed. */
const leave: Handler = (world, { params }) => {
  const place = placeOf(world, params);
  if (!place) return unknown;
  place.hasBot = false;
  const source = place.kind === 'group' ? { groupId: place.id } : { roomId: place.id };
  const event = {
    type: 'leave',
    timestamp: world.now(),
    mode: 'active' as const,
    webhookEventId: newUlid(world.now()),
    deliveryContext: { isRedelivery: false },
    source: { type: place.kind, ...source },
  };
  void deliver(world, [event]);
  return done;
};

const content: Handler = ({ contents }, { params }) => {
  const found = contents.get(params['messageId'] ?? '');
  const refusal = missing(found);
  if (!found || refusal) return refusal ?? unknown;
  if (typeof found.state === 'object') {
    count(found);
    return { status: 202, body: {} };
  }
  return { status: 200, bytes: found.bytes, headers: { 'content-type': found.type } };
};

const transcoding: Handler = ({ contents }, { params }) => {
  const found = contents.get(params['messageId'] ?? '');
  const refusal = missing(found);
  // Whoever asks after what failed is told so; its content is not there.
  if (found?.state === 'failed') return { status: 200, body: { status: 'failed' } };
  if (!found || refusal) return refusal ?? unknown;
  if (!found.isMedia) return refused(400, "Transcoding status doesn't support this type of content");
  const status = typeof found.state === 'object' ? 'processing' : 'succeeded';
  if (typeof found.state === 'object') count(found);
  return { status: 200, body: { status } };
};

const preview: Handler = async ({ contents }, { params }) => {
  const found = contents.get(params['messageId'] ?? '');
  const refusal = missing(found);
  if (!found || refusal) return refusal ?? unknown;
  const picture = found.preview ?? (found.type.startsWith('image/') ? found.bytes : undefined);
  if (!picture) return refused(400, 'The content can not be previewed');
  const bytes = await sharp(picture).resize({ width: 240, withoutEnlargement: true }).jpeg().toBuffer();
  return { status: 200, bytes, headers: { 'content-type': 'image/jpeg' } };
};

function missing(found: Content | undefined): Answer | undefined {
  if (!found || found.state === 'missing' || found.state === 'failed') return refused(404, 'not found');
  return found.state === 'gone' ? refused(410, 'The content is gone') : undefined;
}

/** One question less until it is ready, or has failed. */
function count(found: Content): void {
  if (typeof found.state !== 'object') return;
  const left = found.state.preparing - 1;
  found.state = left > 0 ? { ...found.state, preparing: left } : (found.state.ends ?? 'ready');
}

const startLoading: Handler = (world, { body, violate }) => {
  const { chatId, loadingSeconds = 20 } = Loading.parse(body);
  const problems = [
    ...(loadingSeconds < 5 || loadingSeconds > 60 ? ['Must be between 5 and 60'] : []),
    ...(loadingSeconds % 5 === 0 ? [] : ['must be a multiple of five']),
  ].map((message) => ({ message, property: 'loadingSeconds' }));
  if (!/^U[0-9a-f]{32}$/.test(chatId))
    problems.push({
      message: 'Only user id is acceptable, please confirm if there are any group/room ids or illegal ids.',
      property: 'chatId',
    });
  if (problems.length > 0) {
    for (const { property, message } of problems) violate(`${property}: ${message}`);
    return mistaken(problems);
  }
  const person = world.people.get(chatId);
  if (person?.isFriend && !person.hasBlocked) world.loading.set(chatId, world.now() + loadingSeconds * 1000);
  world.changed();
  return { status: 202, body: {} };
};

const markRead: Handler = (world, { body }) => {
  const known = world.readTokens.get(Read.parse(body).markAsReadToken);
  if (!known || world.bot.chatMode !== 'chat')
    return refused(400, 'Invalid markAsReadToken. Tokens must be used by the bot that received them via Webhook.');
  const chat = chatOf(world, known.chat);
  const last = chat.findIndex(({ id }) => id === known.messageId);
  for (const entry of chat.slice(0, last + 1)) if (entry.isRead === false) entry.isRead = true;
  world.changed();
  return done;
};

const linkToken: Handler = (world, { params }) => {
  const { userId = '' } = params;
  if (!world.people.has(userId)) return refused(400, "The value for the 'userId' parameter is invalid");
  const token = newToken();
  world.linkTokens.set(token, { userId, until: world.now() + linkTokenMs });
  return { status: 200, body: { linkToken: token } };
};

/** Figures of a day, a request or a menu that a test has given. */
const figures =
  (from: keyof World['insight'], key: string, otherwise: Answer): Handler =>
  ({ insight }, { query, params }) => {
    const found = insight[from].get(query.get(key) ?? params[key] ?? '');
    return found ? { status: 200, body: found } : otherwise;
  };
const unready: Answer = { status: 200, body: { status: 'unready' } };

/** https://developers.line.biz/en/reference/messaging-api/#get-rich-menu-insight-summary */
const period =
  (maxDays: number, answer: Handler): Handler =>
  (world, request) => {
    const [from = Number.NaN, to = Number.NaN] = ['from', 'to'].map((name) => day(request.query.get(name) ?? ''));
    if (to < from) return refused(400, 'Parameter to must be the same date as, or after parameter from.');
    if (to - from > maxDays * 86_400_000) return refused(400, `Date range exceeds. Max range is ${maxDays} days.`);
    return answer(world, request);
  };
const day = (text: string): number => Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`);

/** Below twenty people who tapped, a menu has no figures. */
const noFigures: Handler = (_, { params }) => ({ status: 200, body: { richMenuId: params['richMenuId'] } });
const menuFigures =
  (from: 'richMenuSummary' | 'richMenuDaily'): Handler =>
  (world, request) => {
    const found = world.insight[from].get(request.params['richMenuId'] ?? '');
    if (found) return { status: 200, body: found };
    return world.menus.has(request.params['richMenuId'] ?? '') ? noFigures(world, request) : unknown;
  };

export const accountHandlers: Record<string, Handler> = {
  issueStatelessChannelToken: issueToken,
  verifyChannelToken: verifyToken,
  getBotInfo: ({ bot }) => ({ status: 200, body: bot }),
  setWebhookEndpoint: setEndpoint,
  getWebhookEndpoint: ({ webhook: { endpoint, isActive } }) =>
    endpoint ? { status: 200, body: { endpoint, active: isActive } } : refused(404, 'Webhook endpoint not found'),
  testWebhookEndpoint: testEndpoint,
  getProfile: profile,
  getGroupMemberProfile: member,
  getRoomMemberProfile: member,
  getGroupMembersIds: memberIds,
  getRoomMembersIds: memberIds,
  getGroupMemberCount: memberCount,
  getRoomMemberCount: memberCount,
  getGroupSummary(world, { params }) {
    const place = placeOf(world, params);
    if (!place) return unknown;
    const { id, name, picture } = place;
    return { status: 200, body: { groupId: id, groupName: name, ...(picture && { pictureUrl: picture }) } };
  },
  leaveGroup: leave,
  leaveRoom: leave,
  getFollowers: followers,
  getMessageContent: content,
  getMessageContentPreview: preview,
  getMessageContentTranscodingByMessageId: transcoding,
  showLoadingAnimation: startLoading,
  markMessagesAsReadByToken: markRead,
  issueLinkToken: linkToken,
  getNumberOfMessageDeliveries: figures('delivery', 'date', unready),
  getNumberOfFollowers: figures('followers', 'date', unready),
  getMessageEvent: figures('messageEvent', 'requestId', unknown),
  getStatisticsPerUnit: figures('aggregation', 'customAggregationUnit', unknown),
  getRichMenuInsightSummary: period(396, menuFigures('richMenuSummary')),
  getRichMenuInsightDaily: period(99, menuFigures('richMenuDaily')),
};
