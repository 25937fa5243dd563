import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyLimits, createBodies } from './bodies.ts';

/** A server that waits for bodies, and a connection that sends one of a megabyte as it is told. */
async function aServer(read: (raw: IncomingMessage) => void) {
  const bodies = createBodies({ ...bodyLimits, windowBytes: 1000, windowMs: 300, checkMs: 20 });
  const refused: IncomingMessage[] = [];
  const server = createServer((raw) => {
    bodies.expect(raw);
    read(raw);
  });
  bodies.watch((raw) => {
    refused.push(raw);
    raw.socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // A border: it listens on a port.
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
  return {
    socket,
    refused,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await bodies.close();
      server.close();
    },
  };
}

test('a body that comes slowly but steadily is waited for', async () => {
  await using server = await aServer((raw) => raw.resume());
  for (let at = 0; at < 20; at++) {
    server.socket.write('x'.repeat(1000));
    await sleep(50);
  }
  expect(server.refused).toEqual([]);
});

test.each([0, 10])('a body that brings %i bytes now and then is not', async (bytes) => {
  await using server = await aServer((raw) => raw.resume());
  const trickle = setInterval(() => server.socket.write('x'.repeat(bytes)), 100);
  await expect.poll(() => server.refused.length, { timeout: 5000 }).toBe(1);
  clearInterval(trickle);
});

test('a body that we do not take is not the fault of who sends it', async () => {
  await using server = await aServer((raw) => raw.pause());
  server.socket.write('x'.repeat(500_000));
  await sleep(1000);
  expect(server.refused).toEqual([]);
});
