import { richInWords } from '../../../../shared/rich-line.ts';
import { translate } from '../../../infra/translate.ts';
import type { Outgoing, OutgoingCitation, OutgoingFile } from '../channel.ts';
import { splitText } from '../split.ts';
import type { LineMessage } from './api.ts';
import { readMarkdown, tableLines, type Part } from './markdown.ts';

/** A message object of LINE's, and the words that stand for it where LINE does not take it. */
export interface Piece {
  message: LineMessage;
  plain?: string | undefined;
}

type Locale = Outgoing['locale'];
type Flex = Record<string, unknown>;

/** LINE takes 5,000 UTF-16 units; its own emoji count for more than they show. https://developers.line.biz/en/reference/messaging-api/#text-message */
const maxText = 4900;
/** https://developers.line.biz/en/reference/messaging-api/#flex-message and #bubble */
const maxAltText = 1500;
const maxBubbleBytes = 30_000;
/** More than these are never that small. */
const maxCells = 1200;
/** https://developers.line.biz/en/reference/messaging-api/#uri-action */
const maxUri = 1000;
/** https://developers.line.biz/en/reference/messaging-api/#image-message */
const maxImageBytes = 10_000_000;
/** https://developers.line.biz/en/reference/messaging-api/#video-message and #audio-message */
const maxRecordingBytes = 200_000_000;
/** https://developers.line.biz/en/reference/messaging-api/#quick-reply */
const maxReplies = 13;
const maxLabel = 20;
const maxFlexLabel = 40;
const maxSaid = 300;
const maxSources = 8;
/** More columns than these are too narrow on a phone. */
const maxColumns = 3;

/**
 * What is sent to LINE for a message, in its order: texts, tables, sources, pictures, files; as many as it takes, each with the words
 * that it can be replaced by.
 */
export function toPieces({
  role,
  text,
  quote,
  rich,
  citations,
  files,
  suggestions,
  offersPerson,
  locale,
}: Outgoing): Piece[] {
  const parts: Part[] = rich ? [] : role === 'assistant' ? readMarkdown(text) : [{ type: 'text', text }];
  const made: (string | Piece)[] = parts.map((part) => (part.type === 'text' ? part.text : tablePiece(part)));
  if (rich) made.push({ message: rich.line, plain: richInWords(rich) });
  if (citations.length > 0) made.push(sources(citations, locale));
  for (const file of files) made.push(filePiece(file, locale));
  const pieces = joined(made).flatMap((each) => (typeof each === 'string' ? textPieces(each) : [each]));
  const [first] = pieces;
  if (first?.message.type === 'text' && quote !== undefined) first.message = { ...first.message, quoteToken: quote };
  const last = pieces.at(-1);
  const replies = [
    ...repliesOf(suggestions).slice(0, offersPerson ? maxReplies - 1 : maxReplies),
    ...(offersPerson ? [personReply(locale)] : []),
  ];
  if (last && replies.length > 0) last.message = { ...last.message, quickReply: { items: replies } };
  return pieces;
}

/** Words that refer to nothing. */
export const isPlain = ({ message, plain }: Piece): boolean =>
  plain === undefined && message['quoteToken'] === undefined;

/** A piece in words alone; itself where it is no flex message. The last has the quick replies. */
export function plainOf(piece: Piece): Piece[] {
  if (piece.plain === undefined) {
    const { quoteToken: _, ...message } = piece.message;
    return [{ message }];
  }
  const pieces = textPieces(piece.plain);
  const { quickReply } = piece.message;
  const last = pieces.at(-1);
  if (last && quickReply !== undefined) last.message = { ...last.message, quickReply };
  return pieces;
}

function textPieces(text: string): Piece[] {
  if (text.trim() === '') return [];
  // Only what is cut loses the blanks at its ends, which may be those of code.
  const parts = text.length > maxText ? splitText(text, maxText) : [text];
  return parts.map((part) => ({ message: { type: 'text', text: part } }));
}

