type Cell = string | number | null;

/** Rows as a file for spreadsheets. A text that one would calculate is made harmless; without the mark at its beginning Excel does not read it as UTF-8. */
export const toCsv = (rows: Cell[][]): ArrayBuffer =>
  new TextEncoder().encode(`\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`).buffer;

const cellOf = (value: Cell) =>
  typeof value === 'string'
    ? `"${value.replace(/^(?=[=+\-@\t\r＝＋－＠])/, "'").replaceAll('"', '""')}"`
    : (value ?? '');
