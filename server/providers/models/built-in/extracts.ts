import type { Passage } from '../model.ts';

/** A part of a passage that can be quoted and says something by itself: never a heading, a caption or a question alone. */
export interface Extract {
  passage: Passage;
  /** What is quoted: whole lines or sentences as they stand in the passage. */
  text: string;
  /** The sentence or row that it is about. */
  core: string;
  /** What stands directly above and tells what the core is about: a heading in the text, a table's header, a question. */
  above: string;
  /** Of a question with its answer, both without their marks. */
  pair?: { question: string; answer: string };
  /** Of a table's row, which may share its header with others. */
  row?: { head: string; line: string };
  kind: 'sentence' | 'row' | 'table' | 'answer' | 'list';
}

/** In Latin characters, as chunks are measured: what is shorter is quoted whole, since its sentences belong together. */
const wholeParagraph = 450;
const wholeBlock = 700;
const wholeTableRows = 10;

/** Every extract of a passage, in reading order. The work is linear in the passage's length. */
export function extractsOf(passage: Passage): Extract[] {
  const extracts: Extract[] = [];
  let above: string[] = [];
  let intro = '';
  let asked = '';
  const add = (extract: Omit<Extract, 'passage' | 'above'> & { above?: string }) =>
    extracts.push({
      ...extract,
      passage,
      text: extract.text.trim(),
      above: [...above, asked, intro, extract.above ?? ''].filter(Boolean).join('\n'),
    });

  const blocks = blocksOf(passage.text);
  for (const [at, block] of blocks.entries()) {
    const isLast = at === blocks.length - 1;
    const lines = block.split('\n');
    if (isCaption(block)) {
      intro = '';
      above = [...above.slice(0, 1), block];
      continue;
    }
    if (isHeading(block) && (!isLast || isNumbered(block))) {
      [above, asked, intro] = [[block], '', ''];
      continue;
    }
    if (lines.length > 1 && isHeading(lines[0] ?? '') && isNumbered(lines[0] ?? '') && !isRecord(lines)) {
      [above, asked, intro] = [[lines.shift() ?? ''], '', ''];
    }
    const rest = lines.join('\n');
    const pair = questionWithAnswer(rest);
    if (pair) answers(pair.question, pair.answer).forEach(add);
    else if (isQuestion(rest) && !isLast) {
      asked = rest;
      continue;
    } else if (isTable(lines)) rows(lines, intro).forEach(add);
    else if (isRecord(lines)) add({ text: hardBreaks(rest), core: rest, kind: 'row' });
    else if (isItem(lines[0] ?? '')) items(lines, intro).forEach(add);
    else if (rest.startsWith('```')) add({ text: cutTo(rest, wholeBlock), core: rest, kind: 'list' });
    else if (asked) answers(asked, rest).forEach(add);
    else paragraph(rest).forEach(add);
    asked = '';
    const last = sentencesOf(rest).at(-1) ?? '';
    const leads = !isLast && announces(last) && !isTable(lines);
    intro = leads && sizeOf(last) <= wholeParagraph ? last : '';
    // What only announces a list or a table is quoted with it, or not at all.
    if (leads) for (let index = extracts.length - 1; extracts[index]?.core === last; index--) extracts.splice(index, 1);
  }
  return extracts;
}

type Part = Omit<Extract, 'passage' | 'above'> & { above?: string };

function blocksOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

function paragraph(text: string): Part[] {
  const sentences = sentencesOf(text);
  const isWhole = sizeOf(text) <= wholeParagraph || sentences.length === 1;
  return sentences.flatMap((core, at): Part[] =>
    saysSomething(core)
      ? [{ text: isWhole ? cutTo(text, wholeBlock) : withNeighbors(sentences, at), core, kind: 'sentence' }]
      : [],
  );
}

/** A sentence with the one before it that it leans on, and with the one after it that limits it. */
function withNeighbors(sentences: string[], at: number): string {
  let [from, to] = [at, at];
  while (from > 0 && at - from < 2 && leansBack.test(sentences[from] ?? '')) from--;
  while (to < sentences.length - 1 && to - at < 2 && limits.test(sentences[to + 1] ?? '')) to++;
  const size = () => sizeOf(sentences.slice(from, to + 1).join(''));
  const grown = (more: number) => size() + sizeOf(sentences[more] ?? '') <= wholeParagraph;
  if (to < sentences.length - 1 && !isQuestion(sentences[to + 1] ?? '') && grown(to + 1)) to++;
  else if (from > 0 && grown(from - 1)) from--;
  return joined(sentences.slice(from, to + 1));
}

