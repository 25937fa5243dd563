import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Chunk, ChunkSizes } from './chunking.ts';
import type { DocumentErrorCode } from '../../../shared/errors.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import type { Block, ParsedDocument } from '../../providers/parsers/parser.ts';

interface ParseOrder {
  path: string;
  /** Which parser; the content does not choose. */
  extension: string;
  /** In place of the title that the file gives itself. */
  title?: string;
  chunking?: ChunkSizes;
  signal?: AbortSignal;
  onProgress?: (share: number) => void;
  timeoutMs?: number;
}

interface ParsedFile {
  document: ParsedDocument;
  chunks: Chunk[];
}

/** What the child says, in this order: progress; blocks and chunks in batches; then `done` or `failed`. */
export type ChildMessage =
  | { type: 'progress'; share: number }
  | { type: 'blocks'; blocks: Block[] }
  | { type: 'chunks'; chunks: Chunk[] }
  | { type: 'done'; document: Omit<ParsedDocument, 'blocks'> }
  | { type: 'failed'; code: DocumentErrorCode };

export type ChildOrder = Pick<ParseOrder, 'path' | 'extension' | 'title' | 'chunking'>;

const limits = { timeoutMs: 60_000, heapMb: 384, residentBytes: 512 * 1024 * 1024, children: 2, checkMs: 100 };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Our code and its libraries; neither the data folder nor .env, which lie beside them. */
const code = [
  here('../../'),
  here('../../../shared'),
  here('../../../package.json'),
  dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))),
];
const child = here('./parse-child.ts');

/**
 * Reads and chunks a file in a child process that may read that file and our code, write nothing, start nothing and reach no network.
 * It is killed after 60 s, above 384 MB of heap or 512 MB in all (on Linux), and when `signal` aborts. Two run at once; others wait, and
 * their time begins when they do. Throws ParseError; after an abort, the signal's reason. Nothing that a file does to the child harms the server.
 */
export async function parseFile(order: ParseOrder): Promise<ParsedFile> {
  await takeTurn(order.signal);
  try {
    return await run(order);
  } finally {
    passTurn();
  }
}

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (running < limits.children) {
    running++;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const start = () => {
      signal?.removeEventListener('abort', give);
      resolve();
    };
    const give = () => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', give, { once: true });
    waiting.push(start);
  });
}

/** The turn goes straight to the next one, so nobody can slip in between. */
function passTurn(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}

function run({
  path,
  extension,
  title,
  chunking,
  signal,
  onProgress,
  timeoutMs = limits.timeoutMs,
}: ParseOrder): Promise<ParsedFile> {
  return new Promise((settle, reject) => {
    const file = resolve(path);
    const worker = fork(child, {
      execArgv: [
        '--permission',
        ...[...code, file].map((each) => `--allow-fs-read=${each}`),
        `--max-old-space-size=${limits.heapMb}`,
        '--disallow-code-generation-from-strings',
        '--no-warnings',
      ],
      // Nothing of ours: the environment holds the keys of the installation.
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    const blocks: Block[] = [];
    const chunks: Chunk[] = [];
    let outcome: ParsedFile | Error | undefined;
    let lastWords = '';
    const stop = (error: unknown) => {
      outcome ??= error instanceof Error ? error : new Error('aborted', { cause: error });
      worker.kill('SIGKILL');
    };
    const onAbort = () => stop(signal?.reason);
    const clock = setTimeout(() => stop(new ParseError('parser-timeout')), timeoutMs);
    const guard = setInterval(async () => {
      if ((await residentBytes(worker.pid)) > limits.residentBytes) stop(new ParseError('parser-memory'));
    }, limits.checkMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();

    worker.stderr?.on('data', (text: Buffer) => (lastWords = (lastWords + text.toString('latin1')).slice(-4000)));
    worker.on('message', (message: ChildMessage) => {
      if (message.type === 'progress') onProgress?.(message.share);
      else if (message.type === 'blocks') blocks.push(...message.blocks);
      else if (message.type === 'chunks') chunks.push(...message.chunks);
      else if (message.type === 'done') outcome ??= { document: { ...message.document, blocks }, chunks };
      else outcome ??= new ParseError(message.code);
    });
    worker.on('error', (cause) => (outcome ??= new ParseError('internal', { cause })));
    worker.on('close', (_code, killedBy) => {
      clearTimeout(clock);
      clearInterval(guard);
      signal?.removeEventListener('abort', onAbort);
      // SIGKILL that we did not send comes from the kernel, out of memory.
      const isMemory = /heap out of memory|allocation failed/i.test(lastWords) || killedBy === 'SIGKILL';
      outcome ??= new ParseError(isMemory ? 'parser-memory' : 'file-damaged', { cause: lastWords });
      if (outcome instanceof Error) reject(outcome);
      else settle(outcome);
    });
    worker.send({
      path: file,
      extension,
      ...(title !== undefined && { title }),
      ...(chunking && { chunking }),
    } satisfies ChildOrder);
  });
}

/** Zero where there is no /proc; there the limit of the heap stands alone. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
