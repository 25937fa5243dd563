import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aPublishedBot } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import type { Delivered, FakeLine, LineUser } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let names = 0;

beforeAll(async () => {
  ({ app, line } = await startWithLine());
  staff = await app.aPerson();
  await connectLine(staff, line, await aPublishedBot(staff));
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});
beforeEach(() => {
  line.calls.length = 0;
});

const minuteMs = 60_000;
const aFriend = () => line.user({ name: `Hana ${++names}`, language: 'en' });
const texts = (user: LineUser) => line.shown(user.id).flatMap(({ message }) => message.text ?? []);
/** How the answer went out; that to another question may still be on its way. */
const sends = () =>
  line.calls
    .filter(({ path, bytes }) => /message\/(?:reply|push)$/.test(path) && bytes.toString().includes('nine'))
    .map(({ path }) => path);
const answered = (user: LineUser) =>
  eventually('it is answered', async () => texts(user).some((text) => text.includes('nine')));
const settled = ({ eventId }: Delivered) =>
  eventually('nothing more comes of it', async () => {
    const { db } = app.server.context;
    const row = await db.selectFrom('line_event').selectAll().where('line_id', '=', eventId).executeTakeFirst();
    return row && row.state !== 'pending' && row;
  });

test('what could not be stored is not acknowledged; sent again minutes later it is one message, with a free reply', async () => {
  const { db } = app.server.context;
  const hana = aFriend();
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
  await rename('line_request', 'line_request_gone');
  const said = await hana.say('When does the shop open?').finally(() => rename('line_request_gone', 'line_request'));
  expect(said.status).toBe(500);
  line.clock.advance(3 * minuteMs);
  expect((await line.again(said)).status).toBe(200);
  await answered(hana);
  const { messages } = (await conversationOf(staff, hana.name))!;
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(sends()).toEqual(['/v2/bot/message/reply']);
});

test.each<[string, (user: LineUser) => Promise<Delivered>]>([
  ['words', (user) => user.say('When does the shop open?')],
  ['a sticker', (user) => user.sticker({ keywords: ['When does the shop open'] })],
  ['a place', (user) => user.location({ latitude: 35.6, longitude: 139.7, title: 'When does the shop open?' })],
  ['a file', (user) => user.file('menu.txt', Buffer.from('Coffee 400 yen'))],
])('%s, worked on and sent again, change nothing, and nothing is sent', async (_, send) => {
  const hana = aFriend();
  const said = await send(hana);
  await settled(said);
  const before = await eventually('it is over', async () => {
    const found = await conversationOf(staff, hana.name);
    return found?.messages.every(({ status, delivery }) => status === 'done' && delivery !== 'queued') && found;
  });
  line.calls.length = 0;
  for (const isRedelivery of [true, false, true]) expect((await line.again(said, { isRedelivery })).status).toBe(200);
  // Worked on after it, in the same chat: whatever came of the others has come.
  const last = await hana.say('Thank you');
  await settled(last);
  const { messages } = (await conversationOf(staff, hana.name))!;
  expect(messages.slice(0, before.messages.length)).toEqual(before.messages);
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(
    before.messages.filter(({ role }) => role === 'user').length + 1,
  );
  expect(line.calls.filter(({ path }) => path.includes('/content'))).toEqual([]);
});

test('what comes more than twenty minutes late is answered by a push', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?', {
    timestamp: line.clock.now() - 25 * minuteMs,
    isRedelivery: true,
  });
  await answered(hana);
  expect(sends()).toEqual(['/v2/bot/message/push']);
});

test('a file that is larger than what is kept leaves its message without it', async () => {
  const hana = aFriend();
  await settled(await hana.file('film.bin', Buffer.alloc(21 * 1024 * 1024)));
  const { messages } = (await conversationOf(staff, hana.name))!;
  expect(messages[0]).toMatchObject({ role: 'user', files: [] });
  expect(line.calls.filter(({ path }) => path.includes('/content'))).toEqual([]);
});

