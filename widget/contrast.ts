/** How bright a color is, from 0 to 1, without the straight piece for what is nearly black: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const part = (shift: number) => (((parseInt(hex.slice(1), 16) >> shift) & 255) / 269 + 0.0521) ** 2.4;
  return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0);
}

/** From 1 to 21; 4.5 is enough for text. */
export function contrast(one: string, other: string): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Black or white, whichever is read better on a color: both are equally far from a brightness of 0.179. */
export const inkOn = (color: string): string => (luminance(color) > 0.179 ? '#000' : '#fff');
