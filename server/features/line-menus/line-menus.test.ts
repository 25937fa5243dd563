import { afterEach, beforeEach, expect, test } from 'vitest';
import sharp from 'sharp';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { lineMenus, type RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import type { MenuLayout } from '../../../shared/menu-layout.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine, LineOptions, LineUser } from '../../testing/line/fake-line.ts';
import { sweepPictures } from '../files/files.ts';
import { addGuest, tagGuest } from '../guests/guests.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let channel: LineChannel;

beforeEach(() => begin());
afterEach(() => end());

async function begin(options: LineOptions = {}): Promise<void> {
  ({ app, line } = await startWithLine(options));
  staff = await app.aPerson();
  channel = await connectLine(staff, line);
  line.calls.length = 0;
}
async function end(): Promise<void> {
  line.mustBeValid();
  await app.stop();
  await line.close();
}
/** The same, on a LINE of another kind. */
const anew = async (options: LineOptions) => {
  await end();
  await begin(options);
};

const picture = (color = '#0a6b3d', { width = 2500, height = 843 } = {}) =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();

async function upload(menu: RichMenu, bytes: Buffer, person = staff) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'menu.png');
  return person.fetch(`/api/user/line/rich-menu/${menu.uuid}/image`, { method: 'POST', body: form });
}

const hello: MenuAction = { type: 'message', text: 'Hello', label: 'Hello' };
const params = ({ uuid }: { uuid: string }) => ({ uuid });
const get = async (menu: { uuid: string }) => (await staff.call(lineMenus.get, { params: params(menu) })).body.data;

/** A menu that can be published, with an action for each of its areas. */
async function aMenu(name: string, actions: MenuAction[] = [hello], layout: MenuLayout = 'compact-1') {
  const made = await staff.call(lineMenus.create, { body: { channel: channel.uuid, name, layout } });
  expect(made.status).toBe(201);
  const menu = await draw(made.body.data, actions);
  const { height } = menu.menu.size;
  expect((await upload(menu, await picture('#0a6b3d', { height }))).status).toBe(200);
  return get(menu);
}

async function draw(menu: RichMenu, actions: MenuAction[]): Promise<RichMenu> {
  const areas = menu.menu.areas.map(({ bounds }, at) => ({ bounds, action: actions[at] ?? hello }));
  const changed = await staff.call(lineMenus.update, { params: params(menu), body: { menu: { ...menu.menu, areas } } });
  expect(changed.error).toBeUndefined();
  return changed.body.data;
}

const publish = (...menus: { uuid: string }[]) =>
  staff.call(lineMenus.publish, { body: { menus: menus.map(({ uuid }) => uuid) } });
const reaches = (menu: { uuid: string }, state: RichMenu['state']) =>
  eventually(`it is ${state}`, async () => {
    const now = await get(menu);
    return now.state === state && now;
  });
async function goLive(...menus: { uuid: string }[]): Promise<void> {
  const told = await publish(...menus);
  expect(told.error).toBeUndefined();
  for (const menu of menus) await reaches(menu, 'live');
}
const setDefault = (menu: { uuid: string }, isDefault = true) =>
  staff.call(lineMenus.setDefault, { params: params(menu), body: { default: isDefault } });
const sees = (user: LineUser, name: string | undefined) =>
  eventually(`${user.name} sees ${name}`, async () => line.menuOf(user.id)?.name === name);
const onLine = async () => (await staff.call(lineMenus.onLine, { query: { channel: channel.uuid } })).body;
/** No job waits or runs. */
const quiet = () =>
  soon('nothing is left to be done', async () => {
    const { db } = app.server.context;
    const left = await db
      .selectFrom('job')
      .select('uuid')
      .where('kind', 'like', 'line.menus%')
      .where('state', 'in', ['queued', 'running'])
      .execute();
    return left.length === 0;
  });
/** What a job waits for may be seen before the job does wait, so that it is sent on again and again. */
const soon = (what: string, look: () => Promise<boolean>) =>
  eventually(what, async () => {
    await hurry();
    return look();
  });
/** What waits for a time begins now. */
async function hurry(): Promise<void> {
  const { db, queue } = app.server.context;
  await db
    .updateTable('job')
    .set({ run_at: 0 })
    .where('kind', 'like', 'line.menus%')
    .where('state', '=', 'queued')
    .execute();
  queue.wake();
}
const recur = (name: string) =>
  app.server.context.db.updateTable('recurring').set({ due_at: 0 }).where('name', '=', name).execute();
const paths = () =>
  line.calls
    .filter(({ path }) => path.includes('richmenu'))
    .map(({ method, path }) => `${method} ${path.replace(/richmenu-[0-9a-f]+/, ':id').replace('/v2/bot/', '')}`);

/** A menu like the first of ours, made by somebody else. */
async function theirs() {
  const [call] = line.calls.filter(({ path }) => path === '/v2/bot/richmenu');
  const authorization = String(call?.headers.authorization);
  const json = { ...(call?.body as object), name: 'Theirs' };
  const made = await fetch(`${line.url}/v2/bot/richmenu`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const { richMenuId } = (await made.json()) as { richMenuId: string };
  await fetch(`${line.url}/v2/bot/richmenu/${richMenuId}/content`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'image/png' },
    body: new Uint8Array(await picture('#333')),
  });
  return { json, richMenuId };
}

