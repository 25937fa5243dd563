import { expect, test, vi } from 'vitest';
import en from '../../../shared/locales/en/keys.json' with { type: 'json' };
import ja from '../../../shared/locales/ja/keys.json' with { type: 'json' };
import { conversations } from '../../../shared/contracts/conversations.ts';
import { writeSnippet } from './snippets.ts';

const told = {
  origin: 'https://kotae.example',
  url: 'https://kotae.example/api/chat',
  key: 'kt_12345678_secret',
  bot: '0198c0de-0000-7000-8000-000000000000',
};

/** Runs a program that uses `fetch` and the console; answers what it printed and what it sent. */
async function run(program: string, reply: unknown) {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => Response.json(reply));
  const log = vi.fn<(text: string) => void>();
  const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => {}).constructor;
  await AsyncFunction('fetch', 'console', program)(fetch, { log });
  return { log, sent: fetch.mock.calls[0] };
}

test.each([en, ja])(
  'the JavaScript example asks the bot with the key, and prints the answer (%#)',
  async ({ snippets }) => {
    const { log, sent } = await run(writeSnippet.javascript({ ...told, question: snippets.question }), {
      data: { message: { text: 'Hello.' } },
    });
    expect(log).toHaveBeenCalledExactlyOnceWith('Hello.');
    expect(sent).toMatchObject([told.url, { method: 'POST', headers: { Authorization: `Bearer ${told.key}` } }]);
    expect(conversations.send.body.parse(JSON.parse(String(sent?.[1].body)))).toEqual({
      bot: told.bot,
      message: { text: snippets.question },
    });
  },
);

test('the JavaScript example fails with the sentence of the server', async () => {
  const refused = run(writeSnippet.javascript({ ...told, question: 'Hi' }), {
    data: null,
    error: { message: 'This API key does not exist.' },
  });
  await expect(refused).rejects.toThrow('This API key does not exist.');
});

test.each([en, ja])(
  'the example for curl sends what the call takes, in quotes that a shell keeps (%#)',
  ({ snippets }) => {
    const [, body = ''] = /-d '([^']*)'$/.exec(writeSnippet.curl({ ...told, question: snippets.question })) ?? [];
    expect(conversations.send.body.parse(JSON.parse(body))).toEqual({
      bot: told.bot,
      message: { text: snippets.question },
    });
  },
);

test('the example for the OpenAI client calls this server, with the bot as the model', () => {
  const snippet = writeSnippet.openai({ ...told, question: 'Hi' });
  for (const part of [`base_url="${told.origin}/v1"`, `api_key="${told.key}"`, `model="${told.bot}"`])
    expect(snippet).toContain(part);
});

test.each([en, ja])('the question of the examples has no quotes that would end a text early (%#)', ({ snippets }) => {
  expect(snippets.question).not.toMatch(/['"\\]/);
});