test('a mention of everybody in a group is none of the bot', async () => {
  const hana = aFriend();
  const group = line.group({ name: 'Everybody', members: [hana] });
  await settled(
    await hana.say('@All When does the shop open?', {
      in: group,
      mentions: [{ index: 0, length: 4, isAll: true }],
    }),
  );
  expect((await conversationOf(staff, 'Everybody'))!.messages.map(({ role }) => role)).toEqual(['user']);
  expect(sends()).toEqual([]);
});

test('an emoji of LINE, one over several units and a sticker of another kind arrive as what they are', async () => {
  const hana = aFriend();
  const words = await hana.say('👨‍👩‍👧 ok $', {
    isEscaped: true,
    emojis: [{ index: 12, length: 1, productId: '5ac1bfd5040ab15980c9b435', emojiId: '001' }],
  });
  await settled(words);
  await settled(await hana.sticker({ packageId: '30563', stickerId: '651698630', resourceType: 'POPUP' }));
  const said = (await conversationOf(staff, hana.name))!.messages.filter(({ role }) => role === 'user');
  expect(said[0]?.text).toContain('👨‍👩‍👧 ok');
  expect(said[1]).toMatchObject({ sticker: { packageId: '30563', stickerId: '651698630' } });
});

test('a person is erased whose conversation has no message left', async () => {
  const hana = aFriend();
  await settled(await hana.say('When does the shop open?'));
  const { thread } = await eventually('they are heard', () => conversationOf(staff, hana.name));
  const { db } = app.server.context;
  await eventually('it is answered', async () => texts(hana).length > 0);
  await db.deleteFrom('message').where('thread', '=', thread.uuid).execute();
  expect((await staff.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } })).status).toBe(200);
  expect(await db.selectFrom('thread').select('uuid').where('uuid', '=', thread.uuid).execute()).toEqual([]);
});

test('what still waited to be heard when somebody was erased does not come back', async () => {
  const hana = aFriend();
  await settled(await hana.say('Thank you'));
  const { thread } = await eventually('they are heard', () => conversationOf(staff, hana.name));
  line.script(/content$/, { status: 500 }, { status: 500 });
  const picture = await hana.image(Buffer.from('a picture'));
  const waiting = await hana.say('I live at 4-5-6 Hiroo');
  await eventually('it waits', async () => {
    const { db } = app.server.context;
    const row = await db.selectFrom('line_event').select('attempts').where('line_id', '=', picture.eventId).execute();
    return (row[0]?.attempts ?? 0) > 0;
  });
  await staff.call(inbox.eraseGuest, { params: { uuid: thread.guest.uuid } });
  expect(await settled(waiting)).toMatchObject({ state: 'ignored', reason: 'erased', raw: '{}' });
  expect(await conversationOf(staff, hana.name)).toBeUndefined();
});

test('a flood of one person is heard, and answered only in part', async () => {
  const own = await startWithLine({}, { RATE_LIMITS: 'true' });
  try {
    const owner = await own.app.aPerson();
    await connectLine(owner, own.line, await aPublishedBot(owner));
    const hana = own.line.user({ name: 'Hana', language: 'en' });
    await Promise.all(Array.from({ length: 30 }, (_, at) => hana.postback(`When does the shop open? ${at}`)));
    const { db } = own.app.server.context;
    const came = await eventually('nothing waits any more', async () => {
      const rows = await db.selectFrom('line_event').select(['state', 'reason']).execute();
      return rows.length === 30 && rows.every(({ state }) => state === 'done') && rows;
    });
    expect(came.filter(({ reason }) => reason === 'flood')).toHaveLength(10);
    const { messages } = (await conversationOf(owner, 'Hana'))!;
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(30);
    // Whoever of the team has the conversation is told of each.
    const { thread } = (await conversationOf(owner, 'Hana'))!;
    await owner.call(inbox.take, { params: { thread: thread.uuid } });
    const last = await hana.say('Are you a person?');
    const seen = await eventually('it is heard', () =>
      db
        .selectFrom('line_event')
        .select('reason')
        .where('line_id', '=', last.eventId)
        .where('state', '=', 'done')
        .executeTakeFirst(),
    );
    expect(seen.reason).toBeNull();
  } finally {
    own.line.mustBeValid();
    await own.app.stop();
    await own.line.close();
  }
});
