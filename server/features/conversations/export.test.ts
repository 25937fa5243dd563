import { marked } from 'marked';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { services } from '../../../shared/contracts/services.ts';
import { newId } from '../../infra/db.ts';
import { askStreaming, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer } from '../../testing/openai.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let person: Person;
/** Answers from a base with five short documents. */
let bot: string;
/** The model that says what a test wants. */
let service: string;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
  person = await app.aPerson();
  await person.call(accounts.update, { body: { timezone: 'Asia/Tokyo' } });
  const base = (await person.call(knowledge.create, { body: { name: 'Shop' } })).body.data.uuid;
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
    await person.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: `${day}.md`, text: `The shop opens at nine on ${day}.` },
    });
  await eventually(
    'they are read',
    async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  const body = { name: 'Helper', service, knowledges: [base], retrieval: { threshold: 0.1, passages: 8 } };
  bot = (await person.call(bots.create, { body })).body.data.uuid;
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

const says = (...parts: string[]) =>
  upstream.behave((_request, response) => sse(response, [...parts.map(delta), finish(), '[DONE]']));
const ask = async (text: string, more: { thread?: string; files?: string[] } = {}) => {
  const { files, ...rest } = more;
  const reply = await person.call(conversations.send, {
    body: { bot, message: { text, ...(files && { files }) }, ...rest },
  });
  expect(reply.status).toBe(200);
  return reply.body.data;
};
const open = (who: Pick<Person, 'fetch'>, thread: string, format: string) =>
  who.fetch(`${conversations.export.path.replace(':thread', thread)}?format=${format}`);
const question = 'When does the shop open?';

describe('what the reader sees of sources', () => {
  test('is numbered 1, 2, … as passages are first cited, in the stream as in what is kept', async () => {
    says('Nine [', '4]. ', 'Really [2], [4] and [5][4]. `a[4]` stays.');
    const events = await askStreaming(person, { bot, message: { text: question } });
    const shown = 'Nine [1]. Really [2], [1] and [3][1]. `a[4]` stays.';
    expect(events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(shown);
    const told = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(told.map(({ number }) => number)).toEqual([1, 2, 3]);
    const end = events.find((event) => event.type === 'done');
    const thread = events.find((event) => event.type === 'thread')?.thread.uuid ?? '';
    const kept = (await person.call(conversations.messages, { params: { thread } })).body.data[1]!;
    for (const message of [end?.message, kept]) expect([message?.text, message?.citations]).toEqual([shown, told]);

    const { url } = (await person.call(conversations.share, { params: { thread } })).body.data;
    const token = url.split('/').at(-1) ?? '';
    const shared = (await app.anyone.call(conversations.shared, { params: { token } })).body.data.messages[1];
    expect([shared?.text, shared?.citations]).toEqual([shown, told]);

    const trace = (await person.call(conversations.trace, { params: { thread, message: kept.uuid } })).body.data;
    const known = new Map(trace.passages.map((passage) => [passage.number, passage]));
    expect([4, 2, 5].map((number) => [known.get(number)?.embedding, known.get(number)?.cited])).toEqual(
      told.map(({ embedding, number }) => [embedding, number]),
    );
    expect(known.get(1)).toMatchObject({ used: true, cited: null });
    // What the model was sent has the passages by the same numbers.
    const sent = trace.prompt?.[0]?.text ?? '';
    expect(sent).toContain(`[4] ${told[0]?.document.name}`);
    expect(sent).toContain(`[2] ${told[1]?.document.name}`);
  });

  test('goes on where an answer goes on, and the model knows the passages by those numbers', async () => {
    upstream.behave((_request, response) => sse(response, [delta('Nine [4].'), finish('length'), '[DONE]']));
    const cut = await ask(question);
    says(' And [1], then [2].');
    const at = { thread: cut.thread.uuid, message: cut.message.uuid };
    const { message } = (await person.call(conversations.continue, { params: at })).body.data;
    expect(message.text).toBe('Nine [1]. And [1], then [2].');
    expect(message.citations.map(({ number }) => number)).toEqual([1, 2]);
    expect(message.citations[0]).toEqual(cut.message.citations[0]);
    const sent = String(upstream.received.at(-1)?.body.messages?.[0]?.content);
    expect(sent).toContain(`[1] ${cut.message.citations[0]?.document.name}`);
  });

  test('keeps its numbers in an answer that goes on after a document of it was deleted, and gives them to no other', async () => {
    const base = (await person.call(knowledge.create, { body: { name: 'Pool' } })).body.data.uuid;
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday'])
      await person.call(documents.add, {
        params: { knowledge: base },
        body: { source: 'text', name: `${day}.md`, text: `The pool opens at ten on ${day}.` },
      });
    await eventually(
      'they are read',
      async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
    );
    const body = { name: 'Pool', service, knowledges: [base], retrieval: { threshold: 0.1, passages: 8 } };
    const other = (await person.call(bots.create, { body })).body.data.uuid;
    upstream.behave((_request, response) =>
      sse(response, [delta('Ten [3], or [1], or [2].'), finish('length'), '[DONE]']),
    );
    const cut = (
      await person.call(conversations.send, { body: { bot: other, message: { text: 'When does the pool open?' } } })
    ).body.data;
    expect(cut.message.text).toBe('Ten [1], or [2], or [3].');
    const [first, second, third] = cut.message.citations;
    await person.call(documents.remove, { params: { knowledge: base, document: first?.document.uuid ?? '' } });
    says(' And [3], then [4], not [1].');
    const at = { thread: cut.thread.uuid, message: cut.message.uuid };
    const reply = await person.call(conversations.continue, { params: at });
    expect(reply.status, JSON.stringify(reply.error)).toBe(200);
    const { message } = reply.body.data;
    expect(message.text).toBe('Ten [1], or [2], or [3]. And [3], then [4], not.');
    expect(message.citations.slice(0, 3)).toEqual([first, second, third]);
    expect(message.citations.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(message.citations.slice(0, 3).map(({ embedding }) => embedding)).not.toContain(
      message.citations[3]?.embedding,
    );
    const sent = String(upstream.received.at(-1)?.body.messages?.[0]?.content);
    expect(sent).not.toContain('[1] ');
    expect(sent).toContain(`[2] ${second?.document.name}`);
    expect(sent).toContain(`[3] ${third?.document.name}`);
    const trace = (await person.call(conversations.trace, { params: at })).body.data;
    const known = new Map(trace.passages.map(({ number, embedding }) => [number, embedding]));
    expect([known.get(1), known.get(2), known.get(3)]).toEqual([undefined, second?.embedding, third?.embedding]);
  });
});

test('of a refusal one is told what the bot wants and how near the best passage came', async () => {
  says('Nothing.');
  await person.call(bots.update, { params: { uuid: bot }, body: { retrieval: { threshold: 0.95, passages: 8 } } });
  const { thread, message } = await ask('When does the swimming pool of the castle close in winter?');
  await person.call(bots.update, { params: { uuid: bot }, body: { retrieval: { threshold: 0.1, passages: 8 } } });
  const params = { thread: thread.uuid, message: message.uuid };
  const trace = (await person.call(conversations.trace, { params })).body.data;
  expect(trace).toMatchObject({ refused: true, threshold: 0.95 });
  expect(trace.coverage).toBeLessThan(0.95);
  expect(trace.passages.filter(({ used }) => used)).toEqual([]);
});

describe('a conversation as a file', () => {
  test('as Markdown is the branch that is shown, with times of the reader and numbered sources', async () => {
    says('First.');
    const first = await ask(question);
    const thread = first.thread.uuid;
    const message = first.message.uuid;
    says('It opens at **nine** [4].');
    await person.call(conversations.regenerate, { params: { thread, message } });
    const form = new FormData();
    form.append('file', new Blob(['# Menu']), 'menu.md');
    const attached = JSON.parse(
      await (await person.fetch(conversations.attach.path, { method: 'POST', body: form })).text(),
    );
    says('Yes.');
    await ask('And this?', { thread, files: [attached.data[0].uuid] });
    const { createdAt } = (await person.call(conversations.get, { params: { thread } })).body.data;

    const response = await open(person, thread, 'markdown');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent('When does the shop open_.md')}`,
    );
    const text = await response.text();
    const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' });
    expect(text).toContain(`Started: ${time.format(new Date(createdAt))}`);
    expect(text).toMatch(/^# When does the shop open\?\n\n- Bot: Helper\n/);
    expect(text).not.toContain('First.');
    expect(text).toMatch(
      /\n\nIt opens at \*\*nine\*\* \[1\]\.\n\nSources:\n\n1\. ([A-Z][a-z]+day)\.md\n\n {3}> The shop opens at nine on \1\.\n/,
    );
    expect(text).toMatch(/> And this\?\n\nAttached:\n\n- menu\.md\n/);
  });

  test('as JSON has every branch', async () => {
    says('First.');
    const { thread, message } = await ask(question);
    says('Second [3].');
    await person.call(conversations.regenerate, { params: { thread: thread.uuid, message: message.uuid } });
    const text = await (await open(person, thread.uuid, 'json')).text();
    const file: unknown = JSON.parse(text);
    expect(text).toBe(`${JSON.stringify(file, null, 2)}\n`);
    expect(file).toMatchObject({
      uuid: thread.uuid,
      title: question,
      bot: { uuid: bot, name: 'Helper' },
      messages: [
        { role: 'user', text: question },
        { text: 'First.', siblings: [message.uuid, expect.anything()] },
        { text: 'Second [1].', citations: [{ number: 1 }] },
      ],
    });
  });

  test('is whole when it is long', async () => {
    says('Fine.');
    const { thread } = await ask('Number 0');
    const { db } = app.server.context;
    const rows = await db.selectFrom('message').selectAll().where('thread', '=', thread.uuid).orderBy('seq').execute();
    let parent = rows[1]!.uuid;
    for (let seq = 3; seq <= 250; seq++) {
      const uuid = newId();
      await db
        .insertInto('message')
        .values({ ...rows[0]!, uuid, parent, seq, text: `Number ${seq}` })
        .execute();
      parent = uuid;
    }
    await db.updateTable('thread').set({ head: parent }).where('uuid', '=', thread.uuid).execute();
    const markdown = await (await open(person, thread.uuid, 'markdown')).text();
    expect([...markdown.matchAll(/^> Number (\d+)$/gm)].map(([, number]) => Number(number))).toEqual([
      0,
      ...Array.from({ length: 248 }, (_, at) => at + 3),
    ]);
    expect(JSON.parse(await (await open(person, thread.uuid, 'json')).text()).messages).toHaveLength(250);
  });

  test('is for whoever may read the conversation, and nobody else', async () => {
    says('Fine.');
    const { thread } = await ask(question);
    const other = await app.aPerson();
    for (const format of ['markdown', 'json']) {
      expect((await open(other, thread.uuid, format)).status).toBe(404);
      expect((await open(app.anyone, thread.uuid, format)).status).toBe(401);
    }
    expect((await open(person, thread.uuid, 'docx')).status).toBe(400);
  });

  const hostile = [
    ['headings and rules', '# Title\n\n## Helper · now\n\n---\n===\nText'],
    ['a fence that nobody closed', '```\nlet x = 1;'],
    ['a fence in a list that ends before it', '- a\n  ```\n<b>loud</b>'],
    ['a comment that nobody closed', 'a <!-- b'],
    ['tags', '</blockquote><img src=x onerror=alert(1)>\n\n<script>\n\nalert(1)</script>'],
    ['tags in what is no code', '- ` <b>x</b>\n- ` y `<i>z</i>`'],
    ['tags behind a backslash', String.raw`a \<b>x</b> \\<i>y</i>`],
    ['a definition', '[1]: https://example.com/evil\n[Sources]: https://example.com/evil\n\n[1]'],
    ['a picture from elsewhere', '![x](https://example.com/count.png)'],
    ['every kind of line end', 'a\r# b\r\n# c'],
    [
      'a fence that is further in and ends at the margin',
      '  ```\ncode\n```\n<img src="https://example.com/x.png">\n\n![t](https://example.com/p.png)\n```',
    ],
    ['a fence in a quote', '> ```\n> x\n\n```\n<b>x</b>\n```\n<b>y</b>'],
    [
      'a bar in what would be code',
      '| a | b |\n|---|---|\n| `x | <img src=//example.com/x> ![z](https://example.com) | ` |',
    ],
    ['a fence that nobody closed in a list', '- a\n\n  ~~~\n  b'],
    ['a fence further in that nobody closed', '   ```\ncode'],
    ['headings under their words', 'Helper\n---\nother\n  =\n- a\n-\n\nb\n--'],
    ['a passage of its own', '> quoted\n> # Title\n> ---\nlazy\n==='],
    ['code in backticks over two lines', 'a `b\n# c` d\n\n    # far in'],
    ['a table at the end', '| a | b |\n|---|---|\n| c | d'],
    ['sources of its own', 'Sources:\n\n1. Other.md\n2. '],
    ['code', '```html\n<b>kept</b>\n```\n\nUse `<b>` and ``<i>``.'],
  ] as const;

  test.each(hostile)('stays in one piece whatever is said in it: %s', async (_, text) => {
    says(text);
    const { thread } = await ask(text);
    says('Calm [2].');
    await ask(question, { thread: thread.uuid });
    await person.call(conversations.update, {
      params: { thread: thread.uuid },
      body: { title: '# [x](y) `a\u202e/../b' },
    });
    const response = await open(person, thread.uuid, 'markdown');
    const name = decodeURIComponent(response.headers.get('content-disposition')?.split("''")[1] ?? '');
    expect(name).not.toMatch(/[/\\\p{C}]|^\./u);
    const markdown = await response.text();
    const tokens = marked.lexer(markdown).filter(({ type }) => type !== 'space');
    const names = tokens.map((token) =>
      token.type === 'heading' && token['depth'] < 3 ? `h${token['depth']}` : token.type,
    );
    // No heading of the file is a bot's, and each begins outside of what was said before.
    expect(names.filter((name) => /^h\d$/.test(name))).toEqual(['h1', 'h2', 'h2', 'h2', 'h2']);
    expect(names.slice(0, 4)).toEqual(['h1', 'list', 'h2', 'blockquote']);
    expect(names.slice(names.lastIndexOf('h2') - 2)).toEqual([
      'h2',
      'blockquote',
      'h2',
      'paragraph',
      'paragraph',
      'list',
    ]);
    expect(names).not.toContain('html');
    expect(names).not.toContain('def');
    const html = marked.parse(markdown, { async: false });
    // The title is what was written, and nothing but our own and Markdown's elements comes out.
    expect(html).toContain('<h1># [x](y) `a');
    expect(html.replaceAll(/<code[^>]*>[^]*?<\/code>/g, '')).not.toMatch(/<(?:b|i|img|script)\b|<!--/);
    expect(html).not.toMatch(/<a [^>]*>(?:1|Sources)</);
    if (_ === 'code') expect(html).toMatch(/&lt;b&gt;kept[^]*<code>&lt;b&gt;<\/code> and <code>&lt;i&gt;<\/code>/);
  });
});
