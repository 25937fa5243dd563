import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import { bots } from '../../../shared/contracts/bots.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { services } from '../../../shared/contracts/services.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aVisitor } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine } from '../../testing/line/fake-line.ts';
import { delta, finish, sse, startModelServer, usage } from '../../testing/openai.ts';

let app: TestApp;
let line: FakeLine;
let model: Awaited<ReturnType<typeof startModelServer>>;
let staff: Person;
let bot: string;
beforeAll(async () => {
  model = await startModelServer();
  ({ app, line } = await startWithLine({}, { OPENAI_COMPATIBLE_BASE_URL: model.url }));
  staff = await app.aPerson();
  const service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid;
  bot = (await staff.call(bots.create, { body: { name: 'Model', service: service ?? '' } })).body.data.uuid;
  await staff.call(bots.publish, { params: { uuid: bot }, body: { note: '' } });
  await connectLine(staff, line, bot);
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
  await model.stop();
});

const words = 'The tenant acme-prod is suspended';
const refused = (status: number) => (response: ServerResponse) =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message: words } }));

test.each<[string, (response: ServerResponse) => void]>([
  ['is refused', refused(403)],
  ['is broken', refused(500)],
  ['says nothing but blanks', (response) => sse(response, [delta(' \n'), finish(), usage(10, 1), '[DONE]'])],
  ['holds its answer back', (response) => sse(response, [finish('content_filter'), usage(10, 1), '[DONE]'])],
])('where the model %s, visitors are passed on, and what its provider said is for the team', async (_, behave) => {
  model.behave((_request, response) => behave(response));
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const events = await visitor.write('When do you open?');
  expect(events.some(({ type }) => type === 'error')).toBe(false);
  const page = await eventually('they are passed on', async () => {
    const found = await visitor.page();
    return found.thread?.status === 'waiting' && found.messages.at(-1)?.role === 'system' && found;
  });
  expect(page.messages.at(-1)?.text).toContain('A member of our team');
  expect(JSON.stringify([events, page])).not.toContain('acme-prod');
  const [thread] = (await staff.call(inbox.threads, { query: { channel } })).body.data;
  expect(thread).toMatchObject({ status: 'waiting', reason: 'failed' });
});

test('an answer that breaks off in the middle is told as such, without the words of its provider', async () => {
  model.behave((_request, response) =>
    sse(response, [delta('We open at'), JSON.stringify({ error: { code: 500, message: words } })]),
  );
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const last = (await visitor.write('When do you open?')).at(-1);
  expect(last).toMatchObject({ type: 'error', error: { code: 'answer-broke-off' }, message: { text: 'We open at' } });
  expect(JSON.stringify(last)).not.toContain('acme-prod');
  const [thread] = (await staff.call(inbox.threads, { query: { channel } })).body.data;
  const messages = (await staff.call(inbox.messages, { params: { thread: thread?.uuid ?? '' } })).body.data;
  expect(JSON.stringify(messages)).toContain('acme-prod');
});

test('on LINE, too, nobody is left without an answer', async () => {
  model.behave((_request, response) => refused(500)(response));
  const mei = line.user({ name: 'Mei' });
  await mei.say('When do you open?');
  const passedOn = await eventually('her conversation waits', async () => {
    const found = await conversationOf(staff, mei.name);
    return found?.thread.status === 'waiting' && found.thread;
  });
  expect(passedOn.reason).toBe('failed');
  await eventually('she is told', async () => line.shown(mei.id).length > 0);
  expect(JSON.stringify(line.shown(mei.id))).toContain('A member of our team');
});

test('a conversation that has been passed on already is not answered again and again by a model that fails', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const changed = await staff.call(connections.update, {
    params: { uuid: connection },
    body: {
      hours: { timezone: 'Asia/Tokyo', week: Array.from({ length: 7 }, () => []), holidays: [] },
      handoff: { offered: true, returnMinutes: null, whileAway: 'answer' },
    },
  });
  expect(changed.error).toBeUndefined();
  model.behave((_request, response) => refused(500)(response));
  const visitor = await aVisitor(app, channel);
  await visitor.call(visitors.person);
  const before = model.received.length;
  await visitor.write('When do you open?');
  const asked = model.received.length;
  expect(asked).toBeGreaterThan(before);
  model.behave((_request, response) => sse(response, [delta('At nine.'), finish(), '[DONE]']));
  expect((await visitor.say('And on Sunday?')).text).toBe('At nine.');
  expect(model.received.length).toBe(asked + 1);
});
