import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { builtInService, operatorServices, services, type Price } from '../../../shared/contracts/services.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { findProvider } from '../../providers/models/registry.ts';
import { askStreaming, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { goodKey, startDouble } from '../../testing/models/double.ts';
import { wires } from '../../testing/models/wires.ts';
import { numbers } from '../../testing/numbers.ts';
import { delta, finish, sse, startModelServer, usage as counted } from '../../testing/openai.ts';
import { answer } from '../answers/answer.ts';
import { costOf, reserve, settle, type Use } from './ledger.ts';
import { sweepHolds } from '../conversations/threads.ts';

const grant = 100;
const granted = grant * microPerCredit;
const price: Price = { in: 10, out: 50, cached: 1 };
const none = { tokensIn: 0, tokensOut: 0, tokensCached: 0 };

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let service = '';
let boss: Person;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url, CREDIT_GRANT: String(grant) });
  boss = await app.aPerson();
  service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  expect((await boss.call(operatorServices.update, { params: { uuid: service }, body: { price } })).status).toBe(200);
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});
beforeEach(() =>
  upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), counted(100, 10), '[DONE]'])),
);

const workspaceOf = (person: Person) => person.user.workspaces[0]?.uuid ?? '';
const historyOf = async (person: Person) => (await person.call(usage.history)).body;
const aBot = async (person: Person) =>
  (await person.call(bots.create, { body: { name: 'Guide', service } })).body.data.uuid;
const ask = async (person: Person, bot: string) =>
  (await person.call(conversations.send, { body: { bot, message: { text: 'Hello?' } } })).body.data.message;

/** As an answer would: set aside, and end. */
const hold = (workspace: string, message: string, amount: number) =>
  app.server.context.write((trx) => reserve(app.server.context, trx, { workspace, message, amount }), { mixes: true });
const end = (message: string, spent?: { workspace: string; cost: number }) =>
  app.server.context.write(
    (trx) =>
      settle(app.server.context, trx, message, spent && { use: aUse(spent.workspace, message), cost: spent.cost }),
    { mixes: true },
  );
const aUse = (workspace: string, message: string): Use => ({
  workspace,
  message,
  thread: null,
  bot: null,
  bot_name: null,
  user: null,
  api_key: null,
  channel: 'app',
  channel_id: null,
  service,
  service_name: 'double-1',
  provider: 'openai-compatible',
  model: 'double-1',
  model_key: null,
  own_key: 0,
  price: JSON.stringify(price),
  tokens_in: 1,
  tokens_out: 1,
  tokens_cached: 0,
  tokens_cache_written: 0,
  latency_ms: 1,
  first_token_ms: 1,
});
const won = (results: PromiseSettledResult<unknown>[]) => results.filter(({ status }) => status === 'fulfilled').length;
const whyNot = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'rejected'
      ? [result.reason instanceof AppError ? result.reason.code : String(result.reason)]
      : [],
  );

/** What is stored of a workspace: its account, every entry, and what is set aside. */
async function booksOf(workspace: string) {
  const { db } = app.server.context;
  const account = await db
    .selectFrom('credit_account')
    .selectAll()
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  const entries = await db.selectFrom('token_entry').selectAll().where('workspace', '=', workspace).execute();
  const holds = await db.selectFrom('credit_hold').selectAll().where('workspace', '=', workspace).execute();
  return { account, entries, holds };
}

