import { noLabels } from '../../shared/labels.ts';
import { newId, type Db } from '../infra/db.ts';
import type { Lengths } from '../features/knowledge/keyword-terms.ts';

/** A base with one document, as if it had been read; its chunks are left to whoever asks for it. */
export async function putDocument(db: Db) {
  const entity = () => ({ uuid: newId(), created_at: 0, updated_at: 0 });
  const workspace = { ...entity(), name: 'Shop', named: 1 as const };
  const knowledge = { ...entity(), workspace: workspace.uuid, name: 'Manual', description: '', settings: '{}' };
  const document = {
    ...entity(),
    knowledge: knowledge.uuid,
    name: 'a.txt',
    source: 'text' as const,
    mime: 'text/plain',
    extension: 'txt',
    bytes: 0,
    sha256: newId(),
    status: 'indexed' as const,
    progress: 1,
    warnings: '[]',
    labels: JSON.stringify(noLabels),
    generation: 1,
    enabled: 1 as const,
    tokens: 0,
    chunk_count: 0,
    word_count: 0,
    bigram_count: 0,
    kanji_count: 0,
  };
  await db.insertInto('workspace').values(workspace).execute();
  const { key } = await db.insertInto('knowledge').values(knowledge).returning('key').executeTakeFirstOrThrow();
  await db.insertInto('document').values(document).execute();
  return {
    knowledge: knowledge.uuid,
    /** By which the index knows the base. */
    key,
    document: document.uuid,
    chunkAt: (position: number, text: string) => ({
      ...entity(),
      knowledge: knowledge.uuid,
      document: document.uuid,
      generation: 1,
      position,
      headings: '[]',
      text,
      start_offset: 0,
      end_offset: 0,
      questions: '[]',
      keywords: '[]',
      tokens: 0,
      enabled: 1 as const,
      hit_count: 0,
      by_hand: 0 as const,
    }),
    /** Tells how long the chunks are, by which the scorer weighs them. */
    async count(chunks: Lengths[]): Promise<void> {
      const sum = (field: keyof Lengths) => chunks.reduce((total, lengths) => total + lengths[field], 0);
      await db
        .updateTable('document')
        .set({
          chunk_count: chunks.length,
          word_count: sum('words'),
          bigram_count: sum('bigrams'),
          kanji_count: sum('kanji'),
        })
        .where('uuid', '=', document.uuid)
        .execute();
    },
  };
}
