import { expect, test } from 'vitest';
import { zipOf } from '../../testing/zip.ts';
import { docx } from './docx.ts';
import { formatNumber } from './docx.numbering.ts';
import { finish } from './text.ts';

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
].join(' ');
const relation = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${more}/>`;
const relations = (inside: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;
const root = (name: string, inside: string) => `<w:${name} ${namespaces}>${inside}</w:${name}>`;

/** A Word file; `parts` has what belongs beside its body, by kind, and `links` the addresses that it names. */
async function read(body: string, parts: Record<string, string> = {}, links: Record<string, string> = {}) {
  const kinds = Object.keys(parts);
  const file = await zipOf([
    ['[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'],
    ['_rels/.rels', relations(relation('r', 'officeDocument', 'word/document.xml'))],
    [
      'word/_rels/document.xml.rels',
      relations(
        kinds.map((kind) => relation(kind, kind.replace(/\d/, ''), `${kind}.xml`)).join('') +
          Object.entries(links)
            .map(([id, target]) => relation(id, 'hyperlink', target, 'TargetMode="External"'))
            .join(''),
      ),
    ],
    ['word/document.xml', root('document', `<w:body>${body}</w:body>`)],
    ...kinds.map((kind): [string, string] => [`word/${kind}.xml`, parts[kind] ?? '']),
  ]);
  const document = finish(await docx.parse(file, () => {}));
  return {
    ...document,
    lines: document.blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`),
  };
}

