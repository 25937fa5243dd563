import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineChannels, type AccountLink, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot } from '../../testing/channels.ts';
import { connectLine, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let channel: LineChannel;
let site: Awaited<ReturnType<typeof aSite>>;
let count = 0;

const phrases = { link: 'Link my account', unlink: 'Unlink my account' };
const signIn = 'https://shop.example/sign-in?from=line&q=a%26b#top';

/** A website whose server knows its secret. */
async function aSite(by = staff) {
  const { uuid } = await aChannel(by, null);
  const { secret } = (await by.call(webChannels.secret, { params: { uuid } })).body.data;
  const begin = async (id: string, token?: string) => {
    const hash = createHmac('sha256', secret).update(id).digest('hex');
    const body = { channel: uuid, identify: { id, hash, name: `${id} of the shop` }, ...(token && { token }) };
    return (await app.anyone.call(visitors.begin, { body })).body.data;
  };
  return { uuid, secret, begin };
}

const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64url');
function nonceOf(id: string, { at = Date.now(), secret = site.secret, random = randomBytes(16) } = {}): string {
  const text = `${encoded(id)}.${Math.floor(at / 1000)}.${encoded(random)}`;
  return `${text}.${createHmac('sha512', secret).update(text).digest('base64url')}`;
}

const offer = (accountLink: AccountLink | null, on = channel) =>
  staff.call(lineChannels.update, { params: { uuid: on.uuid }, body: { accountLink } });

beforeAll(async () => {
  ({ app, line } = await startWithLine());
  staff = await app.aPerson();
  channel = await connectLine(staff, line, await aPublishedBot(staff));
  site = await aSite();
  const set = { website: site.uuid, signIn, ...phrases };
  expect((await offer(set)).body.data.settings.accountLink).toEqual(set);
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});
beforeEach(() => {
  line.calls.length = 0;
});

const aFriend = () => line.user({ name: `Hana ${++count}`, language: 'en' });
const aCustomer = () => `customer-${++count}`;
const texts = (user: { id: string }) =>
  line.shown(user.id).map(({ message }) => message.text ?? String(message['altText']));
const told = (user: { id: string }, text: string, times = 1) =>
  eventually(`“${text}” is on the phone`, async () => {
    const said = texts(user).filter((each) => each.includes(text));
    return said.length >= times && said;
  });

/** What came of an event, once nothing more comes of it. */
const settled = (delivered: { eventId: string }) =>
  eventually('the event is done', async () => {
    const { db } = app.server.context;
    const row = await db
      .selectFrom('line_event')
      .selectAll()
      .where('line_id', '=', delivered.eventId)
      .executeTakeFirst();
    return row && row.state !== 'pending' && row;
  });

/** Who a friend is for the team. */
async function personOf(user: { id: string }) {
  const { guest: uuid } = await app.server.context.db
    .selectFrom('guest_identity')
    .select('guest')
    .where('external', '=', user.id)
    .executeTakeFirstOrThrow();
  return (await staff.call(inbox.guest, { params: { uuid } })).body.data;
}
const namesOf = async (user: { id: string }) =>
  (await personOf(user)).identities.filter(({ channel: kind }) => kind === 'web').map(({ name }) => name);

/** What is in the chat with a friend, as the team sees it. */
async function chatOf(user: { id: string }) {
  const { threads } = await personOf(user);
  const all = (await staff.call(inbox.threads, { query: { channel: channel.uuid } })).body.data;
  const thread = all.find(({ uuid }) => threads.some((each) => each.uuid === uuid))!;
  const { data } = (await staff.call(inbox.messages, { params: { thread: thread.uuid } })).body;
  return { thread, messages: data.filter(({ internal }) => !internal) };
}

/** A friend who has linked their account. */
async function aLinked(id: string) {
  const hana = aFriend();
  await hana.say(phrases.link);
  await told(hana, 'Sign in to link');
  expect(await settled(await hana.linkAccount(nonceOf(id)))).toMatchObject({ state: 'done', reason: null });
  await told(hana, 'Your account is linked.');
  return hana;
}

test('whoever writes the phrase gets a button to sign in, as a free reply that asks neither the bot nor people', async () => {
  const hana = aFriend();
  await hana.say(' Ｌｉｎｋ My account\n');
  await told(hana, 'Sign in to link your account');
  const uri = /"uri":"(?<uri>[^"]+)"/.exec(JSON.stringify(line.shown(hana.id)))?.groups?.['uri'];
  const page = new URL(uri ?? '');
  expect(page.href.startsWith('https://shop.example/sign-in?')).toBe(true);
  expect([...page.searchParams.keys()]).toEqual(['from', 'q', 'linkToken']);
  expect([page.searchParams.get('q'), page.hash]).toEqual(['a&b', '#top']);
  expect(page.searchParams.get('linkToken')).toMatch(/.{10}/);
  expect(line.calls.filter(({ path }) => path.startsWith('/v2/bot/message/')).map(({ path }) => path)).toEqual([
    '/v2/bot/message/reply',
  ]);
  const { thread, messages } = await chatOf(hana);
  expect(thread).toMatchObject({ status: 'bot', unread: 0 });
  expect(messages.map(({ role }) => role)).toEqual(['user', 'system']);
});

