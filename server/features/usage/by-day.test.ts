import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import type { QueryIn } from '../../../shared/route.ts';
import { newId } from '../../infra/db.ts';
import { listDays } from '../../infra/days.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { numbers } from '../../testing/numbers.ts';
import type { TokenEntryTable } from './usage.tables.ts';
import { nobody } from './accounts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ CREDIT_GRANT: '0' });
});
afterAll(() => app.stop());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const small = newId();
const large = newId();

async function inTokyo(): Promise<Person> {
  const person = await app.aPerson();
  expect((await person.call(accounts.update, { body: { timezone: 'Asia/Tokyo' } })).status).toBe(200);
  return person;
}

/** Uses as answers leave them. */
async function use(person: Person, uses: ({ at: string } & Partial<Omit<TokenEntryTable, 'created_at'>>)[]) {
  const rows = uses.map(({ at, ...rest }) => ({
    ...nobody,
    uuid: newId(Date.parse(at)),
    created_at: Date.parse(at),
    workspace: person.user.workspaces[0]?.uuid ?? '',
    kind: 'use' as const,
    amount: 0,
    balance: 0,
    channel: 'app',
    service: small,
    service_name: 'Small',
    note: null,
    ...rest,
  }));
  for (let at = 0; at < rows.length; at += 200)
    await app.server.context.db
      .insertInto('token_entry')
      .values(rows.slice(at, at + 200))
      .execute();
}
const credits = (count: number) => -count * microPerCredit;
const byDay = (person: Person, query: QueryIn<typeof usage.byDay>) => person.call(usage.byDay, { query });

