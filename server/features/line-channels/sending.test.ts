import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import sharp from 'sharp';
import { sent as sentCalls } from '../../../shared/contracts/sent.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { services } from '../../../shared/contracts/services.ts';
import { aPublishedBot } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import { delta, finish, sse, startModelServer } from '../../testing/openai.ts';
import { mp3, mp4 } from '../../testing/recordings.ts';
import type { FakeLine, LineUser } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let bot: string;
let channel: LineChannel;
let names = 0;

beforeAll(async () => {
  ({ app, line } = await startWithLine({ quota: { type: 'limited', value: 200 } }));
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
  channel = await connectLine(staff, line, bot);
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});
beforeEach(() => {
  line.calls.length = 0;
});

const aFriend = () => line.user({ name: `Hana ${++names}`, language: 'en' });
const texts = (user: LineUser) => line.shown(user.id).flatMap(({ message }) => message.text ?? []);
const paths = () =>
  line.calls.filter(({ path }) => path.startsWith('/v2/bot/message/')).map(({ path }) => path.split('/').at(-1));
const arrived = (user: LineUser, text: string) =>
  eventually(`“${text}” is on the phone`, async () => texts(user).find((said) => said.includes(text)));
const sent = (name: string) =>
  eventually('nothing waits any more', async () => {
    const found = await conversationOf(staff, name);
    return found?.messages.every(({ delivery }) => delivery !== 'queued') && found;
  });

const say = async (name: string, text: string, files?: string[]) => {
  const { thread } = (await conversationOf(staff, name))!;
  return staff.call(inbox.reply, {
    params: { thread: thread.uuid },
    body: { key: crypto.randomUUID(), text, ...(files && { files }) },
  });
};

test('an answer is a free reply, with its sources and a sign that it is being written', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  const { messages } = await sent(hana.name);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', delivery: 'sent', deliveryError: null });
  expect(paths()).toEqual(['reply']);
  expect(line.calls.some(({ path }) => path.endsWith('/chat/loading/start'))).toBe(true);
  const [source] = line.shown(hana.id).filter(({ message }) => message.type === 'flex');
  const { uri } = JSON.stringify(source?.message).match(/"uri":"(?<uri>[^"]+)"/)?.groups ?? {};
  const at = new URL(uri ?? '');
  const query = {
    message: at.pathname.split('/').at(-1) ?? '',
    key: at.searchParams.get('key') ?? '',
    number: Number(at.searchParams.get('number')),
  };
  const read = await app.anyone.call(sentCalls.source, { query });
  expect(read.body.data).toMatchObject({ title: 'Shop.md', pdf: false, quote: expect.stringContaining('nine') });
  for (const wrong of [{ key: 'x' }, { key: '' }, { key: 'x'.repeat(43) }])
    expect((await app.anyone.call(sentCalls.source, { query: { ...query, ...wrong } })).status).toBe(404);
  expect((await app.anyone.call(sentCalls.document, { query })).status).toBe(404);
  const { data } = (await staff.call(lineChannels.events, { query: { channel: channel.uuid, type: 'text' } })).body;
  expect(data[0]).toMatchObject({ state: 'done', way: 'reply' });
});

test.each(['the bot', 'the channel'])(
  'where %s hides its sources, an answer has neither numbers nor a list',
  async (who) => {
    const params = { uuid: who === 'the bot' ? bot : channel.uuid };
    const show = async (isShown: boolean) => {
      if (who === 'the bot') {
        const { draft } = (await staff.call(bots.get, { params })).body.data;
        await staff.call(bots.update, {
          params,
          body: { appearance: { ...draft.appearance, showCitations: isShown } },
        });
        await staff.call(bots.publish, { params, body: { note: '' } });
      } else await staff.call(lineChannels.update, { params, body: { citations: isShown } });
    };
    await show(false);
    const hana = aFriend();
    await hana.say('When does the shop open?');
    await arrived(hana, 'nine');
    await show(true);
    expect(line.shown(hana.id).map(({ message }) => message.type)).toEqual(['text']);
    expect(texts(hana).join()).not.toContain('[1]');
    const { messages } = await sent(hana.name);
    expect(messages.at(-1)?.citations).toHaveLength(1);
  },
);

test('a picture is answered in the language of whoever sends it', async () => {
  const mei = line.user({ name: '芽衣', language: 'ja' });
  await mei.image(
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
    {
      type: 'image/png',
    },
  );
  const said = await eventually('it is answered', async () => {
    const found = texts(mei);
    return found.length >= 1 && found;
  });
  for (const text of said) expect(text).toMatch(/[ぁ-ん]/);
});

