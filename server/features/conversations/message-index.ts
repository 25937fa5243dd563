import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../feature.ts';
import type { Engine, Trx } from '../../infra/db.ts';
import { termsOf } from '../../infra/terms.ts';
import { termKey } from '../knowledge/keyword-terms.ts';
import { listUnindexed, markIndexed } from './conversations.store.ts';

/**
 * Which messages of visitors' conversations have which terms: the words, pairs of characters and kanji that documents are found by,
 * in FTS5 on SQLite and GIN on Postgres. Messages come in a little later than they are written, so writing one costs nothing;
 * whoever searches brings in what is left first.
 */
interface Searchable {
  uuid: string;
  thread: string;
  terms: number[];
}

interface MessageIndex {
  add(trx: Trx, messages: Searchable[]): Promise<void>;
  /** A query for `id`, `thread` and `message` of the newest messages that have all of the terms. */
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
      sql`select id, thread, message from message_index where id in (select rowid from message_keyword
        where message_keyword match ${terms.map(token).join(' AND ')} order by rowid desc limit ${sql.lit(mostHits)})`,
  },
  postgres: {
    async add(trx, messages) {
      const rows = messages.map(({ uuid, thread, terms }) => sql`(${uuid}, ${thread}, ${array(terms)})`);
      await sql`insert into message_index (message, thread, terms) values ${sql.join(rows)}`.execute(trx);
    },
    newest: (terms) =>
      sql`select id, thread, message from message_index where terms @> ${array(terms)} order by id desc limit ${sql.lit(mostHits)}`,
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
const mostCharacters = 20_000;

function keysOf(text: string): number[] {
  const { words, bigrams, kanji } = termsOf(text.slice(0, mostCharacters).toWellFormed());
  return [
    ...words.map((term) => termKey('words', term)),
    ...bigrams.map((term) => termKey('bigrams', term)),
    ...kanji.map((term) => termKey('kanji', term)),
  ];
}

const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** What a message must have to be found: every Latin word, and of Japanese every pair, or else every kanji, or else every word. */
function wantedOf(q: string): number[] {
  const { words, bigrams, kanji } = termsOf(q);
  const latin = words.filter((word) => !japanese.test(word));
  const other = words.filter((word) => japanese.test(word));
  return [
    ...latin.map((term) => termKey('words', term)),
    ...(bigrams.length > 0
      ? bigrams.map((term) => termKey('bigrams', term))
      : kanji.length > 0
        ? kanji.map((term) => termKey('kanji', term))
        : other.map((term) => termKey('words', term))),
  ];
}

/** A query for the threads of a workspace in which something was said; nothing where the text has nothing to look for. */
export function threadsSaying(engine: Engine, workspace: string, q: string): RawBuilder<unknown> | undefined {
  const wanted = wantedOf(q);
  return wanted.length === 0
    ? undefined
    : sql`select thread from (${indexes[engine].newest(termsIn(workspace, wanted))}) as newest`;
}

/** The text of the newest message of each of these threads in which something was said, by the thread. */
export async function listSaid(
  { db, engine }: Pick<Context, 'db' | 'engine'>,
  { workspace, q, threads }: { workspace: string; q: string; threads: string[] },
): Promise<Map<string, string>> {
  const wanted = wantedOf(q);
  if (wanted.length === 0 || threads.length === 0) return new Map();
  const { rows } = await sql<{ thread: string; text: string }>`
    with newest as (${indexes[engine].newest(termsIn(workspace, wanted))})
    select message.thread, message.text from message join newest on newest.message = message.uuid
    where newest.id in (select max(id) from newest where thread in (${sql.join(threads)}) group by thread)`.execute(db);
  return new Map(rows.map(({ thread, text }) => [thread, text]));
}

const batch = 200;
/** What one search brings in at most; the rest comes by itself. */
export const soon = 1_000;

/** Brings messages into the index, a few at a time. */
export async function indexMessages({ db, engine }: Context, most = Infinity, signal?: AbortSignal): Promise<void> {
  for (let done = 0; done < most;) {
    signal?.throwIfAborted();
    const rows = await listUnindexed(db, batch);
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
    done += rows.length;
    // A minute of 300 messages a second is a second of work, during which nothing else would be answered.
    await setImmediate();
  }
}
