import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const nearEnd = 80;

/**
 * Keeps the newest words in sight, unless the reader has scrolled up to read something older; and keeps what is read in
 * its place when older messages come in above it. `first` is the oldest message on the screen.
 */
export function useScroll({ first, count, isAsking }: { first: string | undefined; count: number; isAsking: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const fromEnd = useRef(0);
  const shownFirst = useRef(first);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const note = () => {
    if (!box.current) return;
    fromEnd.current = box.current.scrollHeight - box.current.scrollTop;
    sticks.current = fromEnd.current - box.current.clientHeight < nearEnd;
    setIsAtEnd(sticks.current);
  };
  const toEnd = () => {
    sticks.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
  };

  useLayoutEffect(() => {
    const hasOlder = shownFirst.current !== first && shownFirst.current !== undefined;
    shownFirst.current = first;
    if (sticks.current) toEnd();
    else if (hasOlder && box.current) box.current.scrollTop = box.current.scrollHeight - fromEnd.current;
  }, [first, count]);

  // Whoever asks wants to see the answer.
  useLayoutEffect(() => {
    if (isAsking) toEnd();
  }, [isAsking]);

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (sticks.current) toEnd();
      else note();
    });
    if (box.current) observer.observe(box.current);
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  return { box, content, isAtEnd, toEnd, onScroll: note };
}

/** Tells when an element comes near the upper edge of what is in sight; again whenever `mark` changes. */
export function useNearTop({
  box,
  isOn,
  mark,
  onNear,
}: {
  box: RefObject<HTMLElement | null>;
  isOn: boolean;
  mark: unknown;
  onNear(): void;
}): RefObject<HTMLDivElement | null> {
  const target = useRef<HTMLDivElement>(null);
  const tell = useRef(onNear);
  useEffect(() => {
    tell.current = onNear;
  });
  useEffect(() => {
    if (!isOn || !target.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && tell.current(), {
      root: box.current,
      rootMargin: '800px 0px 0px',
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [box, isOn, mark]);
  return target;
}
