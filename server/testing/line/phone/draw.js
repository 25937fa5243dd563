/* Messages as a phone draws them. Text is only ever set as text. */
import { face, h, icon, mediaUrl, picture, safeUrl } from './element.js';
import { drawFlex } from './flex.js';
import { t } from './texts.js';

/** Faces for stickers, whose pictures are LINE's own. */
export const stickers = [
  { packageId: '446', stickerId: '1988', look: 'hello', keywords: ['hello', 'hi'] },
  { packageId: '446', stickerId: '1989', look: 'laughing', keywords: ['laughing', 'happy'] },
  { packageId: '446', stickerId: '1990', look: 'ok', keywords: ['ok', 'good'] },
  { packageId: '446', stickerId: '1991', look: 'crying', keywords: ['crying', 'sad'] },
  { packageId: '446', stickerId: '1992', look: 'angry', keywords: ['angry'] },
  { packageId: '789', stickerId: '10855', look: 'thanks', keywords: ['thank you', 'please'] },
];

/** The inside of a message. `tap` gets the action of what is tapped. */
export function drawMessage(entry, tap) {
  const { message, id } = entry;
  const draw = drawings[message.type];
  return draw
    ? draw(message, { tap, id, entry })
    : h('div', { class: 'bubble faint' }, t('unknown'), ` (${message.type})`);
}

const drawings = {
  text: ({ text, mention }) => h('div', { class: 'bubble' }, withMentions(text ?? '', mention)),
  textV2: ({ text, substitution = {} }) => h('div', { class: 'bubble' }, substituted(text ?? '', substitution)),
  sticker({ packageId, stickerId }) {
    const known = stickers.find((each) => each.packageId === packageId && each.stickerId === stickerId);
    const name = `${t('stickerOf')} ${packageId}/${stickerId}`;
    return h('div', { class: 'sticker', title: name }, face(known?.look ?? 'other', '96'), h('small', {}, name));
  },
  image: ({ previewImageUrl, originalContentUrl, contentProvider }, { id }) =>
    h(
      'a',
      {
        class: 'media',
        href: safeUrl(originalContentUrl ?? `/phone/content/${id}`),
        target: '_blank',
        rel: 'noopener',
      },
      picture(previewImageUrl ?? contentProvider?.previewImageUrl ?? `/phone/content/${id}`, { alt: t('picture') }),
    ),
  video: ({ originalContentUrl, previewImageUrl }, { id }) =>
    h('video', {
      class: 'media',
      controls: true,
      preload: 'none',
      poster: previewImageUrl && mediaUrl(previewImageUrl),
      src: mediaUrl(originalContentUrl ?? `/phone/content/${id}`),
    }),
  audio: ({ originalContentUrl, duration }, { id }) =>
    h(
      'div',
      { class: 'bubble audio' },
      h('audio', { controls: true, preload: 'none', src: mediaUrl(originalContentUrl ?? `/phone/content/${id}`) }),
      duration ? h('small', {}, `${(duration / 1000).toFixed(1)} s`) : undefined,
    ),
  file: ({ fileName, fileSize }, { id }) =>
    h(
      'a',
      { class: 'bubble file', href: `/phone/content/${id}`, download: fileName },
      icon('file'),
      fileName,
      h('small', {}, ` ${Math.ceil(fileSize / 1024)} KB`),
    ),
  location: ({ title, address, latitude, longitude }) =>
    h(
      'div',
      { class: 'card place' },
      h('div', { class: 'map' }, icon('place')),
      h('b', {}, title ?? ''),
      h('span', {}, address ?? ''),
      h('small', {}, `${latitude}, ${longitude}`),
    ),
  coupon: ({ couponId }) => h('div', { class: 'card' }, h('b', {}, t('coupon')), h('small', {}, couponId)),
  imagemap: drawImagemap,
  template: ({ template }, { tap }) => templates[template.type]?.(template, tap) ?? h('div', {}, template.type),
  flex: ({ contents }, { tap }) => drawFlex(contents, tap),
};

