import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

const nearEnd = 80;

/**
 * Keeps the newest words in sight, unless the reader has scrolled up to read something older; and keeps what is read in
 * its place when older messages come in above it. `first` is the oldest message on the screen. `aim` is a message that is
 * kept in sight instead of the newest, until the reader scrolls or asks.
 */
export function useScroll({
  first,
  count,
  isAsking,
  aim,
}: {
  first: string | undefined;
  count: number;
  isAsking: boolean;
  aim: string | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const fromEnd = useRef(0);
  const top = useRef(0);
  const shownFirst = useRef(first);
  const aimed = useRef<string>(undefined);
  const isLetGo = useRef(false);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const note = () => {
    if (!box.current) return;
    const isUp = box.current.scrollTop < top.current;
    top.current = box.current.scrollTop;
    // A scroll that is told of after something has grown is no reader's.
    if (sticks.current && !isUp) return setIsAtEnd(true);
    fromEnd.current = box.current.scrollHeight - box.current.scrollTop;
    sticks.current = fromEnd.current - box.current.clientHeight < nearEnd;
    return setIsAtEnd(sticks.current);
  };
  const letGo = () => void (isLetGo.current = true);
  const stayAtEnd = () => {
    sticks.current = true;
    if (!box.current) return;
    box.current.scrollTo({ top: box.current.scrollHeight });
    top.current = box.current.scrollTop;
  };
  const toEnd = () => {
    letGo();
    stayAtEnd();
  };
  /** Whether what is aimed at is there, and so in sight now. */
  const toAim = (): boolean => {
    const target =
      aimed.current && !isLetGo.current && content.current?.querySelector(`[data-message="${aimed.current}"]`);
    if (!target || !box.current) return false;
    sticks.current = false;
    const [at, seen] = [target.getBoundingClientRect(), box.current.getBoundingClientRect()];
    if (at.top < seen.top || at.bottom > seen.bottom) box.current.scrollTop += at.top - seen.top - seen.height / 5;
    return true;
  };

  useLayoutEffect(() => {
    const hasOlder = shownFirst.current !== first && shownFirst.current !== undefined;
    shownFirst.current = first;
    aimed.current = aim;
    if (toAim()) return;
    if (sticks.current) stayAtEnd();
    else if (hasOlder && box.current) box.current.scrollTop = box.current.scrollHeight - fromEnd.current;
  }, [first, count, aim]);

  // Whoever asks wants to see the answer.
  useLayoutEffect(() => {
    if (isAsking) toEnd();
  }, [isAsking]);

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (toAim()) return;
      if (sticks.current) stayAtEnd();
      else note();
    });
    if (box.current) observer.observe(box.current);
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  const handlers = { onScroll: note, onWheel: letGo, onTouchMove: letGo, onPointerDown: letGo, onKeyDown: letGo };
  return { box, content, isAtEnd, toEnd, handlers };
}

/** Tells when an element comes near what is in sight; again whenever `mark` changes. */
export function useNear({
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
      rootMargin: '800px 0px',
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [box, isOn, mark]);
  return target;
}
