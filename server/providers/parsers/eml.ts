import type { Address } from 'postal-mime';
import { decodeBytes } from './encoding.ts';
import { blocksOfHtml } from './html.ts';
import type { Block, Parser } from './parser.ts';
import { blocksOfText } from './plain-text.ts';
import { isTextHead } from './text.ts';
import { createWarnings } from './warnings.ts';

/** A mail as programs save it (RFC 5322 and MIME): its subject, who wrote to whom and when, and its text with what it quotes. */
export const eml: Parser = {
  name: 'Mail',
  extensions: ['eml'],
  mime: 'message/rfc822',
  isPlain: false,
  accepts: (head) => isTextHead(head) && beginsWithHeader(head),
  async parse(file) {
    const { default: PostalMime } = await import('postal-mime');
    const mail = await PostalMime.parse(withJoinedWords(file));
    const header = (key: string) => mail.headers.find((each) => each.key === key);
    const warnings = createWarnings();
    for (const { filename, description, mimeType, related } of mail.attachments) {
      const isPicture = related === true && mimeType.startsWith('image/');
      warnings.add(isPicture ? 'picture' : 'file-inside', withoutEscapes(filename ?? description ?? mimeType));
    }
    const title = withoutEscapes(mail.subject ?? '').trim();
    const lines: [name: string, value: string][] = [
      ['From', namesOf(mail.from ? [mail.from] : [])],
      ['To', namesOf(mail.to ?? [])],
      ['Cc', namesOf(mail.cc ?? [])],
      // With the hour of its writer, not that of Greenwich.
      ['Date', header('date')?.value ?? ''],
    ];
    const head: Block[] = [
      { kind: 'heading', level: 1, text: title, page: null },
      {
        kind: 'list',
        text: lines.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n'),
        page: null,
      },
    ];
    const body = await bodyOf(withoutEscapes(mail.html ?? ''), withoutEscapes(mail.text ?? ''));
    const lost = body.reduce((sum, { text }) => sum + (text.match(/\uFFFD/g)?.length ?? 0), 0);
    for (let at = 0; at < Math.min(lost, 1_000); at++) warnings.add('character');
    return { title: title || null, pages: null, warnings: warnings.list(), blocks: [...head, ...body] };
  },
};

/** Mailboxes begin with a line of their own before each mail. */
const beginsWithHeader = (head: Uint8Array) =>
  /^(?:\u00EF\u00BB\u00BF)?\s{0,16}(?:From |[!-9;-~]{1,100}[ \t]{0,16}:)/.test(
    Buffer.from(head.subarray(0, 256)).toString('latin1'),
  );

/**
 * Joins words of a header (RFC 2047, `=?UTF-8?B?…?=`) where the first ends with padding, since many programs cut a text into words in the
 * middle of a character; postal-mime joins those without padding.
 */
function withJoinedWords(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const source = withReadableHeader(bytes).toString('latin1');
  const parts: string[] = [];
  let from = 0;
  let last: { end: number; charset: string; text: string } | undefined;
  for (const { 0: word, 1: charset = '', 2: text = '', index } of source.matchAll(
    /=\?([^?\s]{1,80})\?[Bb]\?([\w+/]*={0,2})\?=/g,
  )) {
    const end = index + word.length;
    const isNext =
      last?.text.endsWith('=') && last.charset === charset && /^[ \t\r\n]{1,100}$/.test(source.slice(last.end, index));
    if (last && isNext) {
      const joined = Buffer.concat([last.text, text].map((each) => Buffer.from(each, 'base64'))).toString('base64');
      last = { ...last, end, text: joined };
      parts[parts.length - 1] = `=?${charset}?B?${joined}?=`;
    } else {
      parts.push(source.slice(from, index), word);
      last = { end, charset, text };
    }
    from = end;
  }
  return Buffer.from([...parts, source.slice(from)].join(''), 'latin1');
}

/** Some programs write names and subjects in the encoding of their machine, without saying which. */
function withReadableHeader(file: Buffer): Buffer {
  const end = /\r?\n\r?\n/.exec(file.toString('latin1', 0, 2_000_000))?.index ?? 0;
  const header = decodeBytes(file.subarray(0, end));
  return header === undefined ? file : Buffer.concat([Buffer.from(header), file.subarray(end)]);
}

async function bodyOf(html: string, text: string): Promise<Block[]> {
  const blocks: Block[] = [];
  // The parts of a mail come one after another, each a whole page; what stands behind the end of a page is not read.
  for (const page of html.split(/<\/html\s{0,10}>/i))
    for (const block of (await blocksOfHtml(page)).blocks) blocks.push(block);
  return blocks.length > 0 ? blocks : blocksOfText(text.replace(/\r\n?/g, '\n'));
}

const namesOf = (addresses: Address[]): string =>
  addresses
    .flatMap((each): string[] => {
      const name = withoutEscapes(each.name);
      if (each.group) return [`${name}: ${namesOf(each.group)}`];
      return [name && name !== each.address ? `${name} <${each.address}>` : each.address];
    })
    .join(', ');

/** Old programs in Japan wrote ISO-2022-JP without saying so; its escapes tell. */
function withoutEscapes(text: string): string {
  if (!/\u001B\$[@B]/.test(text) || /[^\0-\u007F]/.test(text)) return text;
  return new TextDecoder('iso-2022-jp').decode(Buffer.from(text, 'latin1'));
}
