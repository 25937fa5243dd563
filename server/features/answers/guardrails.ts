import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ModelMessage } from '../../providers/models/model.ts';

/** The first of the phrases that is in the text, whatever its case, width and spaces. */
export function phraseIn(text: string, phrases: string[]): string | undefined {
  const plain = flatten(text);
  return phrases.find((phrase) => plain.includes(flatten(phrase)));
}

const flatten = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

const personal: [RegExp, (found: string, at: number, whole: string) => string][] = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu, () => '[email]'],
  [/\d+(?:[ -]\d+)*/g, maskCards],
  // Japanese My Number, 12 digits in groups of four.
  [/(?<!\d[ -]?)\d{4}[ -]\d{4}[ -]\d{4}(?![ -]?\d)/g, () => '[id number]'],
  [/(?<![\d.,])(?:\+\d{1,3}[ -]?)?(?:\(\d{1,5}\)[ -]?|\d{1,5}-)\d{1,4}-\d{3,4}(?![\d-])/g, () => '[phone]'],
  [/(?<![\d.,+])(?:\+\d{8,14}|0[5-9]0\d{8})(?!\d)/g, () => '[phone]'],
  [/(?<![\d.,+])(?:\+\d{1,3}[ .]\(?0?\)?\d{1,4}|0\d{1,4})[ .(]\d{1,4}[ .)]\d{3,4}(?!\d)/g, () => '[phone]'],
  [/〒\s?\d{3}-?\d{4}/g, () => '[postcode]'],
];

/** Masks what identifies a person: email addresses, telephone and card numbers, Japanese postcodes; in full width too. */
export function maskPersonal(text: string): string {
  // Full-width digits, letters and signs have the same length as their plain forms, so positions stay the same.
  const plain = text
    .replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/(?<=[\d)])[\u2010-\u2015\u2212ー](?=[\d(])/g, '-')
    .replace(/(?<=[\d)])[\u00a0\u3000](?=[\d(])/g, ' ')
    // Nobody sees these, and they hide what stands around them.
    .replace(/[\u00ad\u200b\u200c\u2060\ufeff]/g, '');
  return personal.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), plain === text ? text : plain);
}

/** A message without what identifies a person. Instructions and passages stay: what a shop says of itself is in them. */
export function maskMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'system') return message;
  const text = maskPersonal(message.text);
  if (message.role !== 'assistant' || !message.calls) return { ...message, text };
  return { ...message, text, calls: message.calls.map((call) => ({ ...call, input: maskJson(call.input) })) };
}

const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/g;

/** The same of JSON, which stays JSON and keeps every other token as it is written; of what is none, as of any text. */
function maskJson(input: string): string {
  try {
    JSON.parse(input);
  } catch {
    return maskPersonal(input);
  }
  return input.replace(jsonToken, (token) => {
    const value = token.startsWith('"') ? String(JSON.parse(token)) : token;
    const masked = maskPersonal(value);
    return masked === value ? token : JSON.stringify(masked);
  });
}

/**
 * Masks payment cards in groups of digits, such as a number, its date and its code: as many groups as make 13 to 19 digits whose
 * check digit holds (https://en.wikipedia.org/wiki/Luhn_algorithm), the longest first. Groups of a decimal number are left out.
 */
function maskCards(run: string, at: number, whole: string): string {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    digits,
    from: index,
    to: index + digits.length,
  }));
  if (/\d[.,]$/.test(whole.slice(Math.max(0, at - 2), at))) groups.shift();
  if (/^[.,]\d/.test(whole.slice(at + run.length, at + run.length + 2))) groups.pop();
  let masked = '';
  let done = 0;
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    let end: number | undefined;
    for (let last = first; last < groups.length; last++) {
      digits += groups[last]!.digits;
      if (digits.length > 19) break;
      if (digits.length >= 13 && isLuhn(digits)) end = last;
    }
    if (end === undefined) continue;
    masked += `${run.slice(done, groups[first]!.from)}[card]`;
    done = groups[end]!.to;
    first = end;
  }
  return masked + run.slice(done);
}

function isLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, char, at) => {
    const doubled = Number(char) * (at % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Throws `question-too-long` where the bot takes none of this length. */
export function mustFitQuestion({ guardrails: { maxQuestion: maximum } }: BotConfig, text: string): void {
  if (text.length > maximum && [...new Intl.Segmenter().segment(text)].length > maximum)
    throw new AppError('question-too-long', { maximum });
}
