/**
 * What PRODUCT.md marks [given], as programs meet it; pages have theirs in e2e/given.e2e.ts. Each test names the fact by its own words:
 * a change that turns one red is wrong.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Socket } from 'socket.io-client';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import type { messageSent } from '../shared/contracts/conversations.ts';
import { listings } from '../shared/contracts/explore.ts';
import { services } from '../shared/contracts/services.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import type { EventData } from '../shared/event.ts';
import type { BodyIn } from '../shared/route.ts';
import { eventually, startTestApp, type Person, type TestApp } from './testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, connect } from './testing/channels.ts';
import { goodKey, startDouble, type Double } from './testing/models/double.ts';
import { wire as chatCompletions } from './testing/models/openai-compatible.ts';

const elsewhere = 'https://api.kotae.example';
const pagesAt = 'https://app.kotae.example';
const unknown = '00000000-0000-4000-8000-000000000000';

let models: Double;
let app: TestApp;
let maker: Person;
const open: Socket[] = [];
beforeAll(async () => {
  models = await startDouble(chatCompletions);
  app = await startTestApp(
    {
      OPENAI_COMPATIBLE_BASE_URL: models.url,
      OPENAI_COMPATIBLE_API_KEY: goodKey,
      API_BASE_URL: elsewhere,
      ALLOWED_ORIGINS: pagesAt,
    },
    { page: '<!doctype html><html lang="en"><head><title>Kotae</title></head><body></body></html>' },
  );
  maker = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  await models.stop();
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

const read = async (path: string, init?: RequestInit) => {
  const response = await app.anyone.fetch(path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
};

describe('§1 Screens', () => {
  test.each([
    '/',
    '/Login',
    '/Register',
    '/Forgot-Password',
    '/Reset-Password?code=x',
    '/api/auth/google/callback',
    '/Bot',
    `/Bot/${unknown}`,
    `/Bot/${unknown}/Chat`,
    '/Bot-Connect',
    `/Bot-Connect/${unknown}`,
    '/Document',
    '/ExploreBot',
    '/Friend',
    '/Image-Generate',
    '/Image-Generate/PreviewModal',
    '/Knowledge',
    '/Knowledge/Add',
    `/Knowledge/${unknown}/documents`,
    `/Knowledge/${unknown}/documents/Create`,
    `/Knowledge/${unknown}/documents/${unknown}`,
    '/Line-Channel',
    `/Line-Channel/${unknown}`,
    '/Web-Channel',
    `/Web-Channel/${unknown}`,
    '/Token',
    '/payment/3d-secure',
    '/payment/success',
    '/payment/failed',
  ])('%s is a page, “case-sensitive as written”', async (path) => {
    const page = await read(path, { headers: { accept: 'text/html' } });
    expect([page.status === 404, page.headers.get('content-type')]).toEqual([false, 'text/html; charset=utf-8']);
    const other = path.replace(/[A-Za-z]/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    if (other !== path) expect((await read(other, { headers: { accept: 'text/html' } })).status).toBe(404);
  });

  test('“(HTTP status of the document is 404 too.)”', async () => {
    expect((await read('/Nowhere')).status).toBe(404);
  });
});

describe('§2 Entities', () => {
  test('“name (may end in " (tag)"), uuid, group `model · other · image-model`, avatar {url}”: what transcribes is `other`', async () => {
    const { body } = await app.anyone.call(services.list);
    const groups = new Map(body.map((each) => [each.modelId, each.group]));
    for (const { name, uuid, avatar } of body) {
      expect([typeof name, typeof uuid]).toEqual(['string', 'string']);
      expect((await app.anyone.fetch(avatar.url)).status).toBe(200);
    }
    expect(new Set(groups.values())).toEqual(new Set(['model', 'other', 'image-model']));
    expect(models.wire.transcribers?.map((model) => groups.get(model))).toEqual(['other']);
    expect(body.some(({ name }) => / \([^()]+\)$/.test(name))).toBe(true);
  });

  test('“`GET /api/users/me?populate=avatar` returns it; without `populate=avatar` the avatar is left out”', async () => {
    const whole = (await maker.call(accounts.me, { query: { populate: 'avatar' } })).body;
    expect(whole).toMatchObject({ username: maker.user.username, email: maker.user.email });
    expect(whole).toHaveProperty('avatar');
    expect((await maker.call(accounts.me)).body).not.toHaveProperty('avatar');
  });
});

describe('§4 Session', () => {
  test('“`GET /api/service` answers anyone”', async () => {
    const { status, body } = await app.anyone.call(services.list);
    expect([status, Array.isArray(body)]).toEqual([200, true]);
  });

  test('“a bearer `Authorization` header” is the identity, and “a cookie alone anywhere else is 401”', async () => {
    const cookie = maker.cookies.map((each) => each.split(';')[0]).join('; ');
    expect(cookie).toContain('jwt=');
    expect((await read('/api/users/me', { headers: { cookie } })).status).toBe(401);
    const authorization = `Bearer ${maker.jwt}`;
    expect((await read('/api/users/me', { headers: { authorization } })).status).toBe(200);
  });

  test('“`jwt` is readable by our script … short-lived (15 minutes)”, its session “an HttpOnly, SameSite=Lax session cookie”', () => {
    const [jwt, session] = ['jwt', 'session'].map((name) => maker.cookies.find((each) => each.startsWith(`${name}=`)));
    expect(jwt).toContain('Max-Age=900');
    expect(jwt).not.toContain('HttpOnly');
    expect(session).toMatch(/HttpOnly.*SameSite=Lax/);
  });

  test('“`POST /api/auth/renew` and `POST /api/auth/sign-out`, which check `Origin` (403 else)”', async () => {
    const person = await app.aPerson();
    const cookie = person.cookies.map((each) => each.split(';')[0]).join('; ');
    const ask = async (path: string, origin?: string) =>
      (await read(path, { method: 'POST', headers: { cookie, ...(origin && { origin }) } })).status;
    for (const path of [accounts.renew.path, accounts.signOut.path])
      expect([await ask(path), await ask(path, 'https://evil.example')]).toEqual([403, 403]);
    expect(await ask(accounts.renew.path, pagesAt)).toBe(200);
    expect(await ask(accounts.signOut.path, new URL(app.url).origin)).toBe(200);
    expect(await ask(accounts.renew.path, new URL(app.url).origin)).toBe(401);
  });
});

describe('§5 The calls', () => {
  test('“one base URL that comes from configuration”: the page is told it, may call it, and nothing else', async () => {
    const { body, headers } = await read('/Login');
    expect(body).toContain(`<meta name="kotae-api-base" content="${elsewhere}" />`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ')).toEqual(
      expect.arrayContaining(["'self'", elsewhere, 'wss://api.kotae.example']),
    );
  });

  test('“another origin of the same site works when the operator lists it”', async () => {
    const allowed = await read('/api/service', { headers: { origin: pagesAt } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(pagesAt);
    expect(allowed.headers.get('access-control-allow-credentials')).toBe('true');
    const other = await read('/api/service', { headers: { origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
  });

  test.each([
    ['GET', '/api/users/me?populate=avatar', 401],
    ['GET', '/api/service', 200],
    ['POST', '/api/auth/local', 400],
    ['POST', '/api/auth/local/register', 400],
    ['POST', '/api/auth/forgot-password', 400],
    ['POST', '/api/auth/reset-password', 400],
    ['GET', '/api/auth/google', undefined],
    ['GET', '/api/auth/google/callback', undefined],
    ['PUT', '/api/user/update-account', 401],
    ['DELETE', '/api/user/delete-account', 401],
    ['GET', '/api/user/bots', 401],
    ['GET', '/api/user/bots/dropdown', 401],
    ['POST', '/api/user/bot', 401],
    ['GET', `/api/user/bot/${unknown}`, 401],
    ['PUT', `/api/user/bot/${unknown}`, 401],
    ['DELETE', `/api/user/bot/${unknown}`, 401],
    ['GET', '/api/public/bots', 200],
    ['GET', `/api/bot/${unknown}`, 401],
    ['GET', '/api/user/botgroups', 401],
    ['POST', '/api/user/botgroup', 401],
    ['PUT', `/api/user/botgroup/${unknown}`, 401],
    ['GET', '/api/user/knowledges', 401],
    ['POST', '/api/user/knowledge', 401],
    ['GET', `/api/user/knowledge/${unknown}`, 401],
    ['POST', `/api/user/knowledge/${unknown}/search`, 401],
    ['POST', `/api/user/knowledge/${unknown}/document`, 401],
    ['GET', `/api/user/knowledge/${unknown}/document/${unknown}`, 401],
    ['GET', `/api/user/document/${unknown}/embeddings`, 401],
    ['POST', `/api/user/document/${unknown}/embedding`, 401],
    ['PUT', `/api/user/document/${unknown}/embedding/${unknown}`, 401],
    ['POST', '/api/chat', 401],
    ['GET', '/api/user/line/rich-menus', 401],
    ['POST', '/api/user/line/rich-menu', 401],
    ['GET', '/api/user/line/rich-menu-line', 401],
    ['GET', '/api/user/line/rich-messages', 401],
    ['POST', '/api/user/line/rich-message', 401],
    ['GET', '/api/user/line/webhooks', 401],
    ['GET', '/api/user/line/webhook-events', 401],
    ['GET', `/api/user/line/webhook/${unknown}`, 401],
    ['GET', '/api/user/line/line-channels', 401],
    ['GET', `/api/user/line/line-channel/${unknown}`, 401],
    ['POST', '/api/user/line/line-channel-connect', 401],
    ['POST', `/api/user/line/line-channel-sync-webhook/${unknown}`, 401],
    ['GET', '/api/user/web-channel', 401],
    ['GET', `/api/user/web-channel/${unknown}`, 401],
    ['GET', '/api/embed-setting', undefined],
    ['GET', '/api/user/token/history', 401],
    ['GET', '/api/user/payment', 401],
    ['GET', '/api/user/api-keys', 401],
    ['POST', '/api/user/api-key', 401],
    ['GET', '/api/user/model/model-api-key', 401],
    ['GET', '/v1/models', 401],
    ['POST', '/v1/chat/completions', 401],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', undefined],
  ])('%s %s is one of “The calls [given paths]”', async (method, path, status) => {
    const { status: answered, body } = await read(path, {
      method,
      redirect: 'manual',
      headers: { accept: 'application/json', ...(method !== 'GET' && { 'content-type': 'application/json' }) },
      ...(method !== 'GET' && { body: '{}' }),
    });
    // An address that nobody serves has this code; one that is served speaks of what is missing.
    expect(body.error?.code).not.toBe('not-found');
    if (status !== undefined) expect(answered).toBe(status);
  });

  const usual: BodyIn<typeof listings.save> = {
    visibility: 'public',
    category: 'shops',
    languages: ['en'],
    summary: 'Hours of the shop',
    copying: 'none',
    creditsPerDay: 20,
  };
  const aListedBot = async (visibility: 'public' | 'link') => {
    const uuid = await aPublishedBot(maker);
    await maker.call(bots.update, { params: { uuid }, body: { description: 'for the team', greeting: 'Hello!' } });
    await maker.call(bots.publish, { params: { uuid } });
    await maker.call(bots.update, { params: { uuid }, body: { greeting: 'not published yet' } });
    expect((await maker.call(listings.save, { params: { uuid }, body: { ...usual, visibility } })).status).toBe(200);
    return uuid;
  };

  test.each(['public', 'link'] as const)(
    '“`/api/bot/{uuid}`: what a chat page needs to show a bot to the caller”, also to nobody and to strangers where it is %s',
    async (visibility) => {
      const uuid = await aListedBot(visibility);
      const stranger = await app.aPerson();
      const expected = {
        uuid,
        name: expect.any(String),
        description: usual.summary,
        avatar: null,
        mark: expect.any(Number),
        greeting: 'Hello!',
        starters: [],
        followUps: [],
        appearance: expect.any(Object),
        takesImages: false,
        own: false,
        canEdit: false,
        published: null,
        changed: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      };
      expect((await app.anyone.call(bots.show, { params: { uuid } })).body.data).toEqual(expected);
      expect((await stranger.call(bots.show, { params: { uuid } })).body.data).toEqual(expected);
      const ours = (await maker.call(bots.show, { params: { uuid } })).body.data;
      expect(ours).toMatchObject({ own: true, canEdit: true, greeting: 'not published yet' });
    },
  );

  test('“anonymous 401; another workspace’s thing, or none, the same 404”, and of a bot that only a team may use nothing is told', async () => {
    const hidden = await aPublishedBot(maker);
    const stranger = await app.aPerson();
    const ask = (uuid: string) =>
      Promise.all([app.anyone, stranger].map((who) => who.call(bots.show, { params: { uuid } })));
    const plain = (replies: Awaited<ReturnType<typeof ask>>) => replies.map(({ status, error }) => [status, error]);
    const told = plain(await ask(hidden));
    expect(told.map(([status]) => status)).toEqual([401, 404]);
    expect(told).toEqual(plain(await ask(unknown)));
  });

  test('“`?channel=` names the website channel”, and a bot without one is shown on that of its public page', async () => {
    const shown = (uuid: string, who: Pick<Person, 'call'> = app.anyone) =>
      who.call(visitors.setting, { query: { bot: uuid } });
    const uuid = await aListedBot('link');
    const setting = (await shown(uuid)).body.data;
    expect(setting.bot).toMatchObject({ uuid, greeting: 'Hello!' });
    const visitor = await app.anyone.call(visitors.begin, { body: { channel: setting.channel ?? '' } });
    expect(visitor.status).toBe(200);
    expect((await shown(await aPublishedBot(maker))).status).toBe(404);
    // Whoever may edit it sees what visitors get, without a visitor's conversation.
    const own = (await shown(uuid, maker)).body.data;
    expect([own.channel, own.bot?.greeting]).toEqual([null, 'Hello!']);
  });
});

describe('Realtime', () => {
  test('“path `/socket.io`, `auth: {token}`; event `message` → {message: {uuid, seq, role, message, sticker, location, images}, thread: {uuid, guest: {name, avatar}}}”', async () => {
    const { uuid: channel } = await aChannel(maker, await aPublishedBot(maker));
    const socket = await connect(app.url, maker.jwt);
    open.push(socket);
    const heard: EventData<typeof messageSent>[] = [];
    socket.on('message', (data: EventData<typeof messageSent>) => void heard.push(data));
    const visitor = await aVisitor(app, channel);
    await visitor.write('When does the shop open?');
    const told = await eventually('the team hears of it', async () => heard.find(({ message }) => message.seq === 1));
    expect(told).toMatchObject({
      message: {
        uuid: expect.any(String),
        seq: 1,
        role: 'user',
        message: 'When does the shop open?',
        sticker: null,
        location: null,
        images: [],
      },
      thread: { uuid: expect.any(String), guest: { name: expect.any(String), avatar: null } },
    });
  });

  test('“authenticated with the jwt token”: without one there is no connection', async () => {
    await expect(connect(app.url, 'not-a-token')).rejects.toThrow('not-signed-in');
  });
});
