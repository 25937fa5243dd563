import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressKey, canonicalAddress, proxiesOf } from './address.ts';

const part = fc.integer({ min: 0, max: 0xffff });
const byte = fc.integer({ min: 0, max: 255 });
const port = fc.integer({ min: 0, max: 65_535 });

/** A part of an IPv6 address with up to three zeros before it, in small letters and capitals. */
const spelled = (value: number, { zeros, upper }: { zeros: number; upper: boolean }) => {
  const plain = value.toString(16);
  const text = plain.padStart(Math.min(4, plain.length + zeros), '0');
  return upper ? text.toUpperCase() : text;
};
const style = fc.record({ zeros: fc.integer({ min: 0, max: 3 }), upper: fc.boolean() });

/** One run of zeros, wherever it is and however long, may be left out. */
function shortened(parts: string[], [from, length]: [number, number]): string {
  const run = parts.slice(from, from + length);
  if (run.length === 0 || run.some((each) => !/^0+$/.test(each))) return parts.join(':');
  return `${parts.slice(0, from).join(':')}::${parts.slice(from + length).join(':')}`;
}

const around = fc.constantFrom(
  (address: string) => address,
  (address: string) => `[${address}]`,
  (address: string, number: number) => `[${address}]:${number}`,
  (address: string) => `${address}%eth0`,
);

const carrying = [
  '::ffff:203.0.113.9',
  '::ffff:cb00:7109',
  '[::ffff:0:cb00:7109]',
  '::ffff:0:203.0.113.9',
  '::203.0.113.9',
  '64:ff9b::203.0.113.9',
  '64:ff9b:1::cb00:7109',
  '2002:cb00:7109::1',
  '2002:cb00:7109:ffff::2',
  '2001:0:4136:e378:8000:63bf:34ff:8ef6',
];

test.each(carrying)('%s is counted as the IPv4 address that it carries', (address) => {
  expect([canonicalAddress(address), addressKey(address)]).toEqual(['203.0.113.9', '203.0.113.9']);
});

test('whoever has a /64 is not counted as the IPv4 addresses that they write into it', () => {
  expect(addressKey('2a01:4f8:1:2:0:5efe:cb00:7109')).toBe('2a01:4f8:1:2::/64');
  expect(['::', '::1'].map((address) => canonicalAddress(address))).toEqual(['::', '::1']);
});

describe('an address', () => {
  test('of IPv6 has one spelling, and one key for its /64', () => {
    const sparse = fc.oneof(part, fc.constant(0));
    fc.assert(
      fc.property(
        fc
          .array(sparse, { minLength: 8, maxLength: 8 })
          .filter(([first = 0, second]) => first >= 0x2000 && first !== 0x2002 && !(first === 0x2001 && second === 0)),
        fc.array(style, { minLength: 8, maxLength: 8 }),
        fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 8 })),
        around,
        port,
        (parts, styles, run, frame, number) => {
          const plain = parts.map((value) => value.toString(16)).join(':');
          const other = frame(
            shortened(
              parts.map((value, at) => spelled(value, styles[at]!)),
              run,
            ),
            number,
          );
          expect([other, canonicalAddress(other)]).toEqual([other, canonicalAddress(plain)]);
          expect(new URL(`http://[${canonicalAddress(plain)}]/`).hostname).toBe(new URL(`http://[${plain}]/`).hostname);
          const key = addressKey(other);
          expect(addressKey([...parts.slice(0, 4), 1, 2, 3, 4].map((value) => value.toString(16)).join(':'))).toBe(key);
          const neighbour = [...parts.slice(0, 3), (parts[3]! + 1) % 0x10000, ...parts.slice(4)];
          expect(addressKey(neighbour.map((value) => value.toString(16)).join(':'))).not.toBe(key);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of IPv4 has one spelling, inside IPv6 too, and counts alone', () => {
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), style, around, port, (bytes, look, frame, number) => {
        const plain = bytes.join('.');
        const [one, two] = [bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]];
        const mapped = `${spelled(one, look)}:${spelled(two, look)}`;
        const spellings = [
          plain,
          `${plain}:${number}`,
          ...[`::ffff:${plain}`, `::FFFF:${mapped}`, `0:0:0:0:0:fFfF:${plain}`, `0000:00::0:ffff:${mapped}`].map(
            (each) => frame(each, number),
          ),
        ];
        for (const each of spellings)
          expect([each, canonicalAddress(each), addressKey(each)]).toEqual([each, plain, plain]);
      }),
      { numRuns: 500 },
    );
  });

  test('is unknown when it is none, so that no spelling of nothing is counted apart', () => {
    for (const text of [
      '',
      ' ',
      'unknown',
      '_hidden',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '1.2.3.4:x',
      '[1.2.3.4',
      'g::1',
      '::1::',
      undefined,
    ])
      expect([text, canonicalAddress(text), addressKey(text)]).toEqual([text, 'unknown', 'unknown']);
  });

  test('of a proxy is known in every spelling', () => {
    const isProxy = proxiesOf(['10.0.0.0/8', '2001:db8::/32']);
    for (const text of ['10.1.2.3', '::ffff:10.1.2.3', '10.1.2.3:443', '[2001:DB8::1]:80', '2001:db8:0:0::1'])
      expect([text, isProxy(text, 0)]).toEqual([text, true]);
    for (const text of ['11.1.2.3', '::ffff:11.1.2.3', '2001:db9::1', 'unknown', ''])
      expect([text, isProxy(text, 0)]).toEqual([text, false]);
  });
});
