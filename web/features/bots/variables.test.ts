import { expect, test } from 'vitest';
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
