import { expect, test } from 'vitest';
import { relation, shapesPart, slidesOf, type TestSlide } from '../../testing/office.ts';
import { pptx } from './pptx.ts';
import { finish } from './text.ts';

async function read(slides: TestSlide[], parts: Record<string, string> = {}) {
  const document = finish(await pptx.parse(await slidesOf(slides, parts), () => {}));
  return {
    ...document,
    lines: document.blocks.map(({ kind, page, text }) => `${page} ${kind}: ${text}`),
  };
}

const p = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const box = (x: number, y: number, width = 20, height = 10) =>
  `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm></p:spPr>`;
const shape = (inside: string, { at = '', is = '', named = '' } = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="" ${named}/><p:nvPr>${is && `<p:ph type="${is}"/>`}</p:nvPr></p:nvSpPr>${at}<p:txBody>${inside.startsWith('<') ? inside : p(inside)}</p:txBody></p:sp>`;
const frame = (kind: string, inside: string) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name=""/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${kind}">${inside}</a:graphicData></a:graphic></p:graphicFrame>`;

test('each slide is a page: its title, its shapes row by row and column by column, then its notes', async () => {
  const { lines, title, pages } = await read(
    [
      {
        shapes:
          shape('right below', { at: box(50, 30) }) +
          shape('left below', { at: box(0, 30) }) +
          shape('Right', { at: box(50, 20) }) +
          shape('Left', { at: box(0, 20) }) +
          shape('foot', { at: box(0, 80, 70) }) +
          shape('Opening', { is: 'title', at: box(0, 0, 70) }),
        relations: relation('n', 'notesSlide', '../notesSlides/notes.xml'),
      },
      { shapes: shape('Closing', { is: 'ctrTitle' }) },
    ],
    {
      'ppt/notesSlides/notes.xml': shapesPart(
        'notes',
        shape('1', { is: 'sldNum' }) + shape('Speak slowly.', { is: 'body' }),
      ),
    },
  );
  expect([title, pages]).toEqual(['Opening', 2]);
  expect(lines).toEqual([
    '1 heading: Opening',
    '1 paragraph: Left',
    '1 paragraph: left below',
    '1 paragraph: Right',
    '1 paragraph: right below',
    '1 paragraph: foot',
    '1 paragraph: Speak slowly.',
    '2 heading: Closing',
  ]);
});

test('lists keep their levels and numbers, and links their addresses', async () => {
  const numbered = (text: string, type: string, level = 0) =>
    p(text, `<a:pPr lvl="${level}"><a:buAutoNum type="${type}"/></a:pPr>`);
  const link =
    '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>Apply</a:t></a:r><a:br/><a:r><a:t>today</a:t></a:r></a:p>';
  const { lines } = await read([
    {
      shapes:
        shape(p('Tea') + p('green', '<a:pPr lvl="1"/>') + p('Note', '<a:pPr><a:buNone/></a:pPr>'), { is: 'body' }) +
        shape(
          numbered('one', 'circleNumDbPlain') +
            numbered('two', 'circleNumDbPlain') +
            numbered('in', 'alphaLcParenR', 1),
          {
            at: box(0, 50),
          },
        ) +
        shape(link, { at: box(0, 90) }),
      relations: relation('l', 'hyperlink', 'https://example.com/form', 'TargetMode="External"'),
    },
  ]);
  expect(lines).toEqual([
    '1 list: - Tea\n  - green',
    '1 paragraph: Note',
    '1 list: ① one\n② two\n  a) in',
    '1 paragraph: Apply (https://example.com/form)\ntoday',
  ]);
});

test('tables keep every figure in its column, and groups their place', async () => {
  const cell = (text: string, more = '') => `<a:tc ${more}><a:txBody>${p(text)}</a:txBody></a:tc>`;
  const row = (...cells: string[]) => `<a:tr>${cells.join('')}</a:tr>`;
  const { lines } = await read([
    {
      shapes:
        shape('Below the group', { at: box(0, 60) }) +
        `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name=""/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="50" cy="50"/><a:chOff x="0" y="1000"/><a:chExt cx="500" cy="500"/></a:xfrm></p:grpSpPr>${shape('In the group', { at: box(0, 1000, 100, 100) })}</p:grpSp>` +
        frame(
          'table',
          `<a:tbl>${row(cell('Region'), cell('Fee', 'gridSpan="2"'), cell('', 'hMerge="1"'))}${row(cell('North', 'rowSpan="2"'), cell('80'), cell('90'))}${row(cell('', 'vMerge="1"'), cell('a|b'), cell('95'))}</a:tbl>`,
        ).replace('<a:graphic>', '<p:xfrm><a:off x="0" y="80"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic>'),
    },
  ]);
  expect(lines).toEqual([
    '1 heading: In the group',
    '1 paragraph: Below the group',
    '1 table: | Region | Fee |  |\n| --- | --- | --- |\n| North | 80 | 90 |\n| North | a\\|b | 95 |',
  ]);
});

test('a chart is its title and its figures, a diagram a list', async () => {
  const cache = (kind: string, ...values: string[]) =>
    `<c:${kind}Ref><c:${kind}Cache><c:formatCode>0%</c:formatCode>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`;
  const point = (id: string, text: string) => `<dgm:pt modelId="${id}"><dgm:t>${p(text)}</dgm:t></dgm:pt>`;
  const space = 'xmlns:a="a" xmlns:c="c" xmlns:dgm="dgm"';
  const { lines, warnings } = await read(
    [
      {
        shapes:
          frame('chart', '<c:chart xmlns:c="c" r:id="c"/>') +
          frame('diagram', '<d:relIds xmlns:d="d" r:dm="d"/>') +
          frame('chart', ''),
        relations:
          relation('c', 'chart', '../charts/chart1.xml') + relation('d', 'diagramData', '../diagrams/data1.xml'),
      },
    ],
    {
      'ppt/charts/chart1.xml': `<c:chartSpace ${space}><c:chart><c:title><c:tx><c:rich>${p('Share')}</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx>${cache('str', 'Tea')}</c:tx><c:cat>${cache('str', 'May', 'June')}</c:cat><c:val>${cache('num', '0.25', '0.4')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
      'ppt/diagrams/data1.xml': `<dgm:dataModel ${space}><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${point('2', 'Bake')}${point('1', 'Mix')}${point('3', 'flour')}<dgm:pt modelId="4" type="pres"><dgm:t>${p('no')}</dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="2" srcOrd="1"/><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="1" destId="3" srcOrd="0"/><dgm:cxn srcId="3" destId="1" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>`,
    },
  );
  expect(lines).toEqual([
    '1 paragraph: Share',
    '1 table: |  | Tea |\n| --- | --- |\n| May | 25% |\n| June | 40% |',
    '1 list: - Mix\n  - flour\n- Bake',
  ]);
  expect(warnings).toEqual([{ kind: 'drawing', count: 1, places: ['1'] }]);
});

test('what a layout draws and what footers repeat is read once; prompts, numbers of slides and hidden shapes never', async () => {
  const slide = (title: string) => ({
    shapes:
      shape(title, { is: 'title' }) +
      shape('Komorebi, internal', { is: 'ftr' }) +
      shape('7', { is: 'sldNum' }) +
      shape('secret', { named: 'hidden="1"' }),
    relations: relation('y', 'slideLayout', '../slideLayouts/layout1.xml'),
  });
  const { lines } = await read([slide('One'), slide('Two')], {
    'ppt/slideLayouts/layout1.xml': shapesPart(
      'sldLayout',
      shape('Click to add a title', { is: 'title' }) + shape('Version 4'),
    ),
  });
  expect(lines).toEqual([
    '1 heading: One',
    '1 paragraph: Komorebi, internal',
    '1 paragraph: Version 4',
    '2 heading: Two',
  ]);
});

test('hidden slides, comments, pictures, videos and files inside are left out and told', async () => {
  const picture = (more = '') =>
    `<p:pic><p:nvPicPr><p:cNvPr id="5" name=""/><p:nvPr>${more}</p:nvPr></p:nvPicPr></p:pic>`;
  const { lines, warnings } = await read(
    [
      { shapes: shape('Secret'), attributes: 'show="0"' },
      {
        shapes: shape('Open') + picture() + picture('<a:videoFile r:link="v"/>') + frame('ole', ''),
        relations: relation('c', 'comments', '../comments/comment1.xml'),
      },
    ],
    { 'ppt/comments/comment1.xml': '<p:cmLst xmlns:p="p"><p:cm/><p:cm/></p:cmLst>' },
  );
  expect(lines).toEqual(['2 paragraph: Open']);
  expect(warnings).toEqual([
    { kind: 'hidden-slide', count: 1, places: ['1'] },
    { kind: 'picture', count: 1, places: ['2'] },
    { kind: 'file-inside', count: 2, places: ['2'] },
    { kind: 'comment', count: 2, places: ['2'] },
  ]);
});