test.each([1, 2, 3])(
  'the balance is the sum of the entries, whatever two hundred answers do at once (%i)',
  async (seed) => {
    const workspace = workspaceOf(await app.aPerson());
    const next = numbers(seed);
    let refused = 0;
    let charged = 0;
    let beyond = 0;
    const answers = Array.from({ length: 200 }, () => ({
      message: newId(),
      first: next(3 * microPerCredit),
      more: next(2) * next(microPerCredit),
      target: next(5),
      cost: next(4 * microPerCredit),
    }));
    await Promise.all(
      answers.map(async ({ message, first, more, cost, target }) => {
        try {
          // One in five costs nothing, as an answer with one's own key.
          if (target > 0) await hold(workspace, message, first);
          if (target > 0) await hold(workspace, message, more);
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'balance-empty') throw error;
          refused++;
          return void (await end(message));
        }
        const paid = await end(message, target === 1 ? undefined : { workspace, cost });
        expect(paid).toBe(target === 1 ? 0 : cost);
        charged += paid;
        beyond += Math.max(0, paid - (target > 0 ? first + more : 0));
      }),
    );
    const { account, entries, holds } = await booksOf(workspace);
    expect(refused).toBeGreaterThan(0);
    expect(holds).toEqual([]);
    expect(account).toEqual({ workspace, balance: granted - charged, reserved: 0 });
    expect((account?.balance ?? 0) + beyond).toBeGreaterThanOrEqual(0);
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(account?.balance);
    // Each entry says what was left after it, and no two of them took from the same rest.
    const chain = entries.filter(({ amount }) => amount !== 0).toSorted((one, other) => other.balance - one.balance);
    let left = 0;
    for (const { amount, balance } of chain) expect(balance).toBe((left += amount));
  },
);

test('of two answers that each need the last credits, one gets them', async () => {
  const workspace = workspaceOf(await app.aPerson());
  const results = await Promise.allSettled([hold(workspace, newId(), granted), hold(workspace, newId(), granted)]);
  expect([won(results), whyNot(results)]).toEqual([1, ['balance-empty']]);
  expect((await booksOf(workspace)).account).toEqual({ workspace, balance: granted, reserved: granted });
});

test('the last credit can be set aside, and not one millionth more', async () => {
  const workspace = workspaceOf(await app.aPerson());
  const message = newId();
  await hold(workspace, message, granted - 1);
  await hold(workspace, message, 1);
  expect(whyNot(await Promise.allSettled([hold(workspace, message, 1)]))).toEqual(['balance-empty']);
  expect((await booksOf(workspace)).holds).toEqual([expect.objectContaining({ message, amount: granted })]);
});

test('an answer is charged once, for all that it used, also beyond what was set aside', async () => {
  const workspace = workspaceOf(await app.aPerson());
  const message = newId();
  await hold(workspace, message, 5);
  const results = await Promise.allSettled([
    end(message, { workspace, cost: 9 }),
    end(message, { workspace, cost: 9 }),
  ]);
  expect(won(results)).toBe(1);
  const { account, entries } = await booksOf(workspace);
  expect(account).toEqual({ workspace, balance: granted - 9, reserved: 0 });
  expect(entries.filter(({ kind }) => kind === 'use').map(({ amount }) => amount)).toEqual([-9]);
});

test('an answer is charged although what was set aside for it is free again', async () => {
  const workspace = workspaceOf(await app.aPerson());
  const message = newId();
  await hold(workspace, message, 50);
  await app.server.context.db
    .updateTable('credit_hold')
    .set({ created_at: 0 })
    .where('message', '=', message)
    .execute();
  await sweepHolds(app.server.context);
  expect((await booksOf(workspace)).holds).toEqual([]);
  await end(message, { workspace, cost: 40 });
  expect((await booksOf(workspace)).account).toEqual({ workspace, balance: granted - 40, reserved: 0 });
});

test('whoever used more than there was is told so, and gets no further answer', async () => {
  const person = await app.aPerson();
  const bot = await aBot(person);
  upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), counted(8_000, 4_500), '[DONE]']));
  const cost = costOf(price, { tokensIn: 8_000, tokensOut: 4_500, tokensCached: 0 }, 1);
  let answers = 0;
  for (let left = granted; left > 0; left -= cost, answers++)
    expect((await ask(person, bot)).usage).toMatchObject({ cost });
  const { account, entries, holds } = await booksOf(workspaceOf(person));
  expect(account).toMatchObject({ balance: granted - answers * cost, reserved: 0 });
  expect(account?.balance).toBeLessThan(0);
  expect(account?.balance).toBeGreaterThan(-cost);
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(account?.balance);
  expect(holds).toEqual([]);
  const more = await person.call(conversations.send, { body: { bot, message: { text: 'And now?' } } });
  expect([more.status, more.error.code]).toEqual([402, 'balance-empty']);
  expect((await historyOf(person)).meta).toMatchObject({ balance: account?.balance });
});