const r = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (inside: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr>${inside.startsWith('<') || inside === '' ? inside : r(inside)}</w:p>`;
const inList = (text: string, list: number, level = 0) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const styled = (text: string, style: string) => p(text, `<w:pStyle w:val="${style}"/>`);
const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const numbering = (definition: string, lists: string) =>
  root('numbering', `<w:abstractNum w:abstractNumId="7">${definition}</w:abstractNum>${lists}`);
const list = (id: number, more = '') => `<w:num w:numId="${id}"><w:abstractNumId w:val="7"/>${more}</w:num>`;
const style = (id: string, name: string, properties: string, basedOn = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${basedOn && `<w:basedOn w:val="${basedOn}"/>`}<w:pPr>${properties}</w:pPr></w:style>`;
const cell = (inside: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${inside.startsWith('<') ? inside : p(inside)}</w:tc>`;
const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
const mark = (type: string, inside = '') => `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`;
const field = (code: string, result: string, form = '') =>
  `${mark('begin', form)}<w:r><w:instrText xml:space="preserve">${code}</w:instrText></w:r>${mark('separate')}${result}${mark('end')}`;
const ruby = (base: string, reading: string) =>
  `<w:r><w:ruby><w:rt>${r(reading)}</w:rt><w:rubyBase>${r(base)}</w:rubyBase></w:ruby></w:r>`;

test('words under readings are whole, and each reading stands behind its word once', async () => {
  const { lines } = await read(
    p(`${ruby('東', 'とう')}${ruby('京', 'きょう')}${r('へ行く。')}`) +
      p(
        `${ruby('東', 'とう')}${ruby('京', 'きょう')}${r('から')}${field('EQ \\* jc2 \\o\\ad(\\s\\up 9(かえ),帰)', '')}${r('る。')}`,
      ),
  );
  expect(lines).toEqual(['paragraph: 東京（とうきょう）へ行く。', 'paragraph: 東京から帰（かえ）る。']);
});

test('paragraphs have the numbers that Word gives them: through styles, over other paragraphs, begun again', async () => {
  const definition =
    level(0, 'japaneseCounting', '第%1章', '<w:pStyle w:val="chapter"/>') +
    level(1, 'decimal', '%1.%2', '<w:isLgl/><w:suff w:val="space"/>') +
    level(2, 'decimalEnclosedCircle', '%3', '<w:suff w:val="nothing"/>');
  const { lines } = await read(
    styled('総則', 'sub') +
      inList('目的', 1, 1) +
      inList('甲', 1, 2) +
      inList('乙', 1, 2) +
      p('別の段落') +
      inList('範囲', 1, 1) +
      styled('雑則', 'sub') +
      inList('協議', 1, 1) +
      inList('新しく', 2, 0) +
      p('番号なし', '<w:pStyle w:val="sub"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
    {
      styles: root(
        'styles',
        style('chapter', '章', '<w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/>') +
          style('sub', '章の細目', '', 'chapter'),
      ),
      numbering: numbering(
        definition,
        list(1) + list(2, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'),
      ),
    },
  );
  expect(lines).toEqual([
    'heading1: 第一章 総則',
    'list:   1.1 目的\n    ①甲\n    ②乙',
    'paragraph: 別の段落',
    'paragraph: 1.2 範囲',
    'heading1: 第二章 雑則',
    'list:   2.1 協議\n第五章 新しく',
    'heading1: 番号なし',
  ]);
});

test('a paragraph whose mark is deleted is not counted, and goes on in the next', async () => {
  const { lines } = await read(
    inList('one', 1) +
      p(
        '<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>',
        '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del/></w:rPr>',
      ) +
      inList('two', 1),
    { numbering: numbering(level(0, 'decimal', '%1.'), list(1)) },
  );
  expect(lines).toEqual(['list: 1. one\n2. two']);
});

test.each(['drop', 'margin'])('a large letter before a paragraph is its first one (%s)', async (place) => {
  const large = p('<w:r><w:t>O</w:t></w:r>', `<w:framePr w:dropCap="${place}" w:lines="3"/>`);
  const framed = p('<w:r><w:t>Beside it</w:t></w:r>', '<w:framePr w:dropCap="none"/>');
  const rest = p('<w:r><w:t>nce upon a time</w:t></w:r>');
  const cell = `<w:tbl><w:tr><w:tc>${large}${rest}</w:tc></w:tr></w:tbl>`;
  const { lines } = await read(large + rest + framed + rest + cell);
  expect(lines.slice(0, 3)).toEqual([
    'paragraph: Once upon a time',
    'paragraph: Beside it',
    'paragraph: nce upon a time',
  ]);
  expect(lines.slice(3).join()).toContain('Once upon a time');
});

test.each([
  ['upperLetter', 28, 'BB'],
  ['lowerRoman', 14, 'xiv'],
  ['aiueoFullWidth', 3, 'ウ'],
  ['iroha', 2, 'ロ'],
  ['japaneseCounting', 120, '百二十'],
  ['ideographDigital', 20, '二〇'],
  ['decimalFullWidth', 12, '１２'],
  ['decimalEnclosedCircle', 20, '⑳'],
  ['decimalZero', 7, '07'],
  ['ordinal', 22, '22nd'],
  ['ideographTraditional', 11, '11'],
])('in the format %s, %i is %s', (format, number, text) => {
  expect(formatNumber(number, format)).toBe(text);
});

test('a cell that goes down or across, and columns left out, keep every figure in its column', async () => {
  const { lines } = await read(
    `<w:tbl>${row(cell('地域') + cell('サイズ', '<w:gridSpan w:val="2"/>') + cell('送料'))}${row(
      cell('関東', '<w:vMerge w:val="restart"/>') + cell('60') + cell('小') + cell('800円'),
    )}${row(cell('', '<w:vMerge/>') + cell('80') + cell('大') + cell('1,000円'))}${row(
      cell('90') + cell('特大') + cell('a|b'),
      '<w:gridBefore w:val="1"/>',
    )}${row(cell('gone') + cell('9'), '<w:del/>')}</w:tbl>`,
  );
  expect(lines).toEqual([
    'table: | 地域 | サイズ |  | 送料 |\n| --- | --- | --- | --- |\n| 関東 | 60 | 小 | 800円 |\n| 関東 | 80 | 大 | 1,000円 |\n|  | 90 | 特大 | a\\|b |',
  ]);
});

test('a table in a table follows the row that it is in', async () => {
  const inner = `<w:tbl>${row(cell('a') + cell('b'))}${row(cell('1') + cell('2'))}</w:tbl>`;
  const { lines } = await read(
    `<w:tbl>${row(cell('Name') + cell('Detail'))}${row(cell('First') + cell(`${p('see')}${inner}${p('')}`))}${row(cell('Second') + cell('none'))}</w:tbl>`,
  );
  expect(lines).toEqual([
    'table: | Name | Detail |\n| --- | --- |\n| First | see |',
    'table: | a | b |\n| --- | --- |\n| 1 | 2 |',
    'table: | Name | Detail |\n| --- | --- |\n| Second | none |',
  ]);
});

test('each header and footer is read once, without the number of its page', async () => {
  const head = root('hdr', p('第4版'));
  const { lines } = await read(
    p('本文', '<w:sectPr><w:headerReference w:type="default" r:id="header1"/></w:sectPr>') +
      '<w:sectPr><w:headerReference w:type="first" r:id="header2"/><w:footerReference w:type="default" r:id="footer1"/></w:sectPr>',
    { header1: head, header2: head, footer1: root('ftr', p('電話 000-119-0000') + p(field('PAGE', r('1')))) },
  );
  expect(lines).toEqual(['paragraph: 第4版', 'paragraph: 電話 000-119-0000', 'paragraph: 本文']);
});

test('a text box in both forms is read once, and an older one alone as well', async () => {
  const box = (text: string) => `<w:txbxContent>${p(text)}</w:txbxContent>`;
  const older = (text: string) => `<w:pict><v:textbox>${box(text)}</v:textbox></w:pict>`;
  const { lines } = await read(
    p(
      `${r('Words.')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box('Parking')}</w:drawing></mc:Choice><mc:Fallback>${older('Parking')}</mc:Fallback></mc:AlternateContent></w:r><w:r>${older('Toilets')}</w:r>`,
    ),
  );
  expect(lines).toEqual(['paragraph: Words.', 'paragraph: Parking', 'paragraph: Toilets']);
});

const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (text: string) => `<m:e>${t(text)}</m:e>`;
test.each([
  ['a fraction', `<m:f><m:num>${t('a+b')}</m:num><m:den>${t('2c')}</m:den></m:f>`, '(a+b)/(2c)'],
  [
    'a power and an index',
    `<m:sSubSup>${e('x')}<m:sub>${t('1')}</m:sub><m:sup>${t('n+1')}</m:sup></m:sSubSup>`,
    'x_1^(n+1)',
  ],
  [
    'roots',
    `<m:rad><m:deg/>${e('2')}</m:rad>${t('+')}<m:rad><m:deg>${t('3')}</m:deg>${e('x+1')}</m:rad>`,
    '√2+³√(x+1)',
  ],
  [
    'a sum',
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${t('i=1')}</m:sub><m:sup>${t('n')}</m:sup>${e('i')}</m:nary>`,
    '∑_(i=1)^n i',
  ],
  [
    'a matrix in brackets',
    `<m:d><m:e><m:m><m:mr>${e('a')}${e('b')}</m:mr><m:mr>${e('c')}${e('d')}</m:mr></m:m></m:e></m:d>`,
    '(a, b; c, d)',
  ],
])('an equation is a line of text: %s', async (_, math, text) => {
  expect((await read(p(`${r('y is ')}<m:oMath>${math}</m:oMath>`))).lines).toEqual([`paragraph: y is ${text}`]);
});

