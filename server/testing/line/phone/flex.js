/* Flex messages, near enough to what a phone shows to judge and tap them: https://developers.line.biz/en/docs/messaging-api/flex-message-layout/ */
import { h, mediaUrl, picture } from './element.js';

const bubbleWidths = { nano: 120, micro: 160, deca: 220, hecto: 241, kilo: 260, mega: 300, giga: 386 };
const fontSizes = { xxs: 11, xs: 13, sm: 14, md: 16, lg: 19, xl: 22, xxl: 29, '3xl': 35, '4xl': 48, '5xl': 74 };
const spaces = { none: 0, xs: 2, sm: 4, md: 8, lg: 12, xl: 16, xxl: 20 };
const imageSizes = {
  xxs: 40,
  xs: 60,
  sm: 80,
  md: 100,
  lg: 120,
  xl: 140,
  xxl: 160,
  '3xl': 180,
  '4xl': 200,
  '5xl': 220,
};
const borders = { none: 0, light: 0.5, normal: 1, medium: 2, 'semi-bold': 3, bold: 4 };
const corners = { none: 0, xs: 3, sm: 6, md: 9, lg: 12, xl: 15, xxl: 18 };

const length = (value, words) => {
  if (value === undefined) return undefined;
  return value in words ? `${words[value]}px` : value;
};

export function drawFlex(contents, tap) {
  if (contents.type !== 'carousel') return bubble(contents, tap);
  return h(
    'div',
    { class: 'carousel' },
    contents.contents.map((each) => bubble(each, tap)),
  );
}

function bubble({ size = 'mega', direction, header, hero, body, footer, styles = {}, action }, tap) {
  const block = (name, content, padding) => {
    if (!content) return undefined;
    const drawn = component(content, tap, 'vertical');
    if (content.type === 'box' && !content.paddingAll) drawn.style.padding ||= padding;
    const { backgroundColor, separator, separatorColor } = styles[name] ?? {};
    if (backgroundColor) drawn.style.backgroundColor ||= backgroundColor;
    if (separator) drawn.style.borderTop = `1px solid ${separatorColor ?? '#d4d6da'}`;
    return drawn;
  };
  const room = ['nano', 'micro'].includes(size) ? '10px' : '20px';
  return tappable(
    h(
      'div',
      { class: 'flex', dir: direction ?? 'ltr', style: { width: `${bubbleWidths[size]}px` } },
      block('header', header, room),
      block('hero', hero, '0'),
      block('body', body, room),
      block('footer', footer, '10px'),
    ),
    action,
    tap,
  );
}

function component(part, tap, layout) {
  const drawn = kinds[part.type]?.(part, tap) ?? h('span', {}, part.type);
  const isRow = layout !== 'vertical';
  // A part takes its share of a row, and its own height in a column, unless it says otherwise.
  const share = part.flex ?? (isRow && !['icon', 'separator'].includes(part.type) ? 1 : 0);
  const { style } = drawn;
  style.flex = share === 0 ? '0 0 auto' : `${share} 0 0px`;
  if (isRow) style.minWidth = '0';
  if (part.margin) style[isRow ? 'marginInlineStart' : 'marginTop'] = length(part.margin, spaces);
  if (part.position === 'absolute') style.position = 'absolute';
  else style.position ||= 'relative';
  for (const [name, property] of [
    ['offsetTop', 'top'],
    ['offsetBottom', 'bottom'],
    ['offsetStart', 'insetInlineStart'],
    ['offsetEnd', 'insetInlineEnd'],
  ])
    if (part[name]) style[property] = length(part[name], spaces);
  if (part.gravity && isRow)
    style.alignSelf = { top: 'flex-start', center: 'center', bottom: 'flex-end' }[part.gravity];
  return tappable(drawn, part.type === 'button' ? undefined : part.action, tap);
}

function tappable(element, action, tap) {
  if (!action) return element;
  element.classList.add('tappable');
  element.setAttribute('role', 'button');
  element.setAttribute('tabindex', '0');
  if (action.label) element.setAttribute('aria-label', action.label);
  const act = (event) => {
    event.stopPropagation();
    tap(action);
  };
  element.addEventListener('click', act);
  element.addEventListener('keydown', (event) => event.key === 'Enter' && act(event));
  return element;
}

