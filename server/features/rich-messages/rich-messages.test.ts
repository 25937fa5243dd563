import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { connections, type KeywordRule } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineCampaigns } from '../../../shared/contracts/line-campaigns.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { maxSaid } from '../../../shared/line-content.ts';
import { richMessages } from '../../../shared/contracts/rich-messages.ts';
import { imagemapAreas } from '../../../shared/rich-line.ts';
import type { CardsDraft, CouponDraft, Picture, RichDraft } from '../../../shared/rich-message.ts';
import { richTemplates } from '../../../shared/rich-templates.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine, LineUser } from '../../testing/line/fake-line.ts';
import { unzip } from '../../testing/zip.ts';
import { sweepImages } from './images.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let channel: LineChannel;

beforeEach(async () => {
  ({ app, line } = await startWithLine());
  staff = await app.aPerson();
  channel = await connectLine(staff, line);
});
afterEach(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();

async function upload(bytes: Buffer, person = staff) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'shop.png');
  const reply = await person.fetch('/api/user/line/rich-image', { method: 'POST', body: form });
  const body: { data: Picture; error: { code: string } } = JSON.parse(await reply.text());
  return { status: reply.status, body };
}
async function aPicture(width = 1040, height = 700): Promise<Picture> {
  const { status, body } = await upload(await picture(width, height));
  expect(status).toBe(201);
  return body.data;
}

const params = ({ uuid }: { uuid: string }) => ({ uuid });
const flexDraft = (said = 'Hello'): RichDraft => ({
  kind: 'flex',
  alt: said,
  contents: { type: 'bubble', body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: said }] } },
});
async function imagemapDraft(): Promise<RichDraft> {
  const shown = await aPicture();
  const [left, right] = imagemapAreas('columns-2', shown.height);
  if (!left || !right) return expect.fail('no areas');
  return {
    kind: 'imagemap',
    alt: 'Summer sale',
    picture: shown,
    areas: [
      { bounds: left, action: { type: 'uri', label: 'Shop', uri: 'https://shop.example/sale?q=夏' } },
      { bounds: right, action: { type: 'message', text: 'What is on sale?' } },
    ],
  };
}
const cardsDraft = (shown: Picture | null = null): CardsDraft => ({
  kind: 'cards',
  alt: 'Our cakes',
  ratio: 'wide',
  color: '#0a6b3d',
  cards: ['Strawberry', 'Melon'].map((title) => ({
    picture: shown,
    title,
    text: 'Made this morning.',
    facts: [{ name: 'Price', value: '¥520' }],
    buttons: [
      { style: 'primary' as const, action: { type: 'message' as const, label: 'Reserve', text: `Reserve ${title}` } },
      { style: 'link' as const, action: { type: 'uri' as const, label: 'Details', uri: 'https://shop.example/' } },
    ],
  })),
  more: { type: 'postback', label: 'See more', data: 'more', displayText: 'More cakes' },
});

async function add(draft: RichDraft, name = 'Sale', person = staff) {
  const made = await person.call(richMessages.create, { body: { name, draft } });
  expect(made.error).toBeUndefined();
  return made.body.data;
}
const refused = async (draft: unknown) => {
  // A border: what a caller may send is not what the contract allows.
  const { error } = await staff.call(richMessages.create, { body: { name: 'Sale', draft: draft as RichDraft } });
  const fields: unknown = error?.details['fields'];
  return Array.isArray(fields) ? fields.map(({ path, code }) => `${path}: ${code}`) : error?.code;
};

async function answerWith(given: Partial<KeywordRule>) {
  const rule: KeywordRule = {
    phrases: ['sale'],
    match: 'contains',
    when: 'always',
    schedule: null,
    reply: '',
    rich: null,
    handOff: false,
    tag: '',
    ...given,
  };
  return staff.call(connections.update, { params: { uuid: channel.connection }, body: { rules: [rule] } });
}
const gets = (friend: LineUser, count: number) =>
  eventually(`${count} messages are there`, async () => {
    const got = line.shown(friend.id).map(({ message }) => message);
    return got.length >= count && got;
  });