async function aFriend(name: string): Promise<LineUser> {
  const user = line.user({ name });
  await user.say('Hello');
  await eventually(`${name} is known`, () => conversationOf(staff, name));
  return user;
}
async function tag(name: string, tags: string[]): Promise<string> {
  const { thread } = (await conversationOf(staff, name))!;
  const told = await staff.call(inbox.updateGuest, { params: { uuid: thread.guest.uuid }, body: { tags } });
  expect(told.error).toBeUndefined();
  return thread.guest.uuid;
}

test('a menu is published in the safe order, tapped, and replaced without a gap', async () => {
  const friend = await aFriend('Hana');
  line.calls.length = 0;
  const menu = await aMenu('Shop', [{ type: 'postback', data: 'open', label: 'Open', displayText: 'Open?' }]);
  expect(menu).toMatchObject({ state: 'draft', problems: [], published: null, default: false });
  await setDefault(menu);
  await quiet();
  expect(paths()).toEqual([]);
  await goLive(menu);
  await sees(friend, 'Shop');
  expect(paths()).toEqual([
    'POST richmenu/validate',
    'POST richmenu',
    'POST richmenu/:id/content',
    'POST user/all/richmenu/:id',
  ]);
  expect((await friend.tap(0))?.status).toBe(200);

  await quiet();
  line.calls.length = 0;
  expect((await upload(menu, await picture())).status).toBe(200);
  await publish(menu);
  await quiet();
  expect(paths()).toEqual([]);

  const first = line.menuOf(friend.id)?.richMenuId;
  const changed = await draw(await get(menu), [hello]);
  expect(changed.published).toMatchObject({ lineId: first, changed: true });
  expect(line.menuOf(friend.id)?.areas[0]?.action.type).toBe('postback');
  await goLive(menu);
  await quiet();
  expect(line.menus().map(({ richMenuId }) => richMenuId)).not.toContain(first);
  expect(line.menuOf(friend.id)?.areas[0]?.action).toEqual(hello);
  expect(paths().at(-1)).toBe('DELETE richmenu/:id');
  expect((await get(menu)).published).toMatchObject({ changed: false });

  await staff.call(lineMenus.takeOff, { body: { menus: [menu.uuid] } });
  await reaches(menu, 'draft');
  expect([line.menus(), line.menuOf(friend.id)]).toEqual([[], undefined]);
  await goLive(menu);
  await sees(friend, 'Shop');
  expect((await staff.call(lineMenus.remove, { params: params(menu) })).status).toBe(200);
  expect((await staff.call(lineMenus.get, { params: params(menu) })).error.code).toBe('menu-not-found');
  await quiet();
  expect(line.menus()).toEqual([]);
  expect(await app.server.context.db.selectFrom('rich_menu').selectAll().execute()).toEqual([]);
});

test('tabs come to LINE together, lead to each other on the phone, and stay where somebody is', async () => {
  const [one, two] = [await aMenu('One'), await aMenu('Two')];
  await draw(one, [{ type: 'richmenuswitch', menu: two.uuid, label: 'Two' }]);
  await draw(two, [{ type: 'richmenuswitch', menu: one.uuid, label: 'One' }]);
  expect((await publish(one)).error).toMatchObject({
    code: 'validation-failed',
    details: { fields: [{ path: 'menus.0', code: 'line-menu-switch' }] },
  });
  await setDefault(one);
  await goLive(one, two);
  const friend = await aFriend('Hana');
  await sees(friend, 'One');
  await friend.tap('Two');
  await sees(friend, 'Two');
  expect(
    line
      .aliases()
      .map(({ richMenuAliasId }) => richMenuAliasId)
      .toSorted(),
  ).toEqual([one.alias, two.alias].toSorted());
  const before = line.menuOf(friend.id)?.richMenuId;
  const { menu } = await get(two);
  await staff.call(lineMenus.update, { params: params(two), body: { menu: { ...menu, chatBarText: 'New' } } });
  await goLive(two);
  await quiet();
  expect(line.menuOf(friend.id)).toMatchObject({ name: 'Two', chatBarText: 'New' });
  expect(line.menuOf(friend.id)?.richMenuId).not.toBe(before);
  expect(line.menus()).toHaveLength(2);
  await friend.tap('One');
  await sees(friend, 'One');
  for (const call of [
    staff.call(lineMenus.takeOff, { body: { menus: [two.uuid] } }),
    staff.call(lineMenus.remove, { params: params(two) }),
  ])
    expect((await call).error).toMatchObject({ code: 'menu-needed', details: { name: 'One' } });
  await staff.call(lineMenus.takeOff, { body: { menus: [one.uuid, two.uuid] } });
  await reaches(two, 'draft');
  await quiet();
  expect([line.menus(), line.aliases()]).toEqual([[], []]);
});

