/** How an original is drawn in its frame, by what it is. */
const formats = new Map([
  ['text/html', 'html'],
  ['text/markdown', 'markdown'],
  ['text/plain', 'text'],
  ['application/json', 'text'],
  ['message/rfc822', 'mail'],
  ['text/csv', 'csv'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheets'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'sheets'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/epub+zip', 'epub'],
] as const);
export type Format = typeof formats extends Map<string, infer Each> ? Each : never;

/** Nothing where no library draws it. */
export const formatOf = (mime: string): Format | undefined => new Map<string, Format>(formats).get(mime);

/** More is not drawn: it would be unpacked in the memory of one tab. */
export const mostDrawnBytes = 30 * 2 ** 20;
export const mostRows = 2000;
export const mostColumns = 100;

/** What of an original is to be seen. */
export interface View {
  page: number;
  /** To be marked. */
  words: string;
  /** How large, as a share of what fits. */
  zoom: number;
}

/** To the frame: the original at first, then what to show of it. */
export interface Order {
  original?: { bytes: ArrayBuffer; format: Format };
  view: View;
}

/** From the frame, which a hostile original may have taken over. */
export type Told =
  | { kind: 'ready' | 'failed' }
  /** The names of its sheets, if it has any; `isCut` when a sheet has more rows or columns than are drawn. */
  | { kind: 'shown'; view: View; pages: number | null; names: string[]; isCut: boolean };