test('what people write later is pushed once, in order, whatever LINE does; what it asks for first is a reply', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  await sent(hana.name);
  line.calls.length = 0;
  line.script('POST /v2/bot/message/push', { status: 500 }, 'dropAfter');
  for (const text of ['First', 'Second', 'Third']) await say(hana.name, text);
  const { db, queue } = app.server.context;
  const { messages } = await eventually(
    'all have arrived',
    async () => {
      await db
        .updateTable('job')
        .set({ run_at: 0 })
        .where('lane', '=', 'channels')
        .where('state', '=', 'queued')
        .execute();
      queue.wake();
      const found = await conversationOf(staff, hana.name);
      return found!.messages.every(({ delivery }) => delivery !== 'queued') && found;
    },
    30_000,
  );
  expect(texts(hana).slice(-3)).toEqual(['First', 'Second', 'Third']);
  expect(messages.slice(-3).map(({ delivery }) => delivery)).toEqual(['sent', 'sent', 'sent']);
});

test('what somebody refers to is shown on the phone and to the team', async () => {
  const hana = aFriend();
  const asked = await hana.say('Is the blue one there?');
  const { thread, messages } = await sent(hana.name);
  const [question] = messages;
  const answer = (text: string, quotes: string) =>
    staff.call(inbox.reply, { params: { thread: thread.uuid }, body: { key: crypto.randomUUID(), text, quotes } });
  expect((await answer('Yes, two of them.', question!.uuid)).body.data.quoted).toEqual({
    uuid: question!.uuid,
    role: 'user',
    text: 'Is the blue one there?',
  });
  await arrived(hana, 'two of them');
  const shown = line.shown(hana.id).at(-1)!;
  expect(shown.message['quoteToken']).toBe(asked.events[0]?.message?.['quoteToken']);
  await sent(hana.name);
  await hana.say('I take this one', { quotes: shown.id });
  const quoting = await eventually('it has come', async () =>
    (await conversationOf(staff, hana.name))?.messages.find(({ text }) => text === 'I take this one'),
  );
  expect(quoting.quoted).toMatchObject({ role: 'staff', text: 'Yes, two of them.' });
  // What LINE no longer knows is left out, and the words arrive.
  line.script('POST /v2/bot/message/reply', { status: 400, body: { message: 'Invalid quote token' } });
  await answer('It is yours.', quoting.uuid);
  await arrived(hana, 'It is yours.');
  expect(line.shown(hana.id).at(-1)!.message['quoteToken']).toBeUndefined();
  const unknown = await answer('Nothing', crypto.randomUUID());
  expect(unknown.status).toBe(404);
});

test('a model is told what a question refers to', async () => {
  const model = await startModelServer();
  const own = await startWithLine({}, { OPENAI_COMPATIBLE_BASE_URL: model.url });
  try {
    const owner = await own.app.aPerson();
    const service = (await own.app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')!.uuid;
    const { uuid } = (await owner.call(bots.create, { body: { name: 'Model', service } })).body.data;
    await owner.call(bots.publish, { params: { uuid }, body: { note: '' } });
    await connectLine(owner, own.line, uuid);
    const hana = own.line.user({ name: 'Hana' });
    const answers = (count: number) =>
      eventually('it is answered', async () => own.line.shown(hana.id).length === count);
    const offer = await hana.say('The red scarf is 3,000 yen.\nIs that right?');
    await answers(1);
    await hana.say('The blue one?');
    await answers(2);
    await hana.say('And in black?', { quotes: offer.events[0]!.message!['id'] as string });
    await answers(3);
    expect(model.received.at(-1)?.body.messages?.at(-1)).toEqual({
      role: 'user',
      content: 'In reply to:\n> The red scarf is 3,000 yen.\n> Is that right?\n\nAnd in black?',
    });
  } finally {
    own.line.mustBeValid();
    await own.app.stop();
    await own.line.close();
    await model.stop();
  }
});

test('a file that LINE has no message for goes as a link, which is good for a while', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  const form = new FormData();
  form.append('files', new Blob(['PK bytes of an archive']), 'catalogue.zip');
  const uploaded = await staff.fetch('/api/inbox/file', { method: 'POST', body: form });
  const { data } = (await uploaded.json()) as { data: { uuid: string }[] };
  const message = (await say(hana.name, '', [data[0]!.uuid])).body.data;
  await sent(hana.name);
  const card = JSON.stringify(line.shown(hana.id).at(-1)?.message);
  expect(card).toContain('catalogue.zip');
  const uri = new URL(/"uri":"(?<uri>[^"]+)"/.exec(card)?.groups?.['uri'] ?? '');
  const load = () => app.anyone.fetch(`${uri.pathname}${uri.search}`);
  const loaded = await load();
  expect(await loaded.text()).toBe('PK bytes of an archive');
  expect(loaded.headers.get('content-disposition')).toMatch(/^attachment;/);
  await app.server.context.db
    .updateTable('message')
    .set({ created_at: Date.now() - 31 * 24 * 3_600_000 })
    .where('uuid', '=', message.uuid)
    .execute();
  expect((await load()).status).toBe(404);
});

