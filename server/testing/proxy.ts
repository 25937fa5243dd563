import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  port: number;
  /** `open`: passes everything on; `cut`: as when the server behind it is gone; `silent`: takes everything and says nothing. */
  become(next: 'open' | 'cut' | 'silent'): Promise<void>;
  close(): Promise<void>;
}

/** Stands between the application and a server that both are told of, and can take that server away. */
export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<[Socket, Socket]>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const server = createServer((client) => {
    const upstream = connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client]] as const) {
      from.on('data', (part) => {
        if (state === 'open') to.write(part);
      });
      // What one side breaks off, the other learns.
      from.on('error', () => {});
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  const listen = (port: number) =>
    new Promise<number>((resolve) =>
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    ); // a TCP server's address is one
  const port = await listen(0);
  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };
  const stop = () => new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve()));
  return {
    port,
    async become(next) {
      const before = state;
      state = next;
      if (next === 'cut') {
        const closed = stop();
        cut();
        await closed;
      } else if (before === 'cut') await listen(port);
      // What was swallowed meanwhile never comes: those connections are of no use.
      else if (before === 'silent') cut();
    },
    async close() {
      cut();
      await stop();
    },
  };
}