function withMentions(text, mention) {
  const parts = [];
  let from = 0;
  for (const { index, length } of (mention?.mentionees ?? []).toSorted((one, other) => one.index - other.index)) {
    parts.push(...linked(text.slice(from, index)), h('b', { class: 'mention' }, text.slice(index, index + length)));
    from = index + length;
  }
  return [...parts, ...linked(text.slice(from))];
}

/** Addresses in a text can be opened, as on a phone. */
function linked(text) {
  return text
    .split(/(https?:\/\/[^\s、。）)」]+)/)
    .map((part) =>
      /^https?:\/\//.test(part) ? h('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part) : part,
    );
}

function substituted(text, substitution) {
  return text.split(/(\{\{|\}\}|\{\w+\})/).map((part) => {
    if (part === '{{' || part === '}}') return part[0];
    const found = /^\{(\w+)\}$/.exec(part);
    const value = found && substitution[found[1]];
    if (!value) return part;
    return value.type === 'emoji'
      ? '(emoji)'
      : h('b', { class: 'mention' }, value.mentionee.type === 'all' ? '@All' : '@…');
  });
}

function drawImagemap({ baseUrl, baseSize, actions = [], altText }, { tap }) {
  return h(
    'div',
    { class: 'imagemap', style: { aspectRatio: `${baseSize.width} / ${baseSize.height}` } },
    picture(`${baseUrl}/1040`, { alt: altText }),
    actions.map(({ area, ...action }) =>
      h('button', {
        type: 'button',
        class: 'area',
        'aria-label': action.label ?? action.text ?? action.linkUri ?? action.type,
        style: placed(area, baseSize),
        onclick: () => tap({ ...action, ...(action.linkUri && { uri: action.linkUri }) }),
      }),
    ),
  );
}

/** An area of a picture, in parts of it. */
export function placed({ x, y, width, height }, size) {
  const part = (value, whole) => `${(value / whole) * 100}%`;
  return {
    left: part(x, size.width),
    top: part(y, size.height),
    width: part(width, size.width),
    height: part(height, size.height),
  };
}

const button = (action, tap) =>
  h('button', { type: 'button', class: 'action', onclick: () => tap(action) }, action.label ?? action.type);

const thumb = (url, { imageAspectRatio, imageSize, imageBackgroundColor }, tap, action) => {
  if (!url) return undefined;
  const image = picture(url, { class: `thumb ${imageAspectRatio ?? 'rectangle'} ${imageSize ?? 'cover'}` });
  if (imageBackgroundColor) image.style.backgroundColor = imageBackgroundColor;
  return action ? h('button', { type: 'button', class: 'plain', onclick: () => tap(action) }, image) : image;
};

const templates = {
  buttons: (template, tap) => card(template, template, tap),
  confirm: ({ text, actions }, tap) =>
    h(
      'div',
      { class: 'card' },
      h('p', {}, text),
      h(
        'div',
        { class: 'pair' },
        actions.map((action) => button(action, tap)),
      ),
    ),
  carousel: (template, tap) =>
    h(
      'div',
      { class: 'carousel' },
      template.columns.map((column) => card(column, template, tap)),
    ),
  image_carousel: ({ columns }, tap) =>
    h(
      'div',
      { class: 'carousel' },
      columns.map(({ imageUrl, action }) =>
        h(
          'button',
          { type: 'button', class: 'plain square', onclick: () => tap(action) },
          picture(imageUrl, { alt: action.label }),
          h('span', {}, action.label ?? ''),
        ),
      ),
    ),
};

function card({ thumbnailImageUrl, title, text, actions, defaultAction, ...own }, look, tap) {
  return h(
    'div',
    { class: 'card' },
    thumb(thumbnailImageUrl, { ...look, ...own }, tap, defaultAction),
    title && h('b', {}, title),
    h('p', {}, text),
    actions.map((action) => button(action, tap)),
  );
}
