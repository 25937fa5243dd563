import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { connections, usualConnection } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { seeAsVisitor, visitors, writeAsVisitor } from '../../../shared/contracts/visitors.ts';
import { usualEmbed, webChannels } from '../../../shared/contracts/web-channels.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, connect } from '../../testing/channels.ts';
import { mustStayLinear } from '../../../shared/testing/growth.ts';
import { tagsOf } from './check-site.ts';
import { eraseOldThreads, sweepVisitors } from './retention.ts';

let app: TestApp;
let maker: Person;
let bot: string;
beforeAll(async () => {
  app = await startTestApp();
  maker = await app.aPerson();
  bot = await aPublishedBot(maker);
});
afterAll(() => app.stop());

const { signal } = new AbortController();
const day = 86_400_000;
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** A channel whose site can prove who somebody is. */
async function aSite(settings: Parameters<typeof aChannel>[2] = {}, { by = maker, on = app } = {}) {
  const { uuid, connection } = await aChannel(by, null, settings);
  const { secret } = (await by.call(webChannels.secret, { params: { uuid } })).body.data;
  const identify = (id: string, more: { name?: string; email?: string } = {}) => ({
    id,
    hash: createHmac('sha256', secret).update(id).digest('hex'),
    ...more,
  });
  const begin = async (body: { token?: string; identify?: ReturnType<typeof identify> }) =>
    on.anyone.call(visitors.begin, { body: { channel: uuid, ...body } });
  return { uuid, connection, identify, begin };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const identitiesOf = async (guest: string) =>
  app.server.context.db.selectFrom('guest_identity').selectAll().where('guest', '=', guest).execute();
const profileOf = async (uuid: string) => (await maker.call(inbox.guest, { params: { uuid } })).body.data;
const upload = (headers: { authorization: string }, on = app) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(pixel)]), 'photo.png');
  return on.anyone.fetch('/api/visitor/file', { method: 'POST', headers, body: form });
};

