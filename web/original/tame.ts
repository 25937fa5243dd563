/** What runs, calls or leads elsewhere. The frame's policy stops these as well; without them it has nothing to report. */
const dropped =
  'script, iframe, frame, frameset, object, embed, applet, link, meta, base, portal, fencedframe, animate, set, animateTransform, animateMotion';
const forms = 'input, button, select, textarea';
/** Attributes with an address. */
const addresses =
  /^(?:(?:xlink:)?href|src|srcset|imagesrcset|data|poster|background|action|formaction|ping|cite|longdesc|manifest|profile|usemap|srcdoc|lowsrc|dynsrc)$/;
const isInside = (value: string) => /^\s*(?:data:image\/|blob:)/i.test(value);

/** Takes from a page of strangers whatever is not its text, its look and the pictures that it brings along. Links have their address as title. */
export function tame(page: Document): void {
  for (const each of page.querySelectorAll(dropped)) each.remove();
  for (const style of page.querySelectorAll('style')) style.textContent = tameCss(style.textContent);
  for (const each of page.querySelectorAll(forms)) each.setAttribute('disabled', '');
  for (const each of page.querySelectorAll('*')) {
    const address = each.localName === 'a' || each.localName === 'area' ? each.getAttribute('href') : null;
    for (const name of each.getAttributeNames()) {
      const value = each.getAttribute(name) ?? '';
      const low = name.toLowerCase();
      // By its name a picture would stand in for what our own code calls on the page.
      if (low.startsWith('on') || ['autofocus', 'contenteditable', 'name', 'target'].includes(low))
        each.removeAttribute(name);
      else if (addresses.test(low) && !(low === 'src' && each.localName === 'img' && isInside(value)))
        // Within a drawing it names a part of the same drawing.
        if (!(value.startsWith('#') && each.localName !== 'a')) each.removeAttribute(name);
      if (low === 'style' || /url\(|image-set/i.test(value)) each.setAttribute(name, tameCss(value));
    }
    if (address !== null) {
      each.setAttribute('title', address);
      each.setAttribute('data-link', '');
    }
  }
}

/** Without what it would fetch. */
export const tameCss = (css: string): string =>
  css
    .replace(/@import\b[^;{}]*;?/gi, '')
    .replace(/url\((?!\s{0,9}["']?\s{0,9}(?:data:|blob:|#))[^)]*\)?/gi, 'none')
    .replace(/(?:-webkit-)?image-set\([^)]*\)?/gi, 'none');
