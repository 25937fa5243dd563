import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { figures } from '../../../shared/contracts/figures.ts';
import { inbox, inboxNews } from '../../../shared/contracts/inbox.ts';
import { documents, knowledge as knowledges } from '../../../shared/contracts/knowledge.ts';
import { unanswered } from '../../../shared/contracts/unanswered.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, startWithLine } from '../../testing/line-channel.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';

let app: TestApp;
let maker: Person;
beforeAll(async () => {
  app = await startTestApp();
  maker = await app.aPerson();
});
afterAll(() => app.stop());

const open = async (bot: string) => (await maker.call(unanswered.list, { query: { bot } })).body.data;

test('a question without an answer is kept, those alike as one, and answered in two steps', async () => {
  const bot = await aPublishedBot(maker);
  const { uuid: channel } = await aChannel(maker, bot);
  const [one, two] = [await aVisitor(app, channel), await aVisitor(app, channel)];
  await one.write('Do you sell gift wrapping paper?');
  await two.write('Do you sell gift wrapping paper');
  const [question, ...others] = await eventually('both are noted', async () => {
    const found = await open(bot);
    return found[0]?.count === 2 && found;
  });
  expect(others).toEqual([]);
  expect(question).toMatchObject({ reason: 'refused', status: 'open' });
  const { uuid } = question!;
  const detail = (await maker.call(unanswered.get, { params: { unanswered: uuid } })).body.data;
  expect(detail.asked).toHaveLength(2);
  expect(detail.askers).toBe(2);
  expect(detail.knowledges).toHaveLength(1);
  const body = {
    knowledge: detail.knowledges[0]?.uuid ?? '',
    question: 'Do you sell gift wrapping paper?',
    answer: 'Yes, gift wrapping paper costs two hundred yen.',
    tell: true,
  };
  const done = (await maker.call(unanswered.answer, { params: { unanswered: uuid }, body })).body.data;
  expect(done.retried).toMatchObject({ refused: false, text: expect.stringContaining('two hundred yen') });
  expect(done.told).toBe(2);
  expect((await one.page()).messages.at(-1)).toMatchObject({ role: 'staff', text: body.answer });
  expect((await two.say('Do you sell gift wrapping paper?')).text).toContain('two hundred yen');
  expect(await open(bot)).toEqual([]);
  const tell = async () =>
    (await maker.call(unanswered.tell, { params: { unanswered: uuid }, body: { answer: 'Ask at the counter.' } })).body
      .data.told;
  expect(await tell()).toBe(2);
  expect((await one.page()).messages.at(-1)).toMatchObject({ role: 'staff', text: 'Ask at the counter.' });
  expect(await tell()).toBe(0);
  const second = { ...body, question: 'Do you repair cups?', answer: 'No, cups are not repaired here.', tell: false };
  const again = (await maker.call(unanswered.answer, { params: { unanswered: uuid }, body: second })).body.data;
  expect(again.told).toBe(0);
  const answered = (await maker.call(unanswered.get, { params: { unanswered: uuid } })).body.data;
  expect(answered.answer).toMatchObject({
    text: expect.stringContaining(second.answer),
    by: maker.user.username,
    knowledge: body.knowledge,
  });
  const { document, embedding } = answered.answer!;
  await maker.call(documents.removeEmbedding, { params: { uuid: document.uuid, embedding } });
  expect((await maker.call(unanswered.get, { params: { unanswered: uuid } })).body.data.answer).toBeNull();
  const added = (await maker.call(documents.list, { params: { knowledge: body.knowledge } })).body.data;
  expect(added.filter(({ source }) => source === 'qa').map(({ chunkCount }) => chunkCount)).toEqual([1]);
});

test('a sticker or a place from LINE is no question', async () => {
  const on = await startWithLine();
  const owner = await on.app.aPerson();
  const bot = await aPublishedBot(owner);
  await connectLine(owner, on.line, bot);
  const friend = on.line.user({ name: 'Sora' });
  await friend.sticker({ keywords: ['hello', 'wave'] });
  await friend.say('Do you sell gift wrapping paper?');
  const noted = await eventually('the question is noted', async () => {
    const { data } = (await owner.call(unanswered.list, { query: { bot } })).body;
    return data.some(({ question }) => question.startsWith('Do you')) && data;
  });
  await friend.location({ title: 'Shop', address: '1-2-3 Jinnan', latitude: 35.6, longitude: 139.7 });
  expect(noted.map(({ question }) => question)).toEqual(['Do you sell gift wrapping paper?']);
  const reported = (await owner.call(figures.get, { query: {} })).body.data;
  expect(reported.questions?.map(({ question }) => question)).toEqual(['Do you sell gift wrapping paper?']);
  await on.app.stop();
  await on.line.close();
});

