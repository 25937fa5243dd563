import { csv } from './csv.ts';
import { docx } from './docx.ts';
import { eml } from './eml.ts';
import { epub } from './epub.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { odp, ods, odt } from './odf.ts';
import type { Parser } from './parser.ts';
import { pdf } from './pdf.ts';
import { pictures } from './picture.ts';
import { plainText } from './plain-text.ts';
import { pptx } from './pptx.ts';
import { rtf } from './rtf.ts';
import { xlsx } from './xlsx.ts';

/** Every format that documents may have, one line each. Libraries are loaded by `parse` only, so the server that asks for names never holds them. */
export const parsers: readonly Parser[] = [
  pdf,
  docx,
  xlsx,
  pptx,
  odt,
  ods,
  odp,
  rtf,
  epub,
  markdown,
  plainText,
  html,
  csv,
  json,
  eml,
  ...pictures,
];

export const findParser = (extension: string): Parser | undefined =>
  parsers.find((parser) => parser.extensions.includes(extension));
