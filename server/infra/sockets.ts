import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import type { SocketEvent } from '../../shared/event.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

export interface Sockets {
  /** Sends an event to everyone who has one of the workspace's pages open, on every node. */
  toWorkspace<T extends z.ZodType>(workspace: string, event: SocketEvent<T>, data: z.output<T>): void;
  /** Ends the connections of a session that counts no longer. */
  endSession(session: string): void;
  close(): Promise<void>;
}

export interface SocketIdentity {
  user: string;
  session: string;
  workspaces: string[];
}

interface Options {
  config: Config;
  log: Log;
  identify(token: string): Promise<SocketIdentity | undefined>;
}

const perAddress = 200;

export async function openSockets(server: HttpServer, { config, log, identify }: Options): Promise<Sockets> {
  const redis = config.REDIS_URL ? (await import('redis')).createClient({ url: config.REDIS_URL }) : undefined;
  redis?.on('error', (err: unknown) => log.warn({ err }, 'redis'));
  await redis?.connect();
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

  const admit = async (socket: Socket): Promise<Error | undefined> => {
    const token: unknown = socket.handshake.auth['token'];
    if ((connected.get(socket.handshake.address) ?? 0) >= perAddress) return new Error('too-many-requests');
    if (typeof token !== 'string' || token.length > 4000) return new Error('not-signed-in');
    const identity = await identify(token).catch(() => new Error('unavailable'));
    if (!identity || identity instanceof Error) return identity ?? new Error('not-signed-in');
    socket.data = identity;
    return undefined;
  };
  io.use((socket, next) => void admit(socket).then(next));
  io.on('connection', (socket) => {
    const identity: SocketIdentity = socket.data;
    const address = socket.handshake.address;
    connected.set(address, (connected.get(address) ?? 0) + 1);
    socket.on('disconnect', () => {
      const left = (connected.get(address) ?? 1) - 1;
      if (left > 0) connected.set(address, left);
      else connected.delete(address);
    });
    void socket.join([`session:${identity.session}`, `user:${identity.user}`, ...identity.workspaces.map((workspace) => `workspace:${workspace}`)]);
  });

  return {
    toWorkspace: (workspace, event, data) => void io.to(`workspace:${workspace}`).emit(event.name, data),
    endSession: (session) => io.in(`session:${session}`).disconnectSockets(true),
    async close() {
      await io.close();
      await redis?.close();
    },
  };
}

/** A browser names the page's origin in every handshake; programs name none and have a token to show. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, config: Config): boolean {
  if (origin === undefined) return true;
  if (config.ALLOWED_ORIGINS.includes(origin)) return true;
  if (config.BASE_URL && origin === new URL(config.BASE_URL).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
