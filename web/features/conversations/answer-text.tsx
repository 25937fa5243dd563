import '@mantine/core/styles/Code.css';
import { memo, useDeferredValue, useMemo } from 'react';
import { isTooMuch, splitBlocks } from './blocks.ts';
import { Cited, type CitedIn } from './citation-mark.tsx';
import { toParts } from './markdown.ts';
import { drawAll, Plain } from './parts.tsx';
import classes from './answer-text.module.css';

interface Props extends CitedIn {
  text: string;
}

/** A model's or a document's text as Markdown: no raw HTML, no pictures from elsewhere, links that a person must press. */
export const AnswerText = memo(function AnswerText({ text, citations, onOpen }: Props) {
  // Where drawing cannot keep up with the words, it leaves some states out.
  const current = useDeferredValue(text);
  const blocks = useMemo(() => splitBlocks(current), [current]);
  const cited = useMemo(() => ({ citations, onOpen }), [citations, onOpen]);
  return (
    <Cited value={cited}>
      <div className={classes['markdown']}>
        {blocks.map((block, at) => (
          <Block key={at} text={block} />
        ))}
      </div>
    </Cited>
  );
});

/** What cannot be drawn is shown as it was written. */
const Block = memo(function Block({ text }: { text: string }) {
  if (isTooMuch(text)) return <Plain text={text} />;
  try {
    return drawAll(toParts(text), 0);
  } catch {
    return <Plain text={text} />;
  }
});
