import { ParseError } from './parser.ts';
import type { Block, Parser } from './parser.ts';
import { rowBlock } from './sheet.ts';
import { decodeText, isTextHead } from './text.ts';

export const json: Parser = {
  name: 'JSON',
  extensions: ['json', 'jsonl', 'ndjson'],
  mime: 'application/json',
  isPlain: true,
  accepts: isTextHead,
  async parse(file) {
    const values = readValues(decodeText(file));
    const [first] = values;
    // Values one after another are the rows of JSON Lines, whatever the file is called.
    const root: Value = values.length === 1 && first !== undefined ? first : values;
    return { title: null, pages: null, warnings: [], blocks: blocksOfValue(root) };
  },
};

/** Numbers are kept as they are written: 1e999 and 12345678901234567890 are no numbers of JavaScript. */
type Value = string | Value[] | Members;
/** In their order, and with a name that is there twice. */
interface Members {
  members: [name: string, value: Value][];
}

/** As deep as in XML. */
const deepest = 500;

/**
 * Reads JSON as RFC 8259 has it, and any number of values one after another. `JSON.parse` loses digits, the order of names that are
 * numbers, names that are there twice, and the line of a mistake. Throws ParseError: 'json-invalid' with the line, 'file-unsafe' below
 * 500 levels.
 */
function readValues(source: string): Value[] {
  let at = 0;
  const invalid = (): never => {
    throw new ParseError('json-invalid', { line: source.slice(0, at).split('\n').length });
  };
  const skip = () => {
    while (at < source.length && ' \t\n\r'.includes(source.charAt(at))) at++;
  };
  const take = (mark: string) => {
    skip();
    if (source[at] !== mark) return false;
    at++;
    return true;
  };
  const readString = (): string => {
    const start = at;
    let end = source.indexOf('"', at + 1);
    let hasEscapes = false;
    for (let from = at + 1; end >= 0; end = source.indexOf('"', end + 1)) {
      let slashes = 0;
      while (end - slashes > from && source[end - slashes - 1] === '\\') slashes++;
      hasEscapes ||= slashes > 0;
      if (slashes % 2 === 0) break;
      from = end + 1;
    }
    if (end < 0) invalid();
    at = end + 1;
    const text = source.slice(start, at);
    if (!hasEscapes && !text.includes('\\')) return text.slice(1, -1);
    try {
      return String(JSON.parse(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t')));
    } catch {
      at = start;
      return invalid();
    }
  };
  const readPlain = (): string => {
    plainValue.lastIndex = at;
    const text = plainValue.exec(source)?.[0] ?? invalid();
    at += text.length;
    return text;
  };
  const readValue = (depth: number): Value => {
    if (depth > deepest) throw new ParseError('file-unsafe');
    skip();
    if (source[at] === '"') return readString();
    if (take('[')) {
      const items: Value[] = [];
      if (take(']')) return items;
      do items.push(readValue(depth + 1));
      while (take(','));
      return take(']') ? items : invalid();
    }
    if (!take('{')) return readPlain();
    const members: Members['members'] = [];
    if (take('}')) return { members };
    do {
      skip();
      if (source[at] !== '"') invalid();
      const name = readString();
      if (!take(':')) invalid();
      members.push([name, readValue(depth + 1)]);
    } while (take(','));
    return take('}') ? { members } : invalid();
  };
  const values: Value[] = [];
  for (skip(); at < source.length; skip()) values.push(readValue(0));
  return values;
}

/** Up to the next mark or white space, so that 01 and 1.2.3 are mistakes and not two values. */
const plainValue = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

const isMembers = (value: Value): value is Members => typeof value === 'object' && 'members' in value;
const isRow = (value: Value) => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Names of objects are headings down to this level; below it they are a path. */
const deepestHeading = 3;

/** Objects in a list are the rows of a table; other objects are headings over what they hold. */
function blocksOfValue(root: Value): Block[] {
  const blocks: Block[] = [];
  const add = (kind: Block['kind'], text: string) => blocks.push({ kind, text, page: null });
  const addRow = (value: Value) => {
    const pairs = flatten(value);
    blocks.push(
      rowBlock(
        pairs.map(([path]) => path),
        { cells: pairs.map(([, text]) => text) },
      ),
    );
  };
  const addList = (list: Value[]) => {
    let items: string[] = [];
    const flush = () => {
      if (items.length > 0) add('list', items.join('\n'));
      items = [];
    };
    for (const value of list) {
      if (typeof value === 'string') {
        items.push(`- ${value}`);
        continue;
      }
      flush();
      if (isRow(value)) blocks.push(rowBlock([], { cells: flatten(value).map(([, text]) => text) }));
      else addRow(value);
    }
    flush();
  };
  const addValue = (value: Value, level: number) => {
    if (typeof value === 'string') return add('paragraph', value);
    if (!isMembers(value)) return addList(value);
    // What a heading is over must not seem to be under the heading before.
    const isInner = ([, inner]: [string, Value]) => typeof inner === 'object' && level <= deepestHeading;
    const own = value.members.filter((member) => !isInner(member));
    if (own.length > 0) addRow({ members: own });
    for (const [name, inner] of value.members.filter(isInner)) {
      blocks.push({ kind: 'heading', level, text: name, page: null });
      addValue(inner, level + 1);
    }
  };
  addValue(root, 1);
  return blocks;
}

/** Every text in a value with the names that lead to it; places in lists count from 1. */
function flatten(value: Value): [path: string, text: string][] {
  const pairs: [string, string][] = [];
  const walk = (inner: Value, path: string) => {
    const below = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
    if (typeof inner === 'string') pairs.push([path, inner]);
    else if (isMembers(inner)) for (const [name, each] of inner.members) walk(each, below(name));
    else if (isRow(inner) && path !== '') pairs.push([path, inner.join(', ')]);
    else for (const [at, each] of inner.entries()) walk(each, below(at + 1));
  };
  walk(value, '');
  return pairs;
}
