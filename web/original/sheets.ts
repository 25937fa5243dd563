import { decode } from './decode.ts';
import { elementOf, plainPage, type Drawing } from './drawing.ts';
import type { Sheet } from './sheet-rows.ts';
import SheetsWorker from './sheets.worker.ts?worker&inline';

export const openWorkbook = async (bytes: ArrayBuffer): Promise<Drawing> => {
  const ask = startWorker();
  const names = await ask<string[]>({ book: bytes });
  return {
    pages: names.length,
    names,
    draw: async (page) => draw(await ask<Sheet>({ sheet: names[page - 1] ?? '' })),
  };
};

export const openCsv = async (bytes: ArrayBuffer): Promise<Drawing> => {
  const ask = startWorker();
  const [name = ''] = await ask<string[]>({ book: decode(new Uint8Array(bytes)) });
  const sheet = await ask<Sheet>({ sheet: name });
  return { pages: null, names: [], draw: () => draw(sheet) };
};

function startWorker() {
  // Within this file: a page without an origin may start no worker of another.
  const worker = new SheetsWorker();
  return <Answer>(question: object) =>
    new Promise<Answer>((done, fail) => {
      // The two files are built together, so what comes back is what was asked for.
      worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => done(data), { once: true });
      worker.addEventListener('error', () => fail(new TypeError('a workbook that cannot be read')), { once: true });
      worker.postMessage(question);
    });
}

const css = `
body { margin: 0; font: 13px/1.4 system-ui, sans-serif }
table { border-collapse: separate; border-spacing: 0 }
th, td { box-sizing: border-box; min-width: 3em; max-width: 24em; padding: 3px 6px; border: solid #d5d8d4; border-width: 0 1px 1px 0; vertical-align: bottom; white-space: pre-wrap; overflow-wrap: break-word }
th { position: sticky; top: 0; z-index: 1; background: #f1f3f0; color: #4a524d; font-weight: 400; text-align: center }
tbody th { left: 0; min-width: 0; padding: 3px 8px; z-index: 0 }
thead th:first-child { left: 0; z-index: 2; min-width: 0 }
.number { text-align: right; font-variant-numeric: tabular-nums }
`;

/** The grid of a spreadsheet. */
function draw({ columns, rows, isCut }: Sheet) {
  const page = plainPage(css);
  const table = page.createElement('table');
  const head = table.createTHead().insertRow();
  head.append(elementOf('th', ''));
  for (const { name, width } of columns) {
    const column = elementOf('th', name);
    if (width) column.style.width = `${Math.round(width)}px`;
    head.append(column);
  }
  const body = table.createTBody();
  for (const { number, cells } of rows) {
    const row = body.insertRow();
    row.append(elementOf('th', String(number)));
    for (const cell of cells) {
      if (!cell) continue;
      const drawn = row.insertCell();
      drawn.textContent = cell.text;
      drawn.colSpan = cell.columns;
      drawn.rowSpan = cell.rows;
      if (cell.isNumber) drawn.className = 'number';
    }
  }
  page.body.append(table);
  return { document: page, isCut };
}
