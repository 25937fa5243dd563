import { randomBytes } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountChanged, accounts, security } from '../../../shared/contracts/accounts.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { hasRedisServer, startRedis } from '../../testing/redis.ts';

describe.skipIf(!hasRedisServer)('with a Redis of its own', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let app: TestApp;
  let person: Person;
  let socket: Socket;
  let heard = 0;
  beforeAll(async () => {
    redis = await startRedis();
    app = await startTestApp({ REDIS_URL: redis.url, MASTER_KEY: randomBytes(32).toString('base64') });
    person = await app.aPerson();
    socket = io(app.url, {
      path: '/socket.io',
      transports: ['websocket'],
      auth: { token: person.jwt },
      reconnection: false,
    });
    socket.on(accountChanged.name, () => heard++);
    await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));
  });
  afterAll(async () => {
    socket.close();
    await app.stop();
    await redis.close();
  });

  const readiness = async () => {
    const response = await app.anyone.fetch('/readyz');
    return { code: response.status, ...JSON.parse(await response.text()) };
  };
  const ready = { code: 200, status: 'ready', database: true, storage: true };
  const tell = (times: number) => {
    for (let time = 0; time < times; time++) app.server.context.sockets.toUser(person.user.uuid, accountChanged, {});
  };
  /** Events that were handed to Redis for other processes. */
  const countShared = async () => {
    const client = await createClient({ url: redis.url }).connect();
    return client.xLen('socket.io').finally(() => client.close());
  };

  test('while Redis is away it is told, pages hear what happens here, and nothing piles up for its return', async () => {
    expect(await readiness()).toEqual({ ...ready, redis: true });
    tell(1);
    await eventually('it is heard', async () => heard === 1);

    await redis.stop();
    // Each process goes on alone, so none of them is taken out of service.
    await eventually('it is told', async () => (await readiness()).redis === false);
    expect(await readiness()).toEqual({ ...ready, redis: false });
    const many = 3_000;
    tell(many);
    await redis.start();
    await eventually('it is back', async () => (await readiness()).redis === true, 30_000);
    await eventually('all of it is heard', async () => heard === 1 + many);
    expect(await countShared()).toBe(0);
    tell(2);
    await eventually('others are told again', async () => (await countShared()) === 2);
    await eventually('it is heard', async () => heard === 3 + many);
  }, 60_000);

  test('who is signed out while Redis is away hears nothing more', async () => {
    await redis.stop();
    await eventually('it is told', async () => (await readiness()).redis === false);
    const { body } = await app.anyone.call(accounts.signIn, {
      body: { identifier: person.user.username, password: 'correct horse battery' },
    });
    if (!('jwt' in body)) throw new Error('no session');
    const headers = { authorization: `Bearer ${body.jwt}` };
    expect(socket.connected).toBe(true);
    expect((await app.anyone.call(security.endOtherSessions, { headers })).status).toBe(200);
    await eventually('it is disconnected', async () => !socket.connected);
  }, 30_000);
});