/** A reply with one file; the messages that LINE shows for it. */
async function sayWithFile(hana: LineUser, bytes: Buffer, name: string) {
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  await sent(hana.name);
  const before = line.shown(hana.id).length;
  const form = new FormData();
  form.append('files', new Blob([new Uint8Array(bytes)]), name);
  const uploaded = await staff.fetch('/api/inbox/file', { method: 'POST', body: form });
  const { data } = (await uploaded.json()) as { data: { uuid: string; mime: string }[] };
  const { uuid } = (await say(hana.name, 'Here it is', [data[0]!.uuid])).body.data;
  await sent(hana.name);
  return {
    uuid,
    mime: data[0]!.mime,
    shown: line
      .shown(hana.id)
      .slice(before)
      .map(({ message }) => message),
  };
}

test.each([
  ['a song', mp3(200), 'song.mp3', 'audio/mpeg', 5_224],
  ['what was said', mp4({ brand: 'M4A ', kinds: ['soun'], seconds: 61.25 }), 'memo.m4a', 'audio/mp4', 61_250],
])('%s goes as LINE’s own audio message, with the text before it', async (_, bytes, name, mime, duration) => {
  const { uuid, mime: stored, shown } = await sayWithFile(aFriend(), bytes, name);
  expect(stored).toBe(mime);
  expect(shown).toMatchObject([
    { type: 'text', text: 'Here it is' },
    { type: 'audio', originalContentUrl: expect.any(String), duration },
  ]);
  const url = String(shown[1]?.['originalContentUrl']);
  // It is loaded whenever somebody plays it, also long after.
  await app.server.context.db
    .updateTable('message')
    .set({ created_at: Date.now() - 31 * 24 * 3_600_000 })
    .where('uuid', '=', uuid)
    .execute();
  const loaded = await fetch(url);
  expect([loaded.status, loaded.headers.get('content-type'), loaded.headers.get('accept-ranges')]).toEqual([
    200,
    mime,
    'bytes',
  ]);
  expect(Buffer.from(await loaded.arrayBuffer()).equals(bytes)).toBe(true);
  for (const [range, from, until] of [
    ['bytes=0-1', 0, 2],
    ['bytes=100-', 100, bytes.length],
    ['bytes=-7', bytes.length - 7, bytes.length],
    ['bytes=10-999999999', 10, bytes.length],
  ] as const) {
    const part = await fetch(url, { headers: { range } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${from}-${until - 1}/${bytes.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, until))).toBe(true);
  }
  for (const range of ['bytes=9-3', 'bytes=0-1,5-6', 'bytes=999999999-', 'lines=1-2'])
    expect((await fetch(url, { headers: { range } })).status).toBe(200);
});

test.each([
  ['wide', {}, 700, 394],
  ['held upright', { width: 1920, height: 1080, isTurned: true }, 394, 700],
])('a film that is %s goes as LINE’s own video message, with a still in its shape', async (_, film, width, height) => {
  const bytes = mp4(film);
  const { mime, shown } = await sayWithFile(aFriend(), bytes, 'tour.mp4');
  expect(mime).toBe('video/mp4');
  expect(shown).toMatchObject([{ type: 'text', text: 'Here it is' }, { type: 'video' }]);
  const [loaded, still] = await Promise.all(
    [shown[1]?.['originalContentUrl'], shown[1]?.['previewImageUrl']].map((url) => fetch(String(url))),
  );
  expect(loaded?.headers.get('content-type')).toBe('video/mp4');
  expect(Buffer.from(await loaded!.arrayBuffer()).equals(bytes)).toBe(true);
  expect(still?.headers.get('content-type')).toBe('image/jpeg');
  const picture = await still!.arrayBuffer();
  expect(picture.byteLength).toBeLessThan(1_000_000);
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width, height });
});

