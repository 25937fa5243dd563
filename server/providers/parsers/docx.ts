import { blocksOfWord, type WordParts } from './docx.blocks.ts';
import { isOle, openOffice, type OfficePackage, type Relation } from './opc.ts';
import { ParseError } from './parser.ts';
import type { Parser } from './parser.ts';
import { isZip } from './text.ts';

export const docx: Parser = {
  name: 'Word',
  extensions: ['docx'],
  mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  isPlain: false,
  accepts: (head) => isZip(head) || isOle(head),
  async parse(file, onProgress) {
    const office = await openOffice(file, 'word/', 'word/document.xml');
    onProgress(0.1);
    const parts = await readParts(office);
    onProgress(0.8);
    return { ...blocksOfWord(parts), pages: null };
  },
};

/** The document and the parts that it refers to: their names are what the package says, not what Word usually calls them. */
async function readParts({ main, read, relationsOf }: OfficePackage): Promise<WordParts> {
  const document = await read(main);
  if (!document) throw new ParseError('file-damaged');
  const linksIn = (relations: Relation[]) =>
    new Map(relations.filter(({ isOutside }) => isOutside).map(({ id, target }) => [id, target]));
  const relations = await relationsOf(main);
  const part = async ({ target }: Relation) => ({
    root: await read(target),
    links: linksIn(await relationsOf(target)),
  });
  const only = async (type: string) => {
    const found = relations.find((each) => each.type === type);
    return found ? part(found) : { root: undefined, links: new Map<string, string>() };
  };
  const margins = new Map<string, Awaited<ReturnType<typeof part>>>();
  for (const each of relations)
    if (each.type === 'header' || each.type === 'footer') margins.set(each.id, await part(each));
  return {
    document: { root: document, links: linksIn(relations) },
    styles: (await only('styles')).root,
    numbering: (await only('numbering')).root,
    footnotes: await only('footnotes'),
    endnotes: await only('endnotes'),
    margins,
  };
}
