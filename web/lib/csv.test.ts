import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

const textOf = (rows: Parameters<typeof toCsv>[0]) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(toCsv(rows));

test('a text of a visitor is one cell and never a formula', () => {
  expect(textOf([['He said "no",\nthen'], ['=HYPERLINK("x")'], ['@a', '-1', 2.5, null]])).toBe(
    '\uFEFF"He said ""no"",\nthen"\r\n"\'=HYPERLINK(""x"")"\r\n"\'@a","\'-1",2.5,\r\n',
  );
});

test.each(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])('no cell begins with %j', (lead) => {
  expect(textOf([[`${lead}1+1`, `${lead}`]])).not.toMatch(new RegExp(`[\uFEFF,]"\\${lead}`));
});
