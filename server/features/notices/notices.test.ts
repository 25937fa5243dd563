import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Socket } from 'socket.io-client';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { inbox, typeInInbox } from '../../../shared/contracts/inbox.ts';
import { attend, notices } from '../../../shared/contracts/notices.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor, connect } from '../../testing/channels.ts';
import { startMailServer, type MailServer } from '../../testing/mail.ts';
import { senderOf, startPushService, type PushService, type TestBrowser } from '../../testing/push.ts';
import { releaseTyped } from '../connections/rounds.ts';
import { noteLive } from './tell.ts';

let app: TestApp;
let service: PushService;
const open: Socket[] = [];
beforeAll(async () => {
  service = await startPushService();
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: service.host });
});
afterAll(async () => {
  await app.stop();
  await service.close();
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

/** A member whose browser is told. */
async function told(person: Person, browser = service.aBrowser()): Promise<TestBrowser> {
  const reply = await person.call(notices.subscribe, { body: browser.target });
  expect(reply.body.data?.push.here).toBe(true);
  return browser;
}

/** A member of somebody's workspace. */
async function join(owner: Person, role: 'staff' | 'viewer', given = app): Promise<Person> {
  const { url } = (await owner.call(workspaces.invite, { body: { role, days: 1 } })).body.data;
  const member = await given.aPerson();
  await member.call(workspaces.acceptInvitation, { body: { code: new URL(url ?? '').searchParams.get('code') ?? '' } });
  return member;
}

const aWaiting = async (owner: Person, text = 'Is anybody there?', given = app) => {
  const visitor = await aVisitor(given, (await aChannel(owner, null)).uuid);
  await visitor.write(text);
  const [thread] = (await owner.call(inbox.threads, { query: {} })).body.data;
  return { visitor, thread: thread?.uuid ?? '' };
};

const pushJobs = async (given = app) =>
  given.server.context.db.selectFrom('job').selectAll().where('kind', '=', 'notices.push').execute();
const allPushed = (thread: string) =>
  eventually('every notice is settled', async () => {
    const jobs = (await pushJobs()).filter(({ payload }) => payload.includes(thread));
    return jobs.length > 0 && jobs.every(({ state }) => state === 'done');
  });
/** Those that wait are due now. */
const hurry = (kind: string, given = app) =>
  given.server.context.db
    .updateTable('job')
    .set({ run_at: 0 })
    .where('kind', '=', kind)
    .where('state', '=', 'queued')
    .execute();

test('a visitor who waits is told to a browser, which alone can read it', async () => {
  const owner = await app.aPerson();
  const { key } = (await owner.call(notices.get)).body.data.push;
  const browser = await told(owner);
  const { visitor, thread } = await aWaiting(owner, 'Do you have it in blue? 🫐');
  const [message] = await eventually('it is told', async () => browser.got().length > 0 && browser.got());
  expect(browser.open(message!)).toEqual({
    title: expect.stringMatching(/^guest-/),
    body: 'Do you have it in blue? 🫐',
    lang: 'en',
    tag: thread,
    url: `/Friend?thread=${thread}`,
  });
  expect(message?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    urgency: 'high',
    topic: thread.replaceAll('-', ''),
  });
  expect(Number(message?.headers['ttl'])).toBeGreaterThan(0);
  expect(message?.body.toString('latin1')).not.toContain('blue');
  const sender = await senderOf(message!, key);
  expect(sender).toMatchObject({ aud: `http://${service.host}`, sub: expect.stringMatching(/^(https|mailto):/) });
  expect(sender.exp).toBeLessThan(Date.now() / 1000 + 86_400);
  // The first was one message and the hand-over: one notice.
  await allPushed(thread);
  expect(browser.got()).toHaveLength(1);
  await visitor.write('Or in green?');
  await eventually('the next is told', async () => browser.got().length === 2);
  expect(browser.open(browser.got()[1]!).body).toBe('Or in green?');
});

test('a conversation that somebody took over by typing, and left, is told again', async () => {
  const owner = await app.aPerson();
  const browser = await told(owner);
  const { thread } = await aWaiting(owner);
  await eventually('it is told', async () => browser.got().length === 1);
  const socket = await connect(app.url, owner.jwt);
  open.push(socket);
  await socket.emitWithAck(typeInInbox.name, { thread, isTyping: true });
  await releaseTyped(app.server.context, new AbortController().signal, Date.now() + 7 * 60_000);
  await eventually('it is told again', async () => browser.got().length === 2);
  expect(browser.open(browser.got()[1]!)).toMatchObject({ body: 'Is anybody there?', tag: thread });
});

test('who asks for a person without a word is told of, too', async () => {
  const owner = await app.aPerson();
  const browser = await told(owner);
  const visitor = await aVisitor(app, (await aChannel(owner, null)).uuid);
  await visitor.call(visitors.person);
  const [message] = await eventually('it is told', async () => browser.got().length > 0 && browser.got());
  expect(browser.open(message!).body).toBe('Is waiting for a person');
});

test('a conversation is told to whoever has it, one of nobody to all who may answer, and to no other', async () => {
  const owner = await app.aPerson();
  const [staff, viewer, stranger] = [await join(owner, 'staff'), await join(owner, 'viewer'), await app.aPerson()];
  const [ofOwner, ofStaff, ofViewer, ofStranger] = [
    await told(owner),
    await told(staff),
    await told(viewer),
    await told(stranger),
  ];
  const { visitor, thread } = await aWaiting(owner);
  await eventually('both are told', async () => ofOwner.got().length === 1 && ofStaff.got().length === 1);
  await owner.call(inbox.assign, { params: { thread }, body: { user: staff.user.uuid } });
  await visitor.write('Hello?');
  await eventually('whoever has it is told', async () => ofStaff.got().length === 2);
  await allPushed(thread);
  expect([ofOwner.got().length, ofViewer.got().length, ofStranger.got().length]).toEqual([1, 0, 0]);
  // Who is no longer a member is told of nothing, though their browser still is subscribed.
  await owner.call(inbox.assign, { params: { thread }, body: { user: null } });
  await owner.call(workspaces.removeMember, { params: { uuid: staff.user.uuid } });
  await visitor.write('Hello again?');
  await eventually('the other is told', async () => ofOwner.got().length === 2);
  await allPushed(thread);
  expect(ofStaff.got()).toHaveLength(2);
});

test('whoever has the conversation before their eyes is not told of it', async () => {
  const owner = await app.aPerson();
  const staff = await join(owner, 'staff');
  const [ofOwner, ofStaff] = [await told(owner), await told(staff)];
  const { visitor, thread } = await aWaiting(owner);
  await eventually('both are told', async () => ofOwner.got().length === 1 && ofStaff.got().length === 1);
  const socket = await connect(app.url, owner.jwt);
  open.push(socket);
  expect(await socket.emitWithAck(attend.name, { thread, isActive: true })).toEqual({ data: { ok: true } });
  await visitor.write('One');
  await eventually('the other is told', async () => ofStaff.got().length === 2);
  await allPushed(thread);
  expect(ofOwner.got()).toHaveLength(1);
  await socket.emitWithAck(attend.name, { thread, isActive: false });
  await visitor.write('Two');
  await eventually('both are told', async () => ofOwner.got().length === 2 && ofStaff.got().length === 3);
  const stranger = await connect(app.url, (await app.aPerson()).jwt);
  open.push(stranger);
  expect(await stranger.emitWithAck(attend.name, { thread, isActive: true })).toMatchObject({
    error: { code: 'thread-not-found' },
  });
});

test('what somebody has taken and read is no news', async () => {
  const owner = await app.aPerson();
  const browser = await told(owner);
  service.answers.set(browser.path, [500]);
  const { thread } = await aWaiting(owner);
  await eventually('it could not be told', async () => browser.got().length === 1);
  await owner.call(inbox.see, { params: { thread } });
  await owner.call(inbox.take, { params: { thread } });
  await eventually('the second try is due', async () => {
    await hurry('notices.push');
    return (await pushJobs()).every(({ state }) => state === 'done');
  });
  expect(browser.got()).toHaveLength(1);
});

test('quiet hours are those of the clock where the person is', async () => {
  const owner = await app.aPerson();
  await owner.call(accounts.update, { body: { timezone: 'Asia/Tokyo' } });
  const browser = await told(owner);
  const inTokyo = (hours: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' }).format(
      Date.now() + hours * 3_600_000,
    );
  const [from, to] = [inTokyo(-1), inTokyo(1)];
  expect((await owner.call(notices.update, { body: { quiet: { from, to } } })).body.data.quiet).toEqual({ from, to });
  const { visitor, thread } = await aWaiting(owner);
  await allPushed(thread);
  expect(browser.got()).toEqual([]);
  await owner.call(notices.update, { body: { quiet: { from: to, to: from } } });
  await visitor.write('Now?');
  await eventually('it is told', async () => browser.got().length === 1);
  for (const quiet of [
    { from: '24:00', to: '07:00' },
    { from: '9:00', to: '10:00' },
    { from: '09:00', to: '09:00' },
  ])
    expect((await owner.call(notices.update, { body: { quiet } })).error.code).toBe('validation-failed');
  expect((await owner.call(notices.get)).body.data.quiet).toEqual({ from: to, to: from });
});

test('a browser that is gone is forgotten; a service that is down or busy is asked again when it wants', async () => {
  const owner = await app.aPerson();
  const gone = await told(owner);
  service.answers.set(gone.path, [410]);
  const { visitor } = await aWaiting(owner);
  await eventually('it is forgotten', async () => !(await owner.call(notices.get)).body.data.push.here);
  const browser = await told(owner);
  service.answers.set(browser.path, [{ status: 429, headers: { 'retry-after': '120' } }, 500]);
  await visitor.write('Hello');
  await eventually('it is busy', async () => browser.got().length === 1);
  const waiting = await eventually('it waits', async () =>
    (await pushJobs()).find(({ state, run_at }) => state === 'queued' && run_at > Date.now() + 60_000),
  );
  expect(waiting.run_at).toBeLessThan(Date.now() + 121_000);
  await hurry('notices.push');
  await eventually('it is down, and asked again', async () => {
    await hurry('notices.push');
    return browser.got().length === 3;
  });
  expect(browser.open(browser.got()[2]!).body).toBe('Hello');
  expect((await owner.call(notices.get)).body.data.push.here).toBe(true);
});

test('a service that leads elsewhere, or never answers, holds up nobody and is followed nowhere', async () => {
  const owner = await app.aPerson();
  const staff = await join(owner, 'staff');
  const second = await startPushService();
  const [moved, silent] = [await told(owner), await told(staff)];
  service.answers.set(moved.path, [{ status: 307, headers: { location: `http://${second.host}/push/x` } }]);
  service.answers.set(silent.path, ['silence']);
  const before = Date.now();
  const { visitor } = await aWaiting(owner);
  await eventually('both are asked', async () => moved.got().length === 1 && silent.got().length === 1);
  await visitor.write('Still there?');
  expect(Date.now() - before).toBeLessThan(8_000);
  await eventually('both are asked again', async () => moved.got().length === 2 && silent.got().length === 2);
  expect(second.got).toEqual([]);
  await second.close();
});

test('only an address of a push service on the open internet and keys of a browser are taken', async () => {
  const owner = await app.aPerson();
  const { target } = service.aBrowser();
  for (const endpoint of [
    'http://127.0.0.1:9/push',
    'https://127.0.0.1/push',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://192.168.0.1/push',
    'http://push.example.com/x',
    'https://push.example.com:22/x',
    'https://me@push.example.com/x',
    'ftp://push.example.com/x',
    'nonsense',
  ])
    expect([endpoint, (await owner.call(notices.subscribe, { body: { ...target, endpoint } })).status]).toEqual([
      endpoint,
      400,
    ]);
  for (const keys of [
    { ...target.keys, p256dh: 'AAAA' },
    { ...target.keys, auth: 'AAAA' },
    { ...target.keys, p256dh: '!' },
  ])
    expect((await owner.call(notices.subscribe, { body: { ...target, keys } })).status).toBe(400);
  expect((await owner.call(notices.get)).body.data.push.here).toBe(false);
  // A name that leads inside is refused when it is called, and forgotten.
  const inside = 'https://localhost.invalid/push';
  await owner.call(notices.subscribe, { body: { ...target, endpoint: inside } });
  await aWaiting(owner);
  await eventually('it is forgotten', async () => !(await owner.call(notices.get)).body.data.push.here);
});

test('a browser is told until its session ends, and is one person’s at a time', async () => {
  const owner = await app.aPerson();
  const other = await app.aPerson();
  const browser = await told(owner);
  const rows = () => app.server.context.db.selectFrom('push_subscription').selectAll().execute();
  const [row] = (await rows()).filter((each) => each.user === owner.user.uuid);
  expect(row?.target).not.toContain(browser.path);
  await told(other, browser);
  expect((await owner.call(notices.get)).body.data.push.here).toBe(false);
  await other.call(notices.unsubscribe);
  expect((await other.call(notices.get)).body.data.push.here).toBe(false);
  await told(owner, browser);
  const { sessions } = (await owner.call(security.get)).body.data;
  await owner.call(security.endSession, { params: { uuid: sessions[0]?.uuid ?? '' } });
  expect((await rows()).filter((each) => each.user === owner.user.uuid)).toEqual([]);
});

test('the key for browsers outlives a restart and is kept sealed', async () => {
  const own = await startTestApp();
  try {
    const owner = await own.aPerson();
    const { key } = (await owner.call(notices.get)).body.data.push;
    expect(Buffer.from(key, 'base64url')).toHaveLength(65);
    const stored = await own.server.context.db
      .selectFrom('installation')
      .select('value')
      .where('name', '=', 'push-key')
      .executeTakeFirstOrThrow();
    expect(stored.value).toMatch(/^v1\./);
    await own.restart();
    expect((await owner.call(notices.get)).body.data.push.key).toBe(key);
  } finally {
    await own.stop();
  }
});

test('when nobody is there, one mail for a conversation is written to those who want it', async () => {
  const mails: MailServer = await startMailServer();
  const own = await startTestApp({ SMTP_URL: mails.url });
  try {
    await letters(own, mails);
  } finally {
    await own.stop();
    await mails.close();
  }
});

test('whom a note names gets a mail when they are away, have not seen it and want mails', async () => {
  const mails: MailServer = await startMailServer();
  const own = await startTestApp({ SMTP_URL: mails.url });
  const { context } = own.server;
  const about = () => mails.mails.filter(({ subject }) => subject?.includes('mentioned'));
  const look = async () => {
    await hurry('notices.mention', own);
    context.queue.wake();
    await eventually('it was looked after', async () => {
      const jobs = await context.db.selectFrom('job').selectAll().where('kind', '=', 'notices.mention').execute();
      return jobs.every(({ state, run_at }) => state === 'done' || (state === 'queued' && run_at > Date.now()));
    });
  };
  const leave = () => context.db.updateTable('session').set({ last_seen_at: 0 }).execute();
  try {
    const [owner, other] = [await verified(own, mails), await verified(own, mails)];
    const { url } = (await owner.call(workspaces.invite, { body: { role: 'staff', days: 1 } })).body.data;
    await other.call(workspaces.acceptInvitation, {
      body: { code: new URL(url ?? '').searchParams.get('code') ?? '' },
    });
    const { thread } = await aWaiting(owner, 'Hello', own);
    const note = async (text: string) => {
      await owner.call(inbox.note, {
        params: { thread },
        body: { key: crypto.randomUUID(), text: `@${other.user.username} ${text}` },
      });
      await eventually('it is planned', async () => {
        const jobs = await context.db.selectFrom('job').selectAll().where('kind', '=', 'notices.mention').execute();
        return jobs.some(({ state }) => state === 'queued');
      });
    };
    await note('please <b>look</b>');
    // They are there.
    await look();
    expect(about()).toEqual([]);
    await leave();
    await look();
    const [mail] = await eventually('it is written', async () => about().length > 0 && about());
    expect(mail?.envelope.to).toEqual([other.user.email]);
    expect(mail?.text).toContain('please <b>look</b>');
    expect(mail?.text).toContain(`/Friend?thread=${thread}`);
    await other.call(notices.update, { body: { mail: 'none' } });
    await note('again');
    await leave();
    await look();
    await other.call(notices.update, { body: { mail: 'own' } });
    await note('and seen');
    const socket = await connect(own.url, other.jwt);
    await socket.emitWithAck(attend.name, { thread, isActive: true });
    socket.close();
    await leave();
    await look();
    expect(about()).toHaveLength(1);
  } finally {
    await own.stop();
    await mails.close();
  }
});

async function letters(own: TestApp, mails: MailServer): Promise<void> {
  const { context } = own.server;
  const about = () => mails.mails.filter(({ subject }) => subject?.includes('waiting') || subject?.includes('返信'));
  const letterJobs = () =>
    context.db.selectFrom('job').selectAll().where('kind', '=', 'notices.letter').orderBy('created_at').execute();
  const looked = () =>
    eventually('it was looked again', async () => {
      const jobs = await letterJobs();
      return jobs.every(({ state, run_at }) => state === 'done' || (state === 'queued' && run_at > Date.now()));
    });
  const leave = () => context.db.updateTable('session').set({ last_seen_at: 0 }).execute();
  const look = async () => {
    await hurry('notices.letter', own);
    context.queue.wake();
    await looked();
  };
  const [owner, other] = [await verified(own, mails), await verified(own, mails)];
  const { url } = (await owner.call(workspaces.invite, { body: { role: 'staff', days: 1 } })).body.data;
  await other.call(workspaces.acceptInvitation, { body: { code: new URL(url ?? '').searchParams.get('code') ?? '' } });
  await other.call(accounts.update, { body: { locale: 'ja' } });

  const { visitor, thread } = await aWaiting(owner, 'Is the <b>shop</b> open?\nOn Sunday?', own);
  await eventually('it is looked after', async () => (await letterJobs()).length === 1);
  // Somebody is there, and stays while a page of theirs is open.
  await look();
  await leave();
  const socket = await connect(own.url, other.jwt);
  await noteLive(context);
  await look();
  expect(about()).toEqual([]);
  socket.close();
  await leave();
  await look();
  const [mail] = await eventually('it is written', async () => about().length > 0 && about());
  expect(mail?.envelope.to).toEqual([owner.user.email]);
  expect(mail?.text).toContain('Is the <b>shop</b> open?');
  expect(mail?.text).toContain(`/Friend?thread=${thread}`);
  expect(mail?.html).toContain('Is the &lt;b&gt;shop&lt;/b&gt; open?');

  // One for a conversation, until it was read.
  await visitor.write('Hello?');
  await leave();
  await look();
  expect(about()).toHaveLength(1);
  await owner.call(inbox.assign, { params: { thread }, body: { user: other.user.uuid } });
  await owner.call(inbox.see, { params: { thread } });
  await owner.call(notices.update, { body: { mail: 'none' } });
  await eventually('it may be written again', async () => {
    const rows = await context.db.selectFrom('notice_thread').selectAll().execute();
    return rows.length === 0;
  });
  await visitor.write('Still nobody?');
  await eventually('it is looked after', async () => (await letterJobs()).some(({ state }) => state === 'queued'));
  await leave();
  await look();
  const second = await eventually('it is written in their language', async () => about()[1]);
  expect(second.envelope.to).toEqual([other.user.email]);
  expect(second.subject).toContain('返信を待っています');
  expect(about()).toHaveLength(2);

  // In quiet hours it waits for their end.
  await owner.call(inbox.see, { params: { thread } });
  await eventually('it was read', async () => {
    const rows = await context.db.selectFrom('notice_thread').selectAll().execute();
    return rows.length === 0;
  });
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  await other.call(accounts.update, { body: { timezone: 'UTC' } });
  await other.call(notices.update, { body: { quiet: { from: at(-1), to: at(2) } } });
  await visitor.write('And now?');
  await eventually('it is looked after', async () => (await letterJobs()).some(({ state }) => state === 'queued'));
  await leave();
  await look();
  const later = await eventually('it is put off', async () =>
    (await letterJobs()).find(({ state, payload }) => state === 'queued' && payload.includes(other.user.uuid)),
  );
  expect(later.run_at).toBeGreaterThan(Date.now() + 3_600_000);
  expect(about()).toHaveLength(2);
  await other.call(notices.update, { body: { quiet: null } });
  await leave();
  await look();
  await eventually('it is written', async () => about().length === 3);
}

/** Where mail is sent, an address is confirmed first. */
async function verified(own: TestApp, mails: MailServer): Promise<Person> {
  const name = `p${Math.random().toString(36).slice(2, 10)}`;
  return own.aPerson(name).catch(async () => {
    const mail = await eventually('the mail is there', async () =>
      mails.mails.find(({ envelope }) => envelope.to.includes(`${name}@example.com`)),
    );
    const code = /code=([\w.-]+)/.exec(mail.text ?? '')?.[1] ?? '';
    const reply = await own.anyone.call(accounts.verifyEmail, { body: { code } });
    if (!('jwt' in reply.body)) throw new Error('not signed in');
    const { jwt, user } = reply.body;
    const headers = { authorization: `Bearer ${jwt}` };
    return {
      ...own.anyone,
      user,
      jwt,
      cookies: [],
      call: (route, sent = {}) => own.anyone.call(route, { ...sent, headers: { ...headers, ...sent.headers } }),
    };
  });
}