const joined = (sentences: string[]) =>
  sentences.reduce(
    (all, next) =>
      `${all}${/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。」』）！？]$/u.test(all) || all === '' ? '' : ' '}${next}`,
    '',
  );

function answers(asked: string, answer: string): Part[] {
  const question = cutTo(asked, wholeBlock);
  const sentences = sentencesOf(answer);
  const isShort = sizeOf(answer) <= wholeBlock;
  return sentences.map((core, at) => ({
    text: `${question}\n${isShort ? answer : withNeighbors(sentences, at)}`,
    core,
    above: question,
    ...(isShort && { pair: { question: asked.replace(pairMark, ''), answer: answer.replace(pairMark, '') } }),
    kind: 'answer',
  }));
}

function items(lines: string[], intro: string): Part[] {
  const list = itemsOf(lines);
  const whole = intro ? `${intro}\n\n${lines.join('\n')}` : lines.join('\n');
  if (sizeOf(whole) <= wholeBlock && (intro || list.length <= 4))
    return [
      ...list.map((core): Part => ({ text: whole, core, kind: 'list' })),
      ...(intro ? [{ text: whole, core: whole, kind: 'list' as const }] : []),
    ];
  return [
    ...list.map((core): Part => ({ text: core, core, kind: 'list' })),
    ...(intro ? [{ text: cutTo(whole, wholeBlock), core: whole, kind: 'list' as const }] : []),
  ];
}

function itemsOf(lines: string[]): string[] {
  const list: string[] = [];
  for (const line of lines)
    if (isItem(line) || list.length === 0) list.push(line);
    else list[list.length - 1] += `\n${line}`;
  return list;
}

/** Each row with the header, and a small table as a whole. */
function rows(lines: string[], intro: string): Part[] {
  const hasDivider = divider.test((lines[1] ?? '').trim());
  const header = lines[0] ?? '';
  if (sizeOf(header) > wholeBlock) return [];
  const head = `${header}\n${
    hasDivider
      ? lines[1]
      : cellsOf(header)
          .map(() => '---')
          .join(' | ')
  }`;
  const body = lines.slice(hasDivider ? 2 : 1).filter((line) => line.trim() !== '');
  if (body.length === 0) return [];
  const lead = intro ? `${intro}\n\n` : '';
  const whole = [head, ...body].join('\n');
  return [
    ...body.map((line): Part => ({
      text: `${lead}${head}\n${line}`,
      core: line,
      above: header,
      row: { head: `${lead}${head}`, line },
      kind: 'row',
    })),
    ...(body.length <= wholeTableRows && sizeOf(whole) <= wholeBlock
      ? [{ text: `${lead}${whole}`, core: `${intro}\n${header}`, kind: 'table' as const }]
      : []),
  ];
}

