import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ModelMessage } from '../../providers/models/model.ts';

/** The first of the phrases that is in the text, whatever its case, width and spaces. */
export function phraseIn(text: string, phrases: string[]): string | undefined {
  const plain = flatten(text);
  return phrases.find((phrase) => plain.includes(flatten(phrase)));
}

const flatten = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

const personal: [RegExp, string, (found: string) => boolean][] = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu, '[e-mail]', () => true],
  // Payment cards have 13 to 19 digits whose check digit holds: https://en.wikipedia.org/wiki/Luhn_algorithm
  [/(?<![\d.,])\d(?:[ -]?\d){12,18}(?![\d.,])/g, '[card]', isLuhn],
  // Japanese My Number, 12 digits in groups of four.
  [/(?<!\d[ -]?)\d{4}[ -]\d{4}[ -]\d{4}(?![ -]?\d)/g, '[id number]', () => true],
  [/(?<![\d.,])(?:\+\d{1,3}[ -]?)?(?:\(\d{1,5}\)[ -]?|\d{1,5}-)\d{1,4}-\d{3,4}(?![\d-])/g, '[phone]', () => true],
  [/(?<![\d.,+])(?:\+\d{8,14}|0[5-9]0\d{8})(?!\d)/g, '[phone]', () => true],
  [/〒\s?\d{3}-?\d{4}/g, '[postcode]', () => true],
];

/** Masks what identifies a person: e-mail addresses, telephone and card numbers, Japanese postcodes; in full width too. */
export function maskPersonal(text: string): string {
  // Full-width digits, letters and signs have the same length as their plain forms, so positions stay the same.
  const plain = text.replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
  return personal.reduce(
    (masked, [pattern, sign, holds]) => masked.replace(pattern, (found) => (holds(found) ? sign : found)),
    plain === text ? text : plain,
  );
}

/** A message without what identifies a person. Instructions and passages stay: what a shop says of itself is in them. */
export function maskMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'system') return message;
  const text = maskPersonal(message.text);
  if (message.role !== 'assistant' || !message.calls) return { ...message, text };
  return { ...message, text, calls: message.calls.map((call) => ({ ...call, input: maskJson(call.input) })) };
}

/** The same of JSON, which stays JSON; of what is none, as of any text. */
function maskJson(input: string): string {
  if (maskPersonal(input) === input) return input;
  try {
    return JSON.stringify(JSON.parse(input), (_key, value: unknown) => {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      const masked = maskPersonal(String(value));
      return masked === String(value) ? value : masked;
    });
  } catch {
    return maskPersonal(input);
  }
}

function isLuhn(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  const sum = [...digits].toReversed().reduce((total, char, at) => {
    const doubled = Number(char) * (at % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** Throws `question-too-long` where the bot takes none of this length. */
export function mustFit({ guardrails: { maxQuestion: maximum } }: BotConfig, text: string): void {
  if (text.length > maximum && [...new Intl.Segmenter().segment(text)].length > maximum)
    throw new AppError('question-too-long', { maximum });
}
