/** What marks are drawn of, on 32 × 32, by our pages and in the pictures that other sites show. */

/** White on each is 6.3 or more, and each on its pale is 5.1 or more. */
export const dyes = [
  ['#2f6b3a', '#dcebdc'],
  ['#27489c', '#dfe5f6'],
  ['#1f5a8a', '#dbe9f2'],
  ['#2a5c5e', '#d9eae9'],
  ['#6d3f86', '#eae0f0'],
  ['#8f2f46', '#f4dfe3'],
  ['#8a4a2a', '#f3e3d8'],
  ['#6e2f2a', '#eedcd8'],
  ['#5b602c', '#e8e9d3'],
  ['#3a4440', '#e2e6e2'],
] as const;

/** Frames of a shop's sign, with how far its characters are moved out of the way and how large they are; two are smaller where there is no room for them. */
export const frames: { path: string; dots?: true; dx?: number; dy: number; scale: number; scaleOfTwo?: number }[] = [
  { path: 'M16 5a11 11 0 1 1 0 22 11 11 0 0 1 0-22Z', dy: 0, scale: 0.86, scaleOfTwo: 0.8 },
  { path: 'M5.5 5.5h21v21h-21z', dy: 0, scale: 0.88 },
  { path: 'M5 12 16 5l11 7', dy: 4.4, scale: 0.88 },
  { path: 'm16 3.5 12.5 12.5L16 28.5 3.5 16z', dy: 0, scale: 0.78, scaleOfTwo: 0.66 },
  { path: 'M6 5v22h21', dx: 2.5, dy: -2, scale: 0.84 },
  { path: 'M8 3.5v25M24 3.5v25M3.5 8h25M3.5 24h25', dy: 0, scale: 0.72, scaleOfTwo: 0.64 },
  { path: 'M16 3.5 29.5 28h-27z', dy: 6.2, scale: 0.62, scaleOfTwo: 0.58 },
  { path: 'm16 4 10.4 6v12L16 28 5.6 22V10z', dy: 0, scale: 0.86 },
  { path: 'M6 6.5h20M6 25.5h20', dy: 0, scale: 0.98 },
  { path: 'M11 4.5h10l6.5 6.5v10L21 27.5H11L4.5 21V11z', dy: 0, scale: 0.88 },
  { path: 'M5 26c2-2.4 3.7-2.4 5.5 0s3.5 2.4 5.5 0 3.5-2.4 5.5 0 3.5 2.4 5.5 0', dy: -2.5, scale: 1 },
  { path: '', dots: true, dy: 3.6, scale: 0.9 },
];

export const sizeOf = (letters: string, { scale, scaleOfTwo = scale }: (typeof frames)[number]) =>
  letters.length === 1 ? 15 * scale : letters.length === 2 ? 12 * scaleOfTwo : 10 * scale;

export const firstOf = (name: string) =>
  [...new Intl.Segmenter().segment(name.trim() || '?')][0]?.segment.toLocaleUpperCase() ?? '?';

/** One character of a Japanese name; of another its first and last initials, or the last two digits of the number it ends with. */
export function lettersOf(name: string): string {
  const digits = /(\d{1,2})\s*$/.exec(name.normalize('NFKC'))?.[1];
  if (digits) return digits.padStart(2, '0');
  const first = firstOf(name);
  if (!/^\p{Script=Latin}$/u.test(first)) return first;
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? firstOf(words.at(-1) ?? '') : '';
  return /^[\p{Script=Latin}\d]$/u.test(last) ? first + last : first;
}