test.each([
  ['a film of another container', mp4({ brand: 'qt  ' }), 'tour.mov'],
  ['a film that does not say how long it is', mp4({ seconds: 0 }), 'tour.mp4'],
  ['a film that is cut off', mp4().subarray(0, 2_050), 'tour.mp4'],
  ['sound of another kind', Buffer.from('RIFF....WAVEfmt '), 'ring.wav'],
  ['what only has the name of a song', Buffer.from('no sound at all'), 'song.mp3'],
])('%s goes as a link to the file', async (_, bytes, name) => {
  const { mime, shown } = await sayWithFile(aFriend(), bytes, name);
  expect(mime).toBe('application/octet-stream');
  expect(shown).toMatchObject([{ type: 'text', text: 'Here it is' }, { type: 'flex' }]);
  expect(JSON.stringify(shown[1])).toContain(name);
});

test('a file from LINE that the bot cannot read is handed over', async () => {
  const hana = aFriend();
  await hana.file('orders.zip', Buffer.from('PK bytes of an archive'));
  const found = await eventually('it waits for a person', async () => {
    const now = await conversationOf(staff, hana.name);
    return now?.thread.status === 'waiting' && now;
  });
  expect(found.thread.reason).toBe('content');
  expect(found.messages[0]?.files).toMatchObject([{ name: 'orders.zip' }]);
});

