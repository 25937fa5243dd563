import { execFile, type ExecFileException } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookEvents } from '../../../shared/contracts/webhooks.ts';
import { signatureOf } from './send.ts';

let guide: string;
let folder: string;
beforeAll(async () => {
  guide = await readFile('docs/guides/webhooks.md', 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'kotae-guide-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The code of a language in the guide. */
const codeOf = (name: string) => new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\n\`\`\``).exec(guide)?.[1] ?? '';

test('the guide has every event', () => {
  for (const event of webhookEvents) expect(guide).toContain(`| \`${event}\` |`);
});

test('the page shows the same code as the guide', async () => {
  // Its backslashes are doubled where it stands between backticks.
  const shown = (await readFile('web/features/webhooks/snippets.ts', 'utf8')).replaceAll('\\\\', '\\');
  for (const language of ['js', 'python']) expect(shown).toContain(codeOf(language));
});

const run = (command: string, args: string[]) =>
  new Promise<{ said: string; error: ExecFileException | null }>((resolve) =>
    execFile(command, args, { cwd: folder }, (error, said) => resolve({ said, error })),
  );

const asked: Record<'js' | 'python', { file: string; command: string; ask(given: string[]): string }> = {
  js: {
    file: 'check.mjs',
    command: process.execPath,
    ask: (given) => `console.log(isFromKotae(...${JSON.stringify(given)}));`,
  },
  python: {
    file: 'check.py',
    command: 'python3',
    ask: (given) => `print(is_from_kotae(*BYTES(${JSON.stringify(given)})))`,
  },
};
const bytes = '\nBYTES = lambda given: (given[0], given[1].encode(), given[2])\n';

describe.each(['js', 'python'] as const)('the check of signatures in %s', (language) => {
  const { file, command, ask } = asked[language];
  const check = async (...given: [secret: string, body: string, header: string]) => {
    const code = `${codeOf(language)}\n${language === 'python' ? bytes : ''}${ask(given)}\n`;
    await writeFile(join(folder, file), code);
    const { said, error } = await run(command, [file]);
    if (error?.code === 'ENOENT') return undefined;
    if (error) throw error;
    return said.trim().toLowerCase() === 'true';
  };

  test('takes what is ours, and nothing that was changed, is old, or is signed by somebody else', async ({ skip }) => {
    const body = '{"id":"1","text":"営業時間は？"}';
    const now = Math.floor(Date.now() / 1000);
    const signed = signatureOf('a secret', body, now);
    const isTaken = await check('a secret', body, signed);
    if (isTaken === undefined) return skip(`${command} is not installed`);
    expect(isTaken).toBe(true);
    expect(await check('a secret', `${body} `, signed)).toBe(false);
    expect(await check('another', body, signed)).toBe(false);
    expect(await check('a secret', body, signatureOf('a secret', body, now - 400))).toBe(false);
    expect(await check('a secret', body, signed.replace(`t=${now}`, `t=${now - 1}`))).toBe(false);
    expect(await check('a secret', body, '')).toBe(false);
  });
});