describe('an imagemap', () => {
  test('is what LINE takes, and answers a keyword', async () => {
    const made = await add(await imagemapDraft());
    expect((await answerWith({ reply: 'Here it is:', rich: made.uuid })).error).toBeUndefined();
    const friend = line.user({ name: 'Hana' });
    await friend.say('Is there a sale?');
    const [words, shown] = await gets(friend, 2);
    expect(words).toMatchObject({ type: 'text', text: 'Here it is:' });
    const told = (await staff.call(richMessages.exportJson, { params: params(made) })).body.data;
    expect(shown).toMatchObject(told);
    expect(told).toEqual({
      type: 'imagemap',
      baseUrl: expect.stringMatching(/\/line\/image\/[0-9a-f-]{36}$/),
      altText: 'Summer sale',
      baseSize: { width: 1040, height: 700 },
      actions: [
        {
          type: 'uri',
          label: 'Shop',
          linkUri: 'https://shop.example/sale?q=%E5%A4%8F',
          area: { x: 0, y: 0, width: 520, height: 700 },
        },
        { type: 'message', text: 'What is on sale?', area: { x: 520, y: 0, width: 520, height: 700 } },
      ],
    });
    const { messages } = (await conversationOf(staff, 'Hana'))!;
    expect(messages.at(-1)).toMatchObject({
      text: 'Summer sale',
      rich: { uuid: made.uuid, name: 'Sale', kind: 'imagemap', line: { type: 'imagemap' } },
    });
  });

  test('has its picture in the five widths, for anyone, for good', async () => {
    const draft = await imagemapDraft();
    if (draft.kind !== 'imagemap') return expect.fail('another kind');
    const made = await add(draft);
    const address = `/line/image/${draft.picture.uuid}`;
    for (const width of [240, 300, 460, 700, 1040]) {
      const reply = await fetch(`${app.url}${address}/${width}`);
      expect(reply.headers.get('cache-control')).toBe('public, max-age=60');
      expect(reply.headers.get('content-type')).toBe('image/png');
      const size = await sharp(Buffer.from(await reply.arrayBuffer())).metadata();
      expect([size.width, size.height]).toEqual([width, Math.round((700 * width) / 1040)]);
    }
    for (const other of [
      `${address}/241`,
      `${address}/1040.png`,
      `${address}/__proto__`,
      `/line/image/${randomUUID()}/240`,
      '/line/image/x/240',
    ])
      expect((await fetch(`${app.url}${other}`)).status).toBe(404);
    await staff.call(richMessages.remove, { params: params(made) });
    await sweepImages(app.server.context, AbortSignal.timeout(5000), Date.now() + 48 * 3_600_000);
    expect((await fetch(`${app.url}${address}/240`)).status).toBe(200);
  });

  test('names the place of what is wrong', async () => {
    const draft = await imagemapDraft();
    if (draft.kind !== 'imagemap') return expect.fail('another kind');
    const [first] = draft.areas;
    const areas = [
      { ...first, bounds: { x: 600, y: 0, width: 500, height: 100 } },
      { ...first, action: { type: 'uri', uri: 'ftp://shop.example' } },
      { ...first, action: { type: 'message', text: 'a'.repeat(401) } },
    ];
    expect(await refused({ ...draft, alt: ' ', areas })).toEqual([
      'draft.alt: empty',
      'draft.areas.1.action.uri: line-uri-form',
      'draft.areas.2.action.text: too-long',
      'draft.areas.0.bounds: rich-bounds',
    ]);
    expect(await refused({ ...draft, areas: [] })).toEqual(['draft.areas: line-menu-empty']);
    expect(await refused({ ...draft, picture: { ...draft.picture, height: 701 } })).toEqual(['draft.picture: invalid']);
    expect(await refused({ ...draft, picture: { uuid: randomUUID(), height: 700 } })).toEqual([
      'draft.picture: invalid',
    ]);
  });
});

