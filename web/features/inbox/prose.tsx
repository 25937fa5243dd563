import { Fragment } from 'react';
import { mentionsIn } from '../../../shared/mentions.ts';

/** Addresses of the web up to what ends a sentence, in either script. */
const address = /https?:\/\/[^\s<>"'（）「」『』、。]+[^\s<>"'（）「」『』、。.,;:!?)\]]/gu;

/** What a person wrote, as it was written: only addresses can be pressed, and they open elsewhere; the members whom it names are seen. */
export function Prose({ text, mentions = [] }: { text: string; mentions?: { name: string }[] }) {
  const parts: (string | { link: string } | { mention: string })[] = [];
  let end = 0;
  const found = [
    ...[...text.matchAll(address)].map(({ 0: link, index: from }) => ({
      from,
      to: from + link.length,
      part: { link },
    })),
    ...mentionsIn(
      text,
      mentions.map(({ name }) => name),
    ).map(({ from, to }) => ({ from, to, part: { mention: text.slice(from, to) } })),
  ].toSorted((one, other) => one.from - other.from);
  for (const { from, to, part } of found) {
    if (from < end) continue;
    parts.push(text.slice(end, from), part);
    end = to;
  }
  parts.push(text.slice(end));
  return (
    <div style={{ whiteSpace: 'pre-wrap', unicodeBidi: 'isolate' }}>
      {parts.map((part, at) => (
        <Fragment key={at}>
          {typeof part === 'string' ? (
            part
          ) : 'link' in part ? (
            <a href={part.link} target="_blank" rel="noopener noreferrer nofollow">
              {part.link}
            </a>
          ) : (
            <b>{part.mention}</b>
          )}
        </Fragment>
      ))}
    </div>
  );
}
