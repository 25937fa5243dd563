import { useLayoutEffect, useRef, useState } from 'react';
import type { RichDraft } from '../../../shared/rich-message.ts';
import { lineOf } from './draft.ts';
import { LinePreview } from './line-preview.tsx';
import classes from './rich-messages.module.css';

/** Smaller than this nobody could read it. */
const least = 0.4;
/** One card is as wide as each of two, and what is no card little larger. */
const most = { card: 0.44, other: 0.52 };
/** A tall one is drawn as small as this where all of it is seen then. */
const leastWhole = 0.32;
/** What the number of cards that are not shown takes of the width, with its distance. */
const moreWidth = 28;

interface Fit {
  scale: number;
  width: number;
  height: number;
  isTall: boolean;
  isWide: boolean;
  /** How many cards are shown. */
  count: number;
}

/** A message drawn small and whole: as many cards as there is room for, and how many more there are. What it is stands beside it. */
export function Small({ draft }: { draft: RichDraft }) {
  const room = useRef<HTMLDivElement>(null);
  const drawn = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState<Fit>();
  const isCards = draft.kind === 'cards';
  // Before it is painted, so that nothing jumps.
  useLayoutEffect(() => {
    const [outer, inner] = [room.current, drawn.current];
    if (!outer || !inner) return undefined;
    // Where it is not laid out yet there is nothing to measure.
    const measure = () => inner.offsetHeight > 0 && setFit(fitOf(outer, inner, isCards ? most.card : most.other));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [isCards]);
  // A last card that leads to more is none of those that are counted.
  const more = fit && draft.kind === 'cards' ? draft.cards.length - fit.count : 0;
  return (
    <div className={classes['small']} aria-hidden inert>
      <div ref={room}>
        <div
          style={fit && { width: fit.width, height: fit.height }}
          data-shown={fit !== undefined || undefined}
          data-tall={fit?.isTall || undefined}
          data-wide={fit?.isWide || undefined}
        >
          <div ref={drawn} style={fit && { transform: `scale(${fit.scale})` }}>
            <LinePreview line={lineOf(draft)} label="" />
          </div>
        </div>
        {more > 0 && <small style={{ height: fit?.height }}>+{more}</small>}
      </div>
    </div>
  );
}

function fitOf({ clientWidth: width, clientHeight: height }: HTMLElement, drawn: HTMLElement, largest: number): Fit {
  const natural = { width: drawn.offsetWidth, height: drawn.offsetHeight };
  const cards = [...(drawn.querySelector('[tabindex]')?.children ?? [])].filter((each) => each instanceof HTMLElement);
  /** Where each card ends; a message without cards is one. */
  const ends = cards.length > 0 ? cards.map((card) => card.offsetLeft + card.offsetWidth) : [natural.width];
  const byHeight = Math.min(largest, height / natural.height);
  const floor = byHeight < leastWhole ? least : Math.min(least, byHeight);
  const scaleOf = (count: number) => {
    const free = count < ends.length ? width - moreWidth : width;
    return Math.min(Math.max(floor, byHeight), free / (ends[count - 1] ?? natural.width));
  };
  const counts = ends.map((_, at) => at + 1);
  const count = counts.findLast((each) => scaleOf(each) >= floor) ?? 1;
  const scale = Math.max(floor, scaleOf(count));
  const [shownWidth, shownHeight] = [(ends[count - 1] ?? natural.width) * scale, natural.height * scale];
  return {
    scale,
    // A part of a pixel less would cut the corners.
    width: Math.min(Math.ceil(shownWidth), width),
    height: Math.min(Math.ceil(shownHeight), height),
    isTall: shownHeight > height + 1,
    isWide: shownWidth > width + 1,
    count,
  };
}
