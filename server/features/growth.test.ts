import { describe, test } from 'vitest';

import { RichDraft } from '../../shared/rich-message.ts';
import { text } from '../../shared/text.ts';
import { maskPersonal, phraseIn } from './answers/guardrails.ts';
import { readOpenApi } from './bots/openapi.ts';
import { fillVariables } from '../../shared/fill-variables.ts';
import { findRule } from './connections/rules.ts';
import { termsOfListing, wantedTerms } from './explore/listing-terms.ts';
import { plainName } from './files/files.ts';
import { contained, plain } from './conversations/markdown.ts';
import { chunk } from './knowledge/chunking.ts';
import { targetsIn } from './line-campaigns/content.ts';
import { isFollowUp } from '../infra/asking.ts';
import { parseJson } from '../infra/json.ts';
import { termsOf } from '../infra/terms.ts';
import { rate } from '../providers/models/built-in/decide.ts';
import { courtesyOf } from '../providers/models/built-in/question.ts';
import { detectFormat, safeFileName, safeFilePath } from '../providers/parsers/detect.ts';
import { parsers } from '../providers/parsers/registry.ts';
import { clean, closeUp, cutAtQuestions, finish, unwrap } from '../providers/parsers/text.ts';
import { hostileTexts, mustStayLinear, type HostileTexts } from '../../shared/testing/growth.ts';
import { zipOf } from '../testing/zip.ts';
import { openDocumentOf } from '../testing/open-document.ts';
import { slidesOf, workbookOf } from '../testing/office.ts';

const atLength = { timeout: 240_000 };

const usualRule = {
  match: 'contains',
  when: 'always',
  schedule: null,
  reply: '',
  rich: null,
  handOff: false,
  tag: '',
} as const;

/** Boxes in boxes, as many as one likes. */
function boxes(count: number): object {
  let inner: object = { type: 'filler' };
  for (let at = 0; at < count; at++) inner = { type: 'box', layout: 'vertical', contents: [{ type: 'filler' }, inner] };
  return { type: 'bubble', body: inner };
}

/** Whatever meets text that people, files or models have written. */
const readers: Record<string, (given: string) => unknown> = {
  clean,
  unwrap,
  closeUp,
  cutAtQuestions,
  termsOf,
  'terms of a listing': (given) =>
    termsOfListing({ texts: [given], category: 'shops', languages: ['en'], copying: 'none' }),
  'terms of a search': (given) => wantedTerms({ q: given }),
  maskPersonal,
  phraseIn: (given) => phraseIn(given, [given.slice(0, 100), 'x']),
  'a flex message': (given) =>
    RichDraft.safeParse({
      kind: 'flex',
      alt: 'a',
      contents: { type: 'bubble', [given]: given, hero: { type: 'image', url: given, size: given } },
    }),
  'boxes of a flex message': (given) =>
    RichDraft.safeParse({ kind: 'flex', alt: 'a', contents: boxes(given.length / 10) }),
  'rules of a connection': (given) =>
    findRule({ hours: null, rules: [{ ...usualRule, phrases: [given.slice(0, 100)] }] }, given),
  'links of a broadcast': (given) => targetsIn([{ text: given }]),
  fillVariables: (given) => fillVariables(given, [{ name: 'a', value: 'b' }]),
  safeFileName,
  safeFilePath,
  contained,
  plain,
  plainName,
  detectFormat: (given) => detectFormat(Buffer.from(given), 'a.txt'),
  parseJson,
  'parseJson, a string': (given) => parseJson(JSON.stringify(given)),
  'a checked text': (given) => text(100).safeParse(given),
  'chunks of a paragraph': (given) => chunk({ blocks: [{ kind: 'paragraph', text: given, page: null }] }),
  'chunks of a table': (given) => chunk({ blocks: [{ kind: 'table', text: `| a |\n|---|\n${given}`, page: null }] }),
  'the last step of parsers': (given) =>
    finish({
      title: given,
      pages: null,
      warnings: [],
      blocks: [{ kind: 'paragraph', text: given, page: null }],
    }),
  ...Object.fromEntries(
    parsers
      .filter(({ isPlain }) => isPlain)
      .map(({ name, parse }) => [name, async (given: string) => finish(await parse(Buffer.from(given), () => {}))]),
  ),
};