test('however many pages of one person begin at once, they are one person, and none is refused', async () => {
  const { identify, begin } = await aSite();
  const many = (token?: string) =>
    Array.from({ length: 8 }, () => begin({ identify: identify('customer-1'), ...(token && { token }) }));
  const first = await Promise.all(many());
  expect(first.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const known = new Set(first.map(({ body }) => body.data.guest.uuid));
  expect(known.size).toBe(1);
  // One that was nobody until now, in every tab at once.
  const { token } = (await begin({})).body.data;
  const second = await Promise.all(many(token));
  expect(second.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(new Set(second.map(({ body }) => body.data.guest.uuid))).toEqual(known);
  // Two people are said to be at one device: each is themselves.
  const shared = (await begin({})).body.data.token;
  const both = await Promise.all(
    ['customer-2', 'customer-3', 'customer-2', 'customer-3'].map((id) =>
      begin({ token: shared, identify: identify(id) }),
    ),
  );
  expect(both.map(({ status }) => status)).toEqual(Array(4).fill(200));
  const [two, three, twoAgain, threeAgain] = both.map(({ body }) => body.data.guest.uuid);
  expect([two, three]).toEqual([twoAgain, threeAgain]);
  expect(two).not.toBe(three);
});

test('a device that is known and new ones of the same person may come at once', async () => {
  const { identify, begin } = await aSite();
  for (let at = 0; at < 10; at++) {
    const id = `both-${at}`;
    const { token } = (await begin({ identify: identify(id) })).body.data;
    const others = await Promise.all(Array.from({ length: 4 }, async () => (await begin({})).body.data.token));
    const all = [token, ...others, token].map((each) => begin({ token: each, identify: identify(id) }));
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  }
});

test('whatever devices a person is seen on, a number of them stays known', async () => {
  const { identify, begin } = await aSite();
  const other = (await begin({ identify: identify('a') })).body.data.token;
  const first = (await begin({ identify: identify('b') })).body.data;
  let last = first;
  for (let at = 0; at < 25; at++)
    last = (await begin(at % 2 ? { identify: identify('b') } : { token: other, identify: identify('b') })).body.data;
  expect(last.guest.uuid).toBe(first.guest.uuid);
  expect((await identitiesOf(first.guest.uuid)).length).toBeLessThanOrEqual(21);
  expect((await app.anyone.call(visitors.messages, { headers: bearer(last.token) })).status).toBe(200);
  expect((await begin({ identify: identify('b') })).body.data.guest.uuid).toBe(first.guest.uuid);
});

test('staff see as verified what was proved, which is the id', async () => {
  const { identify, begin } = await aSite();
  const { guest } = (await begin({ identify: identify('customer-7', { name: 'The Boss' }) })).body.data;
  const { name, identities } = await profileOf(guest.uuid);
  expect(name).toBe('The Boss');
  expect(identities.filter(({ verified }) => verified).map((each) => each.name)).toEqual(['customer-7']);
});

describe('what is asked before the first message', () => {
  const form = { enabled: true, fields: [{ field: 'email' as const, required: true }], consent: false };

  test('is asked of nobody whom the site has proved, neither as they come nor as they write', async () => {
    const { identify, begin } = await aSite({ form });
    for (const more of [{}, { token: 'again' }]) {
      const first = (await begin({ identify: identify('customer-1') })).body.data;
      const { guest, token } = 'token' in more ? (await begin({ token: first.token })).body.data : first;
      expect(guest.needsForm).toBe(false);
      const reply = await app.anyone.fetch('/api/visitor/message', {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
        body: JSON.stringify({ key: randomUUID(), text: 'Hello' }),
      });
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Hello')]);
    }
    const anonymous = await aVisitor(app, (await aSite({ form })).uuid);
    expect(anonymous.guest.needsForm).toBe(true);
    await expect(anonymous.write('Hello')).rejects.toThrow('form-needed');
  });

  test('is taken where it is asked, and changes nothing that a site has proved', async () => {
    const { identify, begin, uuid } = await aSite();
    const { guest, token } = (
      await begin({ identify: identify('vip', { name: 'Real Customer', email: 'real@site.example' }) })
    ).body.data;
    const fill = (body: object, sent = token) => app.anyone.call(visitors.form, { headers: bearer(sent), body });
    const fake = { name: 'CEO (verified)', email: 'ceo@site.example', phone: '110' };
    expect((await fill(fake)).error.code).toBe('not-allowed');
    await maker.call(webChannels.update, { params: { uuid }, body: { form } });
    await fill(fake);
    expect(await profileOf(guest.uuid)).toMatchObject({ name: 'Real Customer', email: 'real@site.example' });
    const anonymous = await aVisitor(app, uuid);
    expect((await fill({ email: 'sora@example.com' }, anonymous.token)).status).toBe(200);
    expect(await profileOf(anonymous.guest.uuid)).toMatchObject({ email: 'sora@example.com' });
  });
});

describe('a visitor who waits while nobody is there', () => {
  const closed = { timezone: 'UTC', week: Array.from({ length: 7 }, () => []), holidays: [] };
  const emailOf = async (guest: string) => (await profileOf(guest)).email;

  test('leaves an email where none is known, and nothing else', async () => {
    const { uuid, connection } = await aChannel(maker, null);
    await maker.call(connections.update, { params: { uuid: connection }, body: { hours: closed } });
    const visitor = await aVisitor(app, uuid);
    expect(visitor.guest.hasEmail).toBe(false);
    const leave = (body: object) => visitor.call(visitors.form, { body });
    // Nobody is asked before they have something to be answered.
    expect((await leave({ email: 'sora@example.com' })).error.code).toBe('not-allowed');
    await visitor.write('Hello');
    expect((await leave({ email: 'sora@example.com', name: 'The Boss' })).error.code).toBe('not-allowed');
    expect((await leave({ name: 'The Boss' })).error.code).toBe('not-allowed');
    expect((await leave({ email: 'sora' })).error.details['fields']).toMatchObject([{ code: 'email-form' }]);
    expect(await emailOf(visitor.guest.uuid)).toBe('');
    expect((await leave({ email: 'sora@example.com' })).status).toBe(200);
    expect(await emailOf(visitor.guest.uuid)).toBe('sora@example.com');
    expect((await aVisitor(app, uuid, { token: visitor.token })).guest.hasEmail).toBe(true);
    expect((await leave({ email: 'other@example.com' })).error.code).toBe('not-allowed');
    expect(await emailOf(visitor.guest.uuid)).toBe('sora@example.com');
  });

  test('is not asked while somebody is there', async () => {
    const { uuid } = await aChannel(maker, null);
    const visitor = await aVisitor(app, uuid);
    await visitor.write('Hello');
    expect((await visitor.call(visitors.form, { body: { email: 'sora@example.com' } })).error.code).toBe('not-allowed');
  });
});

test('who asks for a person is answered in the language of their page, whatever they wrote in', async () => {
  const { uuid } = await aChannel(maker, bot);
  for (const [locale, text, words] of [
    ['ja', 'When do you open?', '担当者'],
    ['en', '営業時間は？', 'A member of our team'],
  ] as const) {
    const visitor = await aVisitor(app, uuid, { locale });
    await visitor.write(text);
    const page = (await visitor.call(visitors.person, { headers: { 'accept-language': locale } })).body.data;
    expect(page.messages.at(-1)).toMatchObject({ role: 'system', text: expect.stringContaining(words) });
    expect((await profileOf(visitor.guest.uuid)).language).toBe(locale);
  }
  // Who has said nothing has the language of their page.
  const silent = await aVisitor(app, uuid, { locale: 'ja' });
  const page = (await silent.call(visitors.person, { headers: { 'accept-language': 'ja' } })).body.data;
  expect(page.messages.at(-1)?.text).toContain('担当者');
});

test('a site whose proof is not accepted is told what is wrong with it', async () => {
  const { uuid } = await aChannel(maker, null);
  const identify = { id: 'customer-1', hash: '0'.repeat(64) };
  const begin = () => app.anyone.call(visitors.begin, { body: { channel: uuid, identify } });
  expect((await begin()).error).toMatchObject({
    code: 'identify-no-secret',
    message: expect.stringContaining('secret'),
  });
  await maker.call(webChannels.secret, { params: { uuid } });
  expect((await begin()).error).toMatchObject({
    code: 'identify-wrong-hash',
    message: expect.stringContaining('hash'),
  });
});

test('two makers of a connection do not overwrite each other', async () => {
  const { connection } = await aChannel(maker, bot);
  const params = { uuid: connection };
  const { updatedAt } = (await maker.call(connections.get, { params })).body.data;
  const change = (body: object) => maker.call(connections.update, { params, body });
  const first = await change({ awayText: 'Back on Monday', seen: updatedAt });
  expect(first.body.data.settings.awayText).toBe('Back on Monday');
  const second = await change({ active: false, seen: updatedAt });
  expect([second.status, second.error.code]).toEqual([409, 'conflict']);
  expect((await maker.call(connections.get, { params })).body.data.active).toBe(true);
  expect((await change({ active: false, seen: first.body.data.updatedAt })).status).toBe(200);
});

test('a name is one line that reads as it is written, from wherever it comes', async () => {
  const { identify, begin, uuid } = await aSite({
    form: { enabled: true, fields: [{ field: 'name', required: true }], consent: false },
  });
  const bad = '\u202Eevil\u2066\r\nBcc: x\u2028y\u0007\t z\u061C';
  const good = 'evil Bcc: x y z';
  const site = (await begin({ identify: identify('a', { name: bad }) })).body.data;
  expect((await profileOf(site.guest.uuid)).name).toBe(good);
  const visitor = await aVisitor(app, uuid);
  await visitor.call(visitors.form, { body: { name: bad } });
  expect((await profileOf(visitor.guest.uuid)).name).toBe(good);
  await maker.call(inbox.updateGuest, { params: { uuid: visitor.guest.uuid }, body: { name: `${bad} again` } });
  expect((await profileOf(visitor.guest.uuid)).name).toBe(`${good} again`);
  const family = '👨‍👩‍👧‍👦 أحمد が';
  await maker.call(inbox.updateGuest, { params: { uuid: visitor.guest.uuid }, body: { name: family } });
  expect((await profileOf(visitor.guest.uuid)).name).toBe(family);
});

describe('through every door', () => {
  const doors = (thread: { message: string }) =>
    [
      [visitors.messages, {}],
      [visitors.form, { body: { name: 'x' } }],
      [visitors.send, { body: { key: randomUUID(), text: 'Hello' } }],
      [visitors.resume, {}],
      [visitors.stop, {}],
      [visitors.person, {}],
      [visitors.restart, {}],
      [visitors.rate, { params: { message: thread.message }, body: { rating: 'up' as const } }],
      [visitors.file, { params: { uuid: randomUUID() } }],
      [visitors.document, { params: { uuid: randomUUID() } }],
    ] as const;

  test('every route of visitors is tried here', () => {
    const tried = new Set<unknown>([...doors({ message: '' }).map(([route]) => route), visitors.attach]);
    expect(Object.values(visitors).filter((route) => route.access === 'visitor' && !tried.has(route))).toEqual([]);
  });

  test.each(['is blocked', 'is on a channel that was switched off'])('a visitor who %s is not let in', async (why) => {
    const { uuid, connection } = await aChannel(maker, bot, {
      form: { ...usualEmbed.form, enabled: true },
      shown: { ...usualEmbed.shown, upload: true },
    });
    const visitor = await aVisitor(app, uuid);
    await visitor.call(visitors.form, { body: { email: 'a@example.com' } });
    const message = (await visitor.say('When does it open?')).uuid;
    const socket = await connect(app.url, visitor.token);
    const before = await visitor.page();
    const isBlocked = why === 'is blocked';
    if (isBlocked)
      await maker.call(inbox.updateGuest, { params: { uuid: visitor.guest.uuid }, body: { blocked: true } });
    else await maker.call(connections.update, { params: { uuid: connection }, body: { active: false } });
    const code = isBlocked ? 'visitor-blocked' : 'channel-not-found';
    for (const [route, sent] of doors({ message }))
      expect([
        route.path,
        (await app.anyone.call(route as typeof visitors.messages, { headers: visitor.headers, ...sent } as object))
          .error?.code,
      ]).toEqual([route.path, code]);
    expect(await (await upload(visitor.headers)).text()).toContain(code);
    expect((await app.anyone.call(visitors.begin, { body: { channel: uuid, token: visitor.token } })).error.code).toBe(
      code,
    );
    await expect(connect(app.url, visitor.token)).rejects.toThrow('not-signed-in');
    const gone = eventually('they are cut off', async () => !socket.connected, 8_000);
    socket.emit(writeAsVisitor.name, { isTyping: true }, () => {});
    socket.emit(seeAsVisitor.name, { seq: 1 }, () => {});
    await gone;
    if (isBlocked)
      await maker.call(inbox.updateGuest, { params: { uuid: visitor.guest.uuid }, body: { blocked: false } });
    else await maker.call(connections.update, { params: { uuid: connection }, body: { active: true } });
    expect((await visitor.page()).messages.map(({ uuid: each, rating }) => [each, rating])).toEqual(
      before.messages.map(({ uuid: each, rating }) => [each, rating]),
    );
  });
});

test('where no person is offered, nobody can ask for one', async () => {
  const { uuid, connection } = await aChannel(maker, bot);
  await maker.call(connections.update, {
    params: { uuid: connection },
    body: { handoff: { ...usualConnection.handoff, offered: false } },
  });
  const visitor = await aVisitor(app, uuid);
  await visitor.write('When does it open?');
  const reply = await visitor.call(visitors.person);
  expect([reply.status, reply.error.code]).toEqual([403, 'not-allowed']);
  expect((await visitor.page()).thread?.status).toBe('bot');
});

test('each kind of thing that a visitor does has limits of its own', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true', LIMITS: 'visitor-acts=3/60,visitor-persons=2/60' });
  try {
    const boss = await limited.aPerson();
    const { uuid } = await aChannel(boss, null, {
      shown: { ...usualEmbed.shown, upload: true },
      limits: { ...usualEmbed.limits, visitorPerMinute: 1 },
    });
    const visitor = await aVisitor(limited, uuid);
    const times = async (count: number, act: () => Promise<{ status: number }>) => {
      const statuses = [];
      for (let at = 0; at < count; at++) statuses.push((await act()).status);
      return statuses;
    };
    // As many files as the messages of a minute can carry, a person asked for and ratings: no message less.
    expect(await times(6, () => upload(visitor.headers, limited))).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await times(3, () => visitor.call(visitors.person))).toEqual([200, 200, 429]);
    const rating = { params: { message: randomUUID() }, body: { rating: 'up' as const } };
    expect(await times(4, () => visitor.call(visitors.rate, rating))).toEqual([404, 404, 404, 429]);
    await visitor.write('one');
    await expect(visitor.write('two')).rejects.toThrow('visitor-limit');
  } finally {
    await limited.stop();
  }
});

