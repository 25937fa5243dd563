import { expect, test } from 'vitest';
import { contrastWithWhite } from './contrast.ts';
import { fillVariables, unknownVariables } from './variables.ts';

const variables = [{ name: 'shop', value: 'Hinata' }];

test('a mark becomes the value of its variable, and stays where there is none', () => {
  expect(fillVariables('{{shop}} and {{ shop }}, {{town}}, {shop}', variables)).toBe(
    'Hinata and Hinata, {{town}}, {shop}',
  );
});

test('each name without a value is told once', () => {
  expect(unknownVariables(['{{town}} {{shop}}', '{{town}} {{ phone }} {{not a name}}'], variables)).toEqual([
    'town',
    'phone',
  ]);
});

test('white can be told from black, from itself not, and from Kotae’s green', () => {
  expect(contrastWithWhite('#000000')).toBeCloseTo(21);
  expect(contrastWithWhite('#ffffff')).toBeCloseTo(1);
  expect(contrastWithWhite('#767676')).toBeCloseTo(4.54, 2);
  expect(contrastWithWhite('#077d0b')).toBeGreaterThan(4.5);
});
