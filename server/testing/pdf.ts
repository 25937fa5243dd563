/** A PDF of our own in Helvetica 12; lines are PDF strings with their parentheses, `raw` is more of the page's content, `fields` are annotations. */
export function pdfOf(
  pages: { top?: string; body?: string[]; foot?: string; raw?: string; fields?: string[] }[],
  trailer = '',
): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const at = (y: number, text: string) => `BT /F 12 Tf 50 ${y} Td ${text} Tj ET\n`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap(({ top, body = [], foot, raw = '', fields = [] }, index) => {
      const content = `${top ? at(800, top) : ''}${body.map((line, row) => at(700 - row * 15, line)).join('')}${foot ? at(40, foot) : ''}${raw}`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + index * 2} 0 R /Annots [${fields.join('')}] >>`,
        `<< /Length ${content.length} >>\nstream\n${content}endstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF`,
    'latin1',
  );
}
