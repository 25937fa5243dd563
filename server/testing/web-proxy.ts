import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface WebProxy {
  url: string;
  /** Where it looks for the server. */
  port: string;
  close(): Promise<void>;
}

/**
 * Hands requests on as nginx does with `proxy_pass` alone: under the server's own name and without upgrades. Those are either
 * handed on as plain requests, or taken and never answered.
 */
export async function startWebProxy(upgrades: 'dropped' | 'unanswered'): Promise<WebProxy> {
  const port = await freePort();
  const held = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const asked = request(
      { host: '127.0.0.1', port, method, path: url, headers: { ...handedOn(headers), host: `127.0.0.1:${port}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  if (upgrades === 'unanswered')
    server.on('upgrade', (_request, socket: Socket) => {
      held.add(socket);
      socket.on('error', () => {}).on('close', () => held.delete(socket));
    });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    // A border: the address of a server on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
        for (const socket of held) socket.destroy();
      }),
  };
}

const handedOn = ({ upgrade: _upgrade, connection: _connection, ...headers }: IncomingHttpHeaders) => headers;

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // as above
  await new Promise((done) => server.close(done));
  return String(port);
}
