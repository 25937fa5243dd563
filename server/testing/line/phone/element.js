/* How everything on the page is made. */

/** An element with its properties and children; strings become text. */
export function h(tag, { style, ...properties } = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  Object.assign(element.style, style);
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** A picture, or its alternative where it cannot be had. */
export function picture(url, { alt = '', ...properties } = {}) {
  return h('img', {
    src: mediaUrl(url),
    alt,
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    ...properties,
    onerror: (event) => event.target.replaceWith(h('span', { class: 'broken', title: url }, alt || '—')),
  });
}

export const safeUrl = (url) => (/^(https?:|blob:|\/phone\/)/.test(url ?? '') ? url : 'about:blank');

/** Media of the bot come by way of LINE, as on a phone: without the cookies of whoever looks at this page. */
export const mediaUrl = (url) =>
  /^https?:/.test(url ?? '') ? `/phone/fetch?url=${encodeURIComponent(url)}` : safeUrl(url);

/** Lines on a square of 24, so that the page needs no font of pictures. */
const icons = {
  sticker: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z', 'M8.5 10h.01M15.5 10h.01', 'M8 14.5c2 2.6 6 2.6 8 0'],
  picture: ['M4 5h16v14H4Z', 'M4 16l5-5 4 4 3-3 4 4', 'M15.5 9h.01'],
  voice: ['M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3Z', 'M6 11a6 6 0 0 0 12 0M12 17v4'],
  stop: ['M7 7h10v10H7Z'],
  place: ['M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11Z', 'M12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z'],
  file: ['M7 3h7l4 4v14H7Z', 'M14 3v4h4'],
  send: ['M5 12h13M12 6l6 6-6 6'],
  group: [
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
    'M3 20c0-4 2.5-6 6-6s6 2 6 6',
    'M16 5.5a3 3 0 0 1 0 5.5M17 14c2.5.5 4 2.5 4 6',
  ],
};
const faces = {
  hello: ['M8 10h.01M16 10h.01', 'M7.5 14c2 3 7 3 9 0'],
  laughing: ['M7 10.5l1.5-1.5 1.5 1.5M14 10.5l1.5-1.5 1.5 1.5', 'M7.5 13.5h9c0 5-9 5-9 0Z'],
  ok: ['M8 12.5l3 3 6-7'],
  crying: ['M8 10h.01M16 10h.01', 'M8 17c2-2.5 6-2.5 8 0', 'M8 12v3M16 12v3'],
  angry: ['M7 8l3 1.5M17 8l-3 1.5', 'M8.5 11.5h.01M15.5 11.5h.01', 'M8.5 16.5c2-1.5 5-1.5 7 0'],
  thanks: ['M12 17l-4-4c-1.5-1.5 0-4.5 2-4 1 .2 2 1.3 2 2 0-.7 1-1.8 2-2 2-.5 3.5 2.5 2 4Z'],
  other: ['M9 9.5a3 3 0 1 1 3.5 3c-.5.2-.5 1-.5 1.5M12 17h.01'],
};

function lines(paths, attributes, ground) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.6',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
    ...attributes,
  }))
    svg.setAttribute(name, value);
  for (const d of [...(ground ?? []), ...paths]) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', d);
    if (ground?.includes(d)) path.setAttribute('fill', '#ffd75e');
    svg.append(path);
  }
  return svg;
}

export const icon = (name) => lines(icons[name], { width: '22', height: '22' });
export const face = (name, size) =>
  lines(faces[name] ?? faces.other, { width: size, height: size }, ['M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19Z']);
