import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { visitors } from '../../shared/contracts/visitors.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { aChannel } from '../testing/channels.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('an answer with a token or a secret is kept by no cache, and so is what people wrote', async () => {
  const person = await app.aPerson();
  const { uuid: channel } = await aChannel(person, null);
  const answers = [
    await app.anyone.call(accounts.signIn, {
      body: { identifier: person.user.email, password: 'correct horse battery' },
    }),
    await person.call(keys.create, { body: { name: 'Key', scopes: ['chat'] } }),
    await app.anyone.call(visitors.begin, { body: { channel } }),
    await person.call(bots.list),
    await app.anyone.call(bots.list),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 401]);
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(5).fill('no-store'));
});
