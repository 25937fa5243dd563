import { zipOf } from './zip.ts';

/** A relation of a part of an Office file. */
export const relation = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" ${more}/>`;

export const relations = (inside: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;

/** An Office file whose main part is given by its name, with the other parts that it has. */
export const officeOf = (main: string, parts: Record<string, string>) =>
  zipOf([
    ['[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'],
    ['_rels/.rels', relations(relation('r', 'officeDocument', main))],
    ...Object.entries(parts),
  ]);

const spreadsheet =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

export interface TestSheet {
  name: string;
  /** The rows, in the XML of a sheet. */
  rows: string;
  before?: string;
  after?: string;
  state?: string;
  relations?: string;
}

/** An Excel file of these sheets. */
export function workbookOf(
  sheets: TestSheet[],
  {
    texts = '',
    formats = [],
    fonts = '',
    properties = '',
    parts = {},
  }: { texts?: string; formats?: string[]; fonts?: string; properties?: string; parts?: Record<string, string> } = {},
) {
  const codes = formats.map(
    (code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = ['0', ...formats.map((_, at) => String(200 + at))].map((id) => `<xf numFmtId="${id}"/>`);
  return officeOf('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${spreadsheet}><workbookPr ${properties}/><sheets>${sheets
      .map(
        ({ name, state = 'visible' }, at) =>
          `<sheet name="${name}" state="${state}" sheetId="${at + 1}" r:id="s${at}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      sheets.map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`)).join('') +
        relation('t', 'sharedStrings', 'sharedStrings.xml') +
        relation('y', 'styles', 'styles.xml'),
    ),
    'xl/sharedStrings.xml': `<sst ${spreadsheet}>${texts}</sst>`,
    'xl/styles.xml': `<styleSheet ${spreadsheet}><numFmts>${codes.join('')}</numFmts><fonts>${fonts}</fonts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.flatMap(({ rows, before = '', after = '', relations: inside }, at) => [
        [
          `xl/worksheets/sheet${at}.xml`,
          `<worksheet ${spreadsheet}>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
        ],
        ...(inside ? [[`xl/worksheets/_rels/sheet${at}.xml.rels`, relations(inside)]] : []),
      ]),
    ),
    ...parts,
  });
}

const presentation =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

export interface TestSlide {
  shapes: string;
  attributes?: string;
  relations?: string;
}

/** A part of PowerPoint with shapes: a slide, a layout, notes. */
export const shapesPart = (name: string, shapes: string, attributes = '') =>
  `<p:${name} ${presentation} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`;

/** A PowerPoint file of these slides. */
export function slidesOf(slides: TestSlide[], parts: Record<string, string> = {}) {
  return officeOf('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation ${presentation}><p:sldIdLst>${slides.map((_, at) => `<p:sldId r:id="s${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, at) => relation(`s${at}`, 'slide', `slides/slide${at}.xml`)).join(''),
    ),
    ...Object.fromEntries(
      slides.flatMap(({ shapes, attributes, relations: inside = '' }, at) => [
        [`ppt/slides/slide${at}.xml`, shapesPart('sld', shapes, attributes)],
        [`ppt/slides/_rels/slide${at}.xml.rels`, relations(inside)],
      ]),
    ),
    ...parts,
  });
}
