/** Where whoever gets a text is named. */
export const nameMark = '{{name}}';

/** The same however it is spaced. */
const marks = /\{\{\s*name\s*\}\}/g;

/** What stands around the places for a name. */
export const partsAroundName = (text: string): string[] => text.split(marks);

/** A text for somebody, with the name as it stands; where nobody knows it, the text reads as if none had been meant. */
export const withName = (text: string, name: string): string =>
  name === '' ? withoutName(text) : partsAroundName(text).join(name);

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
function withoutName(text: string): string {
  if (partsAroundName(text).length === 1) return text;
  // No text has this character: https://www.unicode.org/charts/PDF/U0000.pdf
  const lines = text.replace(marks, '\0').split('\n');
  return lines
    .flatMap((line) => {
      if (!line.includes('\0')) return [line];
      const left = (line.match(sentences) ?? []).map(nameless).join('').trimEnd();
      // Nothing is left of it but the beginning of a letter.
      return left === '' || /^[^,，、]{1,20}[,，、]$/.test(left) ? [] : [left];
    })
    .join('\n')
    .trim();
}

function nameless(sentence: string): string {
  if (!sentence.includes('\0')) return sentence;
  for (const [call, left] of calls) {
    const said = sentence.replace(call, left);
    if (said !== sentence)
      return said.includes('\0') ? '' : said.replace(/^\s*\p{Ll}/u, (first) => first.toUpperCase());
  }
  return '';
}
