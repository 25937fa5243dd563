import type { Citation } from '../../../shared/contracts/conversations.ts';
import type { FoundPassage } from '../knowledge/knowledge.ts';

// With the space before it, which is removed together with a wrong marker.
const marker = / ?\[(\d{1,3})\]/g;
const mayBecomeMarker = / ?\[\d{0,3}$/;

/** Spaces and marks that a quote may have more than its passage. */
const maxExtra = 200;

/**
 * Lets an answer's text through as it comes and checks what it cites: a number must be one of the passages', and a
 * block quote before it must stand in that passage. Markers that do not hold are taken out.
 */
export function createCitations(passages: FoundPassage[]) {
  let held = '';
  let line = '';
  const cited = new Map<number, Citation>();
  const texts = new Map<FoundPassage, string>();
  const textOf = (passage: FoundPassage) => {
    const known = texts.get(passage) ?? squeeze(passage.embedding.text);
    texts.set(passage, known);
    return known;
  };

  const check = (number: number): boolean => {
    const passage = passages[number - 1];
    if (!passage) return false;
    // A line is looked at again for each of its markers, so one that cannot be a quote of the passage is not.
    if (line.startsWith('>') && line.length > 2 * passage.embedding.text.length + maxExtra) return false;
    const quote = /^>\s?(.*)$/.exec(line.trimEnd())?.[1]?.trim();
    if (quote && !textOf(passage).includes(squeeze(quote))) return false;
    if (!cited.has(number)) {
      cited.set(number, {
        number,
        document: { ...passage.document, mime: passage.mime },
        knowledge: passage.knowledge,
        embedding: passage.embedding.uuid,
        page: passage.embedding.page,
        headings: passage.embedding.headings,
        quote: quote || passage.embedding.text.slice(0, 300).toWellFormed(),
      });
    }
    return true;
  };

  const read = (text: string): { text: string; citations: Citation[] } => {
    const before = new Set(cited.keys());
    let out = '';
    let at = 0;
    const pass = (part: string) => {
      out += part;
      const end = part.lastIndexOf('\n');
      // Only block quotes are checked, each as a whole.
      if (end >= 0) line = part.slice(end + 1);
      else if (line === '' || line.startsWith('>')) line += part;
    };
    for (const match of text.matchAll(marker)) {
      pass(text.slice(at, match.index));
      if (check(Number(match[1]))) out += match[0];
      at = match.index + match[0].length;
    }
    pass(text.slice(at));
    return { text: out, citations: [...cited.values()].filter(({ number }) => !before.has(number)) };
  };

  return {
    /** The text that may be shown so far, and its citations. An unfinished marker is held back. */
    push(part: string) {
      const whole = held + part;
      const cut = mayBecomeMarker.exec(whole)?.index ?? whole.length;
      held = whole.slice(cut);
      return read(whole.slice(0, cut));
    },
    end() {
      const rest = held;
      held = '';
      return read(rest);
    },
    all: () => [...cited.values()].toSorted((one, other) => one.number - other.number),
  };
}

/** Line breaks and other spaces do not make a quote different. */
function squeeze(text: string): string {
  return text.replace(/[\s>]+/g, '').normalize('NFKC');
}