test('a tap of a menu does the same, and while somebody of the team has the conversation it stays theirs', async () => {
  const hana = aFriend();
  await hana.postback('link my account', { displayText: 'Link' });
  await told(hana, 'Sign in to link');
  const { thread } = await chatOf(hana);
  const params = { thread: thread.uuid };
  await staff.call(inbox.reply, { params, body: { key: crypto.randomUUID(), text: 'I am here.' } });
  await told(hana, 'I am here.');
  await hana.say(phrases.link);
  await told(hana, 'Sign in to link', 2);
  expect((await chatOf(hana)).thread.status).toBe('staff');
});

test('whom the website knows is one person from then on, with both conversations', async () => {
  const id = aCustomer();
  const { guest, token } = await site.begin(id);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ key: crypto.randomUUID(), text: 'Hello from the website' });
  expect((await app.anyone.fetch('/api/visitor/message', { method: 'POST', headers, body })).status).toBe(200);
  const hana = await aLinked(id);
  const person = await personOf(hana);
  expect(person).toMatchObject({ uuid: guest.uuid, name: `${id} of the shop` });
  expect(person.identities.find(({ name }) => name === id)).toMatchObject({ channel: 'web', verified: true });
  expect(person.threads).toHaveLength(2);
  // Each page shows what was said there.
  const shown = (await app.anyone.call(visitors.messages, { headers })).body.data.messages;
  expect(shown[0]?.text).toBe('Hello from the website');
  expect(shown.some(({ text }) => text === phrases.link)).toBe(false);
  expect((await site.begin(id)).guest.uuid).toBe(guest.uuid);
});

test('whom the website does not know yet it knows when they come, and the team can part them', async () => {
  const id = aCustomer();
  const hana = await aLinked(id);
  const { guest } = await site.begin(id);
  const person = await personOf(hana);
  expect(person.uuid).toBe(guest.uuid);
  const link = person.identities.find(({ name }) => name === id)!;
  const split = await staff.call(inbox.split, { params: { uuid: person.uuid }, body: { identity: link.uuid } });
  expect(split.status).toBe(200);
  expect(await namesOf(hana)).not.toContain(id);
});

