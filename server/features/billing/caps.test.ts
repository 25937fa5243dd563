import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { billing, type CreditCap } from '../../../shared/contracts/billing.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operatorServices, services } from '../../../shared/contracts/services.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer, usage as counted } from '../../testing/openai.ts';
import { spanOf } from '../usage/caps.ts';
import { warnOfCaps } from './warn.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let service = '';
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url, CREDIT_GRANT: '1000' });
  const boss = await app.aPerson();
  service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  const price = { in: 10, out: 50, cached: 1 };
  expect((await boss.call(operatorServices.update, { params: { uuid: service }, body: { price } })).status).toBe(200);
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});
/** 1.5 credits each. */
beforeEach(() =>
  upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), counted(1000, 100), '[DONE]'])),
);
const cost = 1.5 * microPerCredit;

const aBot = async (person: Person) =>
  (await person.call(bots.create, { body: { name: 'Guide', service } })).body.data.uuid;
const ask = (person: Person, bot: string) =>
  person.call(conversations.send, { body: { bot, message: { text: 'Hello?' } } });
/** What came of a question: nothing was wrong, or what was. */
const asked = async (person: Person, bot: string) => {
  const { status, body, error } = await ask(person, bot);
  return status === 200 ? (body.data.message.error?.code ?? 'answered') : error.code;
};
const put = async (person: Person, cap: Pick<CreditCap, 'kind' | 'span' | 'credits'> & { target?: string | null }) =>
  person.call(billing.putCap, { body: { target: null, ...cap } });
const caps = async (person: Person) => (await person.call(billing.caps)).body.data;

test('a workspace may use no more in a month than its owner has set, and goes on when that is raised or removed', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  expect(await asked(person, bot)).toBe('answered');
  const { data } = (await put(person, { kind: 'workspace', span: 'month', credits: 3 })).body;
  expect(data).toMatchObject({ kind: 'workspace', target: null, credits: 3, used: cost, held: 0 });
  expect(await asked(person, bot)).toBe('answered');
  expect(await asked(person, bot)).toBe('cap-reached');
  expect(await caps(person)).toMatchObject([{ used: 2 * cost, held: 0 }]);
  expect((await put(person, { kind: 'workspace', span: 'month', credits: 4 })).body.data.uuid).toBe(data.uuid);
  expect(await asked(person, bot)).toBe('answered');
  expect(await asked(person, bot)).toBe('cap-reached');
  expect((await person.call(billing.removeCap, { params: { uuid: data.uuid } })).status).toBe(200);
  expect(await asked(person, bot)).toBe('answered');
});

test('a bot that has used its day leaves the others alone', async () => {
  const person = await app.aPerson();
  const [spent, other] = [await aBot(person), await aBot(person)];
  await put(person, { kind: 'bot', target: spent, span: 'day', credits: 1 });
  expect([await asked(person, spent), await asked(person, spent), await asked(person, other)]).toEqual([
    'answered',
    'cap-reached',
    'answered',
  ]);
});

test('a member is counted wherever they ask, a key by itself', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  const { body } = await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } });
  const { uuid, key } = body.data;
  const byKey = async () => {
    const { status, error } = await app.anyone.call(conversations.send, {
      body: { bot, message: { text: 'Hello?' } },
      headers: { authorization: `Bearer ${key}` },
    });
    return status === 200 ? 'answered' : error.code;
  };
  await put(person, { kind: 'key', target: uuid, span: 'day', credits: 1 });
  expect([await byKey(), await byKey(), await asked(person, bot)]).toEqual(['answered', 'cap-reached', 'answered']);
  await put(person, { kind: 'member', target: person.user.uuid, span: 'month', credits: 3 });
  expect(await asked(person, bot)).toBe('cap-reached');
  expect((await caps(person)).map(({ kind, used }) => [kind, used])).toEqual([
    ['key', cost],
    ['member', 2 * cost],
  ]);
});

test('of many answers at once, one begins where there is room for one', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await put(person, { kind: 'bot', target: bot, span: 'day', credits: 1 });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => asked(person, bot)));
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['answered', 'cap-reached']));
  expect(await caps(person)).toMatchObject([{ used: cost, held: 0 }]);
});

