import { Fragment } from 'react';

/** Addresses of the web up to what ends a sentence, in either script; and members' names after an @. */
const special =
  /(https?:\/\/[^\s<>"'（）「」『』、。]+[^\s<>"'（）「」『』、。.,;:!?)\]])|(?<=^|\s)(@[\p{L}\p{N}_.-]+)/gu;

/** What a person wrote, as it was written: only addresses can be pressed, and they open elsewhere. */
export function Prose({ text, hasMentions = false }: { text: string; hasMentions?: boolean }) {
  const parts: (string | { link: string } | { mention: string })[] = [];
  let end = 0;
  for (const found of text.matchAll(special)) {
    const [whole, link, mention] = found;
    if (mention && !hasMentions) continue;
    parts.push(text.slice(end, found.index), link ? { link } : { mention: whole });
    end = found.index + whole.length;
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
