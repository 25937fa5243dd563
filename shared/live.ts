/**
 * How pages reach the live news. Some proxies refuse WebSockets, which tells at once that requests have to do; others let their
 * handshake hang, so what had no answer in time is tried the other way round, with twice the patience.
 */
export const liveOptions = { transports: ['websocket', 'polling'], tryAllTransports: true, timeout: 3_000 };

const maxPatienceMs = 20_000;

/** What socket.io calls the manager of a connection. */
interface Manager {
  opts: { transports?: string[] | unknown[] };
  timeout(): number | boolean | undefined;
  timeout(ms: number): unknown;
}

/** For every failed attempt to connect. */
export function turnRound({ message }: Error, manager: Manager): void {
  if (message !== 'timeout') return;
  manager.opts.transports = manager.opts.transports?.toReversed() ?? [];
  manager.timeout(Math.min(maxPatienceMs, 2 * Number(manager.timeout())));
}
