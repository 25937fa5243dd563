import { nameMark, partsAroundName, withName } from '../../../shared/addressed.ts';
import { maxSaid, type LineBubble, type RichSnapshot } from '../../../shared/line-content.ts';
import type { Context } from '../../feature.ts';
import type { LineMessage } from '../../providers/channels/line/api.ts';
import { writtenOf } from '../rich-messages/rich-messages.ts';

/** A bubble as it is sent: words, or what a rich message or a picture was at that moment, with what stands for it in words. */
export interface Said {
  text: string;
  rich?: RichSnapshot;
}

interface For {
  name: string;
  /** What stands in for an address; the address itself where it is not counted. */
  shorten?(target: string): string;
}

/** Bubbles as they are now; one that is no longer there is left out. Names are still to come. */
export const saidOf = (
  context: Context,
  workspace: string,
  bubbles: LineBubble[],
  locale: 'en' | 'ja' = 'ja',
): Promise<Said[]> => writtenOf(context, workspace, bubbles, { name: nameMark, locale });

/** Bubbles for somebody; one that has nothing but the name of whoever has none is left out. */
export const sayTo = (said: Said[], who: For): Said[] =>
  said
    .map(({ text, rich }): Said =>
      rich
        ? { text, rich: { ...rich, line: { ...rich.line, ...withAddresses(rich.line, who.shorten) } } }
        : { text: toText(text, who).slice(0, maxSaid).toWellFormed() },
    )
    .filter(({ text, rich }) => rich !== undefined || text.trim() !== '');

/** The same as LINE takes them. */
export const toMessages = (said: Said[], who: For): LineMessage[] =>
  sayTo(said, who).map(({ text, rich }) => rich?.line ?? { type: 'text', text });

/** What somebody reads: a name is one they may have chosen themselves, so nothing of it is taken for an address or a mark. */
export function toText(text: string, { name, shorten = (target) => target }: For): string {
  return partsAroundName(name === '' ? withName(text, '') : text)
    .map((part) => part.replace(addresses, (found) => replaced(found, shorten)))
    .join(name);
}

export const hasName = (content: LineBubble[]): boolean =>
  content.some((bubble) => bubble.type === 'text' && partsAroundName(bubble.text).length > 1);

/** Addresses end where no character of one can stand, and without the marks that end a sentence. */
const addresses = /https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+/gi;
const trailing = new Set(".,;:!?'*)]");

function replaced(found: string, shorten: (target: string) => string): string {
  let end = found.length;
  while (trailing.has(found.charAt(end - 1))) end--;
  const target = found.slice(0, end);
  return (isCountable(target) ? shorten(target) : target) + found.slice(end);
}

/** https://developers.line.biz/en/reference/messaging-api/#uri-action has the same bounds for addresses. */
const maxAddress = 1000;

function isCountable(target: string): boolean {
  const url = URL.parse(target);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && target.length <= maxAddress;
}

/** Where a part of a message leads, under either name that LINE has for that. */
const leads = new Set(['uri', 'linkUri']);

function withAddresses<T>(value: T, shorten: For['shorten']): T;
function withAddresses(value: unknown, shorten: For['shorten'] = (target) => target): unknown {
  if (Array.isArray(value)) return value.map((each) => withAddresses(each, shorten));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      leads.has(name) && typeof part === 'string' && isCountable(part) ? shorten(part) : withAddresses(part, shorten),
    ]),
  );
}

/** The addresses whose taps can be counted, each once. */
export function targetsIn(said: Said[]): string[] {
  const targets = new Set<string>();
  sayTo(said, { name: '', shorten: (target) => (targets.add(target), target) });
  return [...targets];
}

/** An address that nothing protects on its way. */
export const hasPlainAddress = (bubble: LineBubble): boolean =>
  bubble.type === 'text' && /http:\/\//i.test(bubble.text);