describe('the grant of a person', () => {
  const inWorkspace = async (person: Person, workspace: string) =>
    (await person.call(usage.history, { headers: { 'x-workspace': workspace } })).body;
  const another = async (person: Person) =>
    (await person.call(workspaces.create, { body: { name: 'Another' } })).body.data.uuid;
  const balanceOf = async (person: Person, workspace: string) => (await inWorkspace(person, workspace)).meta.balance;

  test('comes once, however many workspaces they make and delete', async () => {
    const person = await app.aPerson();
    const balances = [];
    for (let at = 0; at < 3; at++) {
      const workspace = await another(person);
      balances.push(await balanceOf(person, workspace));
      const gone = await person.call(workspaces.remove, {
        headers: { 'x-workspace': workspace },
        body: { name: 'Another' },
      });
      expect(gone.status).toBe(200);
    }
    balances.push(await balanceOf(person, workspaceOf(person)));
    expect(balances).toEqual([granted, 0, 0, 0]);
  });

  test('comes once to workspaces that are opened at the same moment', async () => {
    const person = await app.aPerson();
    const all = [workspaceOf(person), ...(await Promise.all([1, 2, 3, 4].map(() => another(person))))];
    const balances = await Promise.all(all.flatMap((uuid) => [balanceOf(person, uuid), balanceOf(person, uuid)]));
    expect(balances.toSorted((one, other) => one - other)).toEqual([...Array<number>(8).fill(0), granted, granted]);
    for (const uuid of all) {
      const { entries, account } = await booksOf(uuid);
      expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(account?.balance);
    }
  });

  test('does not come again with the same address, however it is written', async () => {
    const name = `again${newId().slice(-8)}`;
    const person = await app.aPerson(name);
    expect(await balanceOf(person, workspaceOf(person))).toBe(granted);
    expect((await person.call(accounts.remove, { body: { password: 'correct horse battery' } })).status).toBe(200);
    const again = await app.aPerson(name.toUpperCase());
    expect(await balanceOf(again, workspaceOf(again))).toBe(0);
    const { rows } = await sql<{ claim: string }>`select * from credit_grant`.execute(app.server.context.db);
    expect(JSON.stringify(rows).toLowerCase()).not.toContain(name);
  });

  test('does not come again with an address that they had when it came', async () => {
    const person = await app.aPerson();
    await balanceOf(person, workspaceOf(person));
    await person.call(accounts.update, {
      body: { email: `x${newId()}@example.com`, currentPassword: 'correct horse battery' },
    });
    const name = `other${newId().slice(-8)}`;
    const reply = await app.anyone.call(accounts.register, {
      body: { username: name, email: person.user.email, password: 'correct horse battery' },
    });
    if (!('jwt' in reply.body)) throw new Error('no session');
    const headers = { authorization: `Bearer ${reply.body.jwt}` };
    expect((await app.anyone.call(usage.history, { headers })).body.meta.balance).toBe(0);
  });
});

test('a workspace is granted its credits once, however many ask first', async () => {
  const person = await app.aPerson();
  const [first, ...rest] = await Promise.all([
    ...Array.from({ length: 12 }, () => historyOf(person)),
    historyOf(person),
  ]);
  expect(first?.meta).toEqual({ nextCursor: null, balance: granted, reserved: 0 });
  for (const each of rest) expect(each.meta).toEqual(first?.meta);
  const { data } = await historyOf(person);
  expect(data).toEqual([expect.objectContaining({ kind: 'grant', amount: granted, balance: granted, use: null })]);
});

test.each([
  [{ tokensIn: 1_000_000, tokensOut: 0, tokensCached: 0 }, 1, 1000],
  [{ tokensIn: 1000, tokensOut: 100, tokensCached: 0 }, 1, 1.5],
  [{ tokensIn: 1000, tokensOut: 0, tokensCached: 1000 }, 2, 0.2],
  [{ tokensIn: 1000, tokensOut: 0, tokensCached: 5000 }, 1, 0.1],
  [{ tokensIn: 0, tokensOut: 0, tokensCached: 0 }, 1, 0],
])('%j at a margin of %d costs %d credits', (tokens, margin, credits) => {
  expect(costOf(price, tokens, margin)).toBe(credits * microPerCredit);
});

