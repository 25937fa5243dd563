/** Where whoever gets a text is named. */
export const nameMark = '{{name}}';

/** The same however it is spaced. */
const markOf = (mark: string) => new RegExp(String.raw`\{\{\s*(${mark})\s*\}\}`, 'g');
// A group that is kept would be among the parts of what it divides.
const marks = markOf('?:name');

/** What stands around the places for a name. */
export const partsAroundName = (text: string): string[] => text.split(marks);

/** A text for somebody, with the name as it stands; where nobody knows it, the text reads as if none had been meant. */
export const withName = (text: string, name: string): string =>
  name === '' ? without(marks, text, nameless) : partsAroundName(text).join(name);

/** What replies that are kept may have in them: the visitor's name, that of whoever answers, and the shop's. */
export const replyMarks = ['name', 'staff', 'shop'] as const;
type Names = Record<(typeof replyMarks)[number], string>;

/** A kept reply with the names in it, as `withName` has one; nobody is called by the others. In one pass, since a name may look like a mark. */
export const withNames = (text: string, names: Names): string =>
  replyMarks
    .filter((mark) => names[mark] === '')
    .reduce((said, mark) => without(markOf(mark), said, mark === 'name' ? nameless : () => ''), text)
    .replace(markOf(replyMarks.join('|')), (_, mark: keyof Names) => names[mark]);

/** A line's sentences, each with the marks and blanks at its end. */
const sentences = /[^.!?。！？]+[.!?。！？"”」）)\s]*|[.!?。！？"”」）)\s]+/g;
const honorific = String.raw`(?:さん|さま|様|くん|君|ちゃん)?`;
// A call at the beginning, such as "{{name}}さん、"; one behind a comma or Japanese words; and one behind a greeting of one or two words.
const calls: [call: RegExp, left: string][] = [
  [new RegExp(String.raw`^(\s*)\0${honorific}(?:\s*[、,，:：]\s*|\s*[!！]\s*|\s*$)`), '$1'],
  [
    new RegExp(
      String.raw`(?:\s{0,3}[,，、]\s{0,3}|(?<=[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}ー]))\0${honorific}(?=\s{0,3}(?:[,.!?，、。！？]|$))`,
      'u',
    ),
    '',
  ],
  [new RegExp(String.raw`^(\s*\p{L}+(?: \p{L}+)?)\s+\0(?=\s*[,.!?、。！？])`, 'u'), '$1'],
];

/** Whoever is called is called by no name; a sentence that says something else of the name is left out. */
function without(marks: RegExp, text: string, leave: (sentence: string) => string): string {
  if (text.search(marks) < 0) return text;
  // No text has this character: https://www.unicode.org/charts/PDF/U0000.pdf
  const lines = text.replace(marks, '\0').split('\n');
  return lines
    .flatMap((line) => {
      if (!line.includes('\0')) return [line];
      const left = (line.match(sentences) ?? [])
        .map((sentence) => (sentence.includes('\0') ? leave(sentence) : sentence))
        .join('')
        .trimEnd();
      // Nothing is left of it but the beginning of a letter.
      return left === '' || /^[^,，、]{1,20}[,，、]$/.test(left) ? [] : [left];
    })
    .join('\n')
    .trim();
}

function nameless(sentence: string): string {
  for (const [call, left] of calls) {
    const said = sentence.replace(call, left);
    if (said !== sentence)
      return said.includes('\0') ? '' : said.replace(/^\s*\p{Ll}/u, (first) => first.toUpperCase());
  }
  return '';
}