test('a message that is taken back is answered no further', async () => {
  const model = await startModelServer();
  const own = await startWithLine({}, { OPENAI_COMPATIBLE_BASE_URL: model.url });
  try {
    const owner = await own.app.aPerson();
    const service = (await own.app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')!.uuid;
    const { uuid } = (await owner.call(bots.create, { body: { name: 'Model', service } })).body.data;
    await owner.call(bots.publish, { params: { uuid }, body: { note: '' } });
    await connectLine(owner, own.line, uuid);
    const hana = own.line.user({ name: 'Hana' });
    model.behave((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${delta('Your card number is')}\n\n`);
    });
    const asked = () => model.received.filter(({ path }) => path.endsWith('/chat/completions'));
    const said = await hana.say('My card is 4111');
    await eventually('it is being answered', async () => asked().length === 1);
    await hana.unsend(said.messageId);
    await eventually('the model is asked no further', async () => asked()[0]?.closed);
    const answer = await eventually('the answer is over', async () => {
      const found = (await conversationOf(owner, 'Hana'))?.messages.find(({ role }) => role === 'assistant');
      return found?.status === 'interrupted' && found;
    });
    expect(answer.delivery).toBeNull();
    model.behave((_request, response) => sse(response, [delta('We open at nine.'), finish(), '[DONE]']));
    await hana.say('When do you open?');
    await eventually('the next is answered', async () => own.line.shown(hana.id).length === 1);
    expect(own.line.shown(hana.id)[0]?.message.text).toBe('We open at nine.');
    expect(asked()).toHaveLength(2);
    expect(JSON.stringify(asked()[1]?.body)).not.toContain('4111');
  } finally {
    own.line.mustBeValid();
    await own.app.stop();
    await own.line.close();
    await model.stop();
  }
});

test('two accounts that the team has made one person are answered each in its own chat', async () => {
  const [one, two] = [aFriend(), aFriend()];
  const said = 'When does the shop open?';
  await one.say(said);
  await arrived(one, 'nine');
  await two.follow();
  const guestOf = ({ name: q }: LineUser) =>
    eventually('they are known', async () => (await staff.call(inbox.guests, { query: { q } })).body.data[0]?.uuid);
  const [kept, other] = [await guestOf(one), await guestOf(two)];
  expect((await staff.call(inbox.merge, { params: { uuid: kept }, body: { other } })).status).toBe(200);
  await two.say(said);
  await arrived(two, 'nine');
  expect(texts(one)).toHaveLength(1);
});

test('a person and a rule in the bot’s place answer by reply, too; what hands over goes out with it', async () => {
  const rules = [{ phrases: ['refund'], match: 'contains' as const, reply: 'Of course.', handOff: true, tag: '' }];
  await staff.call(connections.update, { params: { uuid: channel.connection }, body: { rules } });
  const hana = aFriend();
  await hana.say('I want a refund');
  await arrived(hana, 'Of course.');
  await sent(hana.name);
  expect(paths()).toEqual(['reply']);
  expect(texts(hana).length).toBeGreaterThanOrEqual(1);
  await hana.say('Is anybody there?');
  await eventually('it is heard', async () =>
    (await conversationOf(staff, hana.name))!.messages.some(({ text }) => text === 'Is anybody there?'),
  );
  line.calls.length = 0;
  await say(hana.name, 'Yes, I am.');
  await arrived(hana, 'Yes, I am.');
  expect(paths()).toEqual(['reply']);
  await staff.call(connections.update, { params: { uuid: channel.connection }, body: { rules: [] } });
});

test('a picture goes out as JPEG that LINE fetches by its key, and nobody without it', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  const form = new FormData();
  const picture = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();
  form.append('file', new Blob([new Uint8Array(picture)]), 'map.png');
  const uploaded = await staff.fetch('/api/inbox/file', { method: 'POST', body: form });
  const { data } = (await uploaded.json()) as { data: { uuid: string }[] };
  await say(hana.name, 'Here is the map', [data[0]!.uuid]);
  await arrived(hana, 'Here is the map');
  const image = await eventually('the picture has arrived', async () =>
    line.shown(hana.id).find(({ message }) => message.type === 'image'),
  );
  for (const [url, width] of [
    [image.message['originalContentUrl'], 1200],
    [image.message['previewImageUrl'], 700],
  ] as const) {
    const response = await fetch(String(url));
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect((await sharp(await response.arrayBuffer()).metadata()).width).toBe(width);
  }
  const stolen = new URL(String(image.message['originalContentUrl']));
  stolen.searchParams.set('key', 'x');
  expect((await fetch(stolen)).status).toBe(404);
});

test('whoever gets an answer may tap for a person, who is told of it', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  await sent(hana.name);
  expect(line.quickReplies(hana.id).map(({ label }) => label)).toContain('Talk to a person');
  await hana.tap('Talk to a person');
  const { thread, notes } = await eventually('the conversation waits', async () => {
    const found = await conversationOf(staff, hana.name);
    return found?.thread.status === 'waiting' && found;
  });
  expect(thread.reason).toBe('asked');
  expect(notes.some(({ happening }) => happening?.kind === 'handed-off')).toBe(true);
  await sent(hana.name);
  await hana.say('Is anybody there?');
  await eventually('it is heard', async () =>
    (await conversationOf(staff, hana.name))!.messages.some(({ text }) => text === 'Is anybody there?'),
  );
  line.calls.length = 0;
  await say(hana.name, 'Here I am');
  await arrived(hana, 'Here I am');
  expect(line.quickReplies(hana.id)).toEqual([]);
});

test('from the stop on nothing that costs is sent, and replies still are', async () => {
  const hana = aFriend();
  await hana.say('When does the shop open?');
  await arrived(hana, 'nine');
  await sent(hana.name);
  const params = { uuid: channel.uuid };
  line.quota.used = 60;
  await staff.call(lineChannels.update, { params, body: { stopAt: 50 } });
  const { quota, problems } = (await staff.call(lineChannels.refresh, { params })).body.data;
  expect(quota).toMatchObject({ limit: 200, used: 60 });
  expect(problems).toContain('quota');
  await say(hana.name, 'This would cost');
  await eventually('it has failed', async () =>
    (await conversationOf(staff, hana.name))!.messages.some(({ deliveryError }) => deliveryError === 'quota'),
  );
  expect(texts(hana)).not.toContain('This would cost');
  await hana.say('Hello again');
  await eventually('it is heard', async () =>
    (await conversationOf(staff, hana.name))!.messages.some(({ text }) => text === 'Hello again'),
  );
  await say(hana.name, 'This is free');
  await arrived(hana, 'This is free');
  await staff.call(lineChannels.update, { params, body: { stopAt: null } });
});

test('a channel that is disconnected leaves nothing behind, and its conversations stay', async () => {
  const own = await startWithLine();
  onTestFinished(async () => {
    await own.app.stop();
    await own.line.close();
  });
  const owner = await own.app.aPerson();
  const { uuid } = await connectLine(owner, own.line, await aPublishedBot(owner));
  const hana = own.line.user({ name: 'Hana', language: 'en' });
  const known = () => conversationOf(owner, hana.name);
  await hana.say('When does the shop open?');
  await eventually('it is answered', async () => ((await known())?.messages.length ?? 0) > 1);
  const params = { uuid };
  await owner.call(lineChannels.remove, { params });
  expect((await owner.call(lineChannels.get, { params })).error.code).toBe('channel-not-found');
  expect((await hana.say('Anybody?')).status).toBe(404);
  const { db } = own.app.server.context;
  for (const table of ['line_channel', 'line_request', 'line_event', 'line_message'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  const { messages, thread } = (await known())!;
  expect(messages.length).toBeGreaterThan(1);
  const body = { key: crypto.randomUUID(), text: 'Nobody hears this' };
  await owner.call(inbox.reply, { params: { thread: thread.uuid }, body });
  await eventually('it has failed', async () =>
    (await known())?.messages.some(({ deliveryError }) => deliveryError === 'channel-gone'),
  );
});
