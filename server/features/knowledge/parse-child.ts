/** The process that reads files for `parse-file.ts`, one at a time, until it is ended. Node's permissions keep it from files and processes; it keeps itself from the network. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { blockKey } from './block-key.ts';
import { chunk } from './chunking.ts';
import type { ChildMessage, ChildOrder } from './parse-file.ts';
import { ParseError, type Parser } from '../../providers/parsers/parser.ts';
import { findParser } from '../../providers/parsers/registry.ts';
import { finish } from '../../providers/parsers/text.ts';

refuseNetwork();
// The server is gone, so nobody waits for the answer.
process.once('disconnect', () => process.exit(0));
process.on('message', (order) => void work(order as ChildOrder)); // A border: only parse-file.ts speaks to this process.

/**
 * Twice as many as the longest text that is read gives. Each takes some 300 bytes in the database, however short it is, so a file of
 * nothing but headings would take eighty times its size there.
 */
const maxChunks = 100_000;

async function work(order: ChildOrder): Promise<void> {
  const { file: given, extension, title, chunking, leaveOut = [], scanned, scanFrom } = order;
  try {
    const parser = findParser(extension);
    if (!parser) throw new ParseError('type-mismatch');
    const file =
      typeof given === 'string'
        ? await readFile(given).catch((cause: unknown) => {
            throw new ParseError('file-missing', { cause });
          })
        : given;
    if (file.length === 0) throw new ParseError('no-text');
    if (!parser.accepts(file.subarray(0, 65_536))) throw new ParseError('type-mismatch');
    if (scanFrom !== undefined) return await scan(parser, file, scanFrom);
    let told = 0;
    const tell = (share: number) => {
      if (share < 1 && share - told < 0.01) return;
      told = share;
      process.send?.({ type: 'progress', share } satisfies ChildMessage);
    };
    const draft = await parser.parse(file, tell, scanned);
    const { blocks: all, ...document } = finish({ ...draft, title: title ?? draft.title });
    const shared = new Set(leaveOut);
    const blocks = shared.size > 0 ? all.filter(({ text }) => !shared.has(blockKey(text))) : all;
    if (blocks.length === 0) throw new ParseError('no-text');
    const chunks = chunk({ blocks }, chunking);
    if (chunks.length > maxChunks) throw new ParseError('too-much-text');
    for (const part of batches(blocks)) await send({ type: 'blocks', blocks: part });
    for (const part of batches(chunks)) await send({ type: 'chunks', chunks: part });
    await send({ type: 'done', document });
  } catch (error) {
    await send({ type: 'failed', code: codeOf(error), line: error instanceof ParseError ? error.line : undefined });
  }
}

/** As many pages as a child reads: the memory of the engine only grows, and after these the next workspace has its turn. */
const maxScans = 20;
/** Pages that are slow on purpose would keep the next workspace waiting for hours. */
const scansMs = 3 * 60_000;

/** Reads the pages that hold no text from their pictures. Of a core that the server wants as well it has a fifteenth. */
async function scan(parser: Parser, file: Uint8Array, from: number): Promise<void> {
  setPriority(12);
  const pictures = await parser.pictures?.(file);
  if (!pictures) throw new ParseError('type-mismatch');
  const { createPictureReader } = await import('../../providers/parsers/ocr.ts');
  const reader = await createPictureReader();
  const until = Date.now() + scansMs;
  let [page, count] = [from, 0];
  for (let isWell = true; isWell && page <= pictures.count && count < maxScans && Date.now() < until; page++) {
    await send({ type: 'scanning', page, pages: pictures.count });
    try {
      const picture = await pictures.picture(page);
      if (!picture) continue;
      await send({ type: 'scanned', page: { page, ...(await reader.read(picture)) } });
      count++;
    } catch (error) {
      if (error instanceof ParseError) throw error;
      // A page that cannot be drawn or read does not spoil the others; the engine may be broken, so another child reads those.
      isWell = false;
    }
  }
  await send({ type: 'scans', next: page <= pictures.count ? page : undefined });
}

function codeOf(error: unknown) {
  if (error instanceof ParseError) return error.code;
  return error instanceof RangeError && /allocation failed|invalid (?:string|array buffer) length/i.test(error.message)
    ? 'parser-memory'
    : 'file-damaged';
}

const send = (message: ChildMessage) =>
  new Promise<void>((resolve, reject) =>
    process.send?.(message, undefined, {}, (error) => (error ? reject(error) : resolve())),
  );

/** About half a million characters, because parsing a whole book in one message would block the server. */
function* batches<T extends { text: string }>(items: T[]): Generator<T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    batch.push(item);
    characters += item.text.length + 100;
    if (characters > 500_000) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Every way out of JavaScript ends in one of these; fetch, http, tls and WebSocket connect through net.Socket. */
function refuseNetwork(): void {
  const refuse = () => {
    throw new Error('a parser has no network');
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dgram.Socket.prototype.bind = refuse;
  dgram.Socket.prototype.send = refuse;
  const names = { lookup: refuse, resolve: refuse, resolve4: refuse, resolve6: refuse };
  Object.assign(dns, names);
  Object.assign(dns.promises, names);
  globalThis.fetch = refuse;
  syncBuiltinESMExports();
}
