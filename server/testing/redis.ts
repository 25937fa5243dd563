import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './app.ts';

/** Whether `startRedis` can start one here. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis server of a test's own, which it may take away and bring back. It keeps nothing. */
export async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-redis-'));
  const port = await findPort();
  let server: ChildProcess | undefined;
  const start = async () => {
    const words = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    server = spawn('redis-server', words, { stdio: 'ignore' });
    await eventually('Redis listens', () => canConnect(port));
  };
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is one
  server.close();
  await once(server, 'close');
  return port;
}

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