test('what a provider writes into its cache, and a long prompt, cost what they cost there', () => {
  const dear: Price = {
    in: 2,
    out: 10,
    cached: 0.1,
    cacheWrite: 2.5,
    long: { above: 272_000, in: 4, out: 15, cached: 0.2, cacheWrite: 5 },
  };
  const cost = (tokensIn: number, more: object = {}) =>
    costOf(dear, { tokensIn, tokensOut: 1000, tokensCached: 0, ...more }, 1) / microPerCredit;
  expect(cost(100_000)).toBe(20 + 1);
  expect(cost(100_000, { tokensCached: 40_000, tokensCacheWritten: 50_000 })).toBe(2 + 0.4 + 12.5 + 1);
  expect(cost(272_000)).toBe(54.4 + 1);
  expect(cost(272_001)).toBeCloseTo(108.8004 + 1.5, 5);
  expect(cost(300_000, { tokensCached: 100_000, tokensCacheWritten: 100_000 })).toBe(40 + 2 + 50 + 1.5);
  // Where nothing is said of writing, it costs what any other token costs.
  expect(costOf(price, { tokensIn: 1000, tokensOut: 0, tokensCached: 0, tokensCacheWritten: 1000 }, 1)).toBe(
    costOf(price, { tokensIn: 1000, tokensOut: 0, tokensCached: 0 }, 1),
  );
});

test('a part of a millionth is rounded up', () => {
  expect(costOf({ in: 0.001, out: 0, cached: 0 }, { tokensIn: 1, tokensOut: 0, tokensCached: 0 }, 1)).toBe(1);
});

test('prices are told in credits, as answers are charged, of what answers here', async () => {
  const person = await app.aPerson();
  const { data } = (await person.call(usage.prices)).body;
  const cost = (tokens: Partial<typeof none>) => costOf(price, { ...none, ...tokens }, 1) / microPerCredit;
  expect(data.find(({ uuid }) => uuid === service)).toMatchObject({
    key: 'operator',
    tokens: {
      in: cost({ tokensIn: 1_000_000 }),
      out: cost({ tokensOut: 1_000_000 }),
      cached: cost({ tokensIn: 1_000_000, tokensCached: 1_000_000 }),
      long: null,
    },
    image: null,
  });
  expect(data.find(({ uuid }) => uuid === builtInService)).toMatchObject({ key: 'none' });
  // Of a vendor whose key nobody has here nobody wants to know what it costs.
  expect(data.map(({ name }) => name).filter((name) => name.includes('Claude'))).toEqual([]);
  expect((await app.anyone.call(usage.prices)).status).toBe(401);
});

