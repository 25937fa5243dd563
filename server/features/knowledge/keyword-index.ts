import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Engine, Trx } from '../../infra/db.ts';
import { unpackTerms, type PackedTerms } from './keyword-terms.ts';

/**
 * Which chunks have which terms. This is the one place, with `infra/db`, where the two engines are spoken to differently:
 * SQLite finds chunks through FTS5, Postgres through a GIN index over an array. Both only find; the scoring is ours.
 */
/** Selects uuids of documents. */
type Documents = RawBuilder<{ document: string }>;

export interface KeywordIndex {
  /** Adds chunks of the base with this key, in the caller's transaction, which on SQLite holds up every other writer: a few at a time. */
  add(trx: Trx, base: number, chunks: { id: number; terms: PackedTerms }[]): Promise<void>;
  remove(trx: Trx, base: number, ids: number[]): Promise<void>;
  /** Both at once: done one after the other, two writers of one base could wait for each other. */
  replace(trx: Trx, base: number, ids: number[], chunks: { id: number; terms: PackedTerms }[]): Promise<void>;
  /** In how many chunks of the bases each term is; terms nobody has are left out. A chunk on its way counts already. */
  count(db: Db, bases: number[], keys: number[]): Promise<Map<number, number>>;
  /**
   * Chunks of the bases with these keys that have any term of every group, at most `limit`; only of documents that `among` selects,
   * where it is given. Some may not answer at present.
   */
  candidates(db: Db, bases: number[], groups: number[][], limit: number, among?: Documents): Promise<number[]>;
  /** What `packTerms` made of these chunks. Of an id it never changes: what is read anew or edited gets another. */
  terms(db: Db | Trx, ids: number[]): Promise<{ id: number; data: Uint8Array }[]>;
}

export const keywordIndexes: Record<Engine, KeywordIndex> = { sqlite: onSqlite(), postgres: onPostgres() };

const chunksOf = (among: Documents) => sql`(select id from chunk where document in (${among}))`;

function onSqlite(): KeywordIndex {
  const token = (base: number, key: number) => `${base.toString(36)}z${key.toString(36).padStart(7, '0')}`;
  const index: KeywordIndex = {
    async replace(trx, base, ids, chunks) {
      await index.remove(trx, base, ids);
      await index.add(trx, base, chunks);
    },
    async add(trx, base, chunks) {
      for (const [count, { id, terms }] of chunks.entries()) {
        if (count % 50 === 49) await setImmediate();
        await sql`insert into chunk_terms (chunk, data) values (${id}, ${Buffer.from(terms.bytes)})`.execute(trx);
        await sql`insert into chunk_keyword (rowid, terms) values (${id}, ${Array.from(terms.keys, (key) => token(base, key)).join(' ')})`.execute(
          trx,
        );
      }
    },
    async remove(trx, _base, ids) {
      for (const [count, id] of ids.entries()) {
        if (count % 50 === 49) await setImmediate();
        await sql`delete from chunk_keyword where rowid = ${id}`.execute(trx);
        await sql`delete from chunk_terms where chunk = ${id}`.execute(trx);
      }
    },
    async count(db, bases, keys) {
      const tokens = new Map(bases.flatMap((base) => keys.map((key) => [token(base, key), key] as const)));
      // As one value, because a long question over many bases has more terms than a statement may have parameters.
      const { rows } = await sql<{
        term: string;
        doc: number;
      }>`select term, doc from keyword where term in (select value from json_each(${JSON.stringify([...tokens.keys()])}))`.execute(
        db,
      );
      return sumByKey(rows.map((row) => [tokens.get(row.term) ?? 0, row.doc]));
    },
    async candidates(db, bases, groups, limit, among) {
      const match = groups
        .map((group) => `(${bases.flatMap((base) => group.map((key) => token(base, key))).join(' OR ')})`)
        .join(' AND ');
      const { rows } = await sql<{
        id: number;
      }>`select rowid as id from chunk_keyword where chunk_keyword match ${match} ${among ? sql`and rowid in ${chunksOf(among)}` : sql``} limit ${limit}`.execute(
        db,
      );
      return rows.map((row) => row.id);
    },
    async terms(db, ids) {
      const { rows } = await sql<{
        id: number;
        data: Uint8Array;
      }>`select chunk as id, data from chunk_terms where chunk in (select value from json_each(${JSON.stringify(ids)}))`.execute(
        db,
      );
      return rows;
    },
  };
  return index;
}

function onPostgres(): KeywordIndex {
  const token = (base: number, key: number) => base * 2 ** 32 + key;
  // The driver cannot pass a bigint array; its text form is safe, since it has digits only.
  const array = (values: number[]) => sql`${`{${values.join(',')}}`}::bigint[]`;
  const change = async (trx: Trx, base: number, ids: number[], chunks: { id: number; terms: PackedTerms }[]) => {
    const counts = new Map<number, number>();
    const countBy = (keys: Iterable<number>, by: 1 | -1) => {
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + by);
    };
    if (ids.length > 0) {
      const { rows } = await sql<{
        data: Uint8Array;
      }>`delete from chunk_terms where chunk = any(${array(ids)}) returning data`.execute(trx);
      for (const { data } of rows) countBy(unpackTerms(data).keys, -1);
    }
    for (const { id, terms } of chunks) {
      await sql`insert into chunk_terms (chunk, data, keys) values (${id}, ${Buffer.from(terms.bytes)}, ${array(Array.from(terms.keys, (key) => token(base, key)))})`.execute(
        trx,
      );
      countBy(terms.keys, 1);
    }
    // Every writer uses the same order, so that two of them cannot deadlock.
    const sorted = [...counts].filter(([, by]) => by !== 0).sort(([one], [other]) => one - other);
    if (sorted.length === 0) return;
    await sql`insert into keyword as k (term, chunks) select * from unnest(${array(sorted.map(([key]) => token(base, key)))}, ${`{${sorted.map(([, by]) => by).join(',')}}`}::integer[])
      on conflict (term) do update set chunks = k.chunks + excluded.chunks`.execute(trx);
  };
  return {
    add: (trx, base, chunks) => change(trx, base, [], chunks),
    remove: (trx, base, ids) => change(trx, base, ids, []),
    replace: change,
    async count(db, bases, keys) {
      const { rows } = await sql<{
        term: number;
        chunks: number;
      }>`select term, chunks from keyword where term = any(${array(bases.flatMap((base) => keys.map((key) => token(base, key))))}) and chunks > 0`.execute(
        db,
      );
      return sumByKey(rows.map((row) => [row.term % 2 ** 32, row.chunks]));
    },
    async candidates(db, bases, groups, limit, among) {
      const has = sql.join(
        groups.map((group) => sql`keys && ${array(bases.flatMap((base) => group.map((key) => token(base, key))))}`),
        sql` and `,
      );
      const { rows } = await sql<{
        id: number;
      }>`select chunk as id from chunk_terms where ${has} ${among ? sql`and chunk in ${chunksOf(among)}` : sql``} limit ${limit}`.execute(
        db,
      );
      return rows.map((row) => row.id);
    },
    async terms(db, ids) {
      const { rows } = await sql<{
        id: number;
        data: Uint8Array;
      }>`select chunk as id, data from chunk_terms where chunk = any(${array(ids)})`.execute(db);
      return rows;
    },
  };
}

function sumByKey(pairs: (readonly [number, number])[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [key, count] of pairs) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}
