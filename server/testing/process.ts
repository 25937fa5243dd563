import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from './app.ts';

export interface ServerProcess {
  url: string;
  /** Nothing while it lives; otherwise how it ended. */
  ended(): string | undefined;
  /** What it wrote for people and for logs. */
  output(): string;
  stop(): Promise<void>;
}

/** `node server/main.ts` as `npm start` runs it, with nothing but these settings in its environment. */
export async function startProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { NODE_NO_WARNINGS: '1', PORT: '0', MIN_FREE_DISK_MB: '0', RATE_LIMITS: 'false', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = () =>
    child.exitCode === null && child.signalCode === null
      ? undefined
      : `${child.exitCode ?? child.signalCode}: ${output}`;
  const url = await eventually(
    'the server is ready',
    async () => {
      if (ended() !== undefined) throw new Error(ended());
      return /^Kotae is ready: (http:\S+)\n/m.exec(output)?.[1];
    },
    30_000,
  );
  return {
    url,
    ended,
    output: () => output,
    async stop() {
      if (ended() !== undefined) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
