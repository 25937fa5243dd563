import { zipOf } from './zip.ts';

const namespaces = [
  ...['office', 'text', 'table', 'style', 'presentation'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ');

/** A file of OpenDocument, with the body of its content and what else it has. */
export function openDocumentOf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  {
    automatic = '',
    styles = '',
    masters = '',
    parts = {},
  }: {
    automatic?: string;
    styles?: string;
    masters?: string;
    parts?: Record<string, string>;
  } = {},
) {
  return zipOf([
    ['mimetype', `application/vnd.oasis.opendocument.${kind}`],
    [
      'content.xml',
      `<office:document-content ${namespaces}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ],
    [
      'styles.xml',
      `<office:document-styles ${namespaces}><office:styles>${styles}</office:styles><office:master-styles>${masters}</office:master-styles></office:document-styles>`,
    ],
    ...Object.entries(parts),
  ]);
}