test.each(Object.entries(readers))(
  '%s takes no more than its share for a text that is longer',
  atLength,
  async (_, read) => {
    await mustStayLinear(read);
  },
);

const escaped = (given: string) => given.replace(/[<>&]/g, (char) => `&#${char.charCodeAt(0)};`);
const parse = (name: string, file: Uint8Array) => parsers.find((parser) => parser.name === name)?.parse(file, () => {});

/** Those that show most of what a library does with a format. */
const few: HostileTexts = Object.fromEntries(
  [
    '" "',
    '"\\n"',
    '"<"',
    '"<p>"',
    '"<td>"',
    '"<ul><li>"',
    '"&"',
    '"a "',
    '"a\\n"',
    '"・"',
    '"あ"',
    'a, many " " and b',
    'nested tags',
  ].map((name) => [name, hostileTexts[name] ?? String]),
);

test('a page of HTML takes no more than its share', atLength, async () => {
  const pages: HostileTexts = {
    ...few,
    'one wide row and many': (n) =>
      `<table><tr>${'<td>a'.repeat(n / 10)}</tr>${'<tr><td>b</tr>'.repeat(n / 28)}</table>`,
    'a block of code with spaces': (n) => `<pre>a${' '.repeat(n)}b</pre>`,
    'deep trees side by side': (n) => `${'<div>'.repeat(100)}hello, world${'</div>'.repeat(100)}`.repeat(n / 1100),
  };
  await mustStayLinear((given) => parse('HTML', Buffer.from(given)), { size: 2000, texts: pages });
});

test('a mail takes no more than its share', atLength, async () => {
  const mails: HostileTexts = {
    ...few,
    'words of a header': (n) => `Subject: ${'=?UTF-8?B?YQ==?=\r\n '.repeat(n / 19)}\r\n\r\nhello`,
    'parts of a mail': (n) =>
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nhello\r\n'.repeat(n / 14)}`,
  };
  const mailOf = (given: string) => (given.startsWith('Content-') ? given : `Subject: a\r\n\r\n${given}`);
  await mustStayLinear((given) => parse('Mail', Buffer.from(mailOf(given))), { size: 2000, texts: mails });
});

test('a book takes no more than its share', atLength, async () => {
  const container = '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>';
  const book =
    '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>';
  const fileOf = (given: string) =>
    zipOf([
      ['META-INF/container.xml', container],
      ['a.opf', book],
      ['a.xhtml', `<p>hello</p>${given}`],
    ]);
  const pages: HostileTexts = {
    ...few,
    'tags that end in themselves': (n) => '<a b="c"'.repeat(n / 8),
    'data that does not end': (n) => '<![CDATA['.repeat(n / 9),
  };
  await mustStayLinear(async (given) => parse('EPUB', await fileOf(given)), { size: 2000, texts: pages });
});

test('RTF takes no more than its share', atLength, async () => {
  const texts: HostileTexts = {
    ...Object.fromEntries(
      Object.entries({
        groups: '{a}',
        paragraphs: '\\par ',
        cells: '\\cell ',
        rows: '\\trowd\\cellx1\\pard\\intbl a\\cell\\row ',
        'rows with other edges': '\\cellx1\\cellx900\\cell\\row',
        fields: '{\\field{\\*\\fldinst HYPERLINK "https://a.b"}{\\fldrslt a}}',
        'fields in fields': '{\\field{\\*\\fldinst a}',
        notes: '{\\footnote a}',
        'list items': '{\\listtext 1.}a\\par ',
        fonts: '{\\fonttbl{\\f1 a;}}',
        Unicode: '\\u26085?',
      }).map(([name, part]) => [name, (n: number) => part.repeat(n / part.length)]),
    ),
    'depth of groups': (n) => '{'.repeat(Math.min(9_000, n)),
  };
  await mustStayLinear((given) => parse('RTF', Buffer.from(`{\\rtf1 hello ${given}`)), { texts });
});

