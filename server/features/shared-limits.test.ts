import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../shared/contracts/accounts.ts';
import { readConfig } from '../infra/config.ts';
import { createLog } from '../infra/log.ts';
import { startServer, type Server } from '../server.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { startProxy, type Proxy } from '../testing/proxy.ts';

const redis = process.env['TEST_REDIS_URL'];

describe.skipIf(process.env['TEST_ENGINE'] !== 'postgres' || redis === undefined)(
  'two servers with one database and one Redis',
  () => {
    let proxy: Proxy;
    let app: TestApp;
    let second: Server;
    let folder: string;
    let person: Person;
    let urls: string[];
    /** Addresses that nobody else calls from, so that what is counted for them is ours. */
    const net = `203.0.${randomBytes(1)[0]}`;
    const used: string[] = [];
    const anAddress = () => {
      const address = `${net}.${used.length + 1}`;
      used.push(address);
      return address;
    };

    beforeAll(async () => {
      const real = new URL(redis ?? '');
      proxy = await startProxy({ host: real.hostname, port: Number(real.port || 6379) });
      const through = new URL(real);
      through.hostname = '127.0.0.1';
      through.port = String(proxy.port);
      app = await startTestApp({
        REDIS_URL: through.href,
        RATE_LIMITS: 'true',
        TRUST_PROXY: '127.0.0.1',
        MASTER_KEY: randomBytes(32).toString('base64'),
      });
      folder = await mkdtemp(join(tmpdir(), 'kotae-second-'));
      second = await startServer(readConfig({ ...app.settings, DATA_DIR: folder }, {}), createLog('silent'), ['web'], {
        webFolder: folder,
      });
      urls = [app.url, second.address ?? ''];
      person = await app.aPerson();
    });
    afterAll(async () => {
      await proxy.become('open');
      await second.stop();
      await app.stop();
      await rm(folder, { recursive: true, force: true });
      await proxy.close();
      const client = await createClient({ url: redis ?? '' }).connect();
      const names = [...used, person.user.uuid, '127.0.0.1'];
      for await (const found of client.scanIterator({ MATCH: 'kotae:limit:*' })) {
        const own = found.filter((key) => names.some((name) => key.endsWith(`:${name}`)));
        if (own.length > 0) await client.del(own);
      }
      await client.close();
    });

    const signIn = async (url: string, address: string, given: { identifier?: string; password?: string } = {}) => {
      const from = performance.now();
      const response = await fetch(`${url}${accounts.signIn.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ identifier: person.user.username, password: 'correct horse battery', ...given }),
      });
      await response.body?.cancel();
      return {
        status: response.status,
        retryAfter: Number(response.headers.get('retry-after')),
        ms: performance.now() - from,
      };
    };
    /** Tries that fail, at once and on each server in turn; how many were heard and how many were too many. */
    const guess = async (times: number, at: string[], address: () => string, identifier: () => string) => {
      const statuses = await Promise.all(
        Array.from(
          { length: times },
          async (_, time) =>
            (
              await signIn(at[time % at.length] ?? '', address(), {
                identifier: identifier(),
                password: 'wrong password',
              })
            ).status,
        ),
      );
      return {
        heard: statuses.filter((status) => status === 401).length,
        tooMany: statuses.filter((status) => status === 429).length,
      };
    };
    const nobody = () => `nobody-${randomBytes(4).toString('hex')}`;

    const countTogether = async () => {
      const fresh = anAddress();
      return (await guess(24, urls, () => fresh, nobody)).tooMany === 4;
    };

    test('count the tries of one address together, and say when to come back', async () => {
      const address = anAddress();
      expect(await guess(20, urls, () => address, nobody)).toEqual({ heard: 20, tooMany: 0 });
      for (const url of urls) {
        const { status, retryAfter } = await signIn(url, address);
        expect(status).toBe(429);
        expect(retryAfter).toBeGreaterThan(200);
        expect(retryAfter).toBeLessThanOrEqual(300);
      }
      expect((await signIn(urls[1] ?? '', anAddress())).status).toBe(200);
    });

    test('count the tries at one account together, from wherever they come', async () => {
      const victim = nobody();
      expect(await guess(22, urls, anAddress, () => victim)).toEqual({ heard: 20, tooMany: 2 });
    });

    test('go on without Redis, each with a count of its own, and together again when it is back', async () => {
      await proxy.become('cut');
      for (const url of urls) {
        const { status, ms } = await signIn(url, anAddress());
        expect(status).toBe(200);
        expect(ms).toBeLessThan(2000);
      }
      expect((await person.call(accounts.me)).status).toBe(200);
      const address = anAddress();
      for (const url of urls) expect(await guess(22, [url], () => address, nobody)).toEqual({ heard: 20, tooMany: 2 });

      await proxy.become('open');
      await eventually('they count together again', countTogether);
      expect((await signIn(urls[0] ?? '', anAddress())).status).toBe(200);
    }, 60_000);

    test('go on when Redis takes everything and says nothing', async () => {
      await proxy.become('silent');
      const { status, ms } = await signIn(urls[0] ?? '', anAddress());
      expect(status).toBe(200);
      expect(ms).toBeLessThan(5000);
      await proxy.become('open');
      await eventually('they count together again', countTogether);
    }, 60_000);
  },
);
