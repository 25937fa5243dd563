import { io, type Socket } from 'socket.io-client';
import type { z } from 'zod';
import type { EventData, SocketEvent } from '../../shared/event.ts';
import { apiBase, freshToken, recheckSession } from './api.ts';

let socket: Socket | undefined;

/** Connects with the first listener; each (re)connection shows a fresh token. */
function open(): Socket {
  socket ??= io(apiBase || window.location.origin, {
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    withCredentials: true,
    auth: (send) => void freshToken().then((token) => send({ token })),
  });
  const connection = socket;
  // The server hangs up when the session ended, or when what the person may has changed: ask which, and come back if one may.
  const comeBack = async () => {
    if (await recheckSession()) connection.connect();
  };
  connection.on('disconnect', (reason) => reason === 'io server disconnect' && void comeBack());
  connection.on('connect_error', ({ message }) => message === 'not-signed-in' && void comeBack());
  return connection;
}

/** Listens to an event; what it returns ends the listening. */
export function on<T extends z.ZodType>(event: SocketEvent<T>, listen: (data: EventData<SocketEvent<T>>) => void): () => void {
  const connection = open();
  connection.on(event.name, listen);
  return () => void connection.off(event.name, listen);
}

export function closeSocket(): void {
  socket?.close();
  socket = undefined;
}
