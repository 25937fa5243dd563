import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Prose } from './prose.tsx';

test('addresses can be pressed, without what ends the sentence; nothing else of a message is more than text', () => {
  const text =
    'See https://shop.example/a?b=1. <b>こちら</b>（https://shop.example/返品）、javascript:alert(1) [x](https://e.test)';
  const { container } = show(<Prose text={text} />);
  expect(container.querySelector('div')?.textContent).toBe(text);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'https://shop.example/a?b=1',
    'https://shop.example/返品',
    'https://e.test',
  ]);
  for (const link of screen.getAllByRole('link')) expect(link.getAttribute('rel')).toContain('noopener');
  expect(container.querySelector('b')).toBeNull();
});

test('whom a note names is seen, and nobody else after an @', () => {
  const text = '@taro @ta name@taro https://e.test/@taro @hanako';
  const { container, rerender } = show(<Prose text={text} mentions={[{ name: 'taro' }]} />);
  expect([...container.querySelectorAll('b')].map((each) => each.textContent)).toEqual(['@taro']);
  expect(container.querySelector('div')?.textContent).toBe(text);
  rerender(<Prose text="@taro" />);
  expect(container.querySelector('b')).toBeNull();
});