test('whoever writes that they want a person gets one as often as the button gives one, and then the bot', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true', LIMITS: 'visitor-persons=2/60' });
  try {
    const boss = await limited.aPerson();
    const { uuid } = await aChannel(boss, await aPublishedBot(boss));
    const visitor = await aVisitor(limited, uuid);
    const states = [];
    for (let at = 0; at < 3; at++) {
      await visitor.write('I want to talk to a person');
      states.push((await visitor.page()).thread?.status);
      await visitor.call(visitors.restart);
    }
    expect(states).toEqual(['waiting', 'waiting', 'bot']);
    expect((await visitor.call(visitors.person)).status).toBe(429);
  } finally {
    await limited.stop();
  }
});

test('what the bot handed over before its process ended is told with the next message', async () => {
  const { uuid } = await aChannel(maker, bot);
  const visitor = await aVisitor(app, uuid);
  await visitor.write('When does it open?');
  const thread = (await visitor.page()).thread?.uuid ?? '';
  await app.server.context.db
    .updateTable('thread')
    .set({ status: 'waiting', waiting_since: null, reason: 'asked' })
    .where('uuid', '=', thread)
    .execute();
  await visitor.write('Are you still there?');
  const page = await visitor.page();
  expect(page.thread?.status).toBe('waiting');
  expect(page.messages.at(-1)?.text).toMatch(/^I have passed this on/);
});