test('what was used before the clock was put back counts all the same, and a new day begins at nothing', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await put(person, { kind: 'bot', target: bot, span: 'day', credits: 1 });
  expect(await asked(person, bot)).toBe('answered');
  const ofPerson = app.server.context.db.updateTable('credit_cap').where('target', '=', bot);
  await app.server.context.db
    .updateTable('token_entry')
    .set({ created_at: Date.now() + 3_600_000 })
    .where('bot', '=', bot)
    .execute();
  expect(await asked(person, bot)).toBe('cap-reached');
  await ofPerson.set({ used_span: '2026-01-01' }).execute();
  expect((await caps(person))[0]?.used).toBe(0);
  expect(await asked(person, bot)).toBe('answered');
});

test('whoever may not manage the workspace is told nothing of its limits', async () => {
  const boss = await app.aPerson();
  await put(boss, { kind: 'workspace', span: 'day', credits: 5 });
  expect((await app.anyone.call(billing.caps)).status).toBe(401);
});

test('what is not the workspace’s own, or is no amount, is refused and changes nothing', async () => {
  const [person, other] = [await app.aPerson(), await app.aPerson()];
  const foreign = await aBot(other);
  const wrong = async (cap: object) => {
    const { status, error } = await put(person, { kind: 'bot', span: 'day', credits: 1, ...cap });
    return [status, error.code];
  };
  expect(await wrong({ target: foreign })).toEqual([404, 'bot-not-found']);
  expect(await wrong({ kind: 'key', target: newId() })).toEqual([404, 'key-not-found']);
  expect(await wrong({ kind: 'channel', target: newId() })).toEqual([404, 'channel-not-found']);
  expect(await wrong({ kind: 'member', target: other.user.uuid })).toEqual([404, 'member-not-found']);
  expect(await wrong({ kind: 'workspace', target: newId() })).toEqual([400, 'validation-failed']);
  expect(await wrong({ target: null })).toEqual([400, 'validation-failed']);
  for (const credits of [-1, 0.5, 1e12, Number.NaN]) expect((await wrong({ target: foreign, credits }))[0]).toBe(400);
  expect(await caps(person)).toEqual([]);
  const { uuid } = (await put(person, { kind: 'workspace', span: 'day', credits: 5 })).body.data;
  expect((await other.call(billing.removeCap, { params: { uuid } })).error.code).toBe('cap-not-found');
});

test('a day and a month are those of whoever has set the cap', async () => {
  const person = await app.aPerson();
  await person.call(accounts.update, { body: { timezone: 'Asia/Tokyo' } });
  await put(person, { kind: 'workspace', span: 'day', credits: 5 });
  const [cap] = await caps(person);
  expect(new Date(cap!.until).getUTCHours()).toBe(15);
  const at = Date.parse('2026-02-28T15:30:00Z');
  const told = (span: 'day' | 'month', timezone: string) => {
    const { name, since, before } = spanOf({ span, timezone }, at);
    return [name, new Date(since).toISOString(), new Date(before).toISOString()];
  };
  expect(told('month', 'Asia/Tokyo')).toEqual(['2026-03-01', '2026-02-28T15:00:00.000Z', '2026-03-31T15:00:00.000Z']);
  expect(told('day', 'America/New_York')).toEqual([
    '2026-02-28',
    '2026-02-28T05:00:00.000Z',
    '2026-03-01T05:00:00.000Z',
  ]);
});

test('whoever can raise a cap is written to once when most of it is used', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  await put(person, { kind: 'workspace', span: 'month', credits: 3 });
  await asked(person, bot);
  const mails = async () => {
    await warnOfCaps(app.server.context, AbortSignal.timeout(60_000));
    const rows = await app.server.context.db
      .selectFrom('mail')
      .select('subject')
      .where('recipient', '=', person.user.email)
      .where('kind', '=', 'cap-near-month')
      .execute();
    return rows.map(({ subject }) => subject);
  };
  expect(await mails()).toEqual([]);
  expect(await asked(person, bot)).toBe('answered');
  expect(await mails()).toEqual(['100% of a monthly credit limit is used']);
  expect(await mails()).toHaveLength(1);
});
