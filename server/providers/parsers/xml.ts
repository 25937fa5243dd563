import { ParseError } from './parser.ts';

/** An element of a part of an Office file. Names in the namespaces below have their usual prefix, whatever the file's own is. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (Element | string)[];
}

const namespaces = new Map<string, string>([
  ['http://schemas.openxmlformats.org/wordprocessingml/2006/main', 'w:'],
  ['http://purl.oclc.org/ooxml/wordprocessingml/main', 'w:'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'r:'],
  ['http://purl.oclc.org/ooxml/officeDocument/relationships', 'r:'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm:'],
  ['http://purl.oclc.org/ooxml/officeDocument/math', 'm:'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc:'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14:'],
  ...['office', 'text', 'table', 'style', 'presentation'].map(
    (name) => [`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`, `${name}:`] as const,
  ),
  ['urn:oasis:names:tc:opendocument:xmlns:drawing:1.0', 'draw:'],
  ['urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0', 'svg:'],
  ['http://www.w3.org/1999/xlink', 'xlink:'],
]);

/** Whoever walks the tree may call itself for each level. Word refuses tables that are nested a tenth as deep. */
const deepest = 500;

const noAttributes: Element['attributes'] = Object.freeze({});
const spaces = ' \t\r\n';

/** What a prefix stands for inside an element, with the names that were looked up there. */
interface Scope {
  prefixes: Map<string, string>;
  names: Map<string, string>;
}

/** Who is told of each tag and text in reading order. */
export interface XmlReader {
  /** What is inside an element is passed over where this returns `skip`; it must not hold another of its name. */
  open(name: string, attributes: Element['attributes']): 'skip' | void;
  text(text: string): void;
  close(name: string): void;
}

/**
 * Reads XML as Office writes it: UTF-8 or UTF-16, without a document type, so there are no entities but XML's own five.
 * Throws ParseError: 'file-damaged' for anything that is not well-formed or has a document type, 'file-unsafe' below 500 levels.
 */
