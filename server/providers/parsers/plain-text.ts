import type { Block, Parser } from './parser.ts';
import { decodeText, isTextHead, unwrap } from './text.ts';

export const plainText: Parser = {
  name: 'Text',
  extensions: ['txt', 'text', 'log'],
  mime: 'text/plain',
  isPlain: true,
  accepts: isTextHead,
  async parse(file) {
    return { title: null, pages: null, warnings: [], blocks: blocksOfText(decodeText(file)) };
  },
};

/** Paragraphs by blank lines; a line that stands out the way Japanese texts mark sections (`■ 営業時間`, `【料金】`) is a heading. */
export function blocksOfText(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: joinWrapped(paragraph), page: null });
    paragraph = [];
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') flush();
    else if (isHeading(line) && !isHeading(lines[index + 1] ?? '')) {
      flush();
      blocks.push({ kind: 'heading', level: 2, text: line.trim(), page: null });
    } else paragraph.push(line.trimEnd());
  }
  flush();
  return blocks;
}

const isHeading = (line: string) => line.length < 60 && /^(?:[■□◆◇▼▽][^。]{1,40}|【[^】]{1,40}】)$/u.test(line.trim());

const columns = (line: string) => line.length + (line.match(/[\u3000-\u9FFF\uF900-\uFAFF\uFF01-\uFF60]/g)?.length ?? 0);

/** Lines that all but fill the same width were broken by an editor, not by the writer. */
function joinWrapped(lines: string[]): string {
  const widths = lines.slice(0, -1).map(columns);
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const isWrapped = widths.length > 1 && widest >= 50 && widest <= 120 && widths.every((width) => width > widest * 0.8);
  return isWrapped ? unwrap(lines.join('\n')) : lines.join('\n');
}
