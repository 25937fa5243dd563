import type { LineBubble } from '../../../shared/line-content.ts';
import { maxSaid } from '../../../shared/line-content.ts';
import type { LineMessage } from '../../providers/channels/line/api.ts';

interface For {
  name: string;
  /** What stands in for an address; the address itself where it is not counted. */
  shorten?(target: string): string;
}

/** Bubbles as LINE takes them, for somebody; one that has nothing but the name of whoever has none is left out. */
export const toMessages = (content: LineBubble[], who: For): LineMessage[] =>
  textsFor(content, who).map((text) => ({ type: 'text', text }));

export const textsFor = (content: LineBubble[], who: For): string[] =>
  content.map(({ text }) => toText(text, who).slice(0, maxSaid).toWellFormed()).filter((text) => text.trim() !== '');

/** What somebody reads: a name is one they may have chosen themselves, so nothing of it is taken for an address or a mark. */
export function toText(text: string, { name, shorten = (target) => target }: For): string {
  return text
    .split(nameMark)
    .map((part) => part.replace(addresses, (found) => replaced(found, shorten)))
    .join(name);
}

const nameMark = '{{name}}';

export const hasName = (content: LineBubble[]): boolean => content.some(({ text }) => text.includes(nameMark));

/** Addresses end where no character of one can stand, and without the marks that end a sentence. */
const addresses = /https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+/gi;
const trailing = new Set(".,;:!?'*)]");

function replaced(found: string, shorten: (target: string) => string): string {
  let end = found.length;
  while (trailing.has(found.charAt(end - 1))) end--;
  const target = found.slice(0, end);
  return (isCountable(target) ? shorten(target) : target) + found.slice(target.length);
}

/** https://developers.line.biz/en/reference/messaging-api/#uri-action has the same bounds for addresses. */
const maxAddress = 1000;

function isCountable(target: string): boolean {
  const url = URL.parse(target);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && target.length <= maxAddress;
}

/** The addresses whose taps can be counted, each once. */
export function targetsIn(content: LineBubble[]): string[] {
  const targets = new Set<string>();
  toMessages(content, { name: '', shorten: (target) => (targets.add(target), target) });
  return [...targets];
}

/** Bubbles with an address that nothing protects on its way. */
export const hasPlainAddress = ({ text }: LineBubble): boolean => /http:\/\//i.test(text);
