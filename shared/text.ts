import { z } from 'zod';
import { countGraphemes, isStorable, languageOf } from './characters.ts';

export { countGraphemes, isStorable, languageOf };

/** What can be kept of a text from outside that nobody is there to correct. */
export const storable = (text: string): string =>
  isStorable(text) ? text : text.replaceAll('\u0000', '').toWellFormed();

// A grapheme is rarely more than 11 UTF-16 units (a family emoji); beyond that a string is refused before it is counted.
const unitsPerGrapheme = 16;

function bounded(max: number) {
  return z
    .string()
    .max(max * unitsPerGrapheme)
    .refine(isStorable, { message: 'not-storable', abort: true })
    .refine((text) => text.length <= max || countGraphemes(text, max) <= max, { message: 'too-long' });
}

/** A line or a text that a person wrote: trimmed, not empty, at most `max` characters as a person counts them. */
export const text = (max: number) =>
  bounded(max)
    .trim()
    .refine((value) => value !== '', { message: 'empty' });

/** The same, but nothing is an answer too. */
export const optionalText = (max: number) => bounded(max).trim();

// Line and paragraph separators, control characters, and what turns the direction of a text: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
const breaking = /[\p{Cc}\u2028\u2029]+/gu;
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Of a text from outside that is shown among others, such as a name: one line, which reads as it is written. */
export const oneLine = (value: string): string =>
  value.replace(turning, '').replace(breaking, ' ').replace(/ {2,}/g, ' ').trim();

/** A name that somebody outside says; nothing is an answer too. */
export const outsideName = (max: number) => optionalText(max).overwrite(oneLine);

/** An address as a person types it: without `https://`, too. */
export const webAddress = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .transform((typed) => (/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`))
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), { message: 'not-an-address' });

/** However it is written, it is the same id. */
export const uuid = z.uuid().toLowerCase();

/** An IANA name that clocks here know, such as Asia/Tokyo. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The text without those of the characters that it ends with. A pattern such as `/\/+$/` would count a long row again from each of them. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
