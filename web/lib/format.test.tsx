import { afterEach, expect, test, vi, type MockInstance } from 'vitest';
import { formatAgo, formatMoment } from './format.ts';
import { i18n } from './i18n.ts';

let language: MockInstance<() => string> | undefined;

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 - 5000).toISOString();

afterEach(async () => {
  language?.mockRestore();
  await i18n.changeLanguage('en');
});

test('what ends is told by the nearest amount, what has passed by the whole ones', () => {
  expect(formatAgo(inDays(7))).toBe('in 7 days');
  expect(formatAgo(inDays(90))).toBe('in 3 months');
  expect(formatAgo(new Date(Date.now() - 119_000).toISOString())).toBe('1 minute ago');
});

test('an English page writes dates as the browser’s region does, where that speaks English', () => {
  const at = '2026-11-28T00:39:00Z';
  const spy = vi.spyOn(navigator, 'language', 'get');
  language = spy;
  spy.mockReturnValue('en-GB');
  expect(formatMoment(at)).toBe('28 November 2026 at 09:39');
  for (const other of ['en-US', 'de-DE', 'ja-JP']) {
    spy.mockReturnValue(other);
    expect(formatMoment(at)).toMatch(/^November 28, 2026 at 9:39/);
  }
});

test('Japanese says of a moment that it was just now without a particle', async () => {
  await i18n.loadNamespaces('line-channels');
  await i18n.changeLanguage('ja');
  const checked = (ms: number) =>
    i18n.t('line-channels:overview.checked', { ago: formatAgo(new Date(Date.now() - ms).toISOString()) });
  expect(checked(0)).toBe('たった今確認');
  expect(checked(180_000)).toBe('3分前に確認');
  expect(checked(86_400_000)).toBe('昨日確認');
});
