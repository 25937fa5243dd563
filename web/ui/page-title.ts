let isFirst = true;

/**
 * Goes on the heading of each page: who uses a screen reader is taken there by every step. Not by the first page, whose
 * beginning is the way past the menu, and not away from a field that they are in.
 */
export const pageTitle = {
  tabIndex: -1,
  style: { outline: 'none', overflowWrap: 'anywhere' },
  ref(heading: HTMLHeadingElement | null): void {
    if (!heading) return;
    if (!isFirst && !document.activeElement?.matches('main *')) heading.focus({ preventScroll: true });
    isFirst = false;
  },
} as const;
