import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const graceMs = 15_000;

const canPin = spawnSync('taskset', ['--version']).status === 0;

/** Node on one core, where the system can do that: what is measured on one, what measures on another. */
export const nodeOn = (core: number): [program: string, ...args: string[]] =>
  canPin ? ['taskset', '-c', String(core), process.execPath] : [process.execPath];

/** This process on one core. */
export function moveTo(core: number): void {
  if (canPin) spawnSync('taskset', ['-acp', String(core), String(process.pid)]);
}

export interface Started {
  pid: number;
  /** From the spawn to the first 200 of /healthz. */
  readyMs: number;
  /** SIGTERM to the whole group, since npm does not hand it on, until all of it has ended. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/**
 * Starts a command that serves on `port`, in a process group of its own.
 * Throws with what it wrote to its error output when it ends instead, or is not there after `patienceMs`.
 */
export async function startServing(
  command: [program: string, ...args: string[]],
  { port, env, patienceMs = 60_000 }: { port: number; env: Record<string, string>; patienceMs?: number },
): Promise<Started> {
  const [program, ...args] = command;
  const began = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  let isOver = false;
  void ended.then(() => (isOver = true));
  const stop = async () => {
    const { pid } = child;
    if (pid === undefined) return;
    const tree = new Set(residentTree(pid).map((each) => each.pid));
    const isLeft = () => residentSet().some((each) => tree.has(each.pid) && each.bytes > 0);
    signalGroup(pid, 'SIGTERM');
    for (const until = performance.now() + graceMs; isLeft(); await sleep(20))
      if (performance.now() > until) signalGroup(pid, 'SIGKILL');
  };
  const kill = async () => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    await ended;
  };
  for (;;) {
    if (await isHealthy(port)) return { pid: child.pid ?? 0, readyMs: performance.now() - began, stop, kill };
    if (isOver || performance.now() - began > patienceMs) {
      await stop();
      throw new Error(`${command.join(' ')} does not serve: ${await ended}\n${said}`);
    }
    await sleep(5);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Everyone in it has ended by then: that is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`);
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
  }
}

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

export interface Resident {
  pid: number;
  command: string;
  /** Resident bytes; pages that processes share count in each of them. */
  bytes: number;
}

/** A process and all its descendants, from /proc (Linux). */
export function residentTree(root: number): Resident[] {
  const all = residentSet();
  const tree = new Set([root]);
  // A descendant may have a lower number than its parent, so one pass is not enough.
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
}

/** Every process; one that ends while it is read is left out, one that has ended holds nothing. */
function residentSet(): (Resident & { parent: number })[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, 'latin1');
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return [
        {
          pid: Number(name),
          parent: field('PPid'),
          command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
          bytes: field('VmRSS') * 1024,
        },
      ];
    } catch {
      return [];
    }
  });
}
