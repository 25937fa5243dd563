import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../feature.ts';
import type { Engine, Trx } from '../../infra/db.ts';
import { fold, foldedPieces } from '../../../shared/fold.ts';
import { stemOf } from '../../infra/terms.ts';
import { termKey } from '../knowledge/keyword-terms.ts';
import { listTexts, listUnindexed, markIndexed } from './conversations.store.ts';

/**
 * Which messages of visitors' conversations have which terms: every one, two and three neighboring characters of the folded text, in
 * FTS5 on SQLite and GIN on Postgres. Messages come in a little later than they are written, so writing one costs nothing;
 * whoever searches brings in what is left first.
 */
interface Searchable {
  uuid: string;
  thread: string;
  terms: number[];
}

interface MessageIndex {
  add(trx: Trx, messages: Searchable[]): Promise<void>;
  /** A query for `thread` and `message` of the newest messages that have all of the terms, the newest first. */
  newest(terms: number[]): RawBuilder<unknown>;
}

/** Of the newest messages that have what is searched, so many are looked at. */
const mostHits = 2_000;

const indexes: Record<Engine, MessageIndex> = {
  sqlite: {
    async add(trx, messages) {
      for (const { uuid, thread, terms } of messages) {
        const { rows } = await sql<{
          id: number;
        }>`insert into message_index (message, thread) values (${uuid}, ${thread}) returning id`.execute(trx);
        await sql`insert into message_keyword (rowid, terms) values (${rows[0]?.id ?? 0}, ${terms.map(token).join(' ')})`.execute(
          trx,
        );
      }
    },
    newest: (terms) =>
      sql`select thread, message from message_index where id in (select rowid from message_keyword
        where message_keyword match ${terms.map(token).join(' AND ')} order by rowid desc limit ${sql.lit(mostHits)})
        order by id desc`,
  },
  postgres: {
    async add(trx, messages) {
      const rows = messages.map(({ uuid, thread, terms }) => sql`(${uuid}, ${thread}, ${array(terms)})`);
      await sql`insert into message_index (message, thread, terms) values ${sql.join(rows)}`.execute(trx);
    },
    newest: (terms) =>
      sql`select thread, message from message_index where terms @> ${array(terms)} order by id desc limit ${sql.lit(mostHits)}`,
  },
};

const token = (term: number) => `z${term.toString(36)}`;
// The driver cannot pass a bigint array; its text form is safe, since it has digits only.
const array = (terms: number[]) => sql`${`{${terms.join(',')}}`}::bigint[]`;

/** Terms of different workspaces differ, so that one does not wade through the messages of all. */
function termsIn(workspace: string, keys: Iterable<number>): number[] {
  let place = 2166136261;
  for (let at = 0; at < workspace.length; at++) place = Math.imul(place ^ workspace.charCodeAt(at), 16777619);
  const base = (place >>> 12) * 2 ** 32;
  return [...new Set(keys)].map((key) => base + key);
}

/** Of a long message, what is searched, in characters. */
const mostCharacters = 100_000;

const longestGram = 3;

/** Every one, two and three neighboring units. */
function keysOf(text: string): Set<number> {
  // Some characters are many once they are folded.
  const folded = fold(text.slice(0, mostCharacters)).slice(0, mostCharacters);
  const keys = new Set<number>();
  for (let at = 0; at < folded.length; at++)
    for (let length = 1; length <= longestGram && at + length <= folded.length; length++)
      keys.add(termKey('words', folded.slice(at, at + length)));
  return keys;
}

/** The longest grams that a searched piece has. */
function gramsOf(piece: string): string[] {
  const length = Math.min(longestGram, piece.length);
  return Array.from({ length: piece.length - length + 1 }, (_, at) => piece.slice(at, at + length));
}

const shortestRoot = 4;

/** What all forms of an English word begin with, such as "deliver" for "delivery"; anything else as it is. */
function rootOf(piece: string): string {
  if (!/^[a-z]+$/.test(piece)) return piece;
  const root = stemOf(piece).replace(/i$/, '');
  return root.length >= shortestRoot && piece.startsWith(root) ? root : piece;
}

/** Of candidates, so many are read at once, and no more once so many characters are read: the index alone is believed of older ones. */
const readAtOnce = 200;
const mostRead = 2_000_000;

/** The newest message of each thread of a workspace in which something was said, by the thread. */
export async function findSaid(
  { db, engine }: Pick<Context, 'db' | 'engine'>,
  { workspace, q }: { workspace: string; q: string },
): Promise<Map<string, string>> {
  const pieces = foldedPieces(q).map(rootOf);
  const said = new Map<string, string>();
  if (pieces.length === 0) return said;
  const terms = termsIn(
    workspace,
    pieces.flatMap(gramsOf).map((gram) => termKey('words', gram)),
  );
  const { rows } = await sql<{ thread: string; message: string }>`${indexes[engine].newest(terms)}`.execute(db);
  // What is no longer than a gram is known to be there; of the rest only that its grams are, somewhere.
  const unsure = pieces.filter((piece) => piece.length > longestGram);
  let left = unsure.length > 0 ? mostRead : 0;
  for (let from = 0; from < rows.length; from += readAtOnce) {
    const candidates = rows.slice(from, from + readAtOnce).filter(({ thread }) => !said.has(thread));
    const texts =
      left > 0
        ? await listTexts(
            db,
            candidates.map(({ message }) => message),
            mostCharacters,
          )
        : undefined;
    for (const { thread, message } of candidates) {
      if (said.has(thread)) continue;
      const folded = left > 0 ? fold(texts?.get(message) ?? '') : undefined;
      left -= folded?.length ?? 0;
      if (folded === undefined || unsure.every((piece) => folded.includes(piece))) said.set(thread, message);
    }
  }
  return said;
}

const batch = 200;
/** A transaction takes no more messages in than these characters, or one message. */
const batchCharacters = 200_000;
/** What one search brings in at most; the rest comes by itself. */
export const soon = { messages: 1_000, characters: 500_000 };

/** Brings messages into the index, a few at a time. */
export async function indexMessages(
  { db, engine }: Context,
  most = { messages: Infinity, characters: Infinity },
  signal?: AbortSignal,
): Promise<void> {
  const done = { messages: 0, characters: 0 };
  while (done.messages < most.messages && done.characters < most.characters) {
    signal?.throwIfAborted();
    const rows = firstOf(await listUnindexed(db, batch, mostCharacters));
    if (rows.length === 0) return;
    await db.transaction().execute(async (trx) => {
      // Of two that index at once, one gets each message.
      const own = await markIndexed(
        trx,
        engine,
        rows.map(({ uuid }) => uuid),
      );
      const searchable = rows
        .filter(({ uuid }) => own.has(uuid))
        .map(({ uuid, thread, workspace, text }) => ({ uuid, thread, terms: termsIn(workspace, keysOf(text)) }))
        .filter(({ terms }) => terms.length > 0);
      if (searchable.length > 0) await indexes[engine].add(trx, searchable);
    });
    done.messages += rows.length;
    done.characters += charactersOf(rows);
    // A minute of 300 messages a second is a second of work, during which nothing else would be answered.
    await setImmediate();
  }
}

const charactersOf = (rows: { text: string }[]) => rows.reduce((sum, { text }) => sum + text.length, 0);

/** As many of the rows as fit into one transaction. */
function firstOf<T extends { text: string }>(rows: T[]): T[] {
  let characters = 0;
  const end = rows.findIndex(({ text }) => (characters += text.length) > batchCharacters);
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}
