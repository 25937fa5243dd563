const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const luminanceOf = (color: string) => {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast of two colors, given as #rrggbb, from 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** What everyone can read, and what everyone can see. https://www.w3.org/TR/WCAG22/#contrast-minimum, #non-text-contrast */
export const enough = { text: 4.5, shape: 3 };

/** Black or white, whichever is read better on a color: one of them always has 4.5. */
export function inkOn(color: string): { ink: 'white' | 'black'; contrast: number } {
  const [white, black] = [contrastOf(color, '#ffffff'), contrastOf(color, '#000000')];
  return white >= black ? { ink: 'white', contrast: white } : { ink: 'black', contrast: black };
}
