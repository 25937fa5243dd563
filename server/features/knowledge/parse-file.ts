import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Chunk, ChunkSizes } from './chunking.ts';
import { AppError, type DocumentErrorCode } from '../../../shared/errors.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import type { Block, ParsedDocument, ScannedPage } from '../../providers/parsers/parser.ts';
import { createFairLine, type Turn } from '../../infra/fair-line.ts';
import { findParser } from '../../providers/parsers/registry.ts';

interface ParseOrder {
  /** Where it lies, or the bytes of a plain one. */
  file: string | Uint8Array;
  /** Which parser; the content does not choose. */
  extension: string;
  /** In place of the title that the file gives itself. */
  title?: string;
  chunking?: ChunkSizes;
  /** Keys of blocks that do not count as the document's own. */
  leaveOut?: string[];
  /** What was read from the pictures of its pages. */
  scanned?: ScannedPage[];
  turn: Turn;
  /** Somebody waits for it, and nothing is kept of it: it stands in a line of its own. */
  isPreview?: boolean;
  signal?: AbortSignal;
  onProgress?: (share: number) => void;
  timeoutMs?: number;
}

interface ParsedFile {
  document: ParsedDocument;
  chunks: Chunk[];
}

/**
 * What the child says of each file, in this order: progress; blocks and chunks in batches; then `done` or `failed`. Of pages that it reads
 * from pictures: before each that it begins, and what it read of it; then `scans` with the page to go on from.
 */
export type ChildMessage =
  | { type: 'progress'; share: number }
  | { type: 'scanning'; page: number; pages: number }
  | { type: 'scanned'; page: ScannedPage }
  | { type: 'scans'; next: number | undefined }
  | { type: 'blocks'; blocks: Block[] }
  | { type: 'chunks'; chunks: Chunk[] }
  | { type: 'done'; document: Omit<ParsedDocument, 'blocks'> }
  | { type: 'failed'; code: DocumentErrorCode; line: number | undefined };

/** A path for a child that may read this one file; the bytes for one that may read none. */
export type ChildOrder = Pick<ParseOrder, 'file' | 'extension' | 'title' | 'chunking' | 'leaveOut' | 'scanned'> & {
  /** Read pictures of pages, from this page on, and nothing else. */
  scanFrom?: number;
};

const limits = {
  timeoutMs: 60_000,
  heapMb: 384,
  residentBytes: 512 * 1024 * 1024,
  checkMs: 100,
  plainBytes: 1024 * 1024,
  /** A megabyte of text takes a second; others wait behind it. */
  plainTimeoutMs: 15_000,
  plainFiles: 1_000,
  plainIdleMs: 30_000,
  /** A page takes five seconds of a core, but of a busy one it has only a fifteenth. */
  scanTimeoutMs: 5 * 60_000,
  /** Tesseract with both languages and a page take 400 MB. */
  scanResidentBytes: 768 * 1024 * 1024,
};

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
 * It is killed after 60 s, above 384 MB of heap or 512 MB in all (on Linux), and when `signal` aborts. Of one workspace as many run at once as `setReaders` says, two
 * unless told; others wait for their turn, and their time begins when they run. Throws ParseError; after an abort, the signal's reason. Nothing that a file does to the child harms the server.
 *
 * To start a child takes a hundred times longer than to read a page of plain text, so small plain files are read one after another
 * by a child that stays, those of another workspace by a second one. It gets their bytes and may read no file at all.
 */
export async function parseFile(order: ParseOrder): Promise<ParsedFile> {
  const bytes = order.isPreview && typeof order.file === 'string' ? undefined : await plainBytes(order);
  return bytes ? readPlain(order, bytes) : readAlone(order);
}

const readAlone = (order: ParseOrder): Promise<ParsedFile> =>
  (order.isPreview ? previews : alone)(order.turn, order.signal, async () => {
    const file = typeof order.file === 'string' ? resolve(order.file) : order.file;
    const reader = startReader(typeof file === 'string' ? [file] : []);
    try {
      return await reader.read(order, file);
    } finally {
      await reader.end();
    }
  });

/** Reads files of one origin, such as the pages of a website, one after another in one child, which may read no file at all. */
export function openReader(turn: Turn) {
  let reader: Reader | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = async () => {
    const former = reader;
    reader = undefined;
    await former?.end();
  };
  return {
    async read(given: Omit<ParseOrder, 'file' | 'turn'> & { file: Uint8Array }): Promise<ParsedFile> {
      const before = last;
      const ended = Promise.withResolvers<void>();
      last = ended.promise;
      await before;
      try {
        const order = { ...given, turn };
        return await alone(turn, order.signal, async () => {
          reader ??= startReader([]);
          try {
            return await reader.read(order, order.file);
          } catch (error) {
            await end();
            throw error;
          }
        });
      } finally {
        ended.resolve();
      }
    },
    end,
  };
}