/** Texts that stand beside each other become one. */
function joined(parts: (string | Piece)[]): (string | Piece)[] {
  const all: (string | Piece)[] = [];
  for (const part of parts) {
    const before = all.at(-1);
    if (typeof part === 'string' && typeof before === 'string') all[all.length - 1] = `${before}\n\n${part}`;
    else all.push(part);
  }
  return all;
}

/** LINE's servers and apps open https alone; only a LINE on this machine opens what is on this machine. */
export function isOpen(url: string): boolean {
  if (!URL.canParse(url) || url.length > maxUri || !/^[\x21-\x7e]+$/.test(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname));
}

const ink = { color: '#1f2733' };
const pale = { color: '#6b7280' };
const blue = { color: '#1d5fd1' };

const flex = (plain: string, bubble: Flex): Piece => ({
  message: { type: 'flex', altText: cut(plain, maxAltText), contents: { type: 'bubble', ...bubble } },
  plain,
});
const box = (layout: 'vertical' | 'horizontal' | 'baseline', contents: Flex[], more: Flex = {}): Flex => ({
  type: 'box',
  layout,
  contents,
  ...more,
});
const words = (text: string, more: Flex = {}): Flex => ({
  type: 'text',
  text,
  size: 'sm',
  wrap: true,
  ...ink,
  ...more,
});
const opens = (label: string, uri: string): Flex => ({
  action: { type: 'uri', label: shortened(label, maxFlexLabel), uri },
});

/** A bubble, or lines of text where the table is too large for one. */
function tablePiece(table: Extract<Part, { type: 'table' }>): string | Piece {
  const plain = tableLines(table).join('\n').trim();
  if (plain === '' || table.head.length * table.rows.length > maxCells) return plain;
  const rows = table.head.length > maxColumns ? cards(table) : grid(table);
  const piece = flex(plain, { size: 'giga', body: box('vertical', rows, { spacing: 'md', paddingAll: '16px' }) });
  return Buffer.byteLength(JSON.stringify(piece.message['contents'])) > maxBubbleBytes ? plain : piece;
}

/** Columns share the width by their longest cell, none having more than three times that of another. */
function grid({ head, rows }: { head: string[]; rows: string[][] }): Flex[] {
  const shares = head.map((_, column) => {
    const longest = Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0));
    return Math.min(3, Math.ceil(longest / 8) || 1);
  });
  const line = (cells: string[], more: Flex = {}) =>
    box(
      'horizontal',
      cells.map((cell, column) => {
        const flex = shares[column] ?? 1;
        return cell === '' ? { type: 'filler', flex } : words(cell, { flex, ...more });
      }),
      { spacing: 'md' },
    );
  return [line(head, { weight: 'bold' }), ...rows.flatMap((row) => [{ type: 'separator' }, line(row)])];
}

/** Each row with the names of its cells, under its first. */
const cards = ({ head, rows }: { head: string[]; rows: string[][] }): Flex[] =>
  rows.flatMap(([first = '', ...cells], at) => [
    ...(at > 0 ? [{ type: 'separator' }] : []),
    box(
      'vertical',
      [
        ...(first === '' ? [] : [words(first, { weight: 'bold' })]),
        ...cells.flatMap((cell, column) => {
          if (cell === '') return [];
          const name = head[column + 1] ?? '';
          return [
            box(
              'baseline',
              [...(name === '' ? [] : [words(name, { ...pale, size: 'xs', flex: 2 })]), words(cell, { flex: 5 })],
              { spacing: 'sm' },
            ),
          ];
        }),
      ],
      { spacing: 'xs' },
    ),
  ]);

