import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { trash } from '../../../shared/contracts/trash.ts';
import { features } from '../../features.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let boss: Person;
let person: Person;
let base: string;
let document: string;
let bot: string;
let thread: string;
beforeAll(async () => {
  app = await startTestApp();
  [boss, person] = [await app.aPerson(), await app.aPerson()];
});
afterAll(() => app.stop());

const seen = new Set<string>();
/** What the person has done since it was last asked, oldest first. */
async function news() {
  const { data } = (await boss.call(operator.audit, { query: { user: person.user.uuid, limit: 100 } })).body;
  const fresh = data.filter(({ uuid, action }) => !seen.has(uuid) && !action.startsWith('user.')).toReversed();
  for (const { uuid } of fresh) seen.add(uuid);
  return fresh.map(({ action, subject, workspace }) => {
    expect(workspace).toEqual({ uuid: person.user.workspaces[0]?.uuid, name: expect.stringMatching(/./) });
    return `${action} ${subject}`;
  });
}

const theBase = () => ({ params: { uuid: base } });
const theDocument = () => ({ params: { knowledge: base, document } });
const theBot = () => ({ params: { uuid: bot } });
const theThread = () => ({ params: { thread } });

const steps: [string, () => Promise<unknown>, string[]][] = [
  [
    'making a base',
    async () => (base = (await person.call(knowledge.create, { body: { name: 'Manual' } })).body.data.uuid),
    ['knowledge.created Manual'],
  ],
  [
    'adding a document',
    async () => {
      const body = { source: 'text' as const, name: 'hours.txt', text: 'It opens at nine.' };
      document = (await person.call(documents.add, { params: { knowledge: base }, body })).body.data[0]?.uuid ?? '';
    },
    [],
  ],
  // The name of a document is erased with it: the log names its base.
  [
    'replacing a document by a file',
    async () => {
      const form = new FormData();
      form.append('file', new Blob(['It opens at ten.']), 'hours.txt');
      const path = documents.replace.path.replace(':knowledge', base).replace(':document', document);
      await eventually('it can be replaced', async () => {
        const { status } = await person.fetch(path, { method: 'PUT', body: form });
        return status === 202;
      });
    },
    ['document.replaced Manual'],
  ],
  ['deleting a document', () => person.call(documents.remove, theDocument()), ['document.deleted Manual']],
  ['deleting it again', () => person.call(documents.remove, theDocument()), []],
  ['restoring a document', () => person.call(documents.restore, theDocument()), ['document.restored Manual']],
  ['restoring it again', () => person.call(documents.restore, theDocument()), []],
  ['deleting a base', () => person.call(knowledge.remove, theBase()), ['knowledge.deleted Manual']],
  ['deleting it again', () => person.call(knowledge.remove, theBase()), []],
  ['restoring a base', () => person.call(knowledge.restore, theBase()), ['knowledge.restored Manual']],
  ['restoring it again', () => person.call(knowledge.restore, theBase()), []],
  [
    'exporting a base and importing it',
    async () => {
      const response = await person.fetch(knowledge.export.path.replace(':uuid', base));
      const form = new FormData();
      form.append('file', await response.blob(), 'base.zip');
      expect((await person.fetch(knowledge.import.path, { method: 'POST', body: form })).status).toBe(201);
    },
    ['knowledge.exported Manual', 'knowledge.imported Manual'],
  ],
  ['re-indexing a base', () => person.call(knowledge.reindex, theBase()), ['knowledge.reindexed Manual']],
  [
    'making a bot',
    async () => {
      const body = { name: 'Guide', knowledges: [base] };
      bot = (await person.call(bots.create, { body })).body.data.uuid;
    },
    ['bot.created Guide'],
  ],
  ['changing a bot', () => person.call(bots.update, { ...theBot(), body: { greeting: 'Hello' } }), []],
  ['publishing a bot', () => person.call(bots.publish, { ...theBot(), body: { note: '' } }), ['bot.published Guide']],
  ['duplicating a bot', () => person.call(bots.duplicate, theBot()), ['bot.duplicated Guide (2)']],
  [
    'exporting a bot and importing it',
    async () => {
      const response = await person.fetch(bots.export.path.replace(':uuid', bot));
      const form = new FormData();
      form.append('file', await response.blob(), 'bot.zip');
      expect((await person.fetch(bots.import.path, { method: 'POST', body: form })).status).toBe(201);
    },
    ['bot.exported Guide', 'knowledge.created Manual', 'bot.imported Guide'],
  ],
  [
    'importing what is no bot',
    async () => {
      const form = new FormData();
      form.append('file', new Blob(['nothing']), 'bot.zip');
      expect((await person.fetch(bots.import.path, { method: 'POST', body: form })).status).toBe(422);
    },
    [],
  ],
  [
    'asking a bot',
    async () => {
      const body = { bot, message: { text: 'When does it open?' } };
      thread = (await person.call(conversations.send, { body })).body.data.thread.uuid;
    },
    [],
  ],
  ['removing a link that is not there', () => person.call(conversations.unshare, theThread()), []],
  // What was asked is nobody else's business: the log names the bot.
  [
    'making a link to a conversation',
    () => person.call(conversations.share, theThread()),
    ['conversation.shared Guide'],
  ],
  ['removing it', () => person.call(conversations.unshare, theThread()), ['conversation.unshared Guide']],
  ['deleting a bot', () => person.call(bots.remove, theBot()), ['bot.deleted Guide']],
  ['deleting it again', () => person.call(bots.remove, theBot()), []],
  ['restoring a bot', () => person.call(bots.restore, theBot()), ['bot.restored Guide']],
  ['restoring it again', () => person.call(bots.restore, theBot()), []],
  [
    'deleting a document for good',
    async () => {
      await person.call(documents.remove, theDocument());
      await person.call(trash.eraseDocument, { params: { uuid: document } });
    },
    ['document.deleted Manual', 'document.erased Manual'],
  ],
  [
    'deleting a base for good',
    async () => {
      await person.call(knowledge.remove, theBase());
      await person.call(trash.eraseKnowledge, { params: { uuid: base } });
    },
    ['knowledge.deleted Manual', 'knowledge.erased Manual'],
  ],
  [
    'deleting a bot for good, once',
    async () => {
      await person.call(bots.remove, theBot());
      for (const _ of [1, 2]) await person.call(trash.eraseBot, { params: { uuid: bot } });
    },
    ['bot.deleted Guide', 'bot.erased Guide'],
  ],
];

test('whoever makes, publishes, shares or takes away something is in the log, once, and with its name', async () => {
  const recorded: string[] = [];
  for (const [what, act, wanted] of steps) {
    await act();
    const found = await news();
    expect([what, ...found]).toEqual([what, ...wanted]);
    recorded.push(...found.map((entry) => entry.split(' ')[0] ?? ''));
  }
  // What these features declare is what is recorded, and nothing else.
  const declared = features
    .filter(({ name }) => ['knowledge', 'bots', 'conversations'].includes(name))
    .flatMap(({ audit = [] }) => audit);
  expect(new Set(recorded)).toEqual(new Set(declared));
});

test('two who delete the same thing at once are one entry', async () => {
  const made = (await person.call(bots.create, { body: { name: 'Twice' } })).body.data.uuid;
  await news();
  await Promise.all(Array.from({ length: 4 }, () => person.call(bots.remove, { params: { uuid: made } })));
  expect(await news()).toEqual(['bot.deleted Twice']);
  await Promise.all(Array.from({ length: 4 }, () => person.call(bots.restore, { params: { uuid: made } })));
  expect(await news()).toEqual(['bot.restored Twice']);
});