/**
 * Reads the pages of a file that hold no text, or those of a picture, from how they look, in children of the same limits, one at a time in
 * this process; between 20 pages others have their turn. These may load compiled libraries, which decode pictures and draw pages. A page that takes
 * more than five minutes or too much memory counts as one without text. Throws ParseError; after an abort, the signal's reason.
 */
export async function scanFile({
  file,
  extension,
  turn,
  signal,
  onProgress,
}: Pick<ParseOrder, 'extension' | 'turn' | 'signal' | 'onProgress'> & { file: string }): Promise<ScannedPage[]> {
  const path = resolve(file);
  const pages: ScannedPage[] = [];
  let next: number | undefined = 1;
  while (next !== undefined) {
    const scanFrom: number = next;
    next = await scans(turn, signal, async () => {
      const reader = startReader([path], ['--allow-addons']);
      let begun: number | undefined;
      try {
        return await reader.run<number | undefined>(
          { file: path, extension, scanFrom },
          { signal, timeoutMs: limits.scanTimeoutMs, residentBytes: limits.scanResidentBytes },
          (message, { resolve: end, again }) => {
            if (message.type === 'scanning') {
              begun = message.page;
              onProgress?.((message.page - 1) / message.pages);
              again();
            } else if (message.type === 'scanned') pages.push(message.page);
            else if (message.type === 'scans') end(message.next);
          },
        );
      } catch (error) {
        // A page that is too much for the child does not spoil the others.
        const isPage = error instanceof ParseError && ['parser-timeout', 'parser-memory'].includes(error.code);
        if (!isPage || begun === undefined) throw error;
        return begun + 1;
      } finally {
        await reader.end();
      }
    });
  }
  return pages;
}

/** Children that wait for the next plain file. */
const idle: { reader: Reader; clock: NodeJS.Timeout }[] = [];

const readPlain = (order: ParseOrder, bytes: Uint8Array): Promise<ParsedFile> =>
  plain(order.turn, order.signal, async () => {
    const reader = takeIdle() ?? startReader([]);
    try {
      const parsed = await reader.read({ timeoutMs: limits.plainTimeoutMs, ...order }, bytes);
      if (reader.filesRead < limits.plainFiles) keepIdle(reader);
      else await reader.end();
      return parsed;
    } catch (error) {
      await reader.end();
      // An earlier file may be at fault, so this one is tried in a child of its own.
      if (reader.filesRead === 0 || order.signal?.aborted || isTimeout(error)) throw error;
      return readAlone(order);
    }
  });

function takeIdle(): Reader | undefined {
  const last = idle.pop();
  clearTimeout(last?.clock);
  return last?.reader;
}

function keepIdle(reader: Reader): void {
  const end = () => {
    idle.splice(idle.indexOf(kept), 1);
    void reader.end();
  };
  const kept = { reader, clock: setTimeout(end, limits.plainIdleMs).unref() };
  idle.push(kept);
}

const isTimeout = (error: unknown) => error instanceof ParseError && error.code === 'parser-timeout';

