import { expect, test } from 'vitest';
import { permissionsTable } from './operations.ts';

test('the table of permissions says that calls of visitors are for visitors, and nobody else is known there', () => {
  const rows = permissionsTable()
    .split('\n')
    .flatMap((line) => (line.startsWith('| ') ? [line.split('|').map((cell) => cell.trim())] : []));
  const [head = [], ...calls] = rows;
  const ofVisitors = calls.filter(
    ([, call]) => call === '`POST /api/visitor/message`' || call === '`GET /api/visitor/messages`',
  );
  expect(ofVisitors).toHaveLength(2);
  for (const cells of ofVisitors)
    expect(Object.fromEntries(head.map((name, at) => [name, cells[at]]).slice(2, -1))).toEqual(
      Object.fromEntries(head.slice(2, -1).map((name) => [name, name === 'visitor' ? '✓' : '401'])),
    );
});