export const cellsOf = (line: string): string[] =>
  line
    .replace(/^\s*\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const divider = /^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$/;
const isTable = (lines: string[]) =>
  lines.length > 1 && (divider.test((lines[1] ?? '').trim()) || lines.every((line) => line.includes(' | ')));
const isRecord = (lines: string[]) => lines.length > 1 && lines.every((line) => /^[^:：\n]{1,40}[:：]\s?\S/.test(line));
const isItem = (line: string) => /^\s*(?:[-*+•●・‣▪]\s?|\(?\d{1,2}[.)]\s|[①-⑳])\S/u.test(line);
const isCaption = (block: string) =>
  !block.includes('\n') && /^(?:fig(?:ure|\.)?|table|photo|図|表|写真)\s*[\d０-９]/i.test(block) && sizeOf(block) < 200;

/** 第3条（期間）, 4.2 Filter, ■ 料金, 【料金】: whatever follows, a heading. */
const isNumbered = (line: string) =>
  /^(?:第[\d０-９〇一二三四五六七八九十百]+[章節条項]|\d+(?:\.\d+)*\.?\s|[■□◆◇▼●○]\s?\S|【[^】]+】$|#+\s|§|chapter|section|article|appendix|附則)/iu.test(
    line,
  );

/** A short line that ends no sentence. */
function isHeading(block: string): boolean {
  if (block.includes('\n') || sizeOf(block) > 120 || (isItem(block) && !isNumbered(block))) return false;
  return (
    !/[.。！!?？:：;、,]$|[|]/.test(block) &&
    !/(?:です|ます|ません|した|する|ない|である|ください)$/.test(block) &&
    !/[:：]\s?\S/.test(block) &&
    (isNumbered(block) || !/\d/.test(block))
  );
}

const isQuestion = (text: string) =>
  !text.includes('\n') && /[?？]["”』」)）]?$|(?:です|ます|でしょう|ません)か。?$/.test(text.trim());
const announces = (sentence: string) =>
  /[:：]$|(?:次の|以下の|下記の|次のとおり|以下のとおり|下記のとおり|the following)/i.test(sentence);

const pairStart = /^\s*(?:\*\*)?(?:Q\s?\d{0,3}|ご?質問\s?\d{0,3}|問\s?\d{1,3})\s?[:：.．、）)]/i;
/** `Q: `, `A3.`, `質問：`, `回答：` before what is asked or answered. */
const pairMark =
  /^\s*(?:\*\*)?(?:[QA]\s?\d{0,3}|ご?質問\s?\d{0,3}|問\s?\d{1,3}|ご?回答\s?\d{0,3}|答え?\s?\d{0,3})\s?[:：.．、）)]\s*(?:\*\*)?\s*/i;
function questionWithAnswer(text: string): { question: string; answer: string } | undefined {
  if (!pairStart.test(text)) return undefined;
  const at = text.indexOf('\n');
  return at < 0 ? undefined : { question: text.slice(0, at), answer: text.slice(at + 1) };
}

const leansBack =
  /^(?:They|It|He|She|This|These|Those|That|Then|Else|Otherwise|However|But|In this|In that|If (?:so|not|it|they)|After (?:that|this)|Before that|Below|Above|Also|So|Therefore|The same|Its|Their|Each further|A replacement)\b|^(?:それ|これ|その|この|そこ|ここ|同|ただし|なお|また|そのまま|しかし|ついては|なので|そのため|以降|以後|上記|前項)/u;
const limits =
  /^(?:However|But|Except|Otherwise|Unless|After that|Below|If not|In all other)\b|^(?:ただし|なお|それ以降|それ以外|以降|この限り|しかし|その場合)/u;

const segmenter = new Intl.Segmenter('ja', { granularity: 'sentence' });

/** Sentences as they stand; each line begins a new one. */
function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      joinShort([...segmenter.segment(line)].map(({ segment }) => segment.trim()).filter((part) => part !== '')),
    );
}

/** "No. 5", "e.g." and the like end no sentence: what is very short belongs to what follows it. */
function joinShort(parts: string[]): string[] {
  const whole: string[] = [];
  let held = '';
  for (const part of parts) {
    const next = held ? `${held} ${part}` : part;
    if (/^[\p{Script=Latin}\p{N}\p{P}\s]*$/u.test(next) && next.length < 12) held = next;
    else {
      whole.push(next);
      held = '';
    }
  }
  if (held) whole.push(held);
  return whole;
}

const saysSomething = (sentence: string) => /[\p{L}\p{N}]{2}/u.test(sentence) && !isCaption(sentence);
/** Two spaces keep the lines of a record apart where Markdown is drawn. */
const hardBreaks = (text: string) => text.replaceAll('\n', '  \n');

function cutTo(text: string, most: number): string {
  if (sizeOf(text) <= most) return text;
  let size = 0;
  const kept: string[] = [];
  for (const part of text.includes('\n') ? text.split('\n') : sentencesOf(text)) {
    size += sizeOf(part);
    if (kept.length > 0 && size > most) break;
    kept.push(part);
  }
  return text.includes('\n') ? kept.join('\n') : joined(kept);
}

/** In Latin characters; a Chinese or Japanese one says as much as 2.5 of them. */
function sizeOf(text: string): number {
  let size = 0;
  for (let at = 0; at < text.length; at++) size += text.charCodeAt(at) >= 0x2e80 ? 2.5 : 1;
  return size;
}
