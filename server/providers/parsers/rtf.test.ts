import { expect, test } from 'vitest';
import { rtf } from './rtf.ts';
import { finish } from './text.ts';

const fonts = String.raw`{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 MS Mincho;}{\f2\fcharset2 Symbol;}{\f3\fcharset204 Arial Cyr;}}`;

async function read(body: string) {
  const file = Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252\deff0 ${fonts}${body}}`, 'latin1');
  expect(rtf.accepts(file)).toBe(true);
  const { title, blocks, warnings } = finish(await rtf.parse(file, () => {}));
  return { title, warnings, lines: blocks.map(({ kind, level = '', text }) => `${kind}${level}: ${text}`) };
}

test.each([
  ['the encoding of each font', String.raw`\f1\'83\'5c\'81\'5b\'83\'58 \f3\'c4\'e0 \f0\'e9`, 'ソース Да é'],
  ['a second byte that is a brace or a backslash', String.raw`\f1\'83\\\'83\}\'96\{`, 'ソマ本'],
  ['a character over a break of the line', "\\f1\\'93\n\\'fa\\'96\r\n\\'7b", '日本'],
  ['Unicode with what stands for it', String.raw`\u26085?\u26412\'7b!`, '日本!'],
  ['Unicode with two that stand for it', String.raw`\uc2\u26085\'93\'fa\uc0\u26412 !`, '日本!'],
  ['both halves of a pair', String.raw`\u-10174?\u-8265?`, '𠮷'],
  ['characters with a name', String.raw`\ldblquote a\rdblquote\emdash b\~c\_d\-e`, '“a”—b c-de'],
  ['signs of a font', String.raw`{\f2 a\'b7} b`, 'α• b'],
  ['small figures', String.raw`10 m{\super 2}, H{\sub 2}O`, '10 m², H₂O'],
])('%s: read as written', async (_, body, text) => {
  expect((await read(body)).lines).toEqual([`paragraph: ${text}`]);
});

test('a word that means something to JavaScript alone means nothing', async () => {
  expect((await read(String.raw`Hello\constructor , world`)).lines).toEqual(['paragraph: Hello, world']);
});

test('what is hidden, deleted or meant for others is left out, and bytes that are no text are stepped over', async () => {
  const { lines } = await read(
    String.raw`a{\v hidden}{\deleted gone}{\*\unknown {no}}{\xe index}{\upr{ansi}{\*\ud{unicode}}}{\*\blob\bin4 }}{{}b\bin2 \}c\par`,
  );
  expect(lines).toEqual(['paragraph: aunicodebc']);
});

test('headings are known by their outline, their style, or the name of it', async () => {
  const { title, lines } = await read(
    String.raw`{\info{\author Ken}}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Big;}{\s2\sbasedon1 Like it;}{\s3 heading 2;}}\pard\s1 One\par\pard\s2 Two\par\pard\s3 Three\par\pard\outlinelevel2 Four\par\pard Text\par`,
  );
  expect(lines).toEqual(['heading1: One', 'heading1: Two', 'heading2: Three', 'heading3: Four', 'paragraph: Text']);
  expect(title).toBe('One');
});

test('tables keep their rows and columns, merged cells too', async () => {
  const row = (layout: string, ...cells: string[]) =>
    String.raw`\trowd${layout}\pard\intbl ${cells.join(String.raw`\cell `)}\cell\row `;
  const { lines } = await read(
    [
      row(String.raw`\cellx1000\cellx2000\cellx3000`, 'Room', 'From', 'Yen'),
      row(String.raw`\clvmgf\cellx1010\cellx2000\cellx3000`, 'Oak', 'May', '900'),
      row(String.raw`\clvmrg\cellx1000\cellx2000\cellx3000`, '', 'June|July', '950'),
      row(String.raw`\cellx1000\cellx3000`, 'Elm', 'on request'),
      String.raw`\pard after\par`,
    ].join(''),
  );
  expect(lines).toEqual([
    'table: | Room | From | Yen |\n| --- | --- | --- |\n| Oak | May | 900 |\n| Oak | June\\|July | 950 |\n| Elm | on request |  |',
    'paragraph: after',
  ]);
});

test('a table in a table comes after it', async () => {
  const { lines } = await read(
    String.raw`\trowd\cellx1000\cellx2000\pard\intbl outer\cell\pard\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\cellx1500\cellx2000\nestrow}{\nonesttables\par}\pard\intbl beside\cell\trowd\cellx1000\cellx2000\row\pard end\par`,
  );
  expect(lines).toEqual([
    'table: | outer | beside |\n| --- | --- |',
    'table: | x | y |\n| --- | --- |',
    'paragraph: end',
  ]);
});

test('lists keep their numbers and their depth', async () => {
  const { lines } = await read(
    String.raw`\pard{\listtext\pard\plain 1.\tab}One\par{\listtext\f2\'b7\tab}\ilvl1 Two\par\pard{\pntext\f0 2.\tab}Three\par\pard Text\par`,
  );
  expect(lines).toEqual(['list: 1. One\n  - Two\n2. Three', 'paragraph: Text']);
});

test('notes, boxes, headers and links are read, each in its place and once', async () => {
  const { lines } = await read(
    String.raw`{\header Shop\par}{\headerl Shop\par}{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 1}}\par}First{\super\chftn}{\footnote\pard{\super\chftn} A note.\par} text{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard In a box\par}}{\shprslt{\*\do twice}}}\par See {\field{\*\fldinst HYPERLINK "https://example.com/a"}{\fldrslt here}} or {\field{\*\fldinst HYPERLINK "mailto:a@example.com"}{\fldrslt a@example.com}}.\par`,
  );
  expect(lines).toEqual([
    'paragraph: Shop',
    'paragraph: Page',
    'paragraph: First[1] text',
    'paragraph: [1] A note.',
    'paragraph: In a box',
    'paragraph: See here (https://example.com/a) or a@example.com.',
  ]);
});

test('boxes to tick and readings over words are read', async () => {
  const { lines } = await read(
    String.raw`{\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres25\ffdefres1}}}{\fldrslt}} yes {\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres0\ffdefres1}}}{\fldrslt}} no {\field{\*\fldinst EQ \\o\\ad(\\s\\up 9(a),b)}{\fldrslt}}`,
  );
  expect(lines).toEqual(['paragraph: ☒ yes ☐ no b（a）']);
});

test('pictures, files and comments are told, once each', async () => {
  const { warnings } = await read(
    String.raw`Text{\*\shppict{\pict\pngblip 8950}}{\nonshppict{\pict 0102}}{\object{\*\objdata 0102}{\result Shown}}{\*\annotation a}`,
  );
  expect(warnings).toEqual([
    { kind: 'picture', count: 1, places: [] },
    { kind: 'file-inside', count: 1, places: [] },
    { kind: 'comment', count: 1, places: [] },
  ]);
});

test('a file that is cut off gives what it has, one of ten thousand groups and more is refused', async () => {
  expect((await read(String.raw`{{One\par Two`)).lines).toEqual(['paragraph: One', 'paragraph: Two']);
  await expect(read('{'.repeat(100_000))).rejects.toMatchObject({ code: 'file-unsafe' });
});