function sources(citations: OutgoingCitation[], locale: Locale): string | Piece {
  const shown = citations.slice(0, maxSources);
  const title = translate(locale, 'line-server:sources');
  const rest = citations.length - shown.length;
  const more = rest > 0 ? [translate(locale, 'line-server:more', { rest })] : [];
  const named = shown.map(({ number, title: name, page, url }) => ({
    number: `[${number}]`,
    name,
    page: page === null ? [] : [translate(locale, 'line-server:page', { page })],
    url,
  }));
  const isTappable = named.every(({ url }) => isOpen(url));
  const lines = named.map(({ number, name, page, url }) =>
    [`${number} ${[name, ...page].join(' · ')}`, ...(isTappable ? [url] : [])].join('\n'),
  );
  const plain = [title, ...lines, ...more].join('\n');
  if (!isTappable) return plain;
  const rows = named.map(({ number, name, page, url }) =>
    box(
      'baseline',
      [
        words(number, { ...pale, size: 'xs', flex: 0 }),
        words(name, { ...blue, flex: 1, maxLines: 2 }),
        ...page.map((text) => words(text, { ...pale, size: 'xs', flex: 0, wrap: false })),
      ],
      { spacing: 'sm', paddingTop: '4px', paddingBottom: '4px', ...opens(name, url) },
    ),
  );
  return flex(plain, {
    size: 'mega',
    body: box(
      'vertical',
      [
        words(title, { ...pale, size: 'xs', weight: 'bold' }),
        ...rows,
        ...more.map((text) => words(text, { ...pale, size: 'xs' })),
      ],
      { spacing: 'xs', paddingAll: '14px' },
    ),
  });
}

function filePiece({ name, mime, bytes, url, durationMs }: OutgoingFile, locale: Locale): Piece {
  const previewImageUrl = `${url}${url.includes('?') ? '&' : '?'}size=preview`;
  const size = sizeOf(bytes, locale);
  const plain = `${name} (${size})\n${url}`;
  if (durationMs !== undefined && bytes <= maxRecordingBytes && isOpen(url))
    return {
      message: mime.startsWith('video/')
        ? { type: 'video', originalContentUrl: url, previewImageUrl }
        : { type: 'audio', originalContentUrl: url, duration: durationMs },
      plain,
    };
  if ((mime === 'image/png' || mime === 'image/jpeg') && bytes <= maxImageBytes)
    return {
      message: {
        type: 'image',
        originalContentUrl: url,
        previewImageUrl,
      },
    };
  const open = translate(locale, 'line-server:open');
  return flex(plain, {
    size: 'kilo',
    body: box('vertical', [words(name, { weight: 'bold' }), words(size, { ...pale, size: 'xs' })], {
      spacing: 'xs',
      paddingAll: '14px',
    }),
    footer: box('vertical', [{ type: 'button', style: 'secondary', height: 'sm', ...opens(open, url) }], {
      paddingAll: '14px',
      paddingTop: '0px',
    }),
  });
}

function sizeOf(bytes: number, locale: Locale): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}

/** What a tap on it sends back. */
export const personData = 'kotae:person';

const personReply = (locale: Locale): Flex => {
  const label = translate(locale, 'line-server:person');
  return { type: 'action', action: { type: 'postback', label, data: personData, displayText: label } };
};

/** A tap says all of it, so what is too long to be said is not offered. */
const repliesOf = (suggestions: string[]): Flex[] =>
  suggestions
    .filter((text) => text.trim() !== '' && shortened(text, maxSaid) === text)
    .map((text) => ({
      type: 'action',
      action: { type: 'message', label: shortened(text.replaceAll(/\s+/g, ' ').trim(), maxLabel), text },
    }));

const characters = new Intl.Segmenter();

/** At most so many characters as people count them: https://developers.line.biz/en/docs/messaging-api/text-character-count/ */
function shortened(text: string, most: number): string {
  const first: string[] = [];
  for (const { segment } of characters.segment(text)) {
    if (first.push(segment) > most)
      return `${first
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
  }
  return text;
}

/** At most so many UTF-16 units. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${splitText(text.slice(0, most * 2), most - 1)[0]}…`;
