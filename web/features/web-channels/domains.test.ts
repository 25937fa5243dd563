import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import { domainIn, twinOf } from './domains.ts';

describe('a domain is found in what was written or pasted', () => {
  test.each([
    ['shop.example.com', 'shop.example.com'],
    ['  Shop.Example.COM ', 'shop.example.com'],
    ['https://shop.example.com/beans?page=2#top', 'shop.example.com'],
    ['https://user:secret@shop.example.com/', 'shop.example.com'],
    ['http://localhost:8080/index.html', 'localhost:8080'],
    ['https://shop.example.com:443/', 'shop.example.com'],
    ['http://shop.example.com:80/', 'shop.example.com'],
    ['http://shop.example.com:443/', 'shop.example.com:443'],
    ['shop.example.com.', 'shop.example.com'],
    ['*.example.com', '*.example.com'],
    ['https://*.example.com/', '*.example.com'],
    ['https://日本語.jp/豆', 'xn--wgv71a119e.jp'],
    ['127.0.0.1:3000', '127.0.0.1:3000'],
  ])('%s', (written, domain) => expect(domainIn(written)).toBe(domain));
});

test.each([
  '',
  ' ',
  'my shop',
  'https://',
  'a..b.com',
  '-a.com',
  'exa_mple.com',
  'mail@',
  '*.',
  '*.*.com',
  'a,b',
  '[::1]',
])('there is none in “%s”', (written) => expect(domainIn(written)).toBeUndefined());

test('whatever is found, the server takes', () => {
  const taken = EmbedSettings.shape.domains;
  const written = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.webUrl(),
    fc.domain().map((domain) => `*.${domain}`),
    fc.stringMatching(/^[a-z0-9.*:/-]{1,40}$/),
  );
  fc.assert(
    fc.property(written, (text) => {
      const domain = domainIn(text);
      return domain === undefined || taken.safeParse([domain]).success;
    }),
    { numRuns: 2000 },
  );
});

describe('its twin with or without www is offered where there usually is one', () => {
  test.each([
    ['example.com', 'www.example.com'],
    ['www.example.com', 'example.com'],
    ['example.co.jp', 'www.example.co.jp'],
    ['example.com:8443', 'www.example.com:8443'],
    ['shop.example.com', undefined],
    ['*.example.com', undefined],
    ['localhost', undefined],
    ['localhost:3000', undefined],
    ['127.0.0.1', undefined],
  ])('%s', (domain, twin) => expect(twinOf(domain)).toBe(twin));
});
