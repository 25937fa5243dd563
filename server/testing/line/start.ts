import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { accountHandlers, isAuthorized } from './account.ts';
import type { Action, CallMatch, ChatEntry, FakeLine, LineCall, LineOptions, LineUser } from './fake-line.ts';
import { keep } from './keep.ts';
import { maxBodyBytes } from './limits.ts';
import { aliasList, menuHandlers } from './menus.ts';
import { servePhone } from './phone-page.ts';
import { groupOf, menuOfUser, Post, quickRepliesOf, userOf } from './phone.ts';
import { Rates } from './rates.ts';
import { retryable, sendingHandlers } from './sending.ts';
import { findOperation, type Operation } from './spec.ts';
import { deliver, deliverBytes } from './webhook.ts';
import {
  chatOf,
  createWorld,
  mistaken,
  newHex,
  newRequestId,
  refused,
  type Answer,
  type Entry,
  type Handler,
  type Place,
  type World,
} from './world.ts';

const handlers: Record<string, Handler> = { ...accountHandlers, ...sendingHandlers, ...menuHandlers };

/** LINE on this machine: its API, checked against the official specification, and people who write to the bot. */
export async function startLine(options: LineOptions = {}): Promise<FakeLine> {
  const world = createWorld(options);
  if (options.keepIn) keep(world, options.keepIn);
  const calls: LineCall[] = [];
  const scripts: { match: CallMatch; actions: Action[] }[] = [];
  const rates = options.rates === undefined ? undefined : new Rates(options.rates);

  const post = new Post(world);
  let people = 0;
  let places = 0;
  const addUser: FakeLine['user'] = ({ name, language, picture, status, isFriend = true } = {}) => {
    const person = {
      id: `U${newHex()}`,
      name: name ?? `User ${++people}`,
      language,
      picture,
      status,
      isFriend,
      hasBlocked: false,
      wroteAt: undefined,
    };
    world.people.set(person.id, person);
    world.changed();
    return userOf(world, post, person);
  };
  const addPlace = (kind: Place['kind'], name: string, picture: string | undefined, members: LineUser[]) => {
    const place: Place = {
      id: `${kind === 'group' ? 'C' : 'R'}${newHex()}`,
      kind,
      name,
      picture,
      members: new Set(members.map(({ id }) => id)),
      hasBot: true,
    };
    world.places.set(place.id, place);
    world.changed();
    return groupOf(post, place, [...members]);
  };
  const addGroup: FakeLine['group'] = ({ name, picture, members = [] } = {}) =>
    addPlace('group', name ?? `Group ${++places}`, picture, members);

  const phone = options.hasPhone ? servePhone(world, post, { user: addUser, group: addGroup }) : undefined;
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://line');
    if (phone && (url.pathname === '/' || url.pathname.startsWith('/phone/'))) return phone.serve(request, reply, url);
    void answerCall(request, reply, url).catch((error: unknown) => {
      world.violations.push({ call: callOf(request, url, Buffer.alloc(0), world), problems: [String(error)] });
      if (!reply.headersSent) reply.writeHead(500);
      reply.end();
    });
  });

  async function answerCall(request: IncomingMessage, reply: ServerResponse, url: URL): Promise<void> {
    const call = callOf(request, url, await buffer(request), world);
    calls.push(call);
    const requestId = newRequestId();
    const operation = findOperation(call.method, call.path);
    const problems = wrongWith(call, operation);
    if (problems.length > 0 && !operation?.id.startsWith('validate'))
      violate(world, call, ...problems.map(({ property, message }) => `${property}: ${message}`));
    const action = await nextAction(call);
    if (action === 'dropBefore') return void request.socket.destroy();
    if (action === 'hangBefore') return;
    let answer: Answer;
    if (typeof action === 'object' && !action.isDone) answer = action;
    else {
      answer = await usualAnswer(call, operation, problems, requestId);
      if (action === 'dropAfter') return void request.socket.destroy();
      if (action === 'hangAfter') return;
      if (typeof action === 'object') answer = action;
    }
    call.status = answer.status;
    if (answer.body !== undefined) call.reply = answer.body;
    const bytes = answer.bytes ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body));
    reply.writeHead(answer.status, {
      'x-line-request-id': requestId,
      ...(answer.body !== undefined && { 'content-type': 'application/json' }),
      ...answer.headers,
    });
    reply.end(bytes);
  }

  async function usualAnswer(
    call: LineCall,
    operation: Operation | undefined,
    problems: ReturnType<typeof wrongWith>,
    requestId: string,
  ): Promise<Answer> {
    if (call.bytes.length > maxBodyBytes) return refused(413, 'Payload Too Large');
    const handler = handlers[operation?.id ?? ''];
    if (!operation || !handler) return refused(404, 'Not found');
    if (!call.path.startsWith('/oauth2/') && !call.path.startsWith('/v2/oauth/')) {
      if (!isAuthorized(world, call.headers.authorization))
        return refused(
          401,
          'Authentication failed due to the following reason: invalid token. Confirm that the access token in the authorization header is valid.',
        );
    }
    if (rates && !rates.take(operation.id, world.now()))
      return refused(429, 'The API rate limit has been exceeded. Try again later.');
    if (problems.length > 0) return mistaken(problems);
    const answer = await handler(world, {
      params: operation.params,
      query: call.query,
      headers: call.headers,
      body: call.body,
      bytes: call.bytes,
      requestId,
      violate: (problem) => violate(world, call, problem),
    });
    const wrong = answer.bytes ? [] : operation.checkReply(answer.status, answer.body);
    if (wrong.length > 0) throw new Error(`LINE would not answer ${JSON.stringify(answer.body)}: ${wrong.join('; ')}`);
    return answer;
  }

  /** What the test wants to happen to this call, after it has waited where it is to wait. */
  async function nextAction(call: LineCall): Promise<Exclude<Action, { delayMs: number }>> {
    const script = scripts.find(({ match, actions }) => actions.length > 0 && fits(match, call));
    const action = script?.actions.shift() ?? 'pass';
    if (typeof action !== 'object' || !('delayMs' in action)) return action;
    await wait(action.delayMs);
    return 'pass';
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  world.url = `http://127.0.0.1:${port}`;

  const line: FakeLine = {
    url: world.url,
    channel: world.channel,
    bot: world.bot,
    get isNew() {
      return world.people.size === 0;
    },
    calls,
    violations: world.violations,
    mustBeValid() {
      if (world.violations.length > 0)
        throw new Error(
          world.violations
            .map(({ call, problems }) => `${call.method} ${call.path}\n  ${problems.join('\n  ')}`)
            .join('\n'),
        );
    },
    script: (match, ...actions) => void scripts.push({ match, actions }),
    clock: { now: () => world.now(), advance: (ms) => void (world.advancedMs += ms) },
    webhook: world.webhook,
    quota: world.quota,
    insight: world.insight,
    get hasManagerMenu() {
      return world.hasManagerMenu;
    },
    set hasManagerMenu(has) {
      world.hasManagerMenu = has;
    },
    shown: (chat) => chatOf(world, chat).flatMap(({ shown }) => (shown ? [shown] : [])),
    quickReplies: (chat) => quickRepliesOf(world, chat),
    menuOf: (userId) => menuOfUser(world, userId),
    menus: () => [...world.menus.values()],
    aliases: () => aliasList(world.aliases),
    loadingUntil(userId) {
      const until = world.loading.get(userId);
      return until !== undefined && until > world.now() ? until : undefined;
    },
    isRead: (messageId) =>
      [...world.chats.values()].some((chat) => chat.some(({ id, isRead }) => id === messageId && isRead)),
    chat: (chat) => chatOf(world, chat).map(told),
    user: addUser,
    friends: (count) => Array.from({ length: count }, () => addUser()),
    group: addGroup,
    room: ({ members = [] } = {}) => addPlace('room', '', undefined, members),
    together: (write, options = {}) => post.together(write, options),
    again: ({ events }, { isRedelivery = true, ...options } = {}) =>
      deliver(
        world,
        events.map((event) => ({ ...event, deliveryContext: { isRedelivery } })),
        options,
      ),
    post: (body, options = {}) =>
      typeof body === 'string' || Buffer.isBuffer(body)
        ? deliverBytes(world, Buffer.from(body), options)
        : deliver(world, [...body], options),
    setContent(messageId, state) {
      const content = world.contents.get(messageId);
      if (!content) throw new Error(`No message ${messageId} has content.`);
      content.state = state;
    },
    expireTokens: () => world.accessTokens.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return line;
}

function callOf(request: IncomingMessage, url: URL, bytes: Buffer, world: World): LineCall {
  const { method = '', headers } = request;
  const type = contentType(headers['content-type']);
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    bytes,
    body: type === 'application/json' ? parseJson(bytes) : parseForm(type, bytes),
    at: world.now(),
  };
}

