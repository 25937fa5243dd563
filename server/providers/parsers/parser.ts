import type { DocumentWarning } from '../../../shared/contracts/knowledge.ts';
import type { DocumentErrorCode } from '../../../shared/errors.ts';
import type { Sheet } from './layout.ts';

/** A part of a document in reading order. Tables are Markdown tables, lists and code keep their lines. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'qa';
  /** Of headings, 1 to 6. */
  level?: number;
  text: string;
  /** From 1, where the format has pages. */
  page: number | null;
}

export interface ParsedDocument {
  title: string | null;
  language: 'ja' | 'en' | 'other';
  pages: number | null;
  blocks: Block[];
  /** What a page of a website says of itself. */
  page?: WebPage;
  /** What stands in the file and in no block. */
  warnings: DocumentWarning[];
}

export interface WebPage {
  /** Against which its addresses are to be resolved, where that is not its own. */
  base: string | null;
  /** Addresses of other pages as they are written, at most 5,000. */
  links: string[];
  /** The address under which it wants to be known. */
  canonical: string | null;
  /** What it asks of search engines: `noindex`, `nofollow`. */
  robots: string;
}

/** What a parser gives; `finish` makes a document of it. */
export type Draft = Omit<ParsedDocument, 'language'>;

/** A page whose words were read from its picture; pages count from 1. */
export interface ScannedPage extends Sheet {
  page: number;
}

/** A page as it looks: eight bits of grey for each pixel, row by row from the top, and how many pixels make a point (1/72 inch). */
export interface Picture {
  pixels: Uint8Array;
  width: number;
  height: number;
  perPoint: number;
}

/** The pages of a file as pictures. */
export interface Pictures {
  count: number;
  /** From 1. Nothing for a page that holds text, which needs no picture to be read, and for one that cannot be drawn. */
  picture(page: number): Promise<Picture | undefined>;
}

/**
 * Reads one format. `accepts` looks at the first bytes (up to 64 KB) and says whether they can be this format.
 * `parse` gets the whole file and reports how much is done (0 to 1); it throws `ParseError` for what a person can mend. Where pages may be
 * pictures, `pictures` gives these to be read, and `parse` takes what was read of them.
 */
export interface Parser {
  name: string;
  extensions: string[];
  mime: string;
  /** Nothing is unpacked or drawn, so that one process may read many such files after another. */
  isPlain: boolean;
  accepts(head: Uint8Array): boolean;
  parse(file: Uint8Array, onProgress: (share: number) => void, scanned?: ScannedPage[]): Promise<Draft>;
  pictures?(file: Uint8Array): Promise<Pictures>;
}

export class ParseError extends Error {
  readonly code: DocumentErrorCode;
  /** Of the file, from 1, where that is what helps a person. */
  readonly line: number | undefined;
  constructor(code: DocumentErrorCode, { line, ...options }: ErrorOptions & { line?: number | undefined } = {}) {
    super(code, options);
    this.name = 'ParseError';
    this.code = code;
    this.line = line;
  }
}
