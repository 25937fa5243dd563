/** Moves what scrolls around an element, and nothing further out, so that the element is seen. */
export function bringInSight(element: Element): void {
  const scrolled = scrollerOf(element);
  if (!scrolled) return;
  const [to, seen] = [element.getBoundingClientRect(), scrolled.getBoundingClientRect()];
  if (to.top < seen.top || to.bottom > seen.bottom) scrolled.scrollTop += to.top - seen.top - seen.height / 3;
}

/** What scrolls only sideways is passed over. */
function scrollerOf({ parentElement }: Element): HTMLElement | null {
  const scrolls =
    parentElement &&
    /auto|scroll/.test(getComputedStyle(parentElement).overflowY) &&
    parentElement.scrollHeight > parentElement.clientHeight + 1;
  return scrolls || !parentElement ? parentElement : scrollerOf(parentElement);
}