describe('a picture', () => {
  test('that was never shown goes after a day', async () => {
    const { uuid } = await aPicture();
    await sweepImages(app.server.context, AbortSignal.timeout(5000), Date.now() + 48 * 3_600_000);
    expect((await fetch(`${app.url}/line/image/${uuid}/240`)).status).toBe(404);
  });

  test('of another workspace cannot be shown', async () => {
    const draft = await imagemapDraft();
    const other = await app.aPerson();
    const { error } = await other.call(richMessages.create, { body: { name: 'Sale', draft } });
    expect(error?.code).toBe('validation-failed');
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'file-empty'],
    ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image-invalid'],
  ])('of %s is refused', async (_, bytes, code) => {
    const { body } = await upload(bytes);
    expect(body.error.code).toBe(code);
  });

  test('that is too high is refused', async () => {
    expect((await upload(await picture(100, 500))).body.error.code).toBe('image-shape');
  });
});

describe('cards', () => {
  test('become one bubble, or several in a row with the last for more', async () => {
    const made = await add(cardsDraft(await aPicture(800, 2400)));
    const { contents } = (await staff.call(richMessages.exportJson, { params: params(made) })).body.data;
    expect(contents).toMatchObject({
      type: 'carousel',
      contents: [
        // 460 wide, since neither side may have more than 1,024 pixels.
        { type: 'bubble', size: 'kilo', hero: { url: expect.stringMatching(/\/300$/), aspectRatio: '20:13' } },
        { footer: { contents: [{ action: { type: 'message', text: 'Reserve Melon' } }, {}] } },
        { body: { contents: [{ type: 'button', action: { type: 'postback', data: 'more' } }] } },
      ],
    });
    const draft = cardsDraft();
    const single = await add({ ...draft, cards: draft.cards.slice(0, 1), more: null });
    await answerWith({ rich: single.uuid });
    const friend = line.user({ name: 'Hana' });
    await friend.say('sale');
    const [shown] = await gets(friend, 1);
    expect(shown).toMatchObject({ type: 'flex', altText: 'Our cakes', contents: { type: 'bubble' } });
  });

  test('with nothing on one, or too much on all, are refused at their place', async () => {
    const draft = cardsDraft();
    const empty = { picture: null, title: '', text: '', facts: [], buttons: [] };
    expect(await refused({ ...draft, cards: [...draft.cards, empty] })).toEqual(['draft.cards.2: rich-card-empty']);
    const [card] = draft.cards;
    const wordy = {
      ...card,
      text: '夏'.repeat(400),
      buttons: Array.from({ length: 3 }, () => ({
        style: 'link',
        action: { type: 'uri', label: 'Go', uri: `https://shop.example/${'a'.repeat(970)}` },
      })),
    };
    expect(await refused({ ...draft, cards: Array.from({ length: 10 }, () => wordy) })).toEqual([
      'draft.cards: flex-carousel-large',
    ]);
  });
});

describe('a coupon', () => {
  const coupon = (given: Partial<CouponDraft> = {}): CouponDraft => ({
    kind: 'coupon',
    alt: '10% off for you',
    language: 'en',
    title: 'For our friends',
    discount: '10% off',
    until: '2027-01-31',
    conditions: 'Once per person.',
    redeem: { by: 'screen' },
    button: null,
    color: '#b42318',
    picture: null,
    ...given,
  });
  const contentsOf = async (made: { uuid: string }) =>
    JSON.stringify((await staff.call(richMessages.exportJson, { params: params(made) })).body.data['contents']);

  test('is kept as it was filled in, and becomes a bubble that LINE takes', async () => {
    const draft = coupon({
      redeem: { by: 'code', code: 'LINE10' },
      button: { label: 'Shop', uri: 'https://shop.example/' },
      picture: await aPicture(),
    });
    const made = await add(draft);
    expect(made).toMatchObject({ kind: 'coupon', draft });
    expect((await staff.call(richMessages.list, { query: { kind: 'coupon' } })).body.data).toHaveLength(1);
    expect((await answerWith({ rich: made.uuid })).error).toBeUndefined();
    const friend = line.user({ name: 'Hana' });
    await friend.say('Is there a sale?');
    const [shown] = await gets(friend, 1);
    expect(shown).toMatchObject({ type: 'flex', altText: '10% off for you' });
    const told = await contentsOf(made);
    for (const said of ['10% off', 'January 31, 2027', 'LINE10', '"clipboard"', 'Copy the code', 'Once per person.'])
      expect(told).toContain(said);
    const { messages } = (await conversationOf(staff, 'Hana'))!;
    expect(messages.at(-1)).toMatchObject({ rich: { kind: 'coupon' } });
  });

  test('is shown at the till where it has no code, in its own language', async () => {
    const told = await contentsOf(await add(coupon({ language: 'ja', until: '2027-01-31' })));
    expect(told).toContain('お会計のときにこの画面をご提示ください。');
    expect(told).toContain('2027年1月31日');
    expect(told).not.toContain('clipboard');
    expect(await contentsOf(await add(coupon({ until: null, conditions: '' })))).not.toContain('Valid until');
  });

  test('names the place of what is wrong', async () => {
    expect(
      await refused(
        coupon({
          discount: ' ',
          until: '2027-02-30',
          redeem: { by: 'code', code: '' },
          button: { label: 'Shop', uri: '' },
        }),
      ),
    ).toEqual([
      'draft.discount: empty',
      'draft.until: invalid',
      'draft.redeem.code: empty',
      'draft.button.uri: line-uri-form',
    ]);
    expect(await refused(coupon({ picture: { uuid: randomUUID(), height: 700 } }))).toEqual(['draft.picture: invalid']);
  });
});

