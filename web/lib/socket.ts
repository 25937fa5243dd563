import type { Socket } from 'socket.io-client';
import type { z } from 'zod';
import type { EventData, SocketEvent, SocketRequest } from '../../shared/event.ts';
import { liveOptions, turnRound } from '../../shared/live.ts';
import { ApiError, apiBase, freshToken, recheckSession } from './api.ts';
import { translate } from './i18n.ts';
import { createStore } from './store.ts';

let socket: Promise<Socket> | undefined;

/** Whether live news come; nothing as long as nobody listens. */
const live = createStore<boolean | undefined>(undefined);

export const useIsLive = live.use;

/** Connects with the first listener; each (re)connection shows a fresh token. Pages do not wait for its code: they are whole without live news. */
async function open(): Promise<Socket> {
  live.set(false);
  const { io } = await import('socket.io-client');
  const connection = io(new URL(apiBase, window.location.origin).origin, {
    path: '/socket.io',
    ...liveOptions,
    withCredentials: true,
    auth: (send) => void freshToken().then((token) => send({ token })),
  });
  // The server hangs up when the session ended, or when what the person may has changed: ask which, and come back if one may.
  const comeBack = async () => {
    if (await recheckSession()) connection.connect();
  };
  connection.on('connect', () => live.set(true));
  connection.on('disconnect', (reason) => {
    live.set(false);
    if (reason === 'io server disconnect') void comeBack();
  });
  connection.on('connect_error', (error) => {
    turnRound(error, connection.io);
    if (error.message === 'not-signed-in') void comeBack();
  });
  return connection;
}

/** Listens to an event; what it returns ends the listening. */
export function on<T extends z.ZodType>(
  event: SocketEvent<T>,
  listen: (data: EventData<SocketEvent<T>>) => void,
): () => void {
  let isOver = false;
  socket ??= open();
  const opened = socket;
  opened.then(
    (connection) => void (isOver || connection.on(event.name, listen)),
    () => void (socket = socket === opened ? undefined : socket), // the next listener tries again
  );
  return () => {
    isOver = true;
    opened.then(
      (connection) => void connection.off(event.name, listen),
      () => {},
    );
  };
}

const answerMs = 10_000;

/** Asks over the connection; where there is none, it waits a while for one. Fails like a call. */
export async function ask<D extends z.ZodType, R extends z.ZodType>(
  { name }: SocketRequest<D, R>,
  data: z.input<D>,
): Promise<z.output<R>> {
  const gone = () => new ApiError(0, 'offline', translate('common:offline'));
  const opened = (socket ??= open());
  const connection = await opened.catch(() => {
    if (socket === opened) socket = undefined;
    throw gone();
  });
  const reply = await connection
    .timeout(answerMs)
    .emitWithAck(name, data)
    .catch(() => {
      throw gone();
    });
  if (reply.error) throw new ApiError(reply.error.status, reply.error.code, reply.error.message, reply.error.details);
  return reply.data;
}

/** Hears of the connection that stands and of every one that comes later, before which news may have been missed; what it returns ends the listening. */
export function onConnect(listen: (isNew: boolean) => void): () => void {
  let isOver = false;
  const opened = (socket ??= open());
  const hear = () => listen(true);
  opened.then(
    (connection) => {
      if (isOver) return;
      connection.on('connect', hear);
      if (connection.connected) listen(false);
    },
    () => void (socket = socket === opened ? undefined : socket),
  );
  return () => {
    isOver = true;
    opened.then(
      (connection) => void connection.off('connect', hear),
      () => {},
    );
  };
}

export function closeSocket(): void {
  socket?.then(
    (connection) => void connection.off().close(),
    () => {},
  );
  socket = undefined;
  live.set(undefined);
}
