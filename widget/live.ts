import { io } from 'socket.io-client';
import {
  seeAsVisitor,
  visitorMessage,
  visitorThread,
  visitorTyping,
  writeAsVisitor,
} from '../shared/contracts/visitors.ts';
import type { EventData } from '../shared/event.ts';
import { liveOptions, turnRound } from '../shared/live.ts';

export interface Listening {
  /** `isRefused`: the server no longer knows the one it was shown. */
  token(isRefused: boolean): Promise<string>;
  /** Something may not have been heard: there is a connection again, or still none. */
  onMissed(): void;
  onMessage(data: EventData<typeof visitorMessage>): void;
  onThread(data: EventData<typeof visitorThread>): void;
  onTyping(data: EventData<typeof visitorTyping>): void;
}

export interface Live {
  type(isTyping: boolean): void;
  see(seq: number): void;
  close(): void;
}

const firstAskMs = 3_000;
const longestAskMs = 30_000;

/** Comes with the first conversation. After a break it comes back by itself, after a random time: a restarted server meets no herd. */
export function connect({ token, ...on }: Listening): Live {
  let isRefused = false;
  const socket = io({
    ...liveOptions,
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
  // Without a connection what is new is asked for, less and less often; not while nobody can see it.
  let asking: ReturnType<typeof setTimeout> | undefined;
  const askLater = (ms: number) => {
    clearTimeout(asking);
    if (socket.connected || document.visibilityState === 'hidden') return;
    asking = setTimeout(
      () => {
        on.onMissed();
        askLater(Math.min(2 * ms, longestAskMs));
      },
      ms * (0.5 + Math.random()),
    );
  };
  const askSoon = () => askLater(firstAskMs);
  askSoon();
  document.addEventListener('visibilitychange', askSoon);
  socket.on('connect', () => {
    isRefused = false;
    refusals = 0;
    clearTimeout(asking);
    on.onMissed();
  });
  socket.on('disconnect', (reason) => {
    askSoon();
    if (reason === 'io server disconnect') comeBack();
  });
  socket.on('connect_error', (error) => {
    turnRound(error, socket.io);
    if (error.message === 'not-signed-in') comeBack();
  });
  socket.on(visitorMessage.name, on.onMessage);
  socket.on(visitorThread.name, on.onThread);
  socket.on(visitorTyping.name, on.onTyping);
  const ask = (name: string, data: object) => void socket.emit(name, data, () => {});
  return {
    type: (isTyping) => ask(writeAsVisitor.name, { isTyping }),
    see: (seq) => ask(seeAsVisitor.name, { seq }),
    close() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', askSoon);
      socket.off().disconnect();
      clearTimeout(asking);
    },
  };
}