describe('days in a time zone', () => {
  test('begin at its midnight and have the hours that they have there', () => {
    const hours = (zone: string, from: string, until: string) =>
      listDays(zone, from, until).map(({ since, before }) => (before - since) / hourMs);
    expect(new Date(listDays('Asia/Tokyo', '2026-01-31', '2026-01-31')[0]?.since ?? 0).toISOString()).toBe(
      '2026-01-30T15:00:00.000Z',
    );
    expect(new Date(listDays('Asia/Kathmandu', '2026-01-31', '2026-01-31')[0]?.since ?? 0).toISOString()).toBe(
      '2026-01-30T18:15:00.000Z',
    );
    expect(hours('Europe/Berlin', '2026-03-28', '2026-03-30')).toEqual([24, 23, 24]);
    expect(hours('America/New_York', '2026-10-31', '2026-11-02')).toEqual([24, 25, 24]);
    expect(hours('Pacific/Apia', '2011-12-29', '2011-12-31')).toEqual([24, 0, 24]);
  });

  test.each(['Africa/Cairo', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Etc/GMT+12', 'UTC'])(
    'follow each other without a gap in %s',
    (zone) => {
      const nameOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
      const days = listDays(zone, '2026-01-01', '2026-12-31');
      expect(days).toHaveLength(365);
      for (const { day, since, before } of days)
        expect([nameOf.format(since), nameOf.format(before - 1)]).toEqual([day, day]);
    },
  );
});

describe('what was used by day', () => {
  test('belongs to the day of whoever asks, also just before midnight', async () => {
    const person = await inTokyo();
    await use(person, [
      { at: '2026-11-01T14:59:59.999Z', amount: credits(1) },
      { at: '2026-11-01T15:00:00.000Z', amount: credits(2) },
    ]);
    const { data } = (await byDay(person, { from: '2026-11-01', until: '2026-11-03' })).body;
    expect(data.days).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(
      data.series.map(({ name, amounts, answers }) => [name, amounts.map((each) => each / microPerCredit), answers]),
    ).toEqual([['Small', [1, 2, 0], [1, 1, 0]]]);
  });

  test('names the four that used most, then what is without a bot, then the others', async () => {
    const person = await app.aPerson();
    const bots = [5, 4, 3, 2, 1, 0.5].map((amount) => ({ bot: newId(), amount }));
    await use(person, [
      ...bots.map(({ bot, amount }) => ({
        at: '2026-11-01T12:00:00Z',
        bot,
        bot_name: `Bot ${amount}`,
        amount: credits(amount),
      })),
      { at: '2026-11-01T12:00:01Z', amount: credits(0.25) },
    ]);
    const { data } = (await byDay(person, { from: '2026-11-01', until: '2026-11-01', by: 'bot' })).body;
    expect(
      data.series.map(({ uuid, name, other, amounts }) => [
        uuid !== null,
        name,
        other,
        (amounts[0] ?? 0) / microPerCredit,
      ]),
    ).toEqual([
      [true, 'Bot 5', false, 5],
      [true, 'Bot 4', false, 4],
      [true, 'Bot 3', false, 3],
      [true, 'Bot 2', false, 2],
      [false, '', false, 0.25],
      [false, '', true, 1.5],
    ]);
    expect(data.total).toEqual({ amount: -credits(15.75), answers: 7, paid: 7, free: 0 });
    expect(data.choices.bots.map(({ name }) => name)).toEqual(['Bot 5', 'Bot 4', 'Bot 3', 'Bot 2', 'Bot 1', 'Bot 0.5']);
  });

  test('counts answers that cost nothing apart, and nothing of grants or of other workspaces', async () => {
    const [person, other] = [await app.aPerson(), await app.aPerson()];
    const at = '2026-11-01T12:00:00Z';
    await use(person, [
      { at, amount: credits(1) },
      { at },
      { at, own_key: 1 },
      { at, kind: 'grant', amount: 5 * microPerCredit },
    ]);
    await use(other, [{ at, amount: credits(100) }]);
    const { data } = (await byDay(person, { from: '2026-11-01', until: '2026-11-01' })).body;
    expect(data.total).toEqual({ amount: microPerCredit, answers: 3, paid: 1, free: 1 });
  });

  test('is narrowed by bot, model and channel, and still says what else there is', async () => {
    const person = await app.aPerson();
    const bot = newId();
    const at = '2026-11-01T12:00:00Z';
    await use(person, [
      { at, bot, bot_name: 'Guide', amount: credits(1) },
      { at, bot, bot_name: 'Guide', service: large, service_name: 'Large', amount: credits(2) },
      { at, channel: 'api', amount: credits(4) },
    ]);
    const span = { from: '2026-11-01', until: '2026-11-01' };
    const sum = async (narrowed: object) => {
      const { data } = (await byDay(person, { ...span, ...narrowed })).body;
      expect(data.choices).toMatchObject({ bots: [{ uuid: bot, name: 'Guide' }], channels: ['api', 'app'] });
      expect(data.choices.services.map(({ name }) => name).toSorted()).toEqual(['Large', 'Small']);
      expect(data.series.reduce((total, { amounts }) => total + (amounts[0] ?? 0), 0)).toBe(data.total.amount);
      return data.total.amount / microPerCredit;
    };
    expect([
      await sum({}),
      await sum({ bot }),
      await sum({ service: large }),
      await sum({ channel: 'api' }),
      await sum({ bot, service: small }),
    ]).toEqual([7, 3, 2, 4, 1]);
  });

  test.each([
    ['93 days', { from: '2026-01-01', until: '2026-04-03' }],
    ['a thousand years', { from: '1026-01-01', until: '2026-01-01' }],
    ['days in the wrong order', { from: '2026-01-02', until: '2026-01-01' }],
    ['a day that does not exist', { from: '2026-02-30', until: '2026-03-01' }],
  ])('is not added up for %s', async (_, span) => {
    const reply = await byDay(await app.aPerson(), span);
    expect([reply.status, reply.error?.code]).toEqual([400, 'validation-failed']);
  });

  test('is read from an index alone, and so is a history without free answers', async () => {
    const { db, engine } = app.server.context;
    if (engine !== 'sqlite') return;
    const plan = async (query: string) => {
      const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${query}`).execute(db);
      return rows.map(({ detail }) => detail).join('\n');
    };
    expect(
      await plan(
        "select bot, service, channel, sum(amount), count(*), max(created_at) from token_entry where workspace = 'w' and kind = 'use' and created_at >= 1 and created_at < 2 group by bot, service, channel",
      ),
    ).toContain('COVERING INDEX token_entry_used');
    expect(
      await plan(
        "select * from token_entry where workspace = 'w' and (kind <> 'use' or amount <> 0 or own_key = 1) order by created_at desc, uuid desc limit 51",
      ),
    ).toContain('token_entry_counted');
  });
});

describe('the history', () => {
  test('is narrowed by kind, by day, and to what was not free', async () => {
    const person = await inTokyo();
    await use(person, [
      { at: '2026-11-01T14:59:00Z', amount: credits(1) },
      { at: '2026-11-01T15:01:00Z', own_key: 1 },
      { at: '2026-11-01T15:02:00Z' },
      { at: '2026-11-01T15:03:00Z', kind: 'grant', amount: 5, service: null, note: 'Thanks' },
    ]);
    const list = async (query: object) =>
      (await person.call(usage.history, { query })).body.data.map(({ createdAt }) => createdAt.slice(14, 16));
    expect(await list({})).toEqual(['03', '02', '01', '59']);
    expect(await list({ free: 'without' })).toEqual(['03', '01', '59']);
    expect(await list({ kind: 'grant' })).toEqual(['03']);
    expect(await list({ until: '2026-11-01' })).toEqual(['59']);
    expect(await list({ from: '2026-11-02', free: 'without', limit: 1 })).toEqual(['03']);
  });

  test('goes page by page through what is narrowed', async () => {
    const person = await app.aPerson();
    await use(
      person,
      Array.from({ length: 60 }, (_, at) => ({
        at: new Date(dayMs * 20_000 + at).toISOString(),
        amount: at % 3 === 0 ? credits(1) : 0,
      })),
    );
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, meta } = (
        await person.call(usage.history, { query: { free: 'without', limit: 7, ...(cursor && { cursor }) } })
      ).body;
      seen.push(...data.map(({ uuid }) => uuid));
      cursor = meta.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([20, 20]);
  });

  test('is a CSV file of what is narrowed, whole, in which nothing is calculated', async () => {
    const person = await app.aPerson();
    await use(person, [
      { at: '2026-10-01T00:00:00Z', amount: credits(1) },
      ...Array.from({ length: 1100 }, (_, at) => ({
        at: new Date(Date.UTC(2026, 10, 1) + at).toISOString(),
        amount: credits(0.5),
        bot: small,
        bot_name: '=1+1',
      })),
      { at: '2026-11-02T00:00:00Z' },
      {
        at: '2026-11-02T00:00:01Z',
        kind: 'grant',
        amount: microPerCredit,
        service: null,
        service_name: null,
        note: '@SUM(A1)',
      },
    ]);
    const response = await person.fetch(`${usage.exportHistory.path}?from=2026-11-01&until=2026-11-30&free=without`);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([
      200,
      'text/csv; charset=utf-8',
      expect.stringMatching(/^attachment; filename="kotae-credits-\d{4}-\d\d-\d\d\.csv"$/),
    ]);
    const rows: Record<string, string>[] = parse(Buffer.from(await response.arrayBuffer()), {
      bom: true,
      columns: true,
    });
    expect(rows).toHaveLength(1101);
    expect(new Set(rows.map(({ time }) => time)).size).toBe(1101);
    expect(rows[0]).toMatchObject({ kind: 'grant', credits: '1', reason: "'@SUM(A1)" });
    expect(rows[1]).toMatchObject({ kind: 'use', credits: '-0.5', bot: "'=1+1", model: 'Small', channel: 'app' });
  });
});

test.each(['Asia/Tokyo', 'Asia/Kathmandu', 'America/New_York'])(
  'what was added up is what its entries say, however often it was read in between (%s)',
  async (timezone) => {
    const person = await app.aPerson();
    await person.call(accounts.update, { body: { timezone } });
    const next = numbers(7);
    const [bot, other] = [newId(), newId()];
    const days = listDays(timezone, '2026-11-01', '2026-11-05');
    const sums = days.map(() => 0);
    for (let round = 0; round < 3; round++) {
      const uses = days.flatMap(({ since, before }, day) =>
        Array.from({ length: 30 }, () => {
          // Later than what was read before: entries come in their order.
          const third = (before - since) / 3;
          const at = Math.floor(since + (day === 2 ? round * third : 0) + next(day === 2 ? third : before - since));
          return { at: new Date(at).toISOString(), day, amount: -next(1000), bot: next(2) === 0 ? bot : other };
        }),
      );
      const now = uses.filter(({ day }) => (round === 0 ? day < 2 : round === 2 ? day > 2 : false) || day === 2);
      for (const { day, amount } of now) sums[day] = (sums[day] ?? 0) - amount;
      await use(
        person,
        now.map(({ at, amount, bot: of }) => ({ at, amount, bot: of, bot_name: 'Guide' })),
      );
      const { data } = (await byDay(person, { from: '2026-11-01', until: '2026-11-05', by: 'bot' })).body;
      const told = days.map((_, at) => data.series.reduce((sum, { amounts }) => sum + (amounts[at] ?? 0), 0));
      expect(told).toEqual(sums);
      const one = (await byDay(person, { from: '2026-11-01', until: '2026-11-05', by: 'bot', bot })).body.data.total;
      expect(one.amount).toBe(
        data.series.find(({ uuid }) => uuid === bot)?.amounts.reduce((sum, each) => sum + each, 0),
      );
    }
  },
);

test('pictures are used, too, and everything is told by member, by key and by channel', async () => {
  const person = await inTokyo();
  const other = await app.aPerson();
  const headers = { 'x-workspace': person.user.workspaces[0]?.uuid ?? '' };
  const site = (await person.call(webChannels.create, { body: { name: 'Shop site', bot: null } })).body.data;
  const key = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body.data;
  const at = '2026-03-02T03:00:00Z';
  await use(person, [
    { at, amount: credits(5), user: person.user.uuid },
    { at, amount: credits(3), user: person.user.uuid, kind: 'image' },
    { at, amount: credits(2), user: person.user.uuid, api_key: key.uuid },
    { at, amount: credits(1), channel: 'web', channel_id: site.uuid },
  ]);
  const told = async (by: 'member' | 'key' | 'channel') => {
    const { series, total } = (await byDay(person, { from: '2026-03-02', until: '2026-03-02', by })).body.data;
    return [
      total.amount / microPerCredit,
      total.answers,
      ...series.map(({ name, uuid, amounts }) => [uuid === null ? null : name, (amounts[0] ?? 0) / microPerCredit]),
    ];
  };
  expect(await told('member')).toEqual([11, 3, [person.user.username, 10], [null, 1]]);
  expect(await told('key')).toEqual([11, 3, ['Program', 2], [null, 9]]);
  expect(await told('channel')).toEqual([11, 3, ['Shop site', 1], [null, 10]]);
  const query = { from: '2026-03-02', until: '2026-03-02', by: 'member' } as const;
  expect((await other.call(usage.byDay, { query, headers })).status).toBe(404);
});
