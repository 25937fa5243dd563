import type { IncomingMessage, Server as HttpServer } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import type { Locale } from '../../shared/contracts/accounts.ts';
import { AppError } from '../../shared/errors.ts';
import type { SocketEvent, SocketRequest } from '../../shared/event.ts';
import { may, permissions, type Permission, type Role } from '../../shared/roles.ts';
import { isStorable } from '../../shared/text.ts';
import { addressKey, proxiesOf } from './address.ts';
import { createHostCheck } from './hosts.ts';
import type { Config } from './config.ts';
import { isDatabaseAway, newId } from './db.ts';
import { localizedError } from './http.ts';
import { callLimits, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Redis } from './redis.ts';

/** Rooms that a connection joins besides those of its person and workspaces. */
/** Those of a workspace who may do something. */
type TeamRoom = `workspace:${string}:${Permission}`;

export type Room = `thread:${string}` | `guest:${string}:${string}` | `attend:${string}`;

/** What is sent to those who are connected to this process. */
interface Here {
  /** Whether somebody is in a room: what nobody hears need not be made. */
  isHeard(room: Room | TeamRoom): boolean;
  toRoom<T extends z.ZodType>(room: Room | TeamRoom, event: SocketEvent<T>, data: z.output<T>): void;
}

export interface Sockets {
  here: Here;
  /** Hands the other nodes what each tells those who are connected to it. */
  toNodes(news: object): void;
  /** Sends an event to everyone with the permission who has one of the workspace's pages open, on every node. */
  toWorkspace<T extends z.ZodType>(
    workspace: string,
    event: SocketEvent<T>,
    data: z.output<T>,
    permission?: Permission,
  ): void;
  /** Sends an event to one person, wherever they are. */
  toUser<T extends z.ZodType>(user: string, event: SocketEvent<T>, data: z.output<T>): void;
  /** Sends an event to whoever is in the room, on every node; `data` is only asked for when somebody may be. */
  toRoom<T extends z.ZodType>(room: Room, event: SocketEvent<T>, data: () => z.output<T>): void;
  /** Who is in a room, on every node. */
  inRoom(room: Room): Promise<Listener[]>;
  /** The sessions of members whose pages are connected to this node. */
  sessionsHere(): string[];
  /** Ends the connections of a session that is no longer valid. */
  endSession(session: string): void;
  /** Ends every connection of a person; their pages connect again if they still may. */
  endUser(user: string): void;
  /** The same for a visitor, whose pages come back as whoever they are then. */
  endGuest(guest: string): void;
  close(): Promise<void>;
}

/** A person, on our pages. */
export interface MemberListener {
  kind: 'member';
  user: string;
  session: string;
  locale: Locale;
  workspaces: { uuid: string; role: Role }[];
  writes?: Writes;
}

/** Where somebody writes, and until when that counts unless they go on. */
interface Writes {
  thread: string;
  until: number;
}

/** A visitor who came through a channel. */
export interface GuestListener {
  kind: 'guest';
  guest: string;
  workspace: string;
  channelId: string;
  locale: Locale;
  writes?: Writes;
}

/** Who is at the other end of a live connection. */
export type Listener = MemberListener | GuestListener;

/** Who listens, and a way to ask again later: nobody once they are no longer let in. */
export interface Listening {
  listener: Listener;
  again(): Promise<Listener | undefined>;
}

interface Call {
  /** The person as of now, not of when they connected. */
  listener: Listener;
  join(room: Room): Promise<void>;
  leave(room: Room): Promise<void>;
  /** Keeps in which thread this connection writes, or that it does no more, for whoever asks on any node. */
  setWriting(thread: string, isWriting: boolean): void;
}

/** A request that a feature answers. */
export interface SocketHandler {
  name: string;
  answer(data: unknown, call: Call): Promise<unknown>;
}

/** Answers a declared request; unknown fields are refused, and errors go to the caller in their language. */
export const handleRequest = <D extends z.ZodType, R extends z.ZodType>(
  { name, data: schema }: SocketRequest<D, R>,
  answer: (data: z.output<D>, call: Call) => Promise<z.output<R>>,
): SocketHandler => ({
  name,
  answer(data, call) {
    const parsed = schema.safeParse(data);
    if (!parsed.success || !isStorable(JSON.stringify(data))) throw new AppError('bad-request');
    return answer(parsed.data, call);
  },
});

