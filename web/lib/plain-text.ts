const changes: [marks: RegExp, to: string][] = [
  [/^[ \t]*(?:```|~~~)[^\n]*\n?/gm, ''],
  [/^[ \t]*(?:\|[ \t]*)?(?::?-+:?[ \t]*\|[ \t]*)+(?:[:-][ \t:-]*)?(?:\n|$)/gm, ''],
  [/^ {0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*(?:\n|$)/gm, ''],
  [/^ {0,3}(?:#{1,6}[ \t]+|>[ \t]?)/gm, ''],
  [/^([ \t]*)[-*+][ \t]+/gm, '$1• '],
  [/!?\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1'],
  // Not a power in a formula, nor a name in code.
  [/(?<![A-Za-z\d*])(\*{1,3}|~~)(?=[^\s*~])([^*\n]+?)(?<=\S)\1(?!\*)/g, '$2'],
  [/`([^`\n]+)`/g, '$1'],
];

/** A passage of a document, without the marks of Markdown that a reader has no use for. */
export function toPlainText(text: string): string {
  const rows = text.replace(/^[ \t]*\|(.*)$/gm, (row, cells: string) =>
    /^[\s|:-]*$/.test(cells)
      ? row
      : cells
          .split('|')
          .map((cell) => cell.trim())
          .filter(Boolean)
          .join(' · '),
  );
  return changes.reduce((plain, [marks, to]) => plain.replace(marks, to), rows);
}

/** The same where there is little room. */
export const toExcerpt = (text: string): string =>
  toPlainText(text)
    .trim()
    .replace(/\n\s*\n/g, '\n');
