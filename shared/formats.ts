/** Documents with text in them: how their files end, and what people call them. */
export const textFormats = {
  pdf: 'PDF',
  docx: 'DOCX',
  xlsx: 'XLSX',
  pptx: 'PPTX',
  odt: 'ODT',
  ods: 'ODS',
  odp: 'ODP',
  md: 'Markdown',
  txt: 'TXT',
  html: 'HTML',
  csv: 'CSV',
  json: 'JSON',
  eml: 'EML',
  epub: 'EPUB',
  rtf: 'RTF',
};

/** All documents that can be read; each has a parser. Words of the others are recognized in a picture. */
export const formats = { ...textFormats, jpg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF', tif: 'TIFF' };

/** What any text may name without being told. */
export const defaultVariables = { formats: Object.values(formats) };