test('whoever waits for a person when the answer comes is with the one who gave it', async () => {
  const bot = await aPublishedBot(maker);
  const { uuid: channel } = await aChannel(maker, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Do you sell gift wrapping paper?');
  await visitor.call(visitors.person);
  const [question] = await eventually('it is noted', async () => {
    const found = await open(bot);
    return found.length > 0 && found;
  });
  const params = { unanswered: question!.uuid };
  const { knowledges: bases } = (await maker.call(unanswered.get, { params })).body.data;
  await maker.call(unanswered.answer, {
    params,
    body: { knowledge: bases[0]?.uuid ?? '', question: 'Gift wrapping paper?', answer: 'Yes, we do.', tell: true },
  });
  const [thread] = (await maker.call(inbox.threads, { query: { channel } })).body.data;
  expect(thread).toMatchObject({ status: 'staff', unread: 0, last: { role: 'staff', text: 'Yes, we do.' } });
  expect(thread?.assignee?.uuid).toBe(maker.user.uuid);
});

test('an answer that a visitor did not like is kept, and can be put away', async () => {
  const bot = await aPublishedBot(maker);
  const { uuid: channel } = await aChannel(maker, bot);
  const visitor = await aVisitor(app, channel);
  const answer = await visitor.say('When does the shop open?');
  expect(await open(bot)).toEqual([]);
  await visitor.call(visitors.rate, { params: { message: answer.uuid }, body: { rating: 'down' } });
  const [question] = await eventually('it is noted', async () => {
    const found = await open(bot);
    return found.length > 0 && found;
  });
  expect(question).toMatchObject({ reason: 'disliked', question: 'When does the shop open?' });
  const reasoned = async (reason: 'refused' | 'disliked') =>
    (await maker.call(unanswered.list, { query: { bot, reason } })).body.data.length;
  expect(await reasoned('refused')).toBe(0);
  expect(await reasoned('disliked')).toBe(1);
  const params = { unanswered: question!.uuid };
  const comments = async () =>
    (await maker.call(unanswered.get, { params })).body.data.asked.map(({ comment }) => comment);
  expect(await comments()).toEqual(['']);
  const rated = { rating: 'down', text: 'And on Sundays?' } as const;
  await visitor.call(visitors.rate, { params: { message: answer.uuid }, body: rated });
  expect(await comments()).toEqual(['And on Sundays?']);
  expect((await maker.call(unanswered.suggest, { params })).error.code).toBe('model-needed');
  expect((await maker.call(unanswered.dismiss, { params })).body.data.status).toBe('dismissed');
  expect(await open(bot)).toEqual([]);
  await maker.call(unanswered.reopen, { params });
  expect(await open(bot)).toHaveLength(1);
});

test('questions and answers are a document of their own kind', async () => {
  const knowledge = (await maker.call(knowledges.create, { body: { name: 'Parking' } })).body.data.uuid;
  const pairs = [
    { question: 'Is there "parking", and where?', answer: 'Yes, behind the house.\nThree places.' },
    { question: '駐車場はありますか', answer: 'はい、建物の裏に3台分あります。' },
  ];
  const added = await maker.call(documents.add, {
    params: { knowledge },
    body: { source: 'qa', name: 'Parking', pairs },
  });
  expect(added.status).toBe(202);
  const document = added.body.data[0]!.uuid;
  const read = await eventually('it is read', async () => {
    const { data } = (await maker.call(documents.get, { params: { knowledge, document } })).body;
    return data.status === 'indexed' && data;
  });
  expect(read).toMatchObject({ source: 'qa', name: 'Parking.csv', chunkCount: 2 });
});

test('of what visitors asked nothing is a formula in the file that is downloaded, and it is read as it was written', async () => {
  const knowledge = (await maker.call(knowledges.create, { body: { name: 'Formulas' } })).body.data.uuid;
  const pairs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'].map((lead) => ({
    question: `${lead}HYPERLINK("http://evil.example","free parking")`,
    answer: `${lead}1+1 is what they ask`,
  }));
  const added = await maker.call(documents.add, {
    params: { knowledge },
    body: { source: 'qa', name: 'Asked', pairs },
  });
  const params = { knowledge, document: added.body.data[0]!.uuid };
  await eventually(
    'it is read',
    async () => (await maker.call(documents.get, { params })).body.data.status === 'indexed',
  );
  const path = documents.file.path.replace(':knowledge', knowledge).replace(':document', params.document);
  const cells: string[][] = parse(await (await maker.fetch(path)).text(), { bom: true });
  expect(cells.flat().filter((cell) => /^[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([]);
  expect(cells).toHaveLength(pairs.length + 1);
  const chunks = (await maker.call(documents.embeddings, { params: { uuid: params.document } })).body.data;
  expect(chunks.map(({ text }) => text).join('\n')).toContain('=1+1 is what they ask');
  expect(chunks.map(({ text }) => text).join('\n')).not.toContain('  =1+1');
});

test('a question to a bot in the trash is not shown and not counted, until the bot is restored', async () => {
  const owner = await app.aPerson();
  const bot = await aPublishedBot(owner);
  const { uuid: channel } = await aChannel(owner, bot);
  const count = async () => (await owner.call(inboxNews.counts)).body.data.unanswered;
  await (await aVisitor(app, channel)).write('Do you sell gift wrapping paper?');
  await eventually('it is counted', async () => (await count()) === 1);
  await owner.call(bots.remove, { params: { uuid: bot } });
  expect(await count()).toBe(0);
  expect((await owner.call(unanswered.list)).body.data).toEqual([]);
  await owner.call(bots.restore, { params: { uuid: bot } });
  expect(await count()).toBe(1);
});

test('an answer reaches each conversation once, another one again, and only what was sent is counted', async () => {
  const bot = await aPublishedBot(maker);
  const { uuid: channel } = await aChannel(maker, bot);
  const [lost, erased] = [(await aChannel(maker, bot)).uuid, (await aChannel(maker, bot)).uuid];
  const asked = 'Do you sell gift wrapping paper?';
  const [one, two, gone, cut] = [
    await aVisitor(app, channel),
    await aVisitor(app, channel),
    await aVisitor(app, erased),
    await aVisitor(app, lost),
  ];
  for (const visitor of [one, two, gone, cut]) await visitor.write(asked);
  const [question] = await eventually('all are noted', async () => {
    const found = await open(bot);
    return found[0]?.count === 4 && found;
  });
  const params = { unanswered: question!.uuid };
  const { knowledges: bases } = (await maker.call(unanswered.get, { params })).body.data;
  const tell = async (answer: string) => {
    const body = { knowledge: bases[0]?.uuid ?? '', question: asked, answer, tell: true };
    const reply = await maker.call(unanswered.answer, { params, body });
    expect(reply.status).toBe(200);
    return reply.body.data.told;
  };
  const threadOn = async (at: string) => (await maker.call(inbox.threads, { query: { channel: at } })).body.data[0]!;
  const cutThread = (await threadOn(lost)).uuid;
  await maker.call(inbox.eraseGuest, { params: { uuid: (await threadOn(erased)).guest.uuid } });
  await maker.call(webChannels.remove, { params: { uuid: lost } });
  // Two at once.
  expect(await Promise.all([tell('Yes, for two hundred yen.'), tell('Yes, for three hundred yen.')])).toEqual([2, 2]);
  expect(await tell('Yes, for two hundred yen.')).toBe(0);
  expect(await tell('No, not any more.')).toBe(2);
  for (const visitor of [one, two]) {
    const told = (await visitor.page()).messages.filter(({ role }) => role === 'staff').map(({ text }) => text);
    expect(told.toSorted()).toEqual(['No, not any more.', 'Yes, for three hundred yen.', 'Yes, for two hundred yen.']);
  }
  const { data } = (await maker.call(inbox.messages, { params: { thread: cutThread } })).body;
  expect(data.findLast(({ role }) => role === 'staff')).toMatchObject({
    text: 'No, not any more.',
    delivery: 'failed',
    deliveryError: 'channel-gone',
  });
});