describe('an answer', () => {
  test('is in the history with what its provider put into its cache, so that its amount follows from its tokens', async () => {
    const cachePrice: Price = { in: 10, out: 50, cached: 1, cacheWrite: 20 };
    const added = await boss.call(operatorServices.add, {
      body: {
        provider: 'openai-compatible',
        modelId: 'caches',
        name: 'Caches',
        contextTokens: 128_000,
        capabilities: [],
        price: cachePrice,
      },
    });
    const counts = JSON.stringify({
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 110,
        prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 },
      },
    });
    upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), counts, '[DONE]']));
    const person = await app.aPerson();
    await ask(
      person,
      (await person.call(bots.create, { body: { name: 'Guide', service: added.body.data.uuid } })).body.data.uuid,
    );
    const [entry] = (await historyOf(person)).data;
    expect(entry?.use).toMatchObject({ tokensIn: 100, tokensOut: 10, tokensCached: 20, tokensCacheWritten: 30 });
    expect(entry?.amount).toBe(-costOf(cachePrice, entry!.use!, 1));
  });

  test('that failed gives back what was set aside for it', async () => {
    const person = await app.aPerson();
    upstream.behave(
      (_request, response) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"No."}}'),
    );
    const events = await askStreaming(person, { bot: await aBot(person), message: { text: 'Hello?' } });
    expect(events.at(-1)).toMatchObject({ type: 'error', message: { status: 'failed', usage: { cost: 0 } } });
    const { data, meta } = await historyOf(person);
    expect([data.map(({ kind }) => kind), meta]).toEqual([
      ['grant'],
      { nextCursor: null, balance: granted, reserved: 0 },
    ]);
  });

  const reasoning = JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] });
  const outage = JSON.stringify({ error: { code: 502, message: 'Upstream is down' } });
  test.each([
    ['is empty', [finish(), counted(100, 1), '[DONE]'], 'provider-answer-empty'],
    ['was held back by the provider', [finish('content_filter'), counted(100, 9), '[DONE]'], null],
    ['was cut off by an outage', [delta('Half of'), counted(100, 9), outage], 'provider-failed'],
    ['never ended', [delta('Half of'), counted(100, 9)], 'provider-failed'],
  ])('that %s costs nothing, and says so', async (_, parts, code) => {
    const person = await app.aPerson();
    upstream.behave((_request, response) => sse(response, parts));
    const events = await askStreaming(person, { bot: await aBot(person), message: { text: 'Hello?' } });
    expect(events.at(-1)).toMatchObject({
      message: code
        ? { status: 'failed', error: { code }, usage: { cost: 0 } }
        : { status: 'done', finish: 'filter', text: '', usage: { cost: 0 } },
    });
    const { data, meta } = await historyOf(person);
    expect([data[0], meta]).toMatchObject([
      { kind: 'use', amount: 0, use: { tokensIn: 100 } },
      { balance: granted, reserved: 0 },
    ]);
  });

  const thought = (completion_tokens: number, reasoning_tokens: number) =>
    JSON.stringify({
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens, completion_tokens_details: { reasoning_tokens } },
    });
  test.each([
    ['use up its tokens', {}, [finish('length'), counted(100, 500), '[DONE]'], 400],
    ['end in nothing', {}, [finish(), thought(500, 480), '[DONE]'], 502],
    ['are followed by what the asker stops', { stop: ['A'] }, [finish(), counted(100, 500), '[DONE]'], 502],
  ])('whose thoughts nobody sees and %s costs what its provider counts', async (_, more, parts, status) => {
    const person = await app.aPerson();
    const added = await boss.call(operatorServices.add, {
      body: {
        provider: 'openai-compatible',
        modelId: `thinker-${newId()}`,
        name: 'Thinker',
        contextTokens: 128_000,
        capabilities: ['reasoning'],
        price,
      },
    });
    const body = { name: 'Guide', service: added.body.data.uuid };
    const bot = (await person.call(bots.create, { body })).body.data.uuid;
    const { key } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body.data;
    upstream.behave((_request, response) => sse(response, parts));
    const reply = await app.anyone.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: bot, max_tokens: 1, messages: [{ role: 'user', content: 'Hello?' }], ...more }),
    });
    expect(reply.status).toBe(status);
    const cost = costOf(price, { tokensIn: 100, tokensOut: 500, tokensCached: 0 }, 1);
    expect((await historyOf(person)).meta).toMatchObject({ balance: granted - cost, reserved: 0 });
  });

  test.each(wires)(
    'of $name whose hidden thoughts take all that there is costs no more than was set aside',
    async (wire) => {
      const double = await startDouble(wire);
      const provider = findProvider(wire.name);
      const { context } = app.server;
      const [known] = await context.models.reach(workspaceOf(boss), service);
      if (!provider || !known) throw new Error('no such provider');
      const target = {
        ...known,
        service: { ...known.service, contextTokens: 128_000 },
        model: wire.model,
        connection: provider.connect({
          apiKey: goodKey,
          baseUrl: double.url,
          outbound: createOutbound([new URL(double.url).host]),
        }),
        thinking: { least: 'low', usual: 'low' } as const,
      };
      const request = {
        messages: [{ role: 'user' as const, text: 'Hello?' }],
        passages: [],
        refusal: '',
        maxTokens: 1,
      };
      const costs = [];
      for (const out of [4000, 120_000]) {
        double.say({ finish: 'length', tokens: { in: 10, out, cached: 0, thought: out } });
        const workspace = workspaceOf(await app.aPerson());
        const guest = {
          kind: 'guest' as const,
          channel: 'web' as const,
          channelId: newId(),
          identity: newId(),
          language: null,
          isPreview: false,
          workspace,
          locale: 'en' as const,
          name: '',
          avatar: null,
          guest: newId(),
        };
        const events = answer(
          context,
          {
            speaker: guest,
            channel: 'test',
            message: newId(),
            prepare: async () => ({ targets: [target], request, passages: [] }),
          },
          new AbortController().signal,
        );
        for await (const event of events)
          if (event.type === 'end') expect(event.answered.failure).toMatchObject({ code: 'provider-out-of-tokens' });
        const { account } = await booksOf(workspace);
        expect(account?.reserved).toBe(0);
        costs.push(granted - (account?.balance ?? 0));
      }
      await double.stop();
      // 1 token of the answer and 4,096 of thoughts were set aside, and the most that the question may be.
      const [most, least] = [20, 10].map((tokensIn) =>
        costOf(price, { tokensIn, tokensOut: 4097, tokensCached: 0 }, 1),
      );
      expect(costs[0]).toBe(costOf(price, { tokensIn: 10, tokensOut: 4000, tokensCached: 0 }, 1));
      expect(costs[1]).toBeGreaterThanOrEqual(least ?? 0);
      expect(costs[1]).toBeLessThanOrEqual(most ?? 0);
    },
  );

  test('that was spent on thoughts which were shown costs what they cost', async () => {
    const person = await app.aPerson();
    upstream.behave((_request, response) => sse(response, [reasoning, finish('length'), counted(100, 500), '[DONE]']));
    const events = await askStreaming(person, { bot: await aBot(person), message: { text: 'Hello?' } });
    const cost = costOf(price, { tokensIn: 100, tokensOut: 500, tokensCached: 0 }, 1);
    expect(events.at(-1)).toMatchObject({
      message: { status: 'failed', error: { code: 'provider-out-of-tokens' }, usage: { cost } },
    });
    expect((await historyOf(person)).meta).toMatchObject({ balance: granted - cost, reserved: 0 });
  });

  test.each([
    ['is refused', [], 400],
    ['breaks off', [delta('Half of'), counted(900, 90), outage], 200],
    ['is empty', [finish(), counted(900, 9), '[DONE]'], 200],
  ])('whose last call %s costs the calls before it', async (_, parts, status) => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'nothing', arguments: '{}' } };
    let rounds = 0;
    upstream.behave((_request, response) => {
      if (rounds++ === 0)
        return sse(response, [
          JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }),
          finish('tool_calls'),
          counted(100, 10),
          '[DONE]',
        ]);
      if (status === 400) return void response.writeHead(400).end('{"error":{"message":"No."}}');
      return sse(response, parts);
    });
    const person = await app.aPerson();
    const events = await askStreaming(person, { bot: await aBot(person), message: { text: 'Hello?' } });
    const cost = costOf(price, { tokensIn: 100, tokensOut: 10, tokensCached: 0 }, 1);
    expect(events.at(-1)).toMatchObject({ message: { status: 'failed', usage: { cost } } });
    expect((await historyOf(person)).meta).toMatchObject({ balance: granted - cost, reserved: 0 });
  });

  test.each(['1e999', '-5', '"9"', '1e15', '50000000', '8193'])(
    'whose provider counts %s tokens is paid for and listed',
    async (count) => {
      const person = await app.aPerson();
      const counts = `{"choices":[],"usage":{"prompt_tokens":${count},"completion_tokens":${count}}}`;
      upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), counts, '[DONE]']));
      const { usage: told } = await ask(person, await aBot(person));
      expect(told?.cost).toBeGreaterThan(0);
      expect(told?.cost).toBeLessThanOrEqual(costOf(price, { tokensIn: 8192, tokensOut: 8192, tokensCached: 0 }, 1));
      expect(Math.max(told?.tokensIn ?? 0, told?.tokensOut ?? 0)).toBeLessThan(1000);
      const { data } = await historyOf(person);
      expect(data[0]).toMatchObject({ kind: 'use', amount: -(told?.cost ?? 0) });
    },
  );

  test('that had no room left can be asked for again', async () => {
    const person = await app.aPerson();
    upstream.behave((_request, response) => sse(response, [reasoning, finish('length'), '[DONE]']));
    const sent = await person.call(conversations.send, {
      body: { bot: await aBot(person), message: { text: 'Hello?' } },
    });
    expect(sent.error).toMatchObject({ code: 'provider-out-of-tokens', details: { thread: expect.any(String) } });
    const thread = String(sent.error.details['thread']);
    const message = (await person.call(conversations.messages, { params: { thread } })).body.data.at(-1)?.uuid ?? '';
    upstream.behave((_request, response) => sse(response, [delta('Now.'), finish(), counted(10, 2), '[DONE]']));
    const again = await person.call(conversations.continue, { params: { thread, message } });
    expect(again.body.data.message).toMatchObject({ status: 'done', text: 'Now.' });
  });

  test('of a model that thinks has room for its thoughts beside its own tokens, and that is set aside', async () => {
    const added = await boss.call(operatorServices.add, {
      body: {
        provider: 'openai-compatible',
        modelId: 'thinker',
        name: 'Thinker',
        contextTokens: 128_000,
        capabilities: ['reasoning'],
        price: { in: 0, out: 50, cached: 0 },
      },
    });
    const person = await app.aPerson();
    let held = 0;
    upstream.behave(async (_request, response) => {
      held = (await historyOf(person)).meta.reserved;
      sse(response, [delta('Yes.'), finish(), counted(100, 10), '[DONE]']);
    });
    const bot = (
      await person.call(bots.create, {
        body: {
          name: 'Guide',
          service: added.body.data.uuid,
          parameters: { ...emptyConfig.parameters, maxTokens: 1000, reasoning: 'high' },
        },
      })
    ).body.data.uuid;
    await ask(person, bot);
    const sent = Number(upstream.received.at(-1)?.body.max_tokens);
    expect(sent).toBeGreaterThan(9000);
    expect(held).toBe(costOf({ in: 0, out: 50, cached: 0 }, { tokensIn: 0, tokensOut: sent, tokensCached: 0 }, 1));
  });

  test('holds what it may cost while it is written, and is charged for what came when it is stopped', async () => {
    const person = await app.aPerson();
    const bot = await aBot(person);
    upstream.behave((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${delta('Eight words of an answer that goes on')}\n\n`);
    });
    const stream = askStreaming(person, { bot, message: { text: 'Hello?' } });
    const thread = await eventually(
      'it has begun',
      async () => (await person.call(conversations.threads, { query: { bot } })).body.data[0]?.uuid,
    );
    const held = await eventually('credits are set aside', async () => (await historyOf(person)).meta.reserved);
    await eventually('it is being written', async () =>
      (await person.call(conversations.messages, { params: { thread } })).body.data.some(({ text }) =>
        text.startsWith('Eight'),
      ),
    );
    await person.call(conversations.stop, { params: { thread } });
    await stream;
    const { data, meta } = await historyOf(person);
    const [use] = data;
    expect(use).toMatchObject({ kind: 'use', use: { ownKey: false, bot: { uuid: bot }, thread } });
    const { tokensIn = 0, tokensOut = 0 } = use?.use ?? {};
    expect(Math.min(tokensIn, tokensOut)).toBeGreaterThan(0);
    expect(tokensOut).toBeLessThan(20);
    expect(use?.amount).toBe(-costOf(price, { tokensIn, tokensOut, tokensCached: 0 }, 1));
    expect(held).toBeGreaterThan(-(use?.amount ?? 0));
    expect(meta).toMatchObject({ balance: granted + (use?.amount ?? 0), reserved: 0 });
  });

  test('that needed two models costs for each what that one costs', async () => {
    const person = await app.aPerson();
    const bot = (await person.call(bots.create, { body: { name: 'Guide', service, fallback: builtInService } })).body
      .data.uuid;
    let calls = 0;
    upstream.behave((_request, response) => {
      if (calls++ > 0) return void response.writeHead(500).end();
      const call = { index: 0, id: 'c1', type: 'function', function: { name: 'unknown', arguments: '{}' } };
      sse(response, [
        JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }),
        finish('tool_calls'),
        counted(100, 10),
        '[DONE]',
      ]);
    });
    expect((await ask(person, bot)).usage).toMatchObject({ serviceName: 'Kotae (Built-in)' });
    const [use] = (await historyOf(person)).data;
    expect(use?.amount).toBe(-costOf(price, { tokensIn: 100, tokensOut: 10, tokensCached: 0 }, 1));
  });

  test('is in the history of its bot, newest first and page by page', async () => {
    const person = await app.aPerson();
    const [one, other] = [await aBot(person), await aBot(person)];
    for (const bot of [one, other, one]) await ask(person, bot);
    const cost = costOf(price, { tokensIn: 100, tokensOut: 10, tokensCached: 0 }, 1);
    const first = (await person.call(usage.history, { query: { limit: 2 } })).body;
    const second = (await person.call(usage.history, { query: { limit: 2, cursor: first.meta.nextCursor ?? '' } }))
      .body;
    expect([...first.data, ...second.data].map(({ balance }) => balance)).toEqual([
      granted - 3 * cost,
      granted - 2 * cost,
      granted - cost,
      granted,
    ]);
    expect(second.meta.nextCursor).toBeNull();
    expect(
      (await person.call(usage.history, { query: { bot: one } })).body.data.map((entry) => entry.use?.bot?.uuid),
    ).toEqual([one, one]);
    const stranger = await app.aPerson();
    expect((await stranger.call(usage.history, { query: { bot: one } })).body.data).toEqual([]);
  });

  test('that nobody keeps, as over the API, holds its credits for as long as it may take', async () => {
    const workspace = workspaceOf(await app.aPerson());
    const message = newId();
    await hold(workspace, message, 1000);
    const since = Date.now() - 21 * 60_000;
    const { db } = app.server.context;
    await db.updateTable('credit_hold').set({ created_at: since }).where('message', '=', message).execute();
    await sweepHolds(app.server.context);
    expect((await booksOf(workspace)).account).toMatchObject({ reserved: 1000 });
  });

  test('whose process is gone is freed after a while, and one that is being written is not', async () => {
    const person = await app.aPerson();
    const workspace = workspaceOf(person);
    const [dead, live, fresh] = [newId(), (await ask(person, await aBot(person))).uuid, newId()];
    const { db } = app.server.context;
    await db
      .updateTable('message')
      .set({ status: 'streaming', lease_owner: 'another', lease_until: Date.now() + 600_000 })
      .where('uuid', '=', live)
      .execute();
    const before = (await booksOf(workspace)).account?.balance;
    for (const message of [dead, live, fresh]) await hold(workspace, message, 1000);
    await db
      .updateTable('credit_hold')
      .set({ created_at: Date.now() - 31 * 60_000 })
      .where('message', 'in', [dead, live])
      .execute();
    await sweepHolds(app.server.context);
    const { account, holds } = await booksOf(workspace);
    expect(holds.map(({ message }) => message).toSorted()).toEqual([live, fresh].toSorted());
    expect(account).toEqual({ workspace, balance: before, reserved: 2000 });
  });
});

test('of many answers at once on a channel with a cap, none begins after it; what has begun may need more', async () => {
  const workspace = workspaceOf(await app.aPerson());
  const { context } = app.server;
  const channel = { id: newId(), cap: 3 * microPerCredit };
  const take = (message: string) =>
    context.write((trx) => reserve(context, trx, { workspace, message, amount: microPerCredit, channel }), {
      mixes: false,
    });
  const messages = Array.from({ length: 20 }, () => newId());
  const results = await Promise.allSettled(messages.map(take));
  expect(won(results)).toBe(3);
  expect(new Set(whyNot(results))).toEqual(new Set(['channel-spent']));
  const begun = messages.filter((_, at) => results[at]?.status === 'fulfilled');
  await take(begun[0]!);
  expect((await booksOf(workspace)).account?.reserved).toBe(4 * microPerCredit);
  for (const message of begun)
    await context.write((trx) =>
      settle(context, trx, message, { cost: 1000, use: { ...aUse(workspace, message), channel_id: channel.id } }),
    );
  await take(newId());
  await context.db
    .updateTable('token_entry')
    .set({ amount: -3 * microPerCredit })
    .where('message', '=', begun[0]!)
    .execute();
  expect(whyNot(await Promise.allSettled([take(newId())]))).toEqual(['channel-spent']);
  await context.db
    .updateTable('token_entry')
    .set({ created_at: Date.now() - 86_400_001 })
    .where('message', '=', begun[0]!)
    .execute();
  await take(newId());
});
