import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect } from './server.ts';

const phone = { width: 360, height: 740 };
const desk = { width: 1440, height: 900 };

/**
 * Every control is in reach at both widths: none lies beside the window or is cut by what cannot be scrolled, none is covered once it
 * has been scrolled to, and none is too small for a finger (WCAG 2.5.8): 24 pixels, or as much room around it, but for links in a text.
 */
export async function expectInReach(page: Page, name: string): Promise<void> {
  const told: string[] = [];
  // The width that it has comes first: each page is made narrow or wide once.
  for (const size of page.viewportSize()?.width === phone.width ? [phone, desk] : [desk, phone]) {
    await page.setViewportSize(size);
    // What measures itself does so in the next frames.
    await page.evaluate(
      'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 60))',
    );
    for (const fault of await faultsOf(page)) told.push(`${name} at ${size.width}: ${fault}`);
  }
  expect.soft(told).toEqual([]);
}

const patienceMs = 15_000;
const settleMs = 300;

/**
 * Of all its frames, where they stay. A frame that is replaced while it is asked may never answer, and a page that is being laid out
 * anew is not in its places yet: both are asked again.
 */
async function faultsOf(page: Page): Promise<string[]> {
  let faults: string[][] | undefined;
  for (let tries = 0; tries < 3; tries++) {
    const asked = page.frames().map((frame) => frame.evaluate<string[]>(measure));
    faults = (await Promise.race([Promise.all(asked), sleep(patienceMs)])) ?? undefined;
    if (faults?.every((each) => each.length === 0)) return [];
    await sleep(settleMs);
  }
  if (!faults) throw new Error('a frame does not answer');
  return faults.flat();
}

/** Runs in the page, so it is written for it. */
const measure = `(() => {
  const least = 24;
  const controls = 'button, a[href], input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="tab"], [role="switch"], [role="checkbox"], [role="combobox"], [role="radio"], [role="option"], [role^="menuitem"]';
  const nameOf = (element) => (element.getAttribute('aria-label') || element.textContent || element.getAttribute('placeholder') || element.id || '').trim().replace(/\\s+/g, ' ').slice(0, 40);
  const style = (element) => getComputedStyle(element);
  const union = (boxes) => {
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const right = Math.max(...boxes.map((box) => box.right)), bottom = Math.max(...boxes.map((box) => box.bottom));
    return new DOMRect(left, top, right - left, bottom - top);
  };
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const isTiny = ({ width, height }) => width <= 1 || height <= 1;
  /** A press on the label is one on its box; what is only for screen readers is pressed there alone. */
  const partsOf = (element) =>
    [element, ...(element.matches('[type="checkbox"], [type="radio"], [type="file"]') ? element.labels : [])].filter(
      (part) => (part === element || isSeen(part)) && !isTiny(part.getBoundingClientRect()) && isSeen(part),
    );
  /** Its own text goes on before or after it. */
  const isInText = (element) =>
    style(element).display.startsWith('inline') && [...element.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const sides = [['X', 'left', 'right'], ['Y', 'top', 'bottom']];
  /** Beside the window, or beside something that hides what is beside it and that nobody can scroll. */
  const cutBy = (element) => {
    for (const [axis, start, end] of sides) {
      let { [start]: from, [end]: to } = element.getBoundingClientRect();
      let child = element;
      let scrolls = false;
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const { position } = style(child);
        if (position === 'fixed') break;
        if (position === 'absolute' && style(parent).position === 'static' && style(parent).transform === 'none') continue;
        child = parent;
        if (parent === document.body || parent === document.documentElement) continue;
        const overflow = style(parent)['overflow' + axis];
        const box = parent.getBoundingClientRect();
        if (overflow === 'auto' || overflow === 'scroll') {
          scrolls = true;
          from = box[start];
          to = box[end];
        } else if (overflow !== 'visible' && (from < box[start] - 1 || to > box[end] + 1)) return parent;
      }
      if (axis === 'X' && (from < -1 || to > innerWidth + 1)) return document.documentElement;
    }
  };
  /** A menu that is moved away whole until a button brings it. */
  const isAway = (element) => {
    for (let parent = element; parent && parent !== document.body; parent = parent.parentElement) {
      const { left, right, width } = parent.getBoundingClientRect();
      if (width > 1 && (right <= 0 || left >= innerWidth) && style(parent).transform !== 'none') return true;
    }
    return false;
  };
  const faults = new Set();
  // What lies behind a dialog waits for its end.
  const dialog = [...document.querySelectorAll('[aria-modal="true"]')].filter(isSeen).at(-1);
  // A link to skip the menu comes with the focus.
  const targets = [...(dialog ?? document).querySelectorAll(controls)].flatMap((element) => {
    if (element.closest('.skip-link, [inert], [aria-hidden="true"]') || !isSeen(element) || isAway(element)) return [];
    const parts = partsOf(element);
    return parts.length === 0 ? [] : [{ element, parts, box: union(parts.map((part) => part.getBoundingClientRect())) }];
  });
  const isSmall = ({ width, height }) => width < least - 0.5 || height < least - 0.5;
  const centerOf = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  /** A circle of that size around it touches no other target, nor the circle of another small one. */
  const hasRoom = ({ element, box }) => {
    const [x, y] = centerOf(box);
    return targets.every((other) => {
      if (other.element === element || other.element.contains(element) || element.contains(other.element)) return true;
      const [otherX, otherY] = centerOf(other.box);
      if (isSmall(other.box) && Math.hypot(x - otherX, y - otherY) < least - 0.5) return false;
      const across = Math.max(other.box.left - x, 0, x - other.box.right);
      const down = Math.max(other.box.top - y, 0, y - other.box.bottom);
      return Math.hypot(across, down) >= least / 2 - 0.5;
    });
  };
  const tooSmall = new Set(targets.filter((target) => isSmall(target.box) && !isInText(target.element) && !hasRoom(target)));
  for (const target of targets) {
    const { element, parts, box } = target;
    const tell = (what) => faults.add(element.tagName.toLowerCase() + ' “' + nameOf(element) + '” ' + what);
    const cut = parts.map(cutBy).find(Boolean);
    if (cut) {
      tell('is cut by ' + cut.tagName.toLowerCase() + '.' + cut.className);
      continue;
    }
    if (tooSmall.has(target)) tell('is ' + Math.round(box.width) + ' × ' + Math.round(box.height));
    const part = parts[0];
    part.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const shown = part.getClientRects()[0];
    const x = shown.left + shown.width / 2, y = shown.top + shown.height / 2;
    const hit = document.elementFromPoint(x, y);
    const isIts = hit && [element, ...(element.labels ?? [])].some((own) => own.contains(hit) || hit.contains(own));
    if (!isIts) tell(hit ? 'is covered by ' + hit.tagName.toLowerCase() + '.' + (hit.getAttribute('class') ?? '') : 'cannot be scrolled to');
  }
  scrollTo(0, 0);
  return [...faults];
})()`;