/** The bytes of a file that the shared child may read; nothing for any other, and for one that is not there. */
async function plainBytes({ file, extension }: ParseOrder): Promise<Uint8Array | undefined> {
  if (!findParser(extension)?.isPlain) return undefined;
  if (typeof file !== 'string') return file;
  try {
    return (await stat(file)).size <= limits.plainBytes ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
}

/** With one place that is never had by who has the others; so are those of previews and of plain files. */
const placesFor = (mostOfOne: number) => ({ places: mostOfOne + 1, mostOfOne });
let alone = createFairLine(placesFor(2));
const previews = createFairLine(placesFor(1));
const plain = createFairLine(placesFor(1));
const scans = createFairLine({ places: 1, mostOfOne: 1 });

/** How many files of one workspace are read at once, beside the plain ones. */
export const setReaders = (mostOfOne: number): void => void (alone = createFairLine(placesFor(mostOfOne)));

interface Reader {
  /** How many files ended well. */
  filesRead: number;
  /** One file at a time. */
  read(order: ParseOrder, file: ChildOrder['file']): Promise<ParsedFile>;
  /** Has the child do one thing, which ends with the message that `take` resolves with; `again` gives it the whole time once more. */
  run<T>(
    order: ChildOrder,
    limits: { signal: AbortSignal | undefined; timeoutMs: number; residentBytes: number },
    take: (message: ChildMessage, result: { resolve(value: T): void; again(): void }) => void,
  ): Promise<T>;
  end(): Promise<void>;
}

/** A child that may read these files and our code, and what `rights` add. */
function startReader(files: string[], rights: string[] = []): Reader {
  const worker = fork(child, {
    execArgv: [
      '--permission',
      ...rights,
      ...[...code, ...files].map((each) => `--allow-fs-read=${each}`),
      `--max-old-space-size=${limits.heapMb}`,
      '--disallow-code-generation-from-strings',
      '--no-warnings',
    ],
    // Empty, because our environment holds the keys of the installation.
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const closed = once(worker, 'close').catch(() => {});
  let lastWords = '';
  worker.stderr?.on('data', (text: Buffer) => (lastWords = (lastWords + text.toString('latin1')).slice(-4000)));
  /** A child that waits for its next file does not keep the server from ending. */
  const hold = (isHeld: boolean) => {
    for (const each of [worker, worker.channel, worker.stderr])
      if (each && 'ref' in each && 'unref' in each) each[isHeld ? 'ref' : 'unref']();
  };

  return {
    filesRead: 0,
    async read(
      { extension, title, chunking, leaveOut, scanned, signal, onProgress, timeoutMs = limits.timeoutMs },
      file,
    ) {
      const blocks: Block[] = [];
      const chunks: Chunk[] = [];
      const order = {
        file,
        extension,
        ...(title !== undefined && { title }),
        ...(chunking && { chunking }),
        ...(leaveOut && { leaveOut }),
        ...(scanned && { scanned }),
      };
      const { residentBytes: most } = limits;
      const parsed = await this.run<ParsedFile>(
        order,
        { signal, timeoutMs, residentBytes: most },
        (message, result) => {
          if (message.type === 'progress') onProgress?.(message.share);
          else if (message.type === 'blocks') blocks.push(...message.blocks);
          else if (message.type === 'chunks') chunks.push(...message.chunks);
          else if (message.type === 'done') result.resolve({ document: { ...message.document, blocks }, chunks });
        },
      );
      this.filesRead++;
      return parsed;
    },
    async run<T>(
      order: ChildOrder,
      { signal, timeoutMs, residentBytes: most }: Parameters<Reader['run']>[1],
      take: (message: ChildMessage, result: { resolve(value: T): void; again(): void }) => void,
    ) {
      hold(true);
      const result = Promise.withResolvers<T>();
      const stop = (error: unknown) => {
        result.reject(error instanceof Error ? error : new Error('aborted', { cause: error }));
        worker.kill('SIGKILL');
      };
      const clock = setTimeout(() => stop(new ParseError('parser-timeout')), timeoutMs);
      const onAbort = () => stop(signal?.reason);
      const onMessage = (message: ChildMessage) => {
        if (message.type === 'failed') result.reject(new ParseError(message.code, { line: message.line }));
        else take(message, { resolve: result.resolve, again: () => clock.refresh() });
      };
      const onError = (cause: Error) => result.reject(new ParseError('internal', { cause }));
      const onClose = (_code: number | null, killedBy: string | null) => {
        // SIGKILL that we did not send comes from the kernel, out of memory.
        const isMemory = /heap out of memory|allocation failed/i.test(lastWords) || killedBy === 'SIGKILL';
        result.reject(new ParseError(isMemory ? 'parser-memory' : 'file-damaged', { cause: lastWords }));
      };
      const guard = setInterval(async () => {
        if ((await residentBytes(worker.pid)) > most) stop(new ParseError('parser-memory'));
      }, limits.checkMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.on('message', onMessage).on('error', onError).on('close', onClose);
      try {
        if (signal?.aborted) onAbort();
        else if (worker.exitCode !== null || worker.signalCode !== null) onClose(worker.exitCode, worker.signalCode);
        else worker.send(order);
        return await result.promise;
      } finally {
        clearTimeout(clock);
        clearInterval(guard);
        signal?.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('error', onError).off('close', onClose);
        hold(false);
      }
    },
    async end() {
      // The reader reports an error; this listener only keeps a later one from ending the process.
      worker.on('error', () => {});
      hold(true);
      worker.kill('SIGKILL');
      await closed;
    },
  };
}

/** Zero where there is no /proc; there the limit of the heap stands alone. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** All text of a document, at most `most` characters. Throws `file-unreadable`, also where there is none. */
export async function readText({
  path,
  name,
  most,
  turn,
  signal,
}: {
  path: string;
  name: string;
  most: number;
  turn: Turn;
  signal?: AbortSignal;
}): Promise<string> {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  try {
    const { document } = await parseFile({ file: path, extension, title: name, turn, ...(signal && { signal }) });
    const text = document.blocks
      .map((block) => block.text)
      .join('\n\n')
      .trim();
    if (!text) throw new AppError('file-unreadable', { name });
    return text.slice(0, most).toWellFormed();
  } catch (error) {
    throw error instanceof ParseError ? new AppError('file-unreadable', { name }, { cause: error }) : error;
  }
}
