import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryClientOf, readAgain } from './query-client.ts';

test('what is loaded for the first time is asked for again once it is there: it may have been answered before', async () => {
  const client = queryClientOf('a workspace');
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const stop = new QueryObserver(client, {
    queryKey: ['list'],
    queryFn: () => answers[asked++]?.promise ?? Promise.reject(new Error('asked a third time')),
  }).subscribe(() => {});
  const again = readAgain(client, ['list']);
  answers[0]?.resolve('before');
  answers[1]?.resolve('now');
  await again;
  stop();
  expect(client.getQueryData(['list'])).toBe('now');
  expect(asked).toBe(2);
});