interface Options {
  config: Config;
  log: Log;
  redis: Redis | undefined;
  limits: Limits;
  requests: SocketHandler[];
  identify(token: string): Promise<Listening | undefined>;
  /** Another node has handed this over. */
  onNews(news: unknown): void;
  /** Somebody is no longer there who was in the room of a thread. */
  onLeave?(thread: string): void;
}

const newsName = 'news';
const maxPerAddress = 200;
/** Requests of one connection in a second; whoever sends five times as many is cut off. */
const maxRequests = 20;
const maxTokenLength = 4000;
/** Answers that a connection has not taken yet; whoever asks for more is cut off. */
const maxUntaken = 8;
/** How long somebody counts as writing who has not said that they stopped. */
const writingMs = 8_000;
/** A connection without a token is gone after this. */
const connectMs = 10_000;

export async function openSockets(
  server: HttpServer,
  { config, log, redis, limits, requests, identify, onNews, onLeave }: Options,
): Promise<Sockets> {
  const isProxy = proxiesOf(config.TRUST_PROXY);
  const addressOf = (request: IncomingMessage) => addressKey(proxyAddress(request, isProxy));
  /** Connections by address, also those that have shown no token yet. */
  const open = new Map<string, number>();
  const isOurs = createHostCheck(config);
  const io = new Server(server, {
    path: '/socket.io',
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: 100_000,
    connectTimeout: connectMs,
    cors: { origin: config.ALLOWED_ORIGINS, credentials: true },
    allowRequest(request, done) {
      const { host, origin } = request.headers;
      if (!isOurs(host) || !isOwnOrigin(origin, host, config)) return done(null, false);
      if (new URL(request.url ?? '/', 'http://localhost').searchParams.get('sid')) return done(null, true);
      const address = addressOf(request);
      if ((open.get(address) ?? 0) >= 2 * maxPerAddress) return done(null, false);
      Promise.resolve(limits.take(callLimits.byAddress, address)).then(
        () => done(null, true),
        () => done(null, false),
      );
    },
    ...(redis && { adapter: (await import('@socket.io/redis-streams-adapter')).createAdapter(redis) }),
  });
  io.engine.on('connection', (connection: Socket['conn']) => {
    const address = addressOf(connection.request);
    open.set(address, (open.get(address) ?? 0) + 1);
    connection.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
  const byName = new Map(requests.map((each) => [each.name, each]));

  const admitted = new WeakMap<Socket, Listening>();
  /** Connections that have asked to be let in. Our pages ask once on each, so that one body cannot open a thousand. */
  const asked = new WeakSet<Socket['conn']>();
  const admit = async (socket: Socket): Promise<Error | undefined> => {
    if (asked.has(socket.conn)) {
      socket.conn.close();
      return new Error('bad-request');
    }
    asked.add(socket.conn);
    const token: unknown = socket.handshake.auth['token'];
    if ((open.get(addressOf(socket.request)) ?? 0) > maxPerAddress) return new Error('too-many-requests');
    if (typeof token !== 'string' || token.length > maxTokenLength) return new Error('not-signed-in');
    const listening = await identify(token).catch(() => new Error('unavailable'));
    if (!listening || listening instanceof Error) return listening ?? new Error('not-signed-in');
    // Other nodes ask for it, and get it as data.
    socket.data = listening.listener;
    admitted.set(socket, listening);
    return undefined;
  };
  io.use((socket, next) => void admit(socket).then(next));
  io.on('connection', (socket) => {
    const listening = admitted.get(socket);
    if (!listening) return void socket.disconnect(true);
    const counted = { since: 0, requests: 0, waiting: 0, untaken: 0 };
    socket.conn.on('drain', () => (counted.untaken = 0));
    socket.on('disconnecting', () => {
      const threads = [...socket.rooms].filter((room) => room.startsWith('thread:'));
      // After the room was left.
      if (threads.length > 0 && onLeave)
        setImmediate(() => threads.forEach((room) => onLeave(room.slice('thread:'.length))));
    });
    // One after another: what a connection asks for at once would be held at once.
    let last = Promise.resolve();
    socket.onAny((name: unknown, ...given: unknown[]) => {
      const now = Date.now();
      if (now - counted.since >= 1000) Object.assign(counted, { since: now, requests: 0 });
      counted.requests++;
      if (counted.requests > maxRequests * 5 || counted.untaken > maxUntaken) return void socket.disconnect(true);
      const isTooOften = counted.requests > maxRequests || counted.waiting >= maxRequests;
      counted.waiting++;
      last = last
        .then(() => answer(socket, listening, String(name), given, isTooOften))
        .then(() => {
          counted.untaken++;
          counted.waiting--;
        });
    });
    void joinOwn(socket, listening);
  });

  /** Joins, then checks again: an access that was taken away in between was announced before this connection was in the room. */
  async function joinOwn(socket: Socket, { listener, again }: Listening): Promise<void> {
    const rooms = roomsOf(listener);
    await socket.join(rooms);
    const now = await again().catch(() => undefined);
    if (!now) return void socket.disconnect(true);
    const left = roomsOf(now);
    for (const lost of rooms.filter((room) => !left.includes(room))) await socket.leave(lost);
  }

  const isHeard = (room: Room | TeamRoom) => io.sockets.adapter.rooms.has(room);
  io.on(newsName, onNews);

  /** The last argument is the function that takes the answer; without one, errors are sent as an event. */
  async function answer(
    socket: Socket,
    { listener, again }: Listening,
    name: string,
    given: unknown[],
    isTooOften: boolean,
  ): Promise<void> {
    const last = given.at(-1);
    const reply = (value: object) => (typeof last === 'function' ? last(value) : socket.emit('failed', value));
    try {
      if (isTooOften) throw new AppError('too-many-requests', { seconds: 1 });
      const request = byName.get(name);
      if (!request || typeof last !== 'function' || given.length !== 2) throw new AppError('bad-request');
      const now = await again();
      if (!now) return void socket.disconnect(true);
      const join = async (room: Room) => void (await socket.join(room));
      const leave = async (room: Room) => void (await socket.leave(room));
      const setWriting = (thread: string, isWriting: boolean) => {
        const writes: Writes = { thread, until: isWriting ? Date.now() + writingMs : 0 };
        // A border: what `admit` has put there.
        socket.data = { ...(socket.data as Listener), writes };
      };
      reply({ data: (await request.answer(given[0], { listener: now, join, leave, setWriting })) ?? null });
    } catch (error) {
      const known =
        error instanceof AppError
          ? error
          : new AppError(isDatabaseAway(error) ? 'unavailable' : 'internal-error', {}, { cause: error });
      const id = newId();
      if (known.code === 'internal-error')
        log.error({ err: error, requestId: id, name }, 'a request of a socket failed');
      reply(localizedError(known, listener.locale, id));
    }
  }

  return {
    toWorkspace: (workspace, event, data, permission = 'read') =>
      void io.to(`workspace:${workspace}:${permission}`).emit(event.name, data),
    toUser: (user, event, data) => void io.to(`user:${user}`).emit(event.name, data),
    here: { isHeard, toRoom: (room, event, data) => void io.local.to(room).emit(event.name, data) },
    toNodes(news) {
      if (redis) io.serverSideEmit(newsName, news);
    },
    toRoom(room, event, data) {
      // Only the other nodes know which of their connections are in the room.
      if (redis !== undefined || isHeard(room)) io.to(room).emit(event.name, data());
    },
    async inRoom(room) {
      const found = await io.in(room).fetchSockets();
      // A border: what `admit` has put there, on whichever node.
      return found.map(({ data }) => data as Listener);
    },
    sessionsHere: () => [
      ...new Set(
        [...io.sockets.sockets.values()].flatMap((socket) => {
          // A border: what `admit` has put there.
          const listener = socket.data as Listener;
          return listener.kind === 'member' ? [listener.session] : [];
        }),
      ),
    ],
    endUser: (user) => io.in(`user:${user}`).disconnectSockets(true),
    endGuest: (guest) => io.in(`guest:${guest}`).disconnectSockets(true),
    endSession: (session) => io.in(`session:${session}`).disconnectSockets(true),
    close: () => io.close(),
  };
}

function roomsOf(listener: Listener): string[] {
  if (listener.kind === 'guest') return [`guest:${listener.guest}`, `guest:${listener.guest}:${listener.channelId}`];
  const { session, user, workspaces } = listener;
  const ofWorkspaces = workspaces.flatMap(({ uuid, role }) =>
    permissions.filter((permission) => may(role, permission)).map((permission) => `workspace:${uuid}:${permission}`),
  );
  return [`session:${session}`, `user:${user}`, ...ofWorkspaces];
}

/** A browser sends the page's origin with every handshake; programs send none, and show a token instead. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, config: Config): boolean {
  if (origin === undefined) return true;
  if (config.ALLOWED_ORIGINS.includes(origin)) return true;
  if (config.BASE_URL && origin === new URL(config.BASE_URL).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