test('a device that is shown other customers by turns is counted as new visitors are', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true', LIMITS: 'visitors=5/3600' });
  try {
    const boss = await limited.aPerson();
    const { identify, begin } = await aSite({}, { by: boss, on: limited });
    const { token } = (await begin({ identify: identify('a') })).body.data;
    await begin({ identify: identify('b') });
    const codes = [];
    for (let at = 0; at < 8; at++) codes.push((await begin({ token, identify: identify('b') })).status);
    expect(codes).toContain(200);
    expect(codes.at(-1)).toBe(429);
    // Whoever comes back as themselves is not new.
    expect((await begin({ token, identify: identify('a') })).status).toBe(200);
  } finally {
    await limited.stop();
  }
});

test('a preview ends when everything else of its maker ends', async () => {
  const other = await startTestApp();
  onTestFinished(() => other.stop());
  const boss = await other.aPerson();
  const own = await other.aPerson();
  const { uuid: channel } = (await own.call(webChannels.create, { body: { name: 'Site', bot: null, domains: [] } }))
    .body.data;
  const begin = async () => (await own.call(visitors.begin, { body: { channel, preview: true } })).body.data.token;
  const read = async (token: string) => (await other.anyone.call(visitors.messages, { headers: bearer(token) })).status;
  const first = await begin();
  expect(await read(first)).toBe(200);
  await own.call(accounts.update, {
    body: { currentPassword: 'correct horse battery', password: 'another horse battery' },
  });
  expect(await read(first)).toBe(401);
  const second = await begin();
  expect(await read(second)).toBe(200);
  await boss.call(operator.suspend, { params: { uuid: own.user.uuid }, body: { reason: '' } });
  expect(await read(second)).toBe(401);
});

