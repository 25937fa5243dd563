import type { Socket } from 'socket.io-client';
import type { z } from 'zod';
import type { EventData, SocketEvent } from '../../shared/event.ts';
import { apiBase, freshToken, recheckSession } from './api.ts';

let socket: Promise<Socket> | undefined;

/** Connects with the first listener; each (re)connection shows a fresh token. Pages do not wait for its code: they are whole without live news. */
async function open(): Promise<Socket> {
  const { io } = await import('socket.io-client');
  const connection = io(apiBase || window.location.origin, {
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    withCredentials: true,
    auth: (send) => void freshToken().then((token) => send({ token })),
  });
  // The server hangs up when the session ended, or when what the person may has changed: ask which, and come back if one may.
  const comeBack = async () => {
    if (await recheckSession()) connection.connect();
  };
  connection.on('disconnect', (reason) => reason === 'io server disconnect' && void comeBack());
  connection.on('connect_error', ({ message }) => message === 'not-signed-in' && void comeBack());
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

export function closeSocket(): void {
  socket?.then(
    (connection) => void connection.close(),
    () => {},
  );
  socket = undefined;
}
