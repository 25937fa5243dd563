import { io } from 'socket.io-client';
import {
  seeAsVisitor,
  visitorMessage,
  visitorThread,
  visitorTyping,
  writeAsVisitor,
} from '../shared/contracts/visitors.ts';
import type { EventData } from '../shared/event.ts';

export interface Listening {
  /** `isRefused`: the server no longer knows the one it was shown. */
  token(isRefused: boolean): Promise<string>;
  onConnect(): void;
  onMessage(data: EventData<typeof visitorMessage>): void;
  onThread(data: EventData<typeof visitorThread>): void;
  onTyping(data: EventData<typeof visitorTyping>): void;
}

export interface Live {
  type(isTyping: boolean): void;
  see(seq: number): void;
  close(): void;
}

/** Comes with the first conversation. After a break it comes back by itself, after a random time: a restarted server meets no herd. */
export function connect({ token, ...on }: Listening): Live {
  let isRefused = false;
  const socket = io({
    transports: ['websocket', 'polling'],
    reconnectionDelay: 1000,
    reconnectionDelayMax: 30_000,
    randomizationFactor: 0.5,
    auth: (send) =>
      void token(isRefused).then(
        (given) => send({ token: given }),
        () => send({ token: '' }),
      ),
  });
  let refusals = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const comeBack = () => {
    isRefused = true;
    // A server that refuses every token is not asked without end.
    if (refusals++ < 5) timer = setTimeout(() => socket.connect(), 2 ** refusals * 500 * (0.5 + Math.random()));
  };
  socket.on('connect', () => {
    isRefused = false;
    refusals = 0;
    on.onConnect();
  });
  socket.on('disconnect', (reason) => reason === 'io server disconnect' && comeBack());
  socket.on('connect_error', ({ message }) => message === 'not-signed-in' && comeBack());
  socket.on(visitorMessage.name, on.onMessage);
  socket.on(visitorThread.name, on.onThread);
  socket.on(visitorTyping.name, on.onTyping);
  const ask = (name: string, data: object) => void socket.emit(name, data, () => {});
  return {
    type: (isTyping) => ask(writeAsVisitor.name, { isTyping }),
    see: (seq) => ask(seeAsVisitor.name, { seq }),
    close() {
      clearTimeout(timer);
      socket.disconnect();
    },
  };
}