test('a preview is a maker’s: it ends with their right to edit, and has the usual limits', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true' });
  try {
    const owner = await limited.aPerson();
    const editor = await limited.aPerson();
    const { uuid: workspace } = (await owner.call(workspaces.create, { body: { name: 'Team' } })).body.data;
    const inTeam = { 'x-workspace': workspace };
    const member = (await owner.call(workspaces.invite, { headers: inTeam, body: { role: 'editor' } })).body.data;
    const code = new URL(member.url).searchParams.get('code') ?? '';
    await editor.call(workspaces.acceptInvitation, { body: { code } });
    const body = { name: 'Site', bot: null, domains: [] };
    const { uuid: channel } = (await owner.call(webChannels.create, { headers: inTeam, body })).body.data;
    const preview = async () =>
      (await editor.call(visitors.begin, { body: { channel, preview: true } })).body.data.token;
    const write = async (token: string) => {
      const reply = await limited.anyone.fetch('/api/visitor/message', {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
        body: JSON.stringify({ key: randomUUID(), text: 'Hello' }),
      });
      await reply.text();
      return reply.status;
    };
    // Whoever begins again and again is counted as one.
    const written = [];
    for (let at = 0; at < 12; at++) written.push(await write(await preview()));
    expect(written).toEqual([...Array(10).fill(200), 429, 429]);
    const token = await preview();
    const socket = await connect(limited.url, token);
    expect((await limited.anyone.call(visitors.messages, { headers: bearer(token) })).status).toBe(200);
    const [found] = (await owner.call(workspaces.members, { headers: inTeam })).body.data.filter(
      ({ role }) => role === 'editor',
    );
    const params = { uuid: found?.uuid ?? '' };
    expect(
      (await owner.call(workspaces.changeRole, { headers: inTeam, params, body: { role: 'viewer' } })).status,
    ).toBe(200);
    expect((await limited.anyone.call(visitors.messages, { headers: bearer(token) })).error.code).toBe(
      'visitor-unknown',
    );
    expect(await write(token)).toBe(401);
    const gone = eventually('they are cut off', async () => !socket.connected, 8_000);
    socket.emit(writeAsVisitor.name, { isTyping: true }, () => {});
    await gone;
  } finally {
    await limited.stop();
  }
});

