import { pipeline, Transform, type Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import { readBytes, type Outbound, type OutboundAnswer } from '../../../infra/outbound.ts';
import * as answers from './answers.ts';
import type { LineMenu } from './answers.ts';
import { isWrongSecret, tokenFor } from './tokens.ts';
import {
  ask,
  headerOf,
  lineAddress,
  LineError,
  readAnswer,
  type Ask,
  type LineAccess,
  type LineAddress,
  type LineCall,
  type SentMessage,
} from './wire.ts';

export { isWrongSecret, lineAddress, LineError };

/** A message object: https://developers.line.biz/en/reference/messaging-api/#message-objects */
export interface LineMessage {
  type: string;
  [property: string]: unknown;
}

/** A group, or one of the rooms that came before groups. */
export type Place = { group: string } | { room: string };

export type Content =
  { state: 'ready'; body: Readable; mime: string; size?: number } | { state: 'preparing' } | { state: 'gone' };

export type MenuOperation = { type: 'link'; from: string; to: string } | { type: 'unlink'; from: string };

interface Options {
  request: Outbound['request'];
  address: LineAddress;
  access: LineAccess;
  signal?: AbortSignal | undefined;
  /** Told of every call once its status is known, also of those for tokens. */
  onCall?: ((call: LineCall) => void) | undefined;
  /** Milliseconds for a whole call; what people sent may take six times as long. */
  timeoutMs?: number;
}

interface Call extends Pick<Ask, 'query' | 'headers'> {
  isData?: boolean;
  json?: object;
  bytes?: Buffer;
  timeoutMs?: number;
}

const usualTimeoutMs = 10_000;
/** Videos of LINE's app have up to 200 MB: https://developers.line.biz/en/reference/messaging-api/#video-message */
const maxContentBytes = 200_000_000;
/** https://developers.line.biz/en/reference/messaging-api/#upload-rich-menu-image-requirements */
const maxMenuImageBytes = 1024 * 1024;
const nothing = z.unknown();

export type Line = ReturnType<typeof createLine>;

/**
 * The Messaging API for one channel. Every call throws `LineError` for what LINE refuses, where `isWrongSecret` knows the one that
 * is about the channel's id and secret, and what the network does as it is. A token that LINE no longer takes is renewed once.
 * https://developers.line.biz/en/reference/messaging-api/
 */
export function createLine({ request, address, access, signal, onCall, timeoutMs = usualTimeoutMs }: Options) {
  const wire = { request, onCall };
  const token = (refused?: string) => tokenFor(wire, { address, access, timeoutMs }, refused);

  async function open(method: Ask['method'], path: string, call: Call = {}): Promise<OutboundAnswer> {
    const { isData = false, json, bytes, query, headers } = call;
    const send = (authorization: string) =>
      ask(wire, {
        method,
        host: isData ? address.data : address.api,
        path,
        query,
        headers: {
          authorization: `Bearer ${authorization}`,
          ...(json && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json ? JSON.stringify(json) : bytes,
        timeoutMs: call.timeoutMs ?? timeoutMs,
        signal,
      });
    const first = await token();
    signal?.throwIfAborted();
    const answer = await send(first);
    if (answer.status !== 401) return answer;
    answer.body.destroy();
    return send(await token(first));
  }

  /** The answer as `schema` has it. */
  const call = async <T extends z.ZodType>(method: Ask['method'], path: string, schema: T, more?: Call) =>
    readAnswer(path, await open(method, path, more), schema);

  /** For what LINE answers with nothing but the id of the request. */
  async function act(method: Ask['method'], path: string, more?: Call): Promise<{ requestId: string }> {
    const answer = await open(method, path, more);
    await readAnswer(path, answer, nothing);
    return { requestId: headerOf(answer.headers, 'x-line-request-id') ?? '' };
  }

  async function deliver(path: string, more: Call): Promise<{ sent: SentMessage[]; requestId: string }> {
    const answer = await open('POST', path, more);
    const { sentMessages: sent } = await readAnswer(path, answer, answers.Sent);
    return { sent, requestId: headerOf(answer.headers, 'x-line-request-id') ?? '' };
  }

  return {
    /** Makes sure of a token, so that what fails afterwards is the call itself. */
    authorize: async (): Promise<void> => void (await token()),

    botInfo: () => call('GET', '/v2/bot/info', answers.BotInfo),
    /** 404 where none was set. */
    getWebhook: () => call('GET', '/v2/bot/channel/webhook/endpoint', answers.Webhook),
    /** https, at most 500 characters; it counts after up to a minute. */
    setWebhook: (endpoint: string) => act('PUT', '/v2/bot/channel/webhook/endpoint', { json: { endpoint } }),
    /** LINE asks the endpoint; at most 60 times an hour. */
    testWebhook: (endpoint: string) =>
      call('POST', '/v2/bot/channel/webhook/test', answers.WebhookTest, { json: { endpoint } }),

    /** How many messages a month has. */
    quota: () => call('GET', '/v2/bot/message/quota', answers.Quota),
    /** How many of them are used, about. */
    consumption: async () => (await call('GET', '/v2/bot/message/quota/consumption', answers.Consumption)).totalUsage,

    /** Of friends and of who wrote; 404 once they have blocked the bot. */
    profile: (userId: string) => call('GET', `/v2/bot/profile/${id(userId)}`, answers.Profile),
    groupSummary: (groupId: string) => call('GET', `/v2/bot/group/${id(groupId)}/summary`, answers.Group),
    /** Of anybody in it, friend or not. */
    memberProfile: (place: Place, userId: string) =>
      call('GET', `${pathOf(place)}/member/${id(userId)}`, answers.Profile),
    /** A page of at most 1,000 friends; 403 where the account is not verified. */
    followers: (start?: string) =>
      call('GET', '/v2/bot/followers/ids', answers.Followers, { query: { limit: '1000', start } }),
    /** Good for ten minutes, once. */
    linkToken: async (userId: string) =>
      (await call('POST', `/v2/bot/user/${id(userId)}/linkToken`, answers.LinkToken)).linkToken,

    /**
     * What somebody sent. `body` ends with `body-too-large` beyond `most` bytes, and has a minute in all; whoever does not read it to
     * its end destroys it.
     */
    async content(messageId: string, most = maxContentBytes): Promise<Content> {
      const path = `/v2/bot/message/${id(messageId)}/content`;
      const answer = await open('GET', path, { isData: true, timeoutMs: timeoutMs * 6 });
      const { status, headers, type, body } = answer;
      if (status === 200) {
        const size = Number(headerOf(headers, 'content-length') ?? Number.NaN);
        const ready = { state: 'ready', body: limited(body, most), mime: type.split(';')[0] ?? '' } as const;
        return Number.isInteger(size) ? { ...ready, size } : ready;
      }
      if (status !== 202 && status !== 404 && status !== 410) await readAnswer(path, answer, nothing);
      body.destroy();
      return { state: status === 202 ? 'preparing' : 'gone' };
    },
    /** Of a video or a voice message. */
    transcoding: async (messageId: string) =>
      (await call('GET', `/v2/bot/message/${id(messageId)}/content/transcoding`, answers.Transcoding, { isData: true }))
        .status,

    /** Shows a person, never a group, that an answer is being written: 5 to 60 seconds, in fives. */
    loading: (chatId: string, seconds: number) =>
      act('POST', '/v2/bot/chat/loading/start', { json: { chatId, loadingSeconds: seconds } }),
    /** Everything before it is read, too. */
    markAsRead: (markAsReadToken: string) => act('POST', '/v2/bot/chat/markAsRead', { json: { markAsReadToken } }),

    /** Up to five messages, free, once for a token. It knows no retry key. */
    reply: (replyToken: string, messages: LineMessage[]) =>
      deliver('/v2/bot/message/reply', { json: { replyToken, messages } }),
    /** Up to five messages. With a key (a UUID) that was taken within 24 hours nothing is sent again: 409, with `sent`. */
    push: (to: string, messages: LineMessage[], key: string, unit?: string) =>
      deliver('/v2/bot/message/push', { json: { to, messages, ...counted(unit) }, headers: retry(key) }),
    /** To at most 500 people. `unit` is the name under which it is counted: `[A-Za-z0-9_]{1,30}`. */
    multicast: (to: string[], messages: LineMessage[], key: string, unit?: string) =>
      act('POST', '/v2/bot/message/multicast', {
        json: { to, messages, ...counted(unit) },
        headers: retry(key),
      }),
    /** To every friend. */
    broadcast: (messages: LineMessage[], key: string) =>
      act('POST', '/v2/bot/message/broadcast', { json: { messages }, headers: retry(key) }),
    /** Sends nothing; 400 with `details` where LINE would not take them. */
    validate: (kind: 'reply' | 'push' | 'multicast' | 'narrowcast' | 'broadcast', messages: LineMessage[]) =>
      act('POST', `/v2/bot/message/validate/${kind}`, { json: { messages } }),

    validateMenu: (menu: LineMenu) => act('POST', '/v2/bot/richmenu/validate', { json: menu }),
    /** Its id. A menu is never changed; 1,000 may be there, 100 are made in an hour. */
    createMenu: async (menu: LineMenu) =>
      (await call('POST', '/v2/bot/richmenu', answers.MenuId, { json: menu })).richMenuId,
    /** Once for a menu: a PNG or JPEG of its size, at most 1 MB. */
    uploadMenuImage: (menuId: string, image: Buffer, mime: 'image/png' | 'image/jpeg') =>
      act('POST', `/v2/bot/richmenu/${id(menuId)}/content`, {
        isData: true,
        bytes: image,
        headers: { 'content-type': mime },
      }),
    async downloadMenuImage(menuId: string): Promise<{ image: Buffer; mime: string }> {
      const path = `/v2/bot/richmenu/${id(menuId)}/content`;
      const answer = await open('GET', path, { isData: true });
      if (answer.status !== 200) await readAnswer(path, answer, nothing);
      return { image: await readBytes(answer, maxMenuImageBytes), mime: answer.type.split(';')[0] ?? '' };
    },
    deleteMenu: (menuId: string) => act('DELETE', `/v2/bot/richmenu/${id(menuId)}`),
    getMenu: (menuId: string) => call('GET', `/v2/bot/richmenu/${id(menuId)}`, answers.Menu),
    /** Only those that were made by the API. */
    listMenus: async () => (await call('GET', '/v2/bot/richmenu/list', answers.Menus)).richmenus,
    setDefaultMenu: (menuId: string) => act('POST', `/v2/bot/user/all/richmenu/${id(menuId)}`),
    /** Its id; 403 where another program has set it, 404 where there is none. */
    getDefaultMenu: async () => (await call('GET', '/v2/bot/user/all/richmenu', answers.MenuId)).richMenuId,
    clearDefaultMenu: () => act('DELETE', '/v2/bot/user/all/richmenu'),
    /** At most 500 people; it is done a little later, and of whoever has blocked the bot nothing is said. */
    bulkLinkMenu: (userIds: string[], menuId: string) =>
      act('POST', '/v2/bot/richmenu/bulk/link', { json: { richMenuId: menuId, userIds } }),
    bulkUnlinkMenu: (userIds: string[]) => act('POST', '/v2/bot/richmenu/bulk/unlink', { json: { userIds } }),
    /** Moves everybody from one menu to another; three times an hour, and it is done later: `menuBatchProgress` of the request. */
    menuBatch: (operations: MenuOperation[], resumeRequestKey?: string) =>
      act('POST', '/v2/bot/richmenu/batch', {
        json: { operations, ...(resumeRequestKey !== undefined && { resumeRequestKey }) },
      }),
    menuBatchProgress: (requestId: string) =>
      call('GET', '/v2/bot/richmenu/progress/batch', answers.BatchProgress, { query: { requestId } }),
    /** `[a-z0-9_-]{1,32}`; the menu needs its picture. */
    createAlias: (alias: string, menuId: string) =>
      act('POST', '/v2/bot/richmenu/alias', { json: { richMenuAliasId: alias, richMenuId: menuId } }),
    updateAlias: (alias: string, menuId: string) =>
      act('POST', `/v2/bot/richmenu/alias/${id(alias)}`, { json: { richMenuId: menuId } }),
    deleteAlias: (alias: string) => act('DELETE', `/v2/bot/richmenu/alias/${id(alias)}`),
    listAliases: async () => (await call('GET', '/v2/bot/richmenu/alias/list', answers.Aliases)).aliases,

    /* Figures are about a day late; dates are yyyyMMdd in Japan's time. */

    /** Of a broadcast or narrowcast of the last fourteen days. */
    messageEvent: (requestId: string) =>
      call('GET', '/v2/bot/insight/message/event', answers.MessageEvent, { query: { requestId } }),
    followersInsight: (date: string) =>
      call('GET', '/v2/bot/insight/followers', answers.FollowersInsight, { query: { date } }),
    /** How many names the month's messages are counted under; refused where LINE counts none for the account. */
    unitsUsed: async () =>
      (await call('GET', '/v2/bot/message/aggregation/info', answers.UnitsUsed)).numOfCustomAggregationUnits,
    /** At most 30 days. */
    unitStatistics: (unit: string, from: string, to: string) =>
      call('GET', '/v2/bot/insight/message/event/aggregation', answers.UnitStatistics, {
        query: { customAggregationUnit: unit, from, to },
      }),
    /** At most 396 days. */
    menuSummary: (menuId: string, from: string, to: string) =>
      call('GET', `/v2/bot/insight/richmenu/${id(menuId)}/summary`, answers.MenuSummary, { query: { from, to } }),
    /** At most 99 days. */
    menuDaily: (menuId: string, from: string, to: string) =>
      call('GET', `/v2/bot/insight/richmenu/${id(menuId)}/daily`, answers.MenuDaily, { query: { from, to } }),
  };
}

const id = encodeURIComponent;
const pathOf = (place: Place) =>
  'group' in place ? `/v2/bot/group/${id(place.group)}` : `/v2/bot/room/${id(place.room)}`;
/** https://developers.line.biz/en/docs/messaging-api/retrying-api-request/ */
const retry = (key: string) => ({ 'x-line-retry-key': key });

const counted = (unit: string | undefined) => unit !== undefined && { customAggregationUnits: [unit] };

/** Ends with `body-too-large` beyond `most` bytes. */
function limited(body: Readable, most: number): Readable {
  let size = 0;
  const limit = new Transform({
    transform(part: Buffer, _, done) {
      size += part.length;
      if (size > most) done(new AppError('body-too-large'));
      else done(null, part);
    },
  });
  // Its reader hears what goes wrong, on either side.
  pipeline(body, limit, () => {});
  return limit;
}