test('menus that are tabs of each other are begun at once, with their tabs, and come to LINE together', async () => {
  const body = {
    channel: channel.uuid,
    names: ['Coupons', 'Shop', 'Ask us'],
    layout: 'large-6' as const,
    default: true,
  };
  const made = await staff.call(lineMenus.createTabs, { body });
  expect(made.status).toBe(201);
  const menus = made.body.data;
  expect(menus.map(({ menu, default: isDefault, place }) => [menu.name, isDefault, place])).toEqual([
    ['Coupons', true, 0],
    ['Shop', false, 1],
    ['Ask us', false, 2],
  ]);
  for (const { menu } of menus) {
    expect(menu.areas).toHaveLength(7);
    expect(menu.areas.slice(0, 3)).toEqual(
      menus.map(({ uuid }, at) => ({
        bounds: { x: [0, 833, 1667][at], y: 0, width: [833, 834, 833][at], height: 250 },
        action: { type: 'richmenuswitch', menu: uuid, label: body.names[at] },
      })),
    );
    expect(menu.areas[3]?.bounds).toEqual({ x: 0, y: 250, width: 1250, height: 718 });
  }
  for (const menu of menus) {
    const areas = menu.menu.areas.map(({ bounds, action }) => ({ bounds, action: action ?? hello }));
    await staff.call(lineMenus.update, { params: params(menu), body: { menu: { ...menu.menu, areas } } });
    await upload(menu, await picture('#333333', { height: 1686 }));
  }
  await goLive(...menus);
  const friend = await aFriend('Hana');
  await sees(friend, 'Coupons');
  for (const name of ['Ask us', 'Ask us', 'Shop', 'Coupons']) {
    await friend.tap(name);
    await sees(friend, name);
  }
  for (const names of [['One'], ['1', '2', '3', '4'], ['One', ''], ['One', 'x'.repeat(21)]])
    expect((await staff.call(lineMenus.createTabs, { body: { ...body, names } })).error.code).toBe('validation-failed');
  const low = await staff.call(lineMenus.createTabs, { body: { ...body, size: { width: 2500, height: 250 } } });
  expect(low.error.details).toMatchObject({ fields: [{ path: 'size.height', minimum: 500 }] });
  const stranger = await app.aPerson();
  expect((await stranger.call(lineMenus.createTabs, { body })).error.code).toBe('channel-not-found');
});

test('what is refused says which field, and nothing is asked of LINE', async () => {
  const body = { channel: channel.uuid, name: 'Bare', layout: 'large-7' as const };
  const bare = (await staff.call(lineMenus.create, { body })).body.data;
  const fieldsOf = async (call: Promise<{ error: { details: Record<string, unknown> } }>) =>
    ((await call).error.details['fields'] as { path: string; code: string }[]).map(
      ({ path, code }) => `${path}: ${code}`,
    );
  expect(await fieldsOf(publish(bare))).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((area) => `menus.0.areas.${area}: line-menu-action`),
    'menus.0: line-menu-image',
  ]);
  const change = (menu: object) =>
    fieldsOf(staff.call(lineMenus.update, { params: params(bare), body: { menu: { ...bare.menu, ...menu } } }));
  const area = { bounds: { x: 0, y: 0, width: 2500, height: 1686 }, action: hello };
  expect(await change({ name: ' ' })).toEqual(['menu.name: empty']);
  expect(await change({ size: { width: 1440, height: 1000 }, areas: [] })).toEqual(['menu.size: line-menu-size']);
  expect(await change({ areas: Array.from({ length: 21 }, () => area) })).toEqual(['menu.areas: too-long']);
  expect(await change({ areas: [{ ...area, bounds: { ...area.bounds, x: 1 } }] })).toEqual([
    'menu.areas.0.bounds: line-menu-bounds',
  ]);
  expect(await change({ areas: [{ ...area, action: { type: 'hologram' } }] })).toEqual([
    'menu.areas.0.action.type: invalid',
  ]);
  const nowhere = '00000000-0000-7000-8000-000000000000';
  expect(await change({ areas: [{ ...area, action: { type: 'richmenuswitch', menu: nowhere } }] })).toEqual([
    'menu.areas.0.action.menu: line-menu-switch',
  ]);
  const period = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  expect(await fieldsOf(staff.call(lineMenus.update, { params: params(bare), body: period }))).toEqual([
    'to: span-backwards',
  ]);
  const { updatedAt: seen } = bare;
  await staff.call(lineMenus.update, { params: params(bare), body: { place: 3 } });
  const late = await staff.call(lineMenus.update, { params: params(bare), body: { place: 4, seen } });
  expect(late.error.code).toBe('conflict');
  expect(paths()).toEqual([]);
});

test('a draft is saved as it is, and publishing says all that is left to do', async () => {
  const [menu, tab] = [await aMenu('Shop', [], 'large-6'), await aMenu('Tab')];
  const { areas } = menu.menu;
  const actions: (MenuAction | null)[] = [
    { type: 'uri', uri: 'https:/' },
    null,
    { type: 'richmenuswitch', menu: tab.uuid },
    { type: 'richmenuswitch', menu: '' },
  ];
  const save = (written: (MenuAction | null)[], more: object = {}) =>
    staff.call(lineMenus.update, {
      params: params(menu),
      body: {
        menu: {
          ...menu.menu,
          ...more,
          areas: written.map((action, at) => ({ bounds: areas[at]!.bounds, action })),
        },
      },
    });
  const saved = await save(actions, { chatBarText: '' });
  expect(saved.error).toBeUndefined();
  expect((await get(menu)).menu).toEqual(saved.body.data.menu);
  expect(saved.body.data.menu.areas.map(({ action }) => action)).toEqual(actions);
  await staff.call(lineMenus.remove, { params: params(tab) });
  // What its tab led to is gone, and the rest can still be written.
  expect((await save(actions, { chatBarText: '' })).error).toBeUndefined();
  expect((await get(menu)).problems.map(({ code, area, field }) => [code, area, field])).toEqual([
    ['empty', undefined, 'chatBarText'],
    ['line-uri-form', 0, 'uri'],
    ['line-menu-action', 1, undefined],
    ['line-menu-gone', 2, 'menu'],
    ['empty', 3, 'menu'],
  ]);
  expect((await publish(menu)).error).toMatchObject({
    code: 'validation-failed',
    details: {
      fields: [
        { path: 'menus.0.chatBarText', code: 'empty' },
        { path: 'menus.0.areas.0.action.uri', code: 'line-uri-form' },
        { path: 'menus.0.areas.1', code: 'line-menu-action' },
        { path: 'menus.0.areas.2.action.menu', code: 'line-menu-gone' },
        { path: 'menus.0.areas.3.action.menu', code: 'empty' },
      ],
    },
  });
  expect((await staff.call(lineMenus.copy, { params: params(menu), body: { name: 'Copy' } })).status).toBe(201);
  expect((await staff.call(lineMenus.exportJson, { params: params(menu) })).status).toBe(200);
  expect(paths()).toEqual([]);
  // What is finished goes to LINE as LINE writes it.
  await save([{ type: 'uri', uri: ' https://example.com/春 ' }, hello, hello, hello]);
  await goLive(menu);
  expect(line.menus()[0]?.areas[0]?.action).toEqual({ type: 'uri', uri: 'https://example.com/%E6%98%A5' });
  expect((await get(menu)).published).toMatchObject({ changed: false });
});