test('whoever is forgotten while their answer begins is told so', async () => {
  const { uuid } = await aChannel(maker, bot);
  const endings = await Promise.all(
    Array.from({ length: 24 }, async (_, at) => {
      const visitor = await aVisitor(app, uuid);
      await visitor.say('When does it open?');
      const writing = visitor.fetch('/api/visitor/message', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key: randomUUID(), text: 'When does it close?' }),
      });
      await new Promise((done) => setTimeout(done, at * 2));
      expect((await maker.call(inbox.eraseGuest, { params: { uuid: visitor.guest.uuid } })).status).toBe(200);
      return (await writing).text();
    }),
  );
  expect(endings.filter((text) => text.includes('internal-error'))).toEqual([]);
});

describe('what is forgotten', () => {
  const identityOf = async (token: string) =>
    (await app.anyone.call(visitors.messages, { headers: bearer(token) })).status;

  test('is whoever wrote once and has no conversation any more, unless the site knows them', async () => {
    const { uuid, identify, begin } = await aSite({ history: { policy: 'last', retentionDays: 7 } });
    const writer = await aVisitor(app, uuid);
    await writer.write('I am here once');
    await maker.call(inbox.updateGuest, { params: { uuid: writer.guest.uuid }, body: { email: 'once@example.com' } });
    const customer = await aVisitor(app, uuid, {
      token: (await begin({ identify: identify('customer') })).body.data.token,
    });
    await customer.write('I am a customer');
    const { context } = app.server;
    await eraseOldThreads(context, signal, Date.now() + 8 * day);
    await sweepVisitors(context, signal, Date.now() + 8 * day);
    expect([await identityOf(writer.token), await identityOf(customer.token)]).toEqual([200, 200]);
    await sweepVisitors(context, signal, Date.now() + 40 * day);
    expect([await identityOf(writer.token), await identityOf(customer.token)]).toEqual([401, 200]);
  });

  test('is nobody who began another conversation', async () => {
    const { uuid } = await aSite({ history: { policy: 'last', retentionDays: 7 } });
    const writer = await aVisitor(app, uuid);
    await writer.write('Old');
    const { context } = app.server;
    await eraseOldThreads(context, signal, Date.now() + 8 * day);
    await writer.write('New');
    // However the mark stands, what was written counts.
    await context.db.updateTable('guest').set({ silent: 1 }).where('uuid', '=', writer.guest.uuid).execute();
    await sweepVisitors(context, signal, Date.now() + 40 * day);
    expect((await writer.page()).messages[0]?.text).toBe('New');
  });

  test('of a channel that is deleted is what it promised, when it promised', async () => {
    const { uuid } = await aSite({ history: { policy: 'last', retentionDays: 7 } });
    const kept = await aSite();
    for (const channel of [uuid, kept.uuid]) {
      const visitor = await aVisitor(app, channel);
      await visitor.write('Until the promise ends');
      await maker.call(webChannels.remove, { params: { uuid: channel } });
    }
    const { context } = app.server;
    const left = async (channel: string) => (await maker.call(inbox.threads, { query: { channel } })).body.data.length;
    await eraseOldThreads(context, signal, Date.now() + 6 * day);
    expect(await left(uuid)).toBe(1);
    await eraseOldThreads(context, signal, Date.now() + 8 * day);
    expect([await left(uuid), await left(kept.uuid)]).toEqual([0, 1]);
    expect(await context.db.selectFrom('gone_channel').select('uuid').where('uuid', '=', uuid).execute()).toEqual([]);
  });

  test('of a preview is everything, with its files', async () => {
    const { uuid } = await aChannel(maker, bot, { shown: { ...usualEmbed.shown, upload: true } });
    const { token, guest } = (await maker.call(visitors.begin, { body: { channel: uuid, preview: true } })).body.data;
    const sent: { data: [{ uuid: string }] } = JSON.parse(await (await upload(bearer(token))).text());
    const file = sent.data[0].uuid;
    await (
      await app.anyone.fetch('/api/visitor/message', {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
        body: JSON.stringify({ key: randomUUID(), text: 'When does it open?', files: [file] }),
      })
    ).text();
    const { context } = app.server;
    const row = await context.db.selectFrom('file').selectAll().where('uuid', '=', file).executeTakeFirstOrThrow();
    await sweepVisitors(context, signal, Date.now() + 2 * day);
    expect(await context.db.selectFrom('guest').select('uuid').where('uuid', '=', guest.uuid).execute()).toEqual([]);
    expect(await context.db.selectFrom('file').select('uuid').where('uuid', '=', file).execute()).toEqual([]);
    await expect(context.storage.get(row.storage_key)).rejects.toThrow();
  });
});

