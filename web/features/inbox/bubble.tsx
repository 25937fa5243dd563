import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { currentLocale } from '../../lib/i18n.ts';
import classes from './inbox.module.css';

/** What a mark has around its number, in pixels. */
const aMark = 12;

/** What was said. Japanese lines end between phrases, for which CSS leaves all of the width; the bubble is as wide as its longest line. */
export function Bubble({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const bubble = box.current;
    if (!bubble?.parentElement || currentLocale() !== 'ja') return undefined;
    const watch = new ResizeObserver(() => fit(bubble));
    watch.observe(bubble.parentElement);
    return () => watch.disconnect();
  });
  return (
    <div ref={box} className={classes['bubble']}>
      {children}
    </div>
  );
}

function fit(bubble: HTMLElement): void {
  bubble.style.width = '';
  const { width } = bubble.getBoundingClientRect();
  const texts = document.createTreeWalker(bubble, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let free = width;
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    const end = texts.currentNode.parentElement?.closest('p, li, td, div')?.getBoundingClientRect().right ?? 0;
    for (const line of range.getClientRects()) free = Math.min(free, end - line.right);
  }
  if (free > aMark) bubble.style.width = `${Math.ceil(width - free + aMark)}px`;
}
