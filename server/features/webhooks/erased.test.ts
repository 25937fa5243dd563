import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhooks } from '../../../shared/contracts/webhooks.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { connectLine, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;

beforeAll(async () => {
  ({ app, line } = await startWithLine({}, { ALLOW_PRIVATE_HOSTS: '127.0.0.1:9' }));
  staff = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  await line.close();
});

test('what a friend has taken back is in no log of a webhook, and is sent by no retry', async () => {
  // Nothing listens there.
  const url = 'http://127.0.0.1:9/';
  const { uuid } = (await staff.call(webhooks.create, { body: { url, events: ['message.received'] } })).body.data;
  const log = async () => (await staff.call(webhooks.deliveries, { params: { uuid } })).body.data;
  await connectLine(staff, line, null);
  const taro = line.user({ name: 'Taro', language: 'en' });
  const said = await taro.say('My number is 0120-000');
  await taro.say('Hello');
  await eventually('both are to be told', async () => (await log()).length === 2);
  await taro.unsend(said.messageId);
  await eventually('one has gone', async () => (await log()).length === 1);
  expect((await log())[0]?.about?.text).toBe('Hello');
});