test('what proves nothing, or no longer, changes nothing, and the friend may try again', async () => {
  const id = aCustomer();
  const { guest } = await site.begin(id);
  const other = await aSite();
  const good = nonceOf(id);
  const [, at, random, proof] = good.split('.');
  const unproved = nonceOf(id).split('.').slice(0, 3).join('.');
  // A page shows the hash of the id that its customer has chosen.
  const hashOfChosen = createHmac('sha256', site.secret).update(unproved).digest('base64url');
  const minutes = 60_000;
  const tried = {
    'link-forged': [
      nonceOf(id, { secret: other.secret }),
      `${encoded(`${id}0`)}.${at}.${random}.${proof}`,
      `${unproved}.${hashOfChosen}`,
      `${unproved}.`,
      good.slice(0, -1),
      nonceOf(id, { random: randomBytes(8) }),
      nonceOf(''),
      nonceOf(` ${id}`),
      nonceOf('x\u0000'),
      'nonsense-nonsense',
    ],
    'link-old': [
      nonceOf(id, { at: Date.now() - 16 * minutes }),
      nonceOf(id, { at: Date.now() + 3 * minutes }),
      nonceOf(id, { at: 0 }),
    ],
  };
  const hana = aFriend();
  await hana.say(phrases.link);
  await told(hana, 'Sign in to link');
  let times = 0;
  for (const [reason, nonces] of Object.entries(tried))
    for (const nonce of nonces) {
      expect([nonce, await settled(await hana.linkAccount(nonce))]).toMatchObject([
        nonce,
        { state: 'ignored', reason },
      ]);
      await told(hana, 'Your account could not be linked. To try again, write “Link my account”.', ++times);
    }
  expect((await personOf(hana)).uuid).not.toBe(guest.uuid);
  expect(await namesOf(hana)).toEqual([]);
  const { data } = (await staff.call(lineChannels.events, { query: { channel: channel.uuid, type: 'accountLink' } }))
    .body;
  expect(data[0]).toMatchObject({ state: 'ignored', reason: 'link-old', guest: { name: hana.name } });
  // It was never used.
  expect(await settled(await hana.linkAccount(good))).toMatchObject({ state: 'done' });
  expect((await personOf(hana)).uuid).toBe(guest.uuid);
});

test('a nonce links once: whoever else comes with it is not let in', async () => {
  const nonce = nonceOf(aCustomer());
  const [hana, eve] = [aFriend(), aFriend()];
  expect(await settled(await hana.linkAccount(nonce))).toMatchObject({ state: 'done' });
  const again = await settled(await eve.linkAccount(nonce));
  expect(again).toMatchObject({ state: 'ignored', reason: 'link-used' });
  expect(await namesOf(eve)).toEqual([]);
  await told(eve, 'could not be linked');
  // Worked on once more it is the same.
  await staff.call(lineChannels.replay, { params: { event: again.uuid } });
  expect(await settled({ eventId: again.line_id })).toMatchObject({ state: 'ignored', reason: 'link-used' });
  expect(texts(eve)).toHaveLength(1);
});

test('of many who come with one nonce at once, one is let in', async () => {
  const nonce = nonceOf(aCustomer());
  const friends = Array.from({ length: 10 }, aFriend);
  const rows = await Promise.all(friends.map(async (each) => settled(await each.linkAccount(nonce))));
  expect(rows.filter(({ state }) => state === 'done')).toHaveLength(1);
  expect(rows.filter(({ reason }) => reason === 'link-used')).toHaveLength(9);
});

test('an event that comes late, again and ten times at once has one effect', async () => {
  const id = aCustomer();
  const hana = aFriend();
  const timestamp = Date.now() - 3 * 3_600_000;
  const linked = await hana.linkAccount(nonceOf(id, { at: timestamp - 60_000 }), { timestamp });
  await Promise.all(Array.from({ length: 10 }, (_, at) => line.again(linked, { isRedelivery: at % 2 === 0 })));
  expect(await settled(linked)).toMatchObject({ state: 'done' });
  await line.again(linked, { isRedelivery: true });
  await told(hana, 'Your account is linked. To undo this, write “Unlink my account”.');
  expect(await namesOf(hana)).toEqual([id]);
  expect((await chatOf(hana)).messages).toHaveLength(1);
});