export function readXml(file: Uint8Array): Element {
  const root: Element = { name: '', attributes: noAttributes, children: [] };
  const open = [root];
  const scanner = createScanner({
    open(name, attributes) {
      const element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: (text) => void open.at(-1)?.children.push(text),
    close: () => void open.pop(),
  });
  scanner.write(decoderOf(file)(file));
  scanner.end();
  return elements(root)[0] ?? damaged();
}

/** A document type without declarations of its own changes nothing of what a file says; books and old files of OpenOffice have one. */
export const withoutDocumentType = (xml: Buffer): Buffer =>
  xml.includes('<!DOCTYPE') ? Buffer.from(xml.toString('latin1').replace(/<!DOCTYPE[^[<>]*>/, ''), 'latin1') : xml;

/** Reads XML that is too long to be kept as a tree, piece by piece. Throws what `readXml` throws. */
export async function scanXml(pieces: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  const scanner = createScanner(reader);
  let decode: ReturnType<typeof decoderOf> | undefined;
  for await (const piece of pieces) {
    decode ??= decoderOf(piece);
    scanner.write(decode(piece, { stream: true }));
  }
  if (decode) scanner.write(decode());
  scanner.end();
}

/** Thrown where the text ends inside a tag, which may go on in the next piece. */
const endOfPiece = new Error('end of piece');

function createScanner(reader: XmlReader) {
  const open: { name: string; tag: string; scope: Scope }[] = [];
  const outermost: Scope = { prefixes: new Map(), names: new Map() };
  let xml = '';
  let waiting: string[] = [];
  let length = 0;
  let at = 0;
  let hasRoot = false;
  /** How the element ends whose content is passed over. */
  let skipTo: string | undefined;

  function step(): void {
    if (skipTo !== undefined) {
      const end = xml.indexOf(skipTo, at);
      if (end === -1) at = Math.max(at, xml.length - skipTo.length);
      at = end === -1 ? ranOut() : end;
      skipTo = undefined;
    }
    const start = xml.indexOf('<', at);
    if (start === -1) ranOut();
    if (start > at && open.length > 0) reader.text(unescape(xml.slice(at, start)));
    at = start;
    if (xml.startsWith('<!--', start)) at = after(xml, '-->', start + 4);
    else if (xml.startsWith('<?', start)) at = after(xml, '?>', start);
    else if (xml.startsWith('<![CDATA[', start)) {
      at = after(xml, ']]>', start);
      if (open.length > 0) reader.text(xml.slice(start + 9, at - 3));
    } else if (xml.startsWith('<!', start)) {
      if (xml.length - start < '<![CDATA['.length) ranOut();
      damaged();
    } else if (xml.startsWith('</', start)) {
      at = after(xml, '>', start);
      const last = open.pop();
      if (!last || xml.slice(start + 2, at - 1).trimEnd() !== last.tag) damaged();
      reader.close(last.name);
    } else openTag(start);
  }

  function openTag(start: number): void {
    const { tag, pairs, isEmpty, end } = readTag(xml, start);
    const scope = scopeOf(open.at(-1)?.scope ?? outermost, pairs);
    const name = nameIn(scope, tag);
    if (open.length === 0 && hasRoot) damaged();
    hasRoot = true;
    at = end;
    const verdict = reader.open(name, attributesIn(scope, pairs));
    if (isEmpty) return reader.close(name);
    open.push({ name, tag, scope });
    if (open.length >= deepest) throw new ParseError('file-unsafe');
    if (verdict === 'skip') skipTo = `</${tag}`;
  }

  function read(): void {
    xml = xml.slice(at) + waiting.join('');
    waiting = [];
    at = 0;
    try {
      while (at < xml.length) step();
    } catch (error) {
      if (error !== endOfPiece) throw error;
    }
    length = xml.length - at;
  }

  return {
    write(piece: string): void {
      waiting.push(piece);
      length += piece.length;
      // A tag that goes over many pieces is read again only when what is known of it has doubled.
      if (length >= (xml.length - at) * 2) read();
    },
    end(): void {
      read();
      if (open.length > 0 || !hasRoot || xml.includes('<', at)) damaged();
    },
  };
}

export const elements = (parent: Element | undefined): Element[] =>
  (parent?.children ?? []).filter((child) => typeof child !== 'string');

/** The child of this name, or the one at the end of a path of names. */
export const child = (parent: Element | undefined, ...path: string[]): Element | undefined =>
  path.reduce<Element | undefined>((from, name) => elements(from).find((each) => each.name === name), parent);

/** The attribute that most elements of Word have their value in. */
export const valueOf = (element: Element | undefined): string | undefined =>
  element?.attributes['w:val'] ?? element?.attributes['m:val'] ?? element?.attributes['w14:val'];

export function numberOf(element: Element | undefined): number | undefined {
  const value = Number.parseInt(valueOf(element) ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}

/** A property that is on by being there, unless its value says otherwise; undefined when it is not there. */
export const isOn = (element: Element | undefined): boolean | undefined =>
  element && !['0', 'false', 'off', 'none'].includes(valueOf(element) ?? '1');

function damaged(): never {
  throw new ParseError('file-damaged');
}

function ranOut(): never {
  throw endOfPiece;
}

function decoderOf(start: Uint8Array) {
  const mark = Buffer.from(start.subarray(0, 2)).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes?: Uint8Array, options?: { stream: boolean }): string => {
    try {
      return decoder.decode(bytes, options);
    } catch {
      return damaged();
    }
  };
}

function after(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  return found === -1 ? ranOut() : found + mark.length;
}

function readTag(xml: string, start: number) {
  let at = start + 1;
  const isOneOf = (marks: string) => at < xml.length && marks.includes(xml.charAt(at));
  const skip = () => {
    while (isOneOf(spaces)) at++;
  };
  while (at < xml.length && !isOneOf(`${spaces}/>`)) at++;
  const tag = xml.slice(start + 1, at);
  const pairs: [string, string][] = [];
  for (skip(); !isOneOf('/>'); skip()) {
    const equals = after(xml, '=', at);
    const name = xml.slice(at, equals - 1).trimEnd();
    at = equals;
    skip();
    if (at === xml.length) ranOut();
    if (!isOneOf('"\'') || name === '') damaged();
    const end = after(xml, xml.charAt(at), at + 1);
    pairs.push([name, unescape(xml.slice(at + 1, end - 1))]);
    at = end;
  }
  const isEmpty = xml[at] === '/';
  const end = isEmpty ? at + 2 : at + 1;
  if (end > xml.length) ranOut();
  return tag !== '' && xml[end - 1] === '>' ? { tag, pairs, isEmpty, end } : damaged();
}

function scopeOf(outer: Scope, pairs: [string, string][]): Scope {
  const declared = pairs.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  const prefixes = new Map(outer.prefixes);
  for (const [name, value] of declared) prefixes.set(name.slice('xmlns:'.length), namespaces.get(value) ?? '');
  return { prefixes, names: new Map() };
}

function nameIn(scope: Scope, name: string): string {
  const known = scope.names.get(name);
  if (known !== undefined) return known;
  const colon = name.indexOf(':');
  const found = `${scope.prefixes.get(name.slice(0, Math.max(0, colon))) ?? ''}${name.slice(colon + 1)}`;
  scope.names.set(name, found);
  return found;
}

/** Word marks each run with who changed it when (`w:rsid…`), which would be most of the tree. */
function attributesIn(scope: Scope, pairs: [string, string][]): Element['attributes'] {
  const kept = pairs.filter(([name]) => !name.startsWith('xmlns') && !name.includes(':rsid'));
  if (kept.length === 0) return noAttributes;
  return Object.fromEntries(kept.map(([name, value]) => [name.includes(':') ? nameIn(scope, name) : name, value]));
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

function unescape(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^&;]{0,12})(;?)/g, (_, name: string, end: string) => {
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const character = name.startsWith('#') && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entities.get(name);
    return character !== undefined && end ? character : damaged();
  });
}
