import type { Server as HttpServer } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import type { SocketEvent } from '../../shared/event.ts';
import type { Config } from './config.ts';
import type { Redis } from './redis.ts';

export interface Sockets {
  /** Sends an event to everyone who has one of the workspace's pages open, on every node. */
  toWorkspace<T extends z.ZodType>(workspace: string, event: SocketEvent<T>, data: z.output<T>): void;
  /** Sends an event to one person, wherever they are. */
  toUser<T extends z.ZodType>(user: string, event: SocketEvent<T>, data: z.output<T>): void;
  /** Ends the connections of a session that counts no longer. */
  endSession(session: string): void;
  /** Ends every connection of a person, whose pages connect again as what they are now; or do not. */
  endUser(user: string): void;
  close(): Promise<void>;
}

export interface SocketIdentity {
  user: string;
  session: string;
  workspaces: string[];
}

interface Options {
  config: Config;
  redis: Redis | undefined;
  identify(token: string): Promise<SocketIdentity | undefined>;
}

const perAddress = 200;

export async function openSockets(server: HttpServer, { config, redis, identify }: Options): Promise<Sockets> {
  const io = new Server(server, {
    path: '/socket.io',
    serveClient: false,
    transports: ['websocket', 'polling'],
    maxHttpBufferSize: 100_000,
    cors: { origin: config.ALLOWED_ORIGINS, credentials: true },
    allowRequest: (request, done) => done(null, isOwnOrigin(request.headers.origin, request.headers.host, config)),
    ...(redis && { adapter: (await import('@socket.io/redis-streams-adapter')).createAdapter(redis) }),
  });
  const connected = new Map<string, number>();
  const isProxy = proxyAddress.compile(config.TRUST_PROXY);
  const addressOf = (socket: Socket) => proxyAddress(socket.request, isProxy);

  const admit = async (socket: Socket): Promise<Error | undefined> => {
    const token: unknown = socket.handshake.auth['token'];
    if ((connected.get(addressOf(socket)) ?? 0) >= perAddress) return new Error('too-many-requests');
    if (typeof token !== 'string' || token.length > 4000) return new Error('not-signed-in');
    const identity = await identify(token).catch(() => new Error('unavailable'));
    if (!identity || identity instanceof Error) return identity ?? new Error('not-signed-in');
    socket.data = identity;
    return undefined;
  };
  io.use((socket, next) => void admit(socket).then(next));
  io.on('connection', (socket) => {
    const identity: SocketIdentity = socket.data;
    const address = addressOf(socket);
    connected.set(address, (connected.get(address) ?? 0) + 1);
    socket.on('disconnect', () => {
      const left = (connected.get(address) ?? 1) - 1;
      if (left > 0) connected.set(address, left);
      else connected.delete(address);
    });
    void settle(socket, identity);
  });

  /** Joins, and looks once more: what was taken away in between was announced to a room that this one was not in yet. */
  const settle = async (socket: Socket, identity: SocketIdentity) => {
    await socket.join([
      `session:${identity.session}`,
      `user:${identity.user}`,
      ...identity.workspaces.map((workspace) => `workspace:${workspace}`),
    ]);
    const now = await identify(String(socket.handshake.auth['token'])).catch(() => undefined);
    if (!now) socket.disconnect(true);
    else
      for (const lost of identity.workspaces.filter((workspace) => !now.workspaces.includes(workspace)))
        await socket.leave(`workspace:${lost}`);
  };

  return {
    toWorkspace: (workspace, event, data) => void io.to(`workspace:${workspace}`).emit(event.name, data),
    toUser: (user, event, data) => void io.to(`user:${user}`).emit(event.name, data),
    endUser: (user) => io.in(`user:${user}`).disconnectSockets(true),
    endSession: (session) => io.in(`session:${session}`).disconnectSockets(true),
    close: () => io.close(),
  };
}

/** A browser names the page's origin in every handshake; programs name none and have a token to show. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, config: Config): boolean {
  if (origin === undefined) return true;
  if (config.ALLOWED_ORIGINS.includes(origin)) return true;
  if (config.BASE_URL && origin === new URL(config.BASE_URL).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
