import { expect, test } from 'vitest';
import { emptyCard, emptyEdit, lineOfEdit } from './draft.ts';

const words = { title: '', text: '', name: '', value: '', offer: '', about: '', code: '' };
const drawn = (...values: string[]) => {
  const edit = emptyEdit('cards', 'en');
  if (edit.kind !== 'cards') return '';
  const facts = values.map((value) => ({ name: 'Fact', value }));
  return JSON.stringify(lineOfEdit({ ...edit, cards: [{ ...emptyCard, facts }] }, words));
};

test('amounts alone stand under each other as on a bill', () => {
  for (const bill of [['¥520', '¥1,940'], ['1,200円'], ['12.50 €']]) expect(drawn(...bill)).toContain('"align":"end"');
  for (const facts of [['¥980', '11:30–14:00'], ['Wednesdays']]) expect(drawn(...facts)).not.toContain('"align":"end"');
});
