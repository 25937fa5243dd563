/** Formats that people call as their files end. */
const called = (endings: string): Record<string, string> =>
  Object.fromEntries(endings.split(' ').map((ending) => [ending, ending.toUpperCase()]));

/** Documents with text in them: how their files end, and what people call them. */
export const textFormats = {
  ...called('pdf docx xlsx pptx odt ods odp'),
  md: 'Markdown',
  ...called('txt html csv json eml epub rtf'),
};

/** All documents that can be read; each has a parser. Words of the others are recognized in a picture. */
export const formats = { ...textFormats, jpg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF', tif: 'TIFF' };

/** What any text may name without being told. */
export const defaultVariables = { formats: Object.values(formats) };