test('boxes that are ticked and those that are not differ, and a choice is seen', async () => {
  const control = (checked: string) =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${r('?')}</w:sdtContent></w:sdt>`;
  const form = (inside: string) => `<w:ffData>${inside}</w:ffData>`;
  const { lines } = await read(
    p(`${control('1')}${r('Tea ')}${control('0')}${r('Milk')}`) +
      p(
        `${field('FORMCHECKBOX', '', form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>'))}${r('Yes ')}${field('FORMCHECKBOX', '', form('<w:checkBox><w:default w:val="0"/></w:checkBox>'))}${r('No')}`,
      ) +
      p(
        field(
          'FORMDROPDOWN',
          '',
          form('<w:ddList><w:result w:val="1"/><w:listEntry w:val="Small"/><w:listEntry w:val="Large"/></w:ddList>'),
        ),
      ) +
      p(`<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>${r('Paid')}`),
  );
  expect(lines).toEqual(['paragraph: ☒Tea ☐Milk', 'paragraph: ☒Yes ☐No', 'paragraph: Large', 'paragraph: ☑Paid']);
});

test('outline levels make headings, whatever the style is called; level 10 and long paragraphs do not', async () => {
  const { lines, title } = await read(
    styled('総則', 'x') +
      styled('見出しの名', 'y') +
      p('Direct', '<w:outlineLvl w:val="2"/>') +
      p('Text', '<w:pStyle w:val="x"/><w:outlineLvl w:val="9"/>') +
      styled('long '.repeat(60).trim(), 'x'),
    {
      styles: root(
        'styles',
        style('base', '規程', '<w:outlineLvl w:val="0"/>') +
          style('x', '規程の章', '', 'base') +
          style('y', '見出し 2', ''),
      ),
    },
  );
  expect(title).toBe('総則');
  expect(lines).toEqual([
    'heading1: 総則',
    'heading2: 見出しの名',
    'heading3: Direct',
    'paragraph: Text',
    `paragraph: ${'long '.repeat(60).trim()}`,
  ]);
});

