import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findParser } from '../../server/providers/parsers/registry.ts';
import { finish } from '../../server/providers/parsers/text.ts';

export interface Question {
  text: string;
  /** What has to stand in a quote, each of them; none when the document has no answer. */
  decisive: string[];
}

/** A document of ours with the questions to it. */
export interface Case {
  name: string;
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
  questions: Question[];
}

/** Documents that no weight is fitted on, and whose failures no one looks at while the model is worked on. */
export const unseen = new Set(['welcome', 'service-contract']);

const folder = fileURLToPath(new URL('../answers/', import.meta.url));

/** Questions are lines of `<name>.tsv`: the question and its decisive texts, with tabs between. */
export async function readCases(language: 'en' | 'ja'): Promise<Case[]> {
  const files = readdirSync(join(folder, language));
  return files
    .filter((file) => !file.endsWith('.tsv'))
    .map((file) => {
      const name = basename(file, extname(file));
      const lines = readFileSync(join(folder, language, `${name}.tsv`), 'utf8')
        .trimEnd()
        .split('\n');
      return {
        name,
        file,
        bytes: new Uint8Array(readFileSync(join(folder, language, file))),
        questions: lines.map((line) => {
          const [text = '', ...decisive] = line.split('\t');
          return { text, decisive };
        }),
      };
    });
}

export async function blocksOf({ file, bytes }: Pick<Case, 'file' | 'bytes'>) {
  const parser = findParser(extname(file).slice(1));
  if (!parser) throw new Error(`no parser reads ${file}`);
  return finish(await parser.parse(bytes, () => {})).blocks;
}

/** Width, case, spaces and the marks of tables do not make a text another. */
export const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s|]+/g, '');