test('a picture is cut to the menu, made small enough, and asked for again when the size is another', async () => {
  const menu = await aMenu('Photo');
  const noise = await sharp({
    create: {
      width: 1600,
      height: 1600,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  expect((await upload(menu, noise)).status).toBe(200);
  const { image } = await get(menu);
  expect(image).toMatchObject({ mime: 'image/jpeg', width: 2500, height: 843 });
  expect(image?.bytes).toBeLessThanOrEqual(1024 * 1024);
  const shown = await staff.fetch(`/api/user/line/rich-menu/${menu.uuid}/image`);
  expect(shown.headers.get('content-type')).toBe('image/jpeg');
  expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 2500, height: 843 });
  expect((await upload(menu, Buffer.from('no picture'))).status).toBe(422);
  await staff.call(lineMenus.update, {
    params: params(menu),
    body: { menu: { ...menu.menu, size: { width: 1200, height: 405 }, areas: [] } },
  });
  expect((await get(menu)).problems).toContainEqual({ code: 'line-menu-image-size', level: 'error' });
  await draw(await get(menu), []);
});

test('a picture that was drawn here can be drawn again, also of a copy, and LINE learns nothing of it', async () => {
  const menu = await aMenu('Drawn');
  const read = async (of: { uuid: string }) =>
    (await staff.call(lineMenus.design, { params: params(of) })).body.data.design;
  expect(await read(menu)).toBeNull();
  const cell = { fill: '#0a6b3d', ink: '#ffffff', icon: 'calendar', label: 'ご予約', size: 120, bold: true };
  const design = { ground: '#ffffff', picture: null, gap: 12, radius: 0, cells: [cell] };
  const draw = (body: object) => staff.call(lineMenus.update, { params: params(menu), body });
  expect((await draw({ design })).status).toBe(200);
  expect(await read(menu)).toEqual(design);
  const copy = await staff.call(lineMenus.copy, { params: params(menu), body: { name: 'Copy' } });
  expect(await read(copy.body.data)).toEqual(design);
  const json = await staff.call(lineMenus.exportJson, { params: params(menu) });
  expect(JSON.stringify(json.body)).not.toContain('0a6b3d');
  // An upload takes its place.
  await draw({ design: null });
  expect(await read(menu)).toBeNull();
  for (const wrong of [
    { cells: [{ ...cell, fill: 'red' }] },
    { picture: 'https://example.com/a.jpg' },
    { picture: `data:image/webp;base64,${'A'.repeat(50_000)}` },
  ])
    expect((await draw({ design: { ...design, ...wrong } })).status).toBe(400);
});

test('pictures that neither a draft nor LINE shows go after a day, and all with the channel', async () => {
  const menu = await aMenu('Shop');
  await goLive(menu);
  const { context } = app.server;
  const inTwoDays = Date.now() + 2 * 86_400_000;
  const kept = async () => {
    await sweepPictures(context, new AbortController().signal, inTwoDays);
    return (await context.db.selectFrom('file').select('uuid').where('kind', '=', 'menu').execute()).length;
  };
  for (const color of ['#a00', '#00a']) await upload(menu, await picture(color));
  expect(await kept()).toBe(2);
  await goLive(menu);
  await quiet();
  expect(await kept()).toBe(1);
  await staff.call(lineChannels.remove, { params: { uuid: channel.uuid } });
  expect(await kept()).toBe(0);
  for (const table of ['rich_menu', 'rich_menu_person', 'rich_menu_link'] as const)
    expect(await context.db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test.each([
  ['is disconnected', () => staff.call(lineChannels.remove, { params: { uuid: channel.uuid } })],
  ['goes with its people', () => staff.call(accounts.remove, { body: { password: 'correct horse battery' } })],
])('a channel that %s takes its menus off LINE, also where LINE is away at first', async (_, go) => {
  const [menu, tab, lost] = [await aMenu('Shop'), await aMenu('Tab'), await aMenu('Lost')];
  await draw(menu, [{ type: 'richmenuswitch', menu: tab.uuid }]);
  await draw(tab, [{ type: 'richmenuswitch', menu: menu.uuid }]);
  await setDefault(menu);
  await goLive(menu, tab);
  const friend = await aFriend('Hana');
  await sees(friend, 'Shop');
  await friend.tap(0);
  await sees(friend, 'Tab');
  await quiet();
  line.script('POST /v2/bot/richmenu', 'hangAfter');
  await publish(lost);
  await eventually('LINE has made what we do not know of', async () => line.menus().length === 3);
  line.script(/richmenu/, { status: 503 }, { status: 503 });
  expect((await go()).error).toBeUndefined();
  await soon('LINE has nothing of ours', async () => line.menus().length === 0);
  await quiet();
  expect(line.aliases()).toEqual([]);
  await sees(friend, undefined);
  const { db } = app.server.context;
  const jobs = await db.selectFrom('job').select('payload').where('kind', '=', 'line.menus-farewell').execute();
  expect(jobs).toEqual([{ payload: '{}' }]);
});

test('of the menus that are to be everybody’s, the first is', async () => {
  const body = { channel: channel.uuid, layout: 'compact-1', default: true } as const;
  const [first, second] = [
    (await staff.call(lineMenus.create, { body: { ...body, name: 'First' } })).body.data,
    (await staff.call(lineMenus.create, { body: { ...body, name: 'Second' } })).body.data,
  ];
  expect([first.default, second.default]).toEqual([true, false]);
});

test('menus of others stay when a channel is disconnected', async () => {
  await goLive(await aMenu('Ours'));
  const { richMenuId } = await theirs();
  await staff.call(lineChannels.remove, { params: { uuid: channel.uuid } });
  await quiet();
  expect(line.menus()).toMatchObject([{ richMenuId }]);
});

test('a picture that LINE refuses leaves nothing behind, and what was on LINE stays', async () => {
  const menu = await aMenu('Shop');
  line.script(/content$/, { status: 400, body: { message: 'The image size is not allowed' } });
  await publish(menu);
  expect(await reaches(menu, 'failed')).toMatchObject({ reason: 'image', detail: 'The image size is not allowed' });
  expect(line.menus()).toEqual([]);
  await goLive(menu);
  line.script('POST /v2/bot/richmenu/validate', { status: 400, body: { message: 'No', details: [] } });
  await draw(await get(menu), [{ type: 'message', text: 'Other' }]);
  await publish(menu);
  expect(await reaches(menu, 'failed')).toMatchObject({ reason: 'refused', published: { changed: true } });
  expect(line.menus().map(({ areas }) => areas[0]?.action)).toEqual([hello]);
});

test.each([
  ['is asked for a menu', 'POST /v2/bot/richmenu'],
  ['gets its picture', /content$/],
  ['is told an alias', 'POST /v2/bot/richmenu/alias'],
  ['is told the default', /user\/all/],
  ['moves people', 'POST /v2/bot/richmenu/batch'],
  ['deletes the old version', /^DELETE \/v2\/bot\/richmenu\/richmenu/],
])('killed while LINE %s, it goes on afterwards and leaves nothing behind', async (_, match) => {
  const [menu, tab] = [await aMenu('Shop'), await aMenu('Tab')];
  await draw(menu, [{ type: 'richmenuswitch', menu: tab.uuid }]);
  await draw(tab, [{ type: 'richmenuswitch', menu: menu.uuid }]);
  await setDefault(menu);
  await goLive(menu, tab);
  const friend = await aFriend('Hana');
  await friend.tap(0);
  await sees(friend, 'Tab');
  await staff.call(lineMenus.update, {
    params: params(menu),
    body: { menu: { ...(await get(menu)).menu, chatBarText: 'New' } },
  });
  const { menu: other } = await get(tab);
  await staff.call(lineMenus.update, { params: params(tab), body: { menu: { ...other, chatBarText: 'New' } } });
  // An alias that is there is changed, not made.
  const change = match === 'POST /v2/bot/richmenu/alias' ? /POST \/v2\/bot\/richmenu\/alias\// : match;
  await quiet();
  line.calls.length = 0;
  line.script(change, 'hangAfter');
  await publish(menu, tab);
  await eventually('LINE was asked', async () =>
    line.calls.find(({ method, path, status }) => {
      const named = `${method} ${path}`;
      return status === undefined && (typeof change === 'string' ? change === named : change.test(named));
    }),
  );
  await app.restart();
  await reaches(menu, 'live');
  await reaches(tab, 'live');
  await quiet();
  expect(
    line
      .menus()
      .map(({ name, chatBarText }) => `${name} ${chatBarText}`)
      .toSorted(),
  ).toEqual(['Shop New', 'Tab New']);
  await sees(friend, 'Tab');
  await sees(line.user({ name: 'Somebody' }), 'Shop');
  expect(new Set(line.aliases().map(({ richMenuId }) => richMenuId))).toEqual(
    new Set(line.menus().map(({ richMenuId }) => richMenuId)),
  );
});

test.each([
  ['a menu', 'POST /v2/bot/richmenu'],
  ['a picture', /content$/],
  ['the default', /user\/all/],
])('where LINE’s answer about %s is lost, one menu is there', async (_, match) => {
  const menu = await aMenu('Shop');
  await setDefault(menu);
  line.script(match, 'dropAfter', { status: 500, isDone: true });
  await publish(menu);
  await soon('it is live', async () => (await get(menu)).state === 'live');
  await quiet();
  await sees(line.user(), 'Shop');
  expect(line.menus()).toHaveLength(1);
});

test.each([
  ['is told that an alias goes', /^DELETE .*alias/],
  ['deletes a menu', /^DELETE .*richmenu-/],
])('killed while LINE %s, what is taken off goes all the same', async (_, match) => {
  const [menu, tab] = [await aMenu('Shop'), await aMenu('Tab')];
  await draw(menu, [{ type: 'richmenuswitch', menu: tab.uuid }]);
  await setDefault(menu);
  await goLive(menu, tab);
  await quiet();
  line.calls.length = 0;
  line.script(match, 'hangAfter');
  await staff.call(lineMenus.takeOff, { body: { menus: [menu.uuid, tab.uuid] } });
  await eventually('LINE was asked', async () =>
    line.calls.some(({ method, path, status }) => status === undefined && match.test(`${method} ${path}`)),
  );
  await app.restart();
  for (const each of [menu, tab]) await reaches(each, 'draft');
  await quiet();
  expect([line.menus(), line.aliases(), line.menuOf('')]).toEqual([[], [], undefined]);
});

test('more people than LINE takes at once get the menu of their tag', async () => {
  const menu = await aMenu('Member');
  await staff.call(lineMenus.update, { params: params(menu), body: { tags: ['member'] } });
  const friends = line.friends(501);
  const { db } = app.server.context;
  const { workspace } = await db.selectFrom('line_channel').select('workspace').executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    const place = { workspace, channel: 'line', channelId: channel.uuid, language: null } as const;
    for (const { id } of friends)
      await tagGuest(trx, (await addGuest(trx, { ...place, external: id })).guest, 'member');
    // A group is nobody who could have a menu.
    await tagGuest(trx, (await addGuest(trx, { ...place, external: `C${'0'.repeat(32)}` })).guest, 'member');
  });
  await goLive(menu);
  await quiet();
  expect(friends.filter(({ id }) => line.menuOf(id)?.name === 'Member')).toHaveLength(501);
  const told = line.calls.flatMap(({ path, body }) =>
    path.endsWith('/bulk/link') ? [(body as { userIds: string[] }).userIds.length] : [],
  );
  expect(told).toEqual([500, 1]);
});

test('where LINE takes no more for a while, it waits and goes on', async () => {
  // Two in an hour.
  await anew({ rates: 0.02 });
  const menus = [await aMenu('One'), await aMenu('Two'), await aMenu('Three')];
  await publish(...menus);
  await eventually('it waits', async () => (await get(menus[2]!)).state === 'waiting');
  expect(line.menus().length).toBeLessThan(3);
  line.clock.advance(3_600_000);
  for (const menu of menus) await soon('it is live', async () => (await get(menu)).state === 'live');
  expect(line.menus()).toHaveLength(3);
});

test('until LINE moves people again, the new version is there and the old one stays for those who have it', async () => {
  const [menu, tab] = [await aMenu('Shop'), await aMenu('Tab')];
  await draw(menu, [{ type: 'richmenuswitch', menu: tab.uuid }]);
  await setDefault(menu);
  await goLive(menu, tab);
  const friend = line.user();
  await friend.tap(0);
  await sees(friend, 'Tab');
  let isTooOften = true;
  const busy = { status: 429, body: { message: 'The API rate limit has been exceeded.' } };
  line.script(({ path }) => isTooOften && path === '/v2/bot/richmenu/batch', ...Array.from({ length: 9 }, () => busy));
  await draw(await get(tab), [{ type: 'message', text: 'New' }]);
  await goLive(tab);
  expect(line.menuOf(friend.id)?.areas[0]?.action).toEqual(hello);
  isTooOften = false;
  await soon('the new version is seen', async () => line.menuOf(friend.id)?.areas[0]?.action.text === 'New');
  await quiet();
  expect(line.menus()).toHaveLength(2);
});

test('what is wanted while LINE is still busy with the last wish is what counts', async () => {
  const menu = await aMenu('Shop');
  await setDefault(menu);
  const slowly = () => {
    line.calls.length = 0;
    line.script(/content$/, { delayMs: 700 });
    return eventually('the picture is on its way', async () =>
      line.calls.some(({ path }) => path.endsWith('/content')),
    );
  };
  let busy = slowly();
  await publish(menu);
  await busy;
  await draw(await get(menu), [{ type: 'message', text: 'Second' }]);
  await publish(menu);
  await eventually('the second is there', async () => line.menuOf('')?.areas[0]?.action.text === 'Second');
  await reaches(menu, 'live');
  await quiet();
  expect(line.menus()).toHaveLength(1);
  await draw(await get(menu), [{ type: 'message', text: 'Third' }]);
  busy = slowly();
  await publish(menu);
  await busy;
  await staff.call(lineMenus.takeOff, { body: { menus: [menu.uuid] } });
  await reaches(menu, 'draft');
  await quiet();
  expect(line.menus()).toEqual([]);
  busy = slowly();
  await publish(menu);
  await busy;
  await staff.call(lineMenus.remove, { params: params(menu) });
  await quiet();
  expect(line.menus()).toEqual([]);
});

test('a menu that was deleted at LINE is seen, published anew, and said', async () => {
  const menu = await aMenu('Shop');
  await setDefault(menu);
  await goLive(menu);
  const token = async () => {
    const [call] = line.calls.filter(({ path }) => path === '/v2/bot/richmenu');
    return String(call?.headers.authorization);
  };
  const { lineId } = (await get(menu)).published!;
  const gone = await fetch(`${line.url}/v2/bot/richmenu/${lineId}`, {
    method: 'DELETE',
    headers: { authorization: await token() },
  });
  expect(gone.status).toBe(200);
  expect((await onLine()).data).toMatchObject([{ lineId, menu: menu.uuid, state: 'gone' }]);
  await recur('menus.check');
  await eventually('it is there again', async () => line.menus().length === 1);
  expect(await reaches(menu, 'live')).toMatchObject({ reason: 'gone' });
  await sees(line.user(), 'Shop');
});

test('what LINE could not be reached for is published when it can be', async () => {
  const menu = await aMenu('Shop');
  line.script('POST /v2/bot/richmenu', ...Array.from({ length: 6 }, () => ({ status: 503 })));
  await publish(menu);
  await soon('it was given up', async () => (await get(menu)).state === 'failed');
  expect((await get(menu)).reason).toBe('unreachable');
  await recur('menus.check');
  await reaches(menu, 'live');
});

test('what LINE has is held against what we have, and what is unknown can be taken in', async () => {
  const menu = await aMenu('Ours');
  await setDefault(menu);
  await goLive(menu);
  const { json, richMenuId } = await theirs();
  await draw(await get(menu), [{ type: 'message', text: 'Changed' }]);
  expect(await onLine()).toMatchObject({
    data: [
      { menu: menu.uuid, state: 'changed', default: true },
      { lineId: richMenuId, menu: null, name: 'Theirs', state: 'unknown', default: false },
    ],
    meta: { channels: [{ channel: channel.uuid, default: 'ours' }], limit: 1000, nextCursor: null },
  });
  const taken = await staff.call(lineMenus.fromLine, { body: { channel: channel.uuid, lineId: richMenuId } });
  expect(taken.body.data).toMatchObject({ state: 'draft', menu: { name: 'Theirs' }, problems: [], published: null });
  const exported = (await staff.call(lineMenus.exportJson, { params: params(taken.body.data) })).body.data;
  expect(exported).toEqual(json);
  const again = await staff.call(lineMenus.importJson, { body: { channel: channel.uuid, menu: exported } });
  expect(again.body.data.menu).toEqual(taken.body.data.menu);
  const copy = await staff.call(lineMenus.copy, { params: params(menu), body: { name: 'Copy' } });
  expect(copy.body.data).toMatchObject({ state: 'draft', menu: { name: 'Copy' }, problems: [] });
  expect((await staff.call(lineMenus.list, { query: { channel: channel.uuid } })).body.data).toHaveLength(4);
  const listed: string[] = [];
  for (let cursor: string | undefined; listed.length < 10;) {
    const { data, meta } = (await staff.call(lineMenus.list, { query: { limit: 3, ...(cursor && { cursor }) } })).body;
    listed.push(...data.map((each) => `${each.channel} ${each.uuid}`));
    if (meta.nextCursor === null) break;
    cursor = meta.nextCursor;
  }
  expect(new Set(listed).size).toBe(4);
  expect(listed.every((each) => each.startsWith(channel.uuid))).toBe(true);
  const everywhere = (await staff.call(lineMenus.onLine, { query: {} })).body;
  expect(everywhere).toEqual(await onLine());
  expect(everywhere.data[0]?.channel).toBe(channel.uuid);
});

test('people see the menu that is for them, by name before by tag before everybody’s', async () => {
  const [usual, member, gold] = [await aMenu('Usual'), await aMenu('Member'), await aMenu('Gold')];
  await setDefault(usual);
  const [hana, taro] = [await aFriend('Hana'), await aFriend('Taro')];
  await tag('Taro', ['member']);
  await staff.call(lineMenus.update, { params: params(member), body: { tags: ['member'] } });
  await goLive(usual, member, gold);
  await sees(hana, 'Usual');
  await sees(taro, 'Member');
  const guest = await tag('Hana', ['member']);
  await recur('menus.audiences');
  await sees(hana, 'Member');
  const named = await staff.call(lineMenus.update, { params: params(gold), body: { people: [guest] } });
  expect(named.body.data.people).toEqual([{ uuid: guest, name: 'Hana' }]);
  await sees(hana, 'Gold');
  // Those who have it get the next version of it.
  await draw(await get(gold), [{ type: 'message', text: 'New' }]);
  await goLive(gold);
  await sees(hana, 'Gold');
  await quiet();
  expect(line.menus()).toHaveLength(3);
  await tag('Taro', []);
  await recur('menus.audiences');
  await sees(taro, 'Usual');
  await staff.call(lineMenus.takeOff, { body: { menus: [gold.uuid] } });
  await sees(hana, 'Member');
  await quiet();
  line.calls.length = 0;
  await recur('menus.audiences');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(paths()).toEqual([]);
});

test('a menu of a season comes and goes by itself, wherever it stands', async () => {
  const [usual, spring] = [await aMenu('Usual'), await aMenu('Spring')];
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const until = (from: string, to: string) =>
    staff.call(lineMenus.update, { params: params(spring), body: { from, to } });
  await until(day(1), day(2));
  for (const menu of [spring, usual]) await setDefault(menu);
  await goLive(spring, usual);
  const friend = line.user();
  await sees(friend, 'Usual');
  const { db } = app.server.context;
  const pass = (days: number) =>
    db
      .updateTable('rich_menu')
      .set((row) => ({
        from_at: row('from_at', '-', days * 86_400_000),
        to_at: row('to_at', '-', days * 86_400_000),
      }))
      .where('from_at', 'is not', null)
      .execute();
  await pass(1.5);
  await recur('menus.audiences');
  await sees(friend, 'Spring');
  await pass(1);
  await recur('menus.audiences');
  await sees(friend, 'Usual');
});

test('figures tell how often each area was tapped, or why there are none', async () => {
  const menu = await aMenu('Shop', [], 'compact-4');
  const query = { from: '2026-01-01', to: '2026-01-31' };
  const ask = () => staff.call(lineMenus.statistics, { params: params(menu), query });
  expect((await ask()).error.code).toBe('menu-not-published');
  await goLive(menu);
  expect((await ask()).body.data).toMatchObject({ state: 'unready', shown: null });
  await app.server.context.db.updateTable('rich_menu').set({ published_at: 0 }).execute();
  expect((await ask()).body.data).toMatchObject({
    state: 'hidden',
    areas: [{ letter: 'A', taps: null }, { letter: 'B' }],
  });
  const { lineId } = (await get(menu)).published!;
  const { bounds } = menu.menu.areas[1]!;
  const common = { richMenuId: lineId, metricsFrom: '20260101', metricsTo: '20260131' };
  line.insight.richMenuSummary.set(lineId, {
    ...common,
    impression: { metrics: { count: 500, uniqueUsers: 90 } },
    clicks: [{ bounds, metrics: { count: 40, uniqueUsers: 30 } }],
  });
  const days = (count: number) => [{ date: '20260102', count, uniqueUsers: 20 }];
  line.insight.richMenuDaily.set(lineId, {
    ...common,
    impression: { metrics: days(300) },
    clicks: [{ bounds, metrics: days(25) }],
  });
  expect((await ask()).body.data).toEqual({
    ...query,
    state: 'ready',
    shown: { count: 500, people: 90 },
    size: menu.menu.size,
    areas: [
      { letter: 'A', bounds: menu.menu.areas[0]!.bounds, taps: null },
      { letter: 'B', bounds, taps: { count: 40, people: 30 } },
    ],
    days: [{ date: '2026-01-02', shown: 300, taps: 25 }],
  });
  const { from, to } = (await staff.call(lineMenus.statistics, { params: params(menu) })).body.data;
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  const long = await staff.call(lineMenus.statistics, { params: params(menu), query: { ...query, to: '2026-12-31' } });
  expect(long.error.details['fields']).toMatchObject([{ path: 'to', code: 'too-many-days' }]);
});

test('a full account, and a secret that is no longer taken, are said as such', async () => {
  const menu = await aMenu('Shop');
  line.script('POST /v2/bot/richmenu', { status: 400, body: { message: 'The maximum number has been reached' } });
  const many = Array.from({ length: 1000 }, (_, at) => ({
    richMenuId: `richmenu-${at.toString(16).padStart(32, '0')}`,
    size: { width: 2500, height: 843 },
    selected: false,
    name: 'x',
    chatBarText: 'x',
    areas: [],
  }));
  line.script('GET /v2/bot/richmenu/list', { status: 200, body: { richmenus: many } });
  await publish(menu);
  expect(await reaches(menu, 'failed')).toMatchObject({ reason: 'limit' });
  const { secret } = line.channel;
  line.channel.secret = '0'.repeat(32);
  line.expireTokens();
  await publish(menu);
  expect(await reaches(menu, 'failed')).toMatchObject({ reason: 'secret' });
  line.channel.secret = secret;
  await goLive(menu);
});

test('another workspace finds nothing of it', async () => {
  const menu = await aMenu('Shop');
  await goLive(menu);
  const stranger = await app.aPerson();
  const nothing = [
    stranger.call(lineMenus.get, { params: params(menu) }),
    stranger.call(lineMenus.update, { params: params(menu), body: { place: 9 } }),
    stranger.call(lineMenus.copy, { params: params(menu), body: { name: 'x' } }),
    stranger.call(lineMenus.remove, { params: params(menu) }),
    stranger.call(lineMenus.exportJson, { params: params(menu) }),
    stranger.call(lineMenus.publish, { body: { menus: [menu.uuid] } }),
    stranger.call(lineMenus.takeOff, { body: { menus: [menu.uuid] } }),
    stranger.call(lineMenus.setDefault, { params: params(menu), body: { default: true } }),
    stranger.call(lineMenus.statistics, { params: params(menu), query: { from: '2026-01-01', to: '2026-01-02' } }),
  ];
  for (const reply of await Promise.all(nothing)) expect(reply.error.code).toBe('menu-not-found');
  expect((await upload(menu, await picture(), stranger)).status).toBe(404);
  expect((await stranger.fetch(`/api/user/line/rich-menu/${menu.uuid}/image`)).status).toBe(404);
  const body = { channel: channel.uuid };
  const channels = [
    stranger.call(lineMenus.list, { query: body }),
    stranger.call(lineMenus.onLine, { query: body }),
    stranger.call(lineMenus.restore, { body }),
    stranger.call(lineMenus.create, { body: { ...body, name: 'x', layout: 'large-1' } }),
    stranger.call(lineMenus.fromLine, { body: { ...body, lineId: (await get(menu)).published!.lineId } }),
  ];
  for (const reply of await Promise.all(channels)) expect(reply.error.code).toBe('channel-not-found');
  expect(await get(menu)).toMatchObject({ state: 'live', place: 0 });
});
