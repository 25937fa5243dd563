import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, enough, inkOn } from './contrast.ts';

test('black and white are as far apart as can be, a color and itself not at all', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#8f2f46', '#8f2f46')).toBe(1);
});

// The same two as https://webaim.org/resources/contrastchecker gives them.
test.each([
  ['#767676', '#ffffff', 4.54],
  ['#007a0a', '#ffffff', 5.54],
])('%s on %s', (one, other, contrast) => expect(contrastOf(one, other)).toBeCloseTo(contrast, 1));

test('one of black and white is read on any color', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(fc.property(color, (each) => inkOn(each).contrast >= enough.text));
  expect(inkOn('#ffe14d').ink).toBe('black');
  expect(inkOn('#27489c').ink).toBe('white');
});
