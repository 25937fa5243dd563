import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots, emptyConfig, type BotConfig, type Tool } from '../../../shared/contracts/bots.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { unzip, zipOf } from '../../testing/zip.ts';

let app: TestApp;
let person: Person;
let bot: string;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
  bot = (await person.call(bots.create, { body: { name: 'Bot', ...full } })).body.data.uuid;
});
afterAll(() => app.stop());

const tool: Tool = {
  name: 'stock',
  description: 'Looks up what is left',
  method: 'GET',
  url: 'https://shop.example/stock',
  headers: [{ name: 'X-Shop', value: '1' }],
  parameters: [{ name: 'item', in: 'query', type: 'string', description: 'Its name', required: true }],
  approved: true,
};
const full: Partial<BotConfig> = { tools: [tool], variables: [{ name: 'shop', value: 'Maru' }] };

type Path = (string | number)[];
const leavesOf = (value: unknown, path: Path = []): Path[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
    : [path];
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);
/** The same without what is at the path. */
function without<T>(value: T, path: Path): T {
  const copy = structuredClone(value);
  Reflect.deleteProperty(Object(valueAt(copy, path.slice(0, -1))), path.at(-1) ?? '');
  return copy;
}

/** Every value that a config has, with what is read where it was not stored. */
const removed: [Path, unknown][] = [
  ...leavesOf(emptyConfig).map((path): [Path, unknown] => [path, valueAt(emptyConfig, path)]),
  ...Object.keys(emptyConfig).map((key): [Path, unknown] => [[key], valueAt(emptyConfig, [key])]),
  [['tools', 0, 'description'], ''],
  [['tools', 0, 'headers'], []],
  [['tools', 0, 'parameters'], []],
  [['tools', 0, 'approved'], false],
  [['tools', 0, 'parameters', 0, 'description'], ''],
  [['tools', 0, 'parameters', 0, 'required'], false],
];

test.each(removed.map(([path, empty]) => [path.join('.'), path, empty] as const))(
  'a bot that was stored before %s came to be is read with its empty value',
  async (_, path, empty) => {
    const { db } = app.server.context;
    const { draft } = (await person.call(bots.get, { params: { uuid: bot } })).body.data;
    await db
      .updateTable('bot')
      .set({ draft: JSON.stringify(without(draft, path)) })
      .where('uuid', '=', bot)
      .execute();
    const read = await person.call(bots.get, { params: { uuid: bot } });
    expect(read.status).toBe(200);
    expect(valueAt(read.body.data.draft, path)).toEqual(empty);
    await db
      .updateTable('bot')
      .set({ draft: JSON.stringify(draft) })
      .where('uuid', '=', bot)
      .execute();
  },
);

test('what a newer version stored is still there after a change by this one', async () => {
  const { db } = app.server.context;
  const { draft } = (await person.call(bots.get, { params: { uuid: bot } })).body.data;
  const newer = { ...draft, future: 1, guardrails: { ...draft.guardrails, future: 2 } };
  await db
    .updateTable('bot')
    .set({ draft: JSON.stringify(newer) })
    .where('uuid', '=', bot)
    .execute();
  expect((await person.call(bots.update, { params: { uuid: bot }, body: { greeting: 'Hello' } })).status).toBe(200);
  const stored = await db.selectFrom('bot').select('draft').where('uuid', '=', bot).executeTakeFirstOrThrow();
  expect(JSON.parse(stored.draft)).toMatchObject({ greeting: 'Hello', future: 1, guardrails: { future: 2 } });
});

test.each(
  removed
    .filter(([path]) => !['service', 'fallback', 'knowledges'].includes(String(path[0])))
    .map(([path, empty]) => [path.join('.'), path, empty] as const),
)('a file that was exported before %s came to be is still taken', async (_, path, empty) => {
  const { uuid } = (await person.call(bots.create, { body: { name: 'Exported', ...full } })).body.data;
  const exported = await person.fetch(bots.export.path.replace(':uuid', uuid));
  const entries = await unzip(Buffer.from(await exported.arrayBuffer()));
  const file = JSON.parse(String(entries.get('bot.json')));
  entries.set('bot.json', Buffer.from(JSON.stringify(without(file, ['config', ...path]))));
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await zipOf(entries))]), 'bot.kotae-bot.zip');
  const taken = await person.fetch(bots.import.path, { method: 'POST', body: form });
  expect(taken.status).toBe(201);
  expect(valueAt(JSON.parse(await taken.text()).data.draft, path)).toEqual(empty);
});
