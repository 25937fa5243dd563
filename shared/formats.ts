/** The documents that can be read: how their files end, and what people call them. Each has a parser. */
export const formats = {
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

/** What any text may name without being told. */
export const defaultVariables = { formats: Object.values(formats) };
