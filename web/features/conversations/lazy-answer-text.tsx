import { lazy, Suspense, type ComponentProps } from 'react';
import classes from './conversations.module.css';

// Drawing Markdown takes more code than the rest of the page, and a new conversation has nothing to draw.
const fetchIt = () => import('./answer-text.tsx');
const AnswerText = lazy(async () => ({ default: (await fetchIt()).AnswerText }));

/** Asks for it before there is an answer. */
export const prefetchAnswerText = () => void fetchIt().catch(() => {}); // told by the attempt that needs it

export function LazyAnswerText(props: ComponentProps<typeof AnswerText>) {
  return (
    <Suspense
      fallback={
        <div className={classes['rawText']} data-undrawn>
          {props.text}
        </div>
      }
    >
      <AnswerText {...props} />
    </Suspense>
  );
}
