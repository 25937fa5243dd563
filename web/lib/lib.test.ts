import { describe, expect, test } from 'vitest';
import { toLocale } from './i18n.ts';
import { safeNext } from './next.ts';
import { toServiceOption } from './service-option.ts';

describe('after signing in', () => {
  test.each(['/', '/Bot', '/Bot/1/Chat?thread=2#end', '/Knowledge/%E3%81%82'])('%s is a place of ours', (next) => {
    expect(safeNext(next)).toBe(next);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/a\\b',
    'Bot',
    '',
    undefined,
    5,
    ['/Bot'],
  ])('%j is not, and leads home', (next) => {
    expect(safeNext(next)).toBe('/');
  });
});

describe('an option made of a service', () => {
  const service = (name: string) => ({ uuid: 'id', name, avatar: { url: '/a.svg' } });

  test.each([
    ['Model (Preview)', 'Model', 'Preview'],
    ['Kotae（内蔵）', 'Kotae', '内蔵'],
    ['llama3', 'llama3', ''],
    ['Model (v2) (beta)', 'Model (v2)', 'beta'],
    ['(odd)', '', 'odd'],
  ])('of %s shows the name and the tag at its end', (full, name, tag) => {
    expect(toServiceOption(service(full), ['free'])).toEqual({
      imageSrc: '/a.svg',
      name,
      tag,
      value: 'id',
      tooltip: ['free'],
    });
  });
});

test.each([
  ['ja', 'ja'],
  ['ja-JP', 'ja'],
  ['JA', 'ja'],
  ['en-GB', 'en'],
  ['en', 'en'],
  ['fr-FR', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [null, 'en'],
] as const)('a browser that speaks %j reads %s', (tag, locale) => {
  expect(toLocale(tag)).toBe(locale);
});