test('a Word file takes no more than its share', atLength, async () => {
  const fileOf = (given: string) =>
    zipOf([
      ['[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'],
      [
        '_rels/.rels',
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      ],
      [
        'word/document.xml',
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${escaped(given)
          .split('\n')
          .map((line) => `<w:p><w:r><w:t xml:space="preserve">${line}</w:t></w:r></w:p>`)
          .join('')}</w:body></w:document>`,
      ],
    ]);
  await mustStayLinear(async (given) => parse('Word', await fileOf(given)), { size: 2000, texts: few });
});

describe('a spreadsheet takes no more than its share', () => {
  const cellsOf = (line: string, row: number) =>
    line
      .split(' ')
      .slice(0, 200)
      .map((text, at) => `<c t="inlineStr"><is><t>${escaped(text)}${at % 7 === row % 7 ? 1 : ''}</t></is></c>`)
      .join('');
  const rowsOf = (given: string) =>
    given.split('\n').map((line, at) => `<row r="${at + 1}">${cellsOf(line, at)}</row>`);
  const merged = (count: number, rangeOf: (at: number) => string) =>
    `<mergeCells>${Array.from({ length: count }, (_, at) => `<mergeCell ref="${rangeOf(at + 1)}"/>`).join('')}</mergeCells>`;

  test.each([
    ['words', () => ''],
    ['labels that go down', (rows: number) => merged(rows, (at) => `A${at}:A1048576`)],
    ['groups of columns', (rows: number) => merged(rows, (at) => `B${at}:XFD${at}`)],
  ])('with %s', atLength, async (_, afterOf) => {
    const fileOf = (given: string) => {
      const rows = rowsOf(given);
      return workbookOf([{ name: 'S', rows: rows.join(''), after: afterOf(rows.length) }]);
    };
    await mustStayLinear(async (given) => parse('Excel', await fileOf(given)), { size: 2000, texts: few });
  });
});

test('slides take no more than their share', atLength, async () => {
  const shape = (text: string, at: number) =>
    `<p:sp><p:spPr><a:xfrm><a:off x="${(at * 7) % 100}" y="${(at * 13) % 100}"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></p:txBody></p:sp>`;
  await mustStayLinear(
    async (given) => parse('PowerPoint', await slidesOf([{ shapes: given.split('\n').map(shape).join('') }])),
    { size: 2000, texts: few },
  );
});

test('files of OpenDocument take no more than their share', atLength, async () => {
  const paragraphs = (given: string) =>
    given
      .split('\n')
      .map((line) => `<text:p>${escaped(line)}</text:p>`)
      .join('');
  const bodies = {
    text: paragraphs,
    spreadsheet: (given: string) =>
      `<table:table><table:table-row><table:table-cell>${paragraphs(given)}</table:table-cell></table:table-row></table:table>`,
    presentation: (given: string) =>
      `<draw:page><draw:frame><draw:text-box>${paragraphs(given)}</draw:text-box></draw:frame></draw:page>`,
  };
  for (const kind of ['text', 'spreadsheet', 'presentation'] as const)
    await mustStayLinear(
      async (given) => parse(`OpenDocument ${kind}`, await openDocumentOf(kind, bodies[kind](given))),
      { size: 2000, texts: few },
    );
});

test('a PDF takes no more than its share', atLength, async () => {
  const fileOf = (given: string) => {
    const lines = given
      .split('\n')
      .map((line) => `(${line.replace(/[\\()]/g, '\\$&').replace(/[^\u0020-\u007e]/g, '.')}) Tj 0 -12 Td`);
    const stream = `BT /F 10 Tf 50 700 Td ${lines.join('\n')} ET`;
    return Buffer.from(
      `%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>> endobj\n4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n5 0 obj <</Length ${stream.length}>> stream\n${stream}\nendstream endobj\ntrailer <</Root 1 0 R>>\n`,
    );
  };
  await mustStayLinear((given) => parse('PDF', fileOf(given)), { size: 2000, texts: few });
});

describe('the built-in model takes no more than its share', () => {
  /** As long as a passage may be, with what its patterns look for. */
  const texts: HostileTexts = {
    ...hostileTexts,
    ...Object.fromEntries(
      ['(', '', '第', '- ', '| ', '何', 'how many ', 'what is the '].flatMap((head) =>
        ['1234-', '1234 ', '12 ', '1,', 'ab ', 'ab-', 'other ', 'the ', 'a: ', '| - ', '一', '円', '高さ'].map(
          (unit): [string, (n: number) => string] => [
            `${JSON.stringify(head)} and many ${JSON.stringify(unit)}`,
            (n) => head + unit.repeat(Math.ceil(n / unit.length)),
          ],
        ),
      ),
    ),
  };
  const passage = (text: string) => ({ number: 1, title: 'a', headings: [text.slice(0, 200)], page: null, text });

  test.each([
    'How long is the tower, and what is its name?',
    'How many other rooms are there, and when was the owner born?',
    '入館料はいくらで、何人まで、何時から入れますか',
  ])('for a passage, asked: %s', atLength, async (question) => {
    await mustStayLinear((given) => rate(question, [passage(given)]), { size: 250, texts });
  });

  test('for a question', atLength, async () => {
    const shop = [passage('The shop opens at nine. Parking costs 500 yen.')];
    await mustStayLinear((given) => [courtesyOf(given), isFollowUp(given), rate(given, shop)], { size: 500, texts });
  });
});

describe('an OpenAPI document takes no more than its share', () => {
  const repeated = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));
  const operations = (n: number, of: (at: number) => object) =>
    Object.fromEntries(repeated(n, (at) => [`/p${at}`, { get: of(at) }]));
  const document = (given: object) =>
    JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://api.example.com' }], paths: {}, ...given });
  const documents: HostileTexts = {
    'a server with a variable of slashes': (n) =>
      document({
        servers: [{ url: 'https://a.example/{v}x', variables: { v: { default: '/'.repeat(n) } } }],
        paths: operations(20, () => ({
          servers: [{ url: 'https://a/{v}x', variables: { v: { default: '/'.repeat(n / 20) } } }],
        })),
      }),
    'a server with one long variable many times': (n) =>
      document({
        servers: [{ url: `https://a.example/${'{v}'.repeat(600)}`, variables: { v: { default: 'a'.repeat(n) } } }],
      }),
    'many operations': (n) => document({ paths: operations(n / 60, () => ({})) }),
    'many operations of one name': (n) => document({ paths: operations(n / 60, () => ({ operationId: 'a' })) }),
    'many parameters': (n) =>
      document({
        paths: { '/a': { get: { parameters: repeated(n / 40, (at) => ({ name: `p${at}`, in: 'query' })) } } },
      }),
    'many fields for many operations': (n) =>
      document({
        components: { schemas: { S: { properties: Object.fromEntries(repeated(n / 40, (at) => [`f${at}`, {}])) } } },
        paths: Object.fromEntries(
          repeated(n / 80, (at) => [
            `/p${at}`,
            {
              post: {
                requestBody: {
                  required: true,
                  content: { 'application/json': { schema: { $ref: '#/components/schemas/S' } } },
                },
              },
            },
          ]),
        ),
      }),
    'references to references': (n) =>
      document({
        components: {
          schemas: Object.fromEntries(
            repeated(n / 40, (at) => [`S${at}`, { $ref: `#/components/schemas/S${at + 1}` }]),
          ),
        },
        paths: operations(n / 100, () => ({ parameters: [{ $ref: '#/components/schemas/S0' }] })),
      }),
    'a long path': (n) =>
      document({ paths: { [`/${'{'.repeat(n)}`]: { get: {} }, [`/${'{a}'.repeat(n / 3)}`]: { get: {} } } }),
  };
  test.each(Object.keys(documents))('with %s', atLength, async (name) => {
    const texts = { [name]: documents[name] ?? String };
    await mustStayLinear((given) => readOpenApi(given, 'en'), { size: 12_000, texts });
  });
});