test('the address of a link stands behind its words, unless they are the address', async () => {
  const link = (words: string) => `<w:hyperlink r:id="a">${r(words)}</w:hyperlink>`;
  const { lines } = await read(
    p(`${link('Apply')}${r(' or ')}${field('HYPERLINK "mailto:desk@example.com" \\o "x"', r('write'))}${r('.')}`) +
      p(link('example.com/form')) +
      p(`<w:fldSimple w:instr=" HYPERLINK &quot;tel:0001190000&quot; ">${r('Call')}</w:fldSimple>`) +
      p(`<w:hyperlink w:anchor="b">${r('Below')}</w:hyperlink>`),
    {},
    { a: 'https://example.com/form' },
  );
  expect(lines).toEqual([
    'paragraph: Apply (https://example.com/form) or write (mailto:desk@example.com).',
    'paragraph: example.com/form',
    'paragraph: Call (tel:0001190000)',
    'paragraph: Below',
  ]);
});

test('notes follow what they are about, and comments, deleted and hidden words are left out', async () => {
  const note = (id: number, text: string) => `<w:footnote w:id="${id}">${p(text)}</w:footnote>`;
  const { lines } = await read(
    p(
      `${r('Fee')}<w:r><w:footnoteReference w:id="4"/></w:r><w:r><w:commentReference w:id="0"/></w:r><w:moveFrom>${r('old')}</w:moveFrom><w:ins>${r(' 5 yen')}</w:ins>${r('secret', '<w:vanish/>')}${r('.')}`,
    ) + p('Next.'),
    {
      footnotes: root('footnotes', note(4, 'Tax included.') + note(9, 'Nobody refers to it.')),
      comments: root('comments', `<w:comment w:id="0">${p('Too cheap?')}</w:comment>`),
    },
  );
  expect(lines).toEqual(['paragraph: Fee[1] 5 yen.', 'paragraph: [1] Tax included.', 'paragraph: Next.']);
});

test.each([
  ['entities of its own', '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', 'file-damaged'],
  ['an end that is missing', '<x><y></x>', 'file-damaged'],
  ['100,000 levels', '<x>'.repeat(100_000), 'file-unsafe'],
])('a file with %s is refused', async (_, styles, code) => {
  await expect(read(p('Words.'), { styles })).rejects.toMatchObject({ code });
});

test('a file with other prefixes than Word writes is read', async () => {
  const file = await zipOf([
    ['[Content_Types].xml', '<Types/>'],
    [
      'word/document.xml',
      '<document xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><body><p><r><t>Fish &amp; chips</t></r></p></body></document>',
    ],
  ]);
  expect((await docx.parse(file, () => {})).blocks).toEqual([{ kind: 'paragraph', text: 'Fish & chips', page: null }]);
});

test('what is left out is told: comments, pictures, charts, files inside and signs without a character', async () => {
  const graphic = (kind: string) =>
    `<w:r><w:drawing><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${kind}"/></a:graphic></w:drawing></w:r>`;
  const { warnings } = await read(
    p(`${r('Menu')}<w:r><w:commentReference w:id="0"/></w:r>`) +
      p(graphic('picture') + graphic('picture') + graphic('chart')) +
      p('<w:r><w:object/></w:r><w:r><w:sym w:font="Webdings" w:char="F0FE"/></w:r>') +
      '<w:altChunk r:id="r1"/>',
  );
  expect(warnings.map(({ kind, count }) => `${kind} ${count}`)).toEqual([
    'comment 1',
    'picture 2',
    'drawing 1',
    'file-inside 2',
    'character 1',
  ]);
  expect((await read(p('Menu'))).warnings).toEqual([]);
});