test('of two makers who change a channel at once, the second is told', async () => {
  const { uuid, updatedAt } = await aChannel(maker, null);
  const save = (seen: string, name: string) =>
    maker.call(webChannels.update, { params: { uuid }, body: { name, seen } });
  const first = await save(updatedAt, 'First');
  expect(first.body.data.name).toBe('First');
  expect((await save(updatedAt, 'Second')).error.code).toBe('conflict');
  const both = await Promise.all([save(first.body.data.updatedAt, 'a'), save(first.body.data.updatedAt, 'b')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('tags are found in the time that a page takes to be read, however it is made', async () => {
  const texts = Object.fromEntries(
    [
      '<script ',
      '<meta http-equiv=content-security-policy ',
      '<meta content="',
      '<meta http-equiv="',
      '<script>',
      '<meta>',
      '<meta content=\'"',
    ].map((unit) => [unit, (n: number) => unit.repeat(Math.ceil(n / unit.length))]),
  );
  await mustStayLinear((html) => [tagsOf(html, 'script'), tagsOf(html, 'meta')], { size: 100_000, texts });
  expect(tagsOf('<p><SCRIPT async\nsrc="/embed.js"></script><scripts><meta x>', 'script')).toEqual([
    '<SCRIPT async\nsrc="/embed.js">',
  ]);
});