test.each(['en', 'ja'] as const)('a template in %s is what LINE takes once its links are filled in', async (locale) => {
  for (const { name, draft } of richTemplates(locale)) {
    const text = JSON.stringify(draft);
    expect(text).not.toContain('example.com');
    if (text.includes('"uri":""'))
      expect(await refused(draft)).toContainEqual(expect.stringMatching(/uri: line-uri-form$/));
    await add(JSON.parse(text.replaceAll('"uri":""', '"uri":"https://shop.example/"')), name);
  }
});

test('the export of an account has every message as it was drawn, with its pictures', async () => {
  const draft = cardsDraft(await aPicture());
  const made = await add(draft, 'Cakes: spring');
  const { url } = (await staff.call(accounts.export)).body.data;
  const files = await unzip(Buffer.from(await (await fetch(new URL(url, app.url))).arrayBuffer()));
  const found = (end: string) => [...files].find(([name]) => name.endsWith(end))?.[1];
  expect(JSON.parse(String(found(`${made.uuid.slice(-6)}.json`)))).toEqual({ name: 'Cakes: spring', draft });
  const picture = found(`rich-messages/pictures/${draft.cards[0]!.picture!.uuid}.png`);
  expect((await sharp(picture).metadata()).width).toBe(1040);
});

describe('a flex message', () => {
  test('is stored and sent as it was written', async () => {
    const made = await add(flexDraft('Good morning'));
    await answerWith({ rich: made.uuid });
    const friend = line.user({ name: 'Hana' });
    await friend.say('sale');
    const [shown] = await gets(friend, 1);
    const { kind: _, alt, ...given } = flexDraft('Good morning');
    expect(shown).toMatchObject({ type: 'flex', altText: alt, ...given });
  });

  const bubble = (...contents: unknown[]) => ({
    kind: 'flex',
    alt: 'A',
    contents: { type: 'bubble', body: { type: 'box', layout: 'vertical', contents } },
  });
  const at = 'draft.contents.body.contents.0';

  test.each([
    [bubble({ type: 'text' }), [`${at}.text: empty`]],
    [bubble({ type: 'text', text: 'a', colour: '#ffffff' }), [`${at}.colour: flex-unknown`]],
    [bubble({ type: 'text', text: 'a', color: 'red' }), [`${at}.color: flex-color`]],
    [bubble({ type: 'text', text: 'a', size: 'huge' }), [`${at}.size: flex-measure`]],
    [bubble({ type: 'button', action: { type: 'uri', uri: 'https://a.example' } }), [`${at}.action.label: required`]],
    [bubble({ type: 'button', action: { type: 'camera', label: 'a' } }), [`${at}.action.type: flex-action`]],
    [bubble({ type: 'icon', url: 'https://a.example/a.png' }), [`${at}.type: flex-place`]],
    [bubble({ type: 'image', url: 'data:image/png;base64,AA' }), [`${at}.url: flex-url`]],
    [bubble({ type: 'span', text: 'a' }), [`${at}.type: flex-place`]],
    [bubble({ type: 'constructor' }), [`${at}.type: flex-part`]],
    [bubble(null), [`${at}: flex-object`]],
    [
      { kind: 'flex', alt: 'A', contents: { type: 'carousel', contents: [] } },
      ['draft.contents.contents: flex-bubbles'],
    ],
    [{ kind: 'flex', alt: 'A', contents: { type: 'bubble' } }, ['draft.contents: flex-empty']],
    [{ kind: 'flex', alt: 'A' }, ['draft.contents: required']],
    [bubble({ type: 'text', text: 'a'.repeat(29_990) }), ['draft.contents: flex-large']],
  ])('that LINE would refuse is refused at its place: %#', async (draft, problems) => {
    expect(await refused(draft)).toEqual(problems);
  });

  test('that is nested without end, has a megabyte or names of objects’ own is refused in no time', async () => {
    const post = (body: string) =>
      staff.fetch('/api/user/line/rich-message', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const draft = (contents: string) => `{"name":"Deep","draft":{"kind":"flex","alt":"A","contents":${contents}}}`;
    const box = '{"type":"box","layout":"vertical","contents":[';
    const begun = performance.now();
    for (const contents of [
      `{"type":"bubble","body":${box.repeat(3000)}${']}'.repeat(3000)}}`,
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      `{"type":"bubble","body":${box}${Array.from({ length: 15_000 }, () => '{"type":"filler"}').join()}]}}`,
      `{"type":"bubble","body":${box}{"type":"text","text":"${'a'.repeat(900_000)}"}]}}`,
      '{"type":"bubble","__proto__":{"body":{}},"constructor":{}}',
    ]) {
      const reply = await post(draft(contents));
      expect([400, 413]).toContain(reply.status);
    }
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

test('a greeting is words, a rich message and a picture, and what was stored before still greets', async () => {
  const made = await add(flexDraft('Our menu'));
  const shown = await aPicture();
  const greeting = [
    { type: 'text' as const, text: 'Welcome, {{name}}!' },
    { type: 'rich' as const, message: made.uuid },
    { type: 'image' as const, file: shown.uuid },
  ];
  const changed = await staff.call(lineChannels.update, { params: params(channel), body: { greeting } });
  expect(changed.body.data.settings.greeting).toEqual(greeting);
  const friend = line.user({ name: 'Hana' });
  await friend.follow();
  const got = await gets(friend, 3);
  expect(got[0]).toMatchObject({ type: 'text', text: 'Welcome, Hana!' });
  expect(got[1]).toMatchObject({ type: 'flex', altText: 'Our menu' });
  expect(got[2]).toMatchObject({
    type: 'image',
    originalContentUrl: expect.stringContaining(`/line/image/${shown.uuid}/1040`),
  });
  const unknown = await staff.call(lineChannels.update, {
    params: params(channel),
    body: { greeting: [{ type: 'rich', message: randomUUID() }] },
  });
  expect(unknown.error?.details).toMatchObject({ fields: [{ path: 'greeting.0.message', code: 'invalid' }] });
  const long = await staff.call(lineChannels.update, {
    params: params(channel),
    body: { greeting: [{ type: 'text', text: 'a'.repeat(maxSaid + 1) }] },
  });
  expect(long.error?.details).toMatchObject({ fields: [{ path: 'greeting.0.text', code: 'too-long' }] });
  await app.server.context.db
    .updateTable('line_channel')
    .set({ settings: JSON.stringify({ greeting: ['Hello from before'] }) })
    .execute();
  const later = line.user({ name: 'Ken' });
  await later.follow();
  const [first] = await gets(later, 1);
  expect(first).toMatchObject({ type: 'text', text: 'Hello from before' });
});

test('staff send one from a conversation; later changes do not change it', async () => {
  const made = await add(flexDraft('Coupon'));
  const friend = line.user({ name: 'Hana' });
  await friend.say('Hello');
  const { thread } = (await eventually('there is a conversation', () => conversationOf(staff, 'Hana')))!;
  const before = (await gets(friend, 1)).length;
  const body = { key: randomUUID(), text: '', rich: made.uuid };
  const sent = await staff.call(inbox.reply, { params: { thread: thread.uuid }, body });
  expect(sent.body.data).toMatchObject({ text: 'Coupon', rich: { name: 'Sale', kind: 'flex' }, role: 'staff' });
  const got = await gets(friend, before + 1);
  expect(got.at(-1)).toMatchObject({ type: 'flex', altText: 'Coupon' });
  await staff.call(richMessages.update, { params: params(made), body: { draft: flexDraft('Another') } });
  const { messages } = (await conversationOf(staff, 'Hana'))!;
  expect(messages.at(-1)).toMatchObject({ text: 'Coupon', rich: { alt: 'Coupon' } });
  const both = await staff.call(inbox.reply, {
    params: { thread: thread.uuid },
    body: { key: randomUUID(), text: 'And words', rich: made.uuid },
  });
  expect(both.error?.code).toBe('validation-failed');
  const gone = await staff.call(inbox.reply, {
    params: { thread: thread.uuid },
    body: { key: randomUUID(), text: '', rich: randomUUID() },
  });
  expect(gone.error?.code).toBe('rich-not-found');
});

test('on a website its words and links stand for it', async () => {
  const site = await aChannel(staff, null);
  const draft = cardsDraft();
  const made = await add({ ...draft, more: null });
  const rules = [
    { phrases: ['sale'], match: 'contains' as const, reply: '', rich: made.uuid, handOff: false, tag: '' },
  ];
  await staff.call(connections.update, { params: { uuid: site.connection }, body: { rules } });
  const visitor = await aVisitor(app, site.uuid);
  await visitor.write('Is there a sale?');
  const { messages } = await visitor.page();
  expect(messages.map(({ text }) => text)).toContain('Our cakes\nhttps://shop.example/');
});

test('what LINE refuses after all is said in words', async () => {
  const made = await add({ ...cardsDraft(), more: null });
  await answerWith({ rich: made.uuid });
  line.script(/message\/reply/, { status: 400, body: { message: 'The request body has 1 error(s)' } });
  const friend = line.user({ name: 'Hana' });
  await friend.say('sale');
  const [said] = await gets(friend, 1);
  expect(said).toMatchObject({ type: 'text', text: 'Our cakes\nhttps://shop.example/' });
});

test('one that is used cannot be deleted, and says where it is', async () => {
  const made = await add(flexDraft());
  const remove = () => staff.call(richMessages.remove, { params: params(made) });
  const uses = async () => (await staff.call(richMessages.uses, { params: params(made) })).body.data;
  const listed = async () =>
    (await staff.call(richMessages.list, { query: {} })).body.data.map((each) => `${each.name}: ${each.uses}`);
  expect(await uses()).toEqual({ users: [], count: 0, sent: 0 });
  await add(flexDraft(), 'Another');
  expect(await listed()).toEqual(['Another: 0', 'Sale: 0']);
  await answerWith({ rich: made.uuid });
  const rules = { kind: 'rules', uuid: channel.connection, name: channel.name, channel: null, state: null };
  expect(await uses()).toEqual({ users: [rules], count: 1, sent: 0 });
  expect(await listed()).toEqual(['Another: 0', 'Sale: 1']);
  const content = [{ type: 'rich' as const, message: made.uuid }];
  const draft = { channel: channel.uuid, name: 'Summer news', content };
  const broadcast = (await staff.call(lineCampaigns.createBroadcast, { body: draft })).body.data;
  expect(await listed()).toEqual(['Another: 0', 'Sale: 2']);
  const namesake = (await staff.call(lineCampaigns.createBroadcast, { body: draft })).body.data;
  expect(await listed()).toEqual(['Another: 0', 'Sale: 3']);
  expect((await uses()).users).toContainEqual({
    kind: 'broadcast',
    uuid: broadcast.uuid,
    name: 'Summer news',
    channel: channel.uuid,
    state: 'draft',
  });
  for (const each of [broadcast, namesake]) await staff.call(lineCampaigns.removeBroadcast, { params: params(each) });
  expect((await remove()).error).toMatchObject({ code: 'rich-needed', details: { name: channel.name } });
  const greet = (greeting: LineChannel['settings']['greeting']) =>
    staff.call(lineChannels.update, { params: params(channel), body: { greeting } });
  await greet([{ type: 'rich', message: made.uuid }]);
  // An account that greets and answers with it is one place.
  expect(await uses()).toEqual({ users: [rules], count: 1, sent: 0 });
  await answerWith({ reply: 'Yes' });
  expect((await uses()).users).toMatchObject([{ ...rules, kind: 'greeting', channel: channel.uuid }]);
  expect((await remove()).error).toMatchObject({ code: 'rich-needed', details: { name: channel.name } });
  await greet([]);
  expect((await remove()).status).toBe(200);
  expect((await answerWith({ rich: made.uuid })).error?.details).toMatchObject({
    fields: [{ path: 'rules.0.rich', code: 'invalid' }],
  });
});

test('they are listed, searched, copied and changed; of two who change one, the second is told', async () => {
  const first = await add(flexDraft(), 'Summer 100%');
  const second = await add(await imagemapDraft(), 'Autumn');
  const list = (query: { q?: string; kind?: 'flex'; limit?: number; cursor?: string }) =>
    staff.call(richMessages.list, { query });
  const { data, meta } = (await list({ limit: 1 })).body;
  expect(data.map(({ name }) => name)).toEqual(['Autumn']);
  expect((await list({ cursor: meta.nextCursor ?? '' })).body.data.map(({ name }) => name)).toEqual(['Summer 100%']);
  expect((await list({ q: '100%' })).body.data).toMatchObject([{ uuid: first.uuid, draft: flexDraft() }]);
  const flex = (await list({ kind: 'flex' })).body;
  expect(flex.data).toHaveLength(1);
  // What else there is can be chosen then, too.
  expect(flex.meta.kinds).toEqual(['imagemap', 'flex']);
  const copied = await staff.call(richMessages.copy, { params: params(second), body: { name: 'Winter' } });
  expect(copied.body.data).toMatchObject({ name: 'Winter', kind: 'imagemap', draft: second.draft });
  const change = (name: string) =>
    staff.call(richMessages.update, { params: params(first), body: { name, seen: first.updatedAt } });
  expect((await change('Spring')).body.data.name).toBe('Spring');
  expect((await change('Fall')).error?.code).toBe('conflict');
});

test('a rule for the hours in which nobody is there is silent while somebody is', async () => {
  const made = await add(flexDraft('We are closed'));
  await answerWith({ rich: made.uuid, when: 'closed' });
  const path = { params: { uuid: channel.connection } };
  const tryIt = async () => (await staff.call(connections.test, { ...path, body: { text: 'sale' } })).body.data.rule;
  // Without hours somebody is there at any time.
  expect(await tryIt()).toBeNull();
  const never = { timezone: 'Asia/Tokyo', week: Array.from({ length: 7 }, () => []), holidays: [] };
  await staff.call(connections.update, { ...path, body: { hours: never } });
  expect(await tryIt()).toBe(0);
  await answerWith({ rich: made.uuid, when: 'open' });
  expect(await tryIt()).toBeNull();
});

test('what an older rule says stays, and a test of a message says what is sent', async () => {
  const { db } = app.server.context;
  const stored = { rules: [{ phrases: ['sale'], match: 'contains', reply: 'Yes', handOff: false, tag: '' }] };
  await db
    .updateTable('connection')
    .set({ settings: JSON.stringify(stored) })
    .execute();
  const path = { params: { uuid: channel.connection } };
  const { settings } = (await staff.call(connections.get, path)).body.data;
  expect(settings.rules).toMatchObject([{ reply: 'Yes', rich: null, when: 'always' }]);
  const made = await add(flexDraft());
  await answerWith({ rich: made.uuid });
  expect((await staff.call(connections.test, { ...path, body: { text: 'sale' } })).body.data).toMatchObject({
    does: 'reply',
    rich: made.uuid,
  });
});