test('several accounts on LINE and devices of one customer, linked at once, are one person, each answered in its own chat', async () => {
  const id = aCustomer();
  const friends = Array.from({ length: 6 }, aFriend);
  const [begun] = await Promise.all([
    Promise.all(Array.from({ length: 4 }, () => site.begin(id))),
    ...friends.map(async (each) => settled(await each.linkAccount(nonceOf(id)))),
  ]);
  const people = new Set([
    ...begun.map(({ guest }) => guest.uuid),
    ...(await Promise.all(friends.map(async (each) => (await personOf(each)).uuid))),
  ]);
  expect(people.size).toBe(1);
  const [one, two] = friends;
  await Promise.all(friends.map((each) => told(each, 'Your account is linked.')));
  await one!.say('When does the shop open?');
  await told(one!, 'nine');
  expect(texts(two!).join()).not.toContain('nine');
  await two!.say('When does the shop close?');
  await told(two!, 'six');
  // One of them leaves; the other stays.
  await two!.say(phrases.unlink);
  await told(two!, 'no longer linked');
  expect(await namesOf(two!)).toEqual([]);
  expect(await namesOf(one!)).toContain(id);
});

test('who unlinks is a person of their own again, with what they said on LINE; what was said on the website stays there', async () => {
  const id = aCustomer();
  const { guest, token } = await site.begin(id);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ key: crypto.randomUUID(), text: 'Hello from the website' });
  expect((await app.anyone.fetch('/api/visitor/message', { method: 'POST', headers, body })).status).toBe(200);
  const hana = await aLinked(id);
  await hana.say(phrases.unlink);
  await told(hana, 'Your account is no longer linked.');
  const person = await personOf(hana);
  expect(person).toMatchObject({ name: hana.name, identities: [{ channel: 'line' }] });
  expect(person.threads).toHaveLength(1);
  expect((await chatOf(hana)).messages.at(-1)).toMatchObject({
    role: 'system',
    text: 'Your account is no longer linked.',
  });
  const again = await site.begin(id, token);
  expect(again).toMatchObject({ token, guest: { uuid: guest.uuid } });
  expect(again.messages[0]?.text).toBe('Hello from the website');
  await hana.say(phrases.unlink);
  await told(hana, 'There is no linked account.');
});

test('where nobody was seen on the website, unlinking takes off nothing but the id', async () => {
  const hana = await aLinked(aCustomer());
  const before = await personOf(hana);
  await staff.call(inbox.updateGuest, { params: { uuid: before.uuid }, body: { tags: ['regular'] } });
  await hana.say(phrases.unlink);
  await told(hana, 'no longer linked');
  expect(await personOf(hana)).toMatchObject({
    uuid: before.uuid,
    tags: ['regular'],
    identities: [{ channel: 'line' }],
  });
});

test('another id takes the place of the former', async () => {
  const [first, second] = [aCustomer(), aCustomer()];
  const { guest } = await site.begin(first);
  const hana = await aLinked(first);
  expect((await personOf(hana)).uuid).toBe(guest.uuid);
  await settled(await hana.linkAccount(nonceOf(second)));
  expect(await namesOf(hana)).toEqual([second]);
  expect((await personOf(hana)).uuid).not.toBe(guest.uuid);
  expect((await site.begin(first)).guest.uuid).toBe(guest.uuid);
  await settled(await hana.linkAccount(nonceOf(first)));
  expect(await namesOf(hana)).toContain(first);
  expect(await namesOf(hana)).not.toContain(second);
});

test('where the channel moves to another website, nobody is of both, and the former link can still be undone', async () => {
  const [first, second] = [aCustomer(), aCustomer()];
  await site.begin(first);
  const [hana, mei] = [await aLinked(first), await aLinked(aCustomer())];
  const other = await aSite();
  await offer({ website: other.uuid, signIn, ...phrases });
  await other.begin(second);
  await settled(await hana.linkAccount(nonceOf(second, { secret: other.secret })));
  expect(await namesOf(hana)).toContain(second);
  expect(await namesOf(hana)).not.toContain(first);
  await mei.say(phrases.unlink);
  await told(mei, 'Your account is no longer linked.');
  expect(await namesOf(mei)).toEqual([]);
  await offer({ website: site.uuid, signIn, ...phrases });
});