const kinds = {
  box(box, tap) {
    const { layout, contents, spacing, background } = box;
    const gradient =
      background?.type === 'linearGradient' &&
      `linear-gradient(${[
        background.angle,
        background.startColor,
        background.centerColor && `${background.centerColor} ${background.centerPosition ?? '50%'}`,
        background.endColor,
      ]
        .filter(Boolean)
        .join(', ')})`;
    const element = h('div', {
      class: `box ${layout}`,
      style: {
        backgroundColor: box.backgroundColor,
        backgroundImage: gradient || undefined,
        border: box.borderWidth && `${length(box.borderWidth, borders)} solid ${box.borderColor ?? '#d4d6da'}`,
        borderRadius: length(box.cornerRadius, corners),
        width: box.width,
        maxWidth: box.maxWidth,
        height: box.height,
        maxHeight: box.maxHeight,
        padding: length(box.paddingAll, spaces),
        justifyContent: box.justifyContent,
        alignItems: box.alignItems,
      },
    });
    for (const side of ['Top', 'Bottom']) {
      const given = length(box[`padding${side}`], spaces);
      if (given) element.style[`padding${side}`] = given;
    }
    if (box.paddingStart) element.style.paddingInlineStart = length(box.paddingStart, spaces);
    if (box.paddingEnd) element.style.paddingInlineEnd = length(box.paddingEnd, spaces);
    for (const [at, each] of contents.entries()) {
      const margin = each.margin ?? (at > 0 ? spacing : undefined);
      element.append(component({ ...each, ...(margin && { margin }) }, tap, layout));
    }
    return element;
  },
  text({ text, contents, align, wrap, maxLines, lineSpacing, ...look }) {
    const element = h('div', {
      class: wrap ? 'text wrap' : 'text',
      style: { ...letters({ size: 'md', color: '#111111', ...look }), textAlign: align },
    });
    if (lineSpacing) element.style.lineHeight = `calc(1.3em + ${lineSpacing})`;
    if (maxLines)
      Object.assign(element.style, { display: '-webkit-box', webkitLineClamp: maxLines, webkitBoxOrient: 'vertical' });
    element.append(...(contents?.length > 0 ? contents.map((span) => kinds.span(span)) : [text ?? '']));
    return element;
  },
  span: ({ text, ...look }) => h('span', { style: letters(look) }, text ?? ''),
  button({ action, style = 'link', color, height }, tap) {
    const button = h(
      'button',
      { type: 'button', class: `flex-button ${style} ${height ?? 'md'}`, onclick: () => tap(action) },
      action.label ?? action.type,
    );
    if (color) button.style[style === 'link' ? 'color' : 'backgroundColor'] = color;
    return h('div', { class: 'flex-button-box' }, button);
  },
  image({ url, size = 'md', aspectRatio = '1:1', aspectMode = 'fit', backgroundColor, align = 'center' }) {
    const image = picture(url, {
      style: {
        width: size === 'full' ? '100%' : length(size, imageSizes),
        maxWidth: '100%',
        aspectRatio: aspectRatio.replace(':', ' / '),
        objectFit: aspectMode === 'cover' ? 'cover' : 'contain',
        backgroundColor,
        display: 'block',
      },
    });
    return h(
      'div',
      { class: 'image', style: { justifyContent: { start: 'flex-start', end: 'flex-end' }[align] } },
      image,
    );
  },
  video: ({ url, previewUrl, aspectRatio = '1:1' }) =>
    h('video', {
      controls: true,
      preload: 'none',
      src: mediaUrl(url),
      poster: mediaUrl(previewUrl),
      style: { width: '100%', aspectRatio: aspectRatio.replace(':', ' / ') },
    }),
  icon: ({ url, size = 'md', aspectRatio = '1:1' }) =>
    picture(url, {
      style: { height: length(size, fontSizes), aspectRatio: aspectRatio.replace(':', ' / ') },
    }),
  separator: ({ color }) => h('div', { class: 'separator', style: { backgroundColor: color } }),
  filler: () => h('div'),
};

const letters = ({ size, color, weight, style, decoration }) => ({
  fontSize: length(size, fontSizes),
  color,
  fontWeight: weight === 'bold' ? '700' : undefined,
  fontStyle: style === 'italic' ? 'italic' : undefined,
  textDecoration: decoration === 'none' ? undefined : decoration,
});