const contentType = (header: string | undefined): string => (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function parseForm(type: string, bytes: Buffer): unknown {
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
}

function wrongWith(call: LineCall, operation: Operation | undefined) {
  if (!operation) return [{ property: '', message: 'LINE has no such path' }];
  if (!handlers[operation.id]) return [{ property: '', message: `this LINE does not play ${operation.id}` }];
  return [
    ...(call.bytes.length > maxBodyBytes ? [{ property: '', message: 'more than 2 MB' }] : []),
    ...(call.headers['x-line-retry-key'] !== undefined && !retryable.includes(operation.id)
      ? [{ property: 'X-Line-Retry-Key', message: 'is not for this endpoint' }]
      : []),
    ...operation.check({ ...call, contentType: contentType(call.headers['content-type']) }),
  ];
}

/** What the phone draws of an entry. */
function told(entry: Entry): ChatEntry {
  const { shown: _, ...rest } = entry;
  return rest;
}

function violate(world: World, call: LineCall, ...problems: string[]): void {
  const known = world.violations.find((violation) => violation.call === call);
  if (known) known.problems.push(...problems);
  else world.violations.push({ call, problems });
}

function fits(match: CallMatch, call: LineCall): boolean {
  if (typeof match === 'function') return match(call);
  const named = `${call.method} ${call.path}`;
  return typeof match === 'string' ? match === named || match === call.path : match.test(named);
}