test('in a group nothing is linked, and in a group that is not answered nothing is said', async () => {
  const hana = aFriend();
  const group = line.group({ name: 'Club', members: [hana] });
  await hana.say(phrases.link, { in: group });
  await told(group, 'Accounts are linked in a chat with me alone. Write “Link my account” there.');
  expect(line.calls.some(({ path }) => path.endsWith('/linkToken'))).toBe(false);
  const params = { uuid: channel.uuid };
  await staff.call(lineChannels.update, { params, body: { groups: 'none' } });
  await settled(await hana.say(phrases.link, { in: group }));
  await staff.call(lineChannels.update, { params, body: { groups: 'mention' } });
  expect(texts(group)).toHaveLength(1);
});

test('while LINE gives no token, that is said', async () => {
  const hana = aFriend();
  line.script(/linkToken/, { status: 500 });
  await hana.say(phrases.link);
  await told(hana, 'Accounts cannot be linked at the moment.');
  await hana.say(phrases.link);
  await told(hana, 'Sign in to link');
});

test('what has failed at LINE is noted', async () => {
  const hana = aFriend();
  const failed = await settled(await hana.linkAccount(nonceOf(aCustomer()), { result: 'failed' }));
  expect(failed).toMatchObject({ state: 'done', reason: 'link-failed', thread: null });
});

test('a friend is told in their language', async () => {
  const hana = line.user({ name: '花', language: 'ja' });
  await settled(await hana.linkAccount(nonceOf(aCustomer())));
  await told(hana, 'アカウントを連携しました。解除するときは「Unlink my account」と送ってください。');
});

test('whoever is erased is a stranger when they come again', async () => {
  const id = aCustomer();
  const { guest } = await site.begin(id);
  const hana = await aLinked(id);
  expect((await staff.call(inbox.eraseGuest, { params: { uuid: guest.uuid } })).status).toBe(200);
  await hana.say(phrases.unlink);
  await told(hana, 'There is no linked account.');
  expect(await personOf(hana)).toMatchObject({ name: hana.name, identities: [{ channel: 'line' }] });
  expect((await site.begin(id)).guest.uuid).not.toBe(guest.uuid);
});

test('only a website of the workspace can prove who somebody is, and only while it is there', async () => {
  const stranger = await app.aPerson();
  const foreign = await aSite(stranger);
  expect((await offer({ website: foreign.uuid, signIn, ...phrases })).error.code).toBe('channel-not-found');
  const secretless = (await aChannel(staff, null)).uuid;
  await offer({ website: secretless, signIn, ...phrases });
  const hana = aFriend();
  await hana.say(phrases.link);
  await told(hana, 'Accounts cannot be linked at the moment.');
  const gone = await aSite();
  await offer({ website: gone.uuid, signIn, ...phrases });
  await staff.call(webChannels.remove, { params: { uuid: gone.uuid } });
  const linked = await settled(await hana.linkAccount(nonceOf(aCustomer(), { secret: gone.secret })));
  expect(linked).toMatchObject({ state: 'ignored', reason: 'link-off' });
  await told(hana, 'Accounts cannot be linked at the moment.', 2);
  await offer(null);
  expect(await settled(await hana.linkAccount(nonceOf(aCustomer())))).toMatchObject({ reason: 'unused' });
  await hana.say(phrases.link);
  const { messages } = await eventually('the bot is asked', async () => {
    const chat = await chatOf(hana);
    return chat.messages.some(({ role }) => role === 'assistant') && chat;
  });
  expect(messages.at(-1)?.role).toBe('assistant');
  await offer({ website: site.uuid, signIn, ...phrases });
});

test.each([
  ['signIn', 'http://shop.example/sign-in', 'sign-in-form'],
  ['signIn', 'https://someone@shop.example/', 'sign-in-form'],
  ['signIn', 'shop.example', 'sign-in-form'],
  ['signIn', 'javascript:alert(1)//https://', 'sign-in-form'],
  ['unlink', ' LINK my account', 'phrases-same'],
])('%s cannot be “%s”', async (field, value, code) => {
  const reply = await offer({ website: site.uuid, signIn, ...phrases, [field]: value });
  expect(reply.error.details['fields']).toMatchObject([{ path: `accountLink.${field}`, code }]);
});
