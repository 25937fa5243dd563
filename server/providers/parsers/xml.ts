import { ParseError } from './parser.ts';

/** An element of a part of an Office file. Names in the namespaces below have their usual prefix, whatever the file's own is. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (Element | string)[];
}

const namespaces = new Map([
  ['http://schemas.openxmlformats.org/wordprocessingml/2006/main', 'w:'],
  ['http://purl.oclc.org/ooxml/wordprocessingml/main', 'w:'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'r:'],
  ['http://purl.oclc.org/ooxml/officeDocument/relationships', 'r:'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm:'],
  ['http://purl.oclc.org/ooxml/officeDocument/math', 'm:'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc:'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14:'],
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

/**
 * Reads XML as Office writes it: UTF-8 or UTF-16, without a document type, so there are no entities but XML's own five.
 * Throws ParseError: 'file-damaged' for anything that is not well-formed or has a document type, 'file-unsafe' below 500 levels.
 */
export function readXml(file: Uint8Array): Element {
  const xml = decode(file);
  const root: Element = { name: '', attributes: noAttributes, children: [] };
  const open = [{ element: root, tag: '', scope: { prefixes: new Map<string, string>(), names: new Map() } as Scope }];
  let at = 0;
  while (at < xml.length) {
    const start = xml.indexOf('<', at);
    const parent = open.at(-1) ?? damaged();
    const text = xml.slice(at, start === -1 ? xml.length : start);
    if (text !== '' && open.length > 1) parent.element.children.push(unescape(text));
    if (start === -1) break;
    if (xml.startsWith('<!--', start)) at = after(xml, '-->', start + 4);
    else if (xml.startsWith('<?', start)) at = after(xml, '?>', start);
    else if (xml.startsWith('<![CDATA[', start)) {
      at = after(xml, ']]>', start);
      parent.element.children.push(xml.slice(start + 9, at - 3));
    } else if (xml[start + 1] === '!') damaged();
    else if (xml[start + 1] === '/') {
      at = after(xml, '>', start);
      if (xml.slice(start + 2, at - 1).trimEnd() !== parent.tag || open.length === 1) damaged();
      open.pop();
    } else {
      const { tag, pairs, isEmpty, end } = readTag(xml, start);
      const scope = scopeOf(parent.scope, pairs);
      const element = { name: nameIn(scope, tag), attributes: attributesIn(scope, pairs), children: [] };
      parent.element.children.push(element);
      if (!isEmpty) open.push({ element, tag, scope });
      if (open.length > deepest) throw new ParseError('file-unsafe');
      at = end;
    }
  }
  const [first] = elements(root);
  return open.length === 1 && first ? first : damaged();
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

function decode(file: Uint8Array): string {
  const mark = Buffer.from(file.subarray(0, 2)).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file);
  } catch {
    return damaged();
  }
}

function after(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  return found === -1 ? damaged() : found + mark.length;
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
    if (!isOneOf('"\'') || name === '') damaged();
    const end = after(xml, xml.charAt(at), at + 1);
    pairs.push([name, unescape(xml.slice(at + 1, end - 1))]);
    at = end;
  }
  const isEmpty = xml[at] === '/';
  const end = isEmpty ? at + 2 : at + 1;
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

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^&;]{0,12})(;?)/g, (_, name: string, end: string) => {
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const character = name.startsWith('#') && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entities[name];
    return character !== undefined && end ? character : damaged();
  });
}
