import type { Problem } from './spec.ts';

/*
 * What the reference demands and the specification leaves out: https://developers.line.biz/en/reference/messaging-api/.
 * Lengths are UTF-16 units, except where the reference counts graphemes
 * (https://developers.line.biz/en/docs/messaging-api/text-character-count/).
 */

/** What passed the schema; each property is looked at before it is used. */
type Value = Record<string, unknown>;
type Report = (property: string, message: string) => void;

export interface LimitOptions {
  allowHttp: boolean;
}

const segmenter = new Intl.Segmenter();
const graphemes = (text: string): number => [...segmenter.segment(text)].length;

const isValue = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Value[] => (Array.isArray(value) ? value.filter(isValue) : []);
const record = (value: unknown): Value => (isValue(value) ? value : {});

/** Problems of up to five messages. */
export function wrongMessages(messages: unknown, options: LimitOptions, at = 'messages'): Problem[] {
  return collect((report) => {
    const all = list(messages);
    if (all.length < 1 || all.length > 5) report(at, 'Size must be between 1 and 5');
    for (const [index, message] of all.entries()) checkMessage(message, `${at}[${index}]`, options, report);
  });
}

/** Problems of a rich menu, which LINE refuses before it has a picture. */
export function wrongMenu(menu: unknown): Problem[] {
  return collect((report) => {
    const { size, name, chatBarText, selected, areas } = record(menu);
    for (const [property, value] of Object.entries({ size, name, chatBarText, selected, areas }))
      if (value === undefined) report(property, 'must be specified');
    const { width, height } = record(size);
    if (typeof width !== 'number' || typeof height !== 'number') {
      report('size', 'must be specified');
      return;
    }
    if (width < 800 || width > 2500) report('size.width', 'Must be between 800 and 2500');
    if (height < 250) report('size.height', 'Must be 250 or more');
    if (width / height < 1.45) report('size', 'The aspect ratio must be 1.45 or more');
    checkText(name, 'name', { min: 1, max: 300, count: graphemes }, report);
    checkText(chatBarText, 'chatBarText', { min: 1, max: 14, count: graphemes }, report);
    if (list(areas).length > 20) report('areas', 'Size must be between 0 and 20');
    for (const [index, area] of list(areas).entries()) {
      const bounds = record(area['bounds']);
      if (!isInside(bounds, width, height)) report(`areas[${index}].bounds`, 'must be inside the picture');
      checkAction(area['action'], `areas[${index}].action`, 'menu', report);
    }
  });
}

/** What a picture of a menu may be: https://developers.line.biz/en/reference/messaging-api/#upload-rich-menu-image-requirements */
export const maxMenuImageBytes = 1024 * 1024;
export const maxBodyBytes = 2 * 1024 * 1024;
export const maxMenus = 1000;

function collect(check: (report: Report) => void): Problem[] {
  const problems: Problem[] = [];
  check((property, message) => problems.push({ property, message }));
  return problems;
}

function checkMessage(message: Value, at: string, options: LimitOptions, report: Report): void {
  const sender = record(message['sender']);
  if (sender['name'] !== undefined) {
    checkText(sender['name'], `${at}.sender.name`, { min: 1, max: 20 }, report);
    if (/^line$/i.test(String(sender['name']))) report(`${at}.sender.name`, 'is not allowed');
  }
  checkQuickReply(message['quickReply'], `${at}.quickReply`, report);
  checkUrls(message, at, options, report);
  const check = messageChecks[String(message['type'])];
  check?.(message, at, report);
}

const messageChecks: Record<string, (message: Value, at: string, report: Report) => void> = {
  text({ text, emojis }, at, report) {
    checkText(text, `${at}.text`, { min: 1, max: 5000 }, report);
    if (list(emojis).length > 20) report(`${at}.emojis`, 'Size must be between 0 and 20');
    for (const [index, { index: place }] of list(emojis).entries())
      if (String(text).charAt(Number(place)) !== '$') report(`${at}.emojis[${index}].index`, 'there is no $ here');
  },
  textV2({ text, substitution }, at, report) {
    checkText(text, `${at}.text`, { min: 1, max: 5000 }, report);
    const given = Object.entries(record(substitution));
    if (given.length > 100) report(`${at}.substitution`, 'Size must be between 0 and 100');
    for (const [key] of given)
      if (!/^[0-9A-Za-z_]{1,20}$/.test(key)) report(`${at}.substitution.${key}`, 'is not a valid key');
    for (const kind of ['mention', 'emoji'])
      if (given.filter(([, value]) => record(value)['type'] === kind).length > 20)
        report(`${at}.substitution`, `has more than 20 of ${kind}`);
    const plain = String(text).replaceAll(/\{\{|\}\}/g, '');
    for (const [, key = ''] of plain.matchAll(/\{([^{}]*)\}/g))
      if (!given.some(([name]) => name === key)) report(`${at}.text`, `has no substitution for {${key}}`);
    if (/[{}]/.test(plain.replaceAll(/\{[^{}]*\}/g, ''))) report(`${at}.text`, 'has an open brace');
  },
  image() {},
  video({ trackingId }, at, report) {
    if (trackingId !== undefined) checkText(trackingId, `${at}.trackingId`, { min: 1, max: 100 }, report);
  },
  audio({ duration }, at, report) {
    if (Number(duration) < 1) report(`${at}.duration`, 'Must be 1 or more');
  },
  location({ title, address, latitude, longitude }, at, report) {
    checkText(title, `${at}.title`, { min: 1, max: 100 }, report);
    checkText(address, `${at}.address`, { min: 1, max: 100 }, report);
    if (Math.abs(Number(latitude)) > 90) report(`${at}.latitude`, 'Must be between -90 and 90');
    if (Math.abs(Number(longitude)) > 180) report(`${at}.longitude`, 'Must be between -180 and 180');
  },
  imagemap: checkImagemap,
  template: checkTemplate,
  flex: checkFlex,
};

function checkQuickReply(quickReply: unknown, at: string, report: Report): void {
  if (quickReply === undefined) return;
  const items = list(record(quickReply)['items']);
  if (items.length < 1 || items.length > 13) report(`${at}.items`, 'Size must be between 1 and 13');
  for (const [index, item] of items.entries()) {
    if (item['type'] !== 'action') report(`${at}.items[${index}].type`, 'must be specified');
    checkAction(item['action'], `${at}.items[${index}].action`, 'quickReply', report);
  }
}

function checkImagemap({ altText, baseUrl, baseSize, actions, video }: Value, at: string, report: Report): void {
  checkText(altText, `${at}.altText`, { min: 1, max: 1500 }, report);
  const { width, height } = record(baseSize);
  if (width !== 1040) report(`${at}.baseSize.width`, 'Must be 1040');
  if (Number(height) < 1) report(`${at}.baseSize.height`, 'Must be 1 or more');
  if (/\.(png|jpe?g)$/i.test(String(baseUrl))) report(`${at}.baseUrl`, 'must have no extension');
  if (list(actions).length > 50) report(`${at}.actions`, 'Size must be between 0 and 50');
  for (const [index, action] of list(actions).entries()) {
    const place = `${at}.actions[${index}]`;
    if (!isInside(record(action['area']), 1040, Number(height))) report(`${place}.area`, 'must be inside the picture');
    if (action['label'] !== undefined) checkText(action['label'], `${place}.label`, { max: 100 }, report);
    if (action['type'] === 'message') checkText(action['text'], `${place}.text`, { min: 1, max: 400 }, report);
    if (action['type'] === 'uri') checkUri(action['linkUri'], `${place}.linkUri`, report);
  }
  if (video === undefined) return;
  const { originalContentUrl, previewImageUrl, area, externalLink } = record(video);
  if (originalContentUrl === undefined || previewImageUrl === undefined || area === undefined)
    report(`${at}.video`, 'must be specified');
  if (!isInside(record(area), 1040, Number(height))) report(`${at}.video.area`, 'must be inside the picture');
  if (externalLink === undefined) return;
  const { linkUri, label } = record(externalLink);
  checkUri(linkUri, `${at}.video.externalLink.linkUri`, report);
  checkText(label, `${at}.video.externalLink.label`, { min: 1, max: 30 }, report);
}

function checkTemplate({ altText, template }: Value, at: string, report: Report): void {
  checkText(altText, `${at}.altText`, { min: 1, max: 1500 }, report);
  const content = record(template);
  const place = `${at}.template`;
  const columns = list(content['columns']);
  switch (content['type']) {
    case 'buttons':
      return checkCard(content, place, { text: 160, actions: 4 }, report);
    case 'confirm':
      checkText(content['text'], `${place}.text`, { min: 1, max: 240, count: graphemes }, report);
      if (list(content['actions']).length !== 2) report(`${place}.actions`, 'Size must be between 2 and 2');
      return checkActions(content['actions'], `${place}.actions`, 'template', report);
    case 'carousel': {
      if (columns.length < 1 || columns.length > 10) report(`${place}.columns`, 'Size must be between 1 and 10');
      for (const [index, column] of columns.entries())
        checkCard(column, `${place}.columns[${index}]`, { text: 120, actions: 3 }, report);
      const shapes = new Set(
        columns.map(({ actions, title, thumbnailImageUrl }) =>
          [list(actions).length, title !== undefined, thumbnailImageUrl !== undefined].join(),
        ),
      );
      if (shapes.size > 1) report(`${place}.columns`, 'all must have the same actions, titles and pictures');
      return;
    }
    case 'image_carousel':
      if (columns.length < 1 || columns.length > 10) report(`${place}.columns`, 'Size must be between 1 and 10');
      for (const [index, { action }] of columns.entries())
        checkAction(action, `${place}.columns[${index}].action`, 'imageCarousel', report);
  }
}

function checkCard(card: Value, at: string, max: { text: number; actions: number }, report: Report): void {
  const isShort = card['title'] !== undefined || card['thumbnailImageUrl'] !== undefined;
  if (card['title'] !== undefined)
    checkText(card['title'], `${at}.title`, { min: 1, max: 40, count: graphemes }, report);
  checkText(card['text'], `${at}.text`, { min: 1, max: isShort ? 60 : max.text, count: graphemes }, report);
  const count = list(card['actions']).length;
  if (count < 1 || count > max.actions) report(`${at}.actions`, `Size must be between 1 and ${max.actions}`);
  checkActions(card['actions'], `${at}.actions`, 'template', report);
  if (card['defaultAction'] !== undefined) checkAction(card['defaultAction'], `${at}.defaultAction`, 'menu', report);
}

function checkFlex({ altText, contents }: Value, at: string, report: Report): void {
  checkText(altText, `${at}.altText`, { min: 1, max: 1500 }, report);
  const container = record(contents);
  const bubbles = container['type'] === 'carousel' ? list(container['contents']) : [container];
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  if (container['type'] === 'carousel') {
    if (bubbles.length < 1 || bubbles.length > 12) report(`${at}.contents.contents`, 'Size must be between 1 and 12');
    if (size(container) > 50 * 1024) report(`${at}.contents`, 'A carousel may have 50 KB');
    if (new Set(bubbles.map((bubble) => bubble['size'] ?? 'mega')).size > 1)
      report(`${at}.contents.contents`, 'all bubbles must have the same size');
  }
  for (const bubble of bubbles) if (size(bubble) > 30 * 1024) report(`${at}.contents`, 'A bubble may have 30 KB');
  for (const [index, { header, hero, body, footer }] of bubbles.entries()) {
    for (const [name, block] of Object.entries({ header, body, footer }))
      if (block !== undefined && record(block)['type'] !== 'box')
        report(`${at}.contents[${index}].${name}`, 'must be a box');
    if (hero !== undefined && !['box', 'image', 'video'].includes(String(record(hero)['type'])))
      report(`${at}.contents[${index}].hero`, 'must be a box, an image or a video');
  }
  let animated = 0;
  walk(contents, `${at}.contents`, (part, place) => {
    if (part['type'] === 'video') {
      if (!place.endsWith('.hero') || container['type'] === 'carousel') report(place, 'a video belongs in a hero');
      if (!['kilo', 'mega', 'giga'].includes(String(bubbles[0]?.['size'] ?? 'mega')))
        report(place, 'a video needs a bubble of kilo, mega or giga');
    }
    if (part['type'] === 'image' && part['animated'] === true) animated++;
    if (part['type'] === 'text' && !part['text'] && list(part['contents']).length === 0)
      report(`${place}.text`, 'May not be empty');
    if (isValue(part['action'])) {
      const isButton = part['type'] === 'button';
      checkAction(part['action'], `${place}.action`, isButton ? 'flex' : 'flexOther', report);
    }
    checkMeasures(part, place, report);
    for (const name of ['color', 'backgroundColor', 'borderColor', 'startColor', 'endColor', 'centerColor'])
      if (part[name] !== undefined && !/^#([0-9a-f]{6}|[0-9a-f]{8})$/i.test(String(part[name])))
        report(`${place}.${name}`, 'invalid color');
  });
  if (animated > 10) report(`${at}.contents`, 'has more than 10 animated images');
}

const px = String.raw`-?\d+(\.\d+)?px`;
const spaces = 'none|xs|sm|md|lg|xl|xxl';
const letters = 'xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl';
/** Words and units of flex messages: https://developers.line.biz/en/docs/messaging-api/flex-message-layout/ */
const measures: Record<string, RegExp> = {
  margin: new RegExp(`^(${spaces}|${px})$`),
  spacing: new RegExp(`^(${spaces}|${px})$`),
  cornerRadius: new RegExp(`^(${spaces}|${px})$`),
  borderWidth: new RegExp(`^(none|light|normal|medium|semi-bold|bold|${px})$`),
  ...Object.fromEntries(
    ['paddingAll', 'paddingTop', 'paddingBottom', 'paddingStart', 'paddingEnd'].map((name) => [
      name,
      new RegExp(`^(${spaces}|${px}|\\d+(\\.\\d+)?%)$`),
    ]),
  ),
  ...Object.fromEntries(['width', 'maxWidth', 'height', 'maxHeight'].map((name) => [name, /^\d+(\.\d+)?(px|%)$/])),
};
const inBox: Record<string, string[]> = {
  baseline: ['icon', 'text', 'filler'],
  horizontal: ['box', 'button', 'image', 'text', 'separator', 'filler'],
  vertical: ['box', 'button', 'image', 'text', 'separator', 'filler'],
};

function checkMeasures(part: Value, at: string, report: Report): void {
  const type = String(part['type']);
  if (type === 'box') {
    for (const [index, child] of list(part['contents']).entries())
      if (!inBox[String(part['layout'])]?.includes(String(child['type'])))
        report(`${at}.contents[${index}].type`, `is not for a ${String(part['layout'])} box`);
    for (const [name, form] of Object.entries(measures))
      if (part[name] !== undefined && !form.test(String(part[name]))) report(`${at}.${name}`, 'invalid size');
  } else if (part['margin'] !== undefined && !measures['margin']?.test(String(part['margin'])))
    report(`${at}.margin`, 'invalid size');
  if (['text', 'span', 'icon', 'image'].includes(type) && part['size'] !== undefined) {
    const form = new RegExp(`^(${letters}${type === 'image' ? '|full' : ''}|${px}|\\d+(\\.\\d+)?%)$`);
    if (!form.test(String(part['size']))) report(`${at}.size`, 'invalid size');
  }
  if (part['aspectRatio'] !== undefined) {
    const [, width = 0, height = 0] = /^(\d{1,6}):(\d{1,6})$/.exec(String(part['aspectRatio']))?.map(Number) ?? [];
    const isWrong = width < 1 || height < 1 || width > 100_000 || height > 100_000 || height > 3 * width;
    if (isWrong) report(`${at}.aspectRatio`, 'invalid aspect ratio');
  }
}

/** Where an action stands says how long its label may be, whether it needs one, and which kinds may be there. */
type Place = 'template' | 'imageCarousel' | 'quickReply' | 'flex' | 'flexOther' | 'menu';
const maxLabel: Record<Place, number> = {
  template: 20,
  imageCarousel: 12,
  quickReply: 20,
  flex: 40,
  flexOther: 40,
  menu: 20,
};

function checkActions(actions: unknown, at: string, place: Place, report: Report): void {
  for (const [index, action] of list(actions).entries()) checkAction(action, `${at}[${index}]`, place, report);
}

function checkAction(action: unknown, at: string, place: Place, report: Report): void {
  const { type, label, data, displayText, text, fillInText, inputOption, uri, clipboardText, ...rest } = record(action);
  if (type === undefined) return report(`${at}.type`, 'must be specified');
  const needsLabel = !['menu', 'flexOther', 'imageCarousel'].includes(place);
  if (label === undefined && needsLabel) report(`${at}.label`, 'must be specified');
  if (label !== undefined)
    checkText(label, `${at}.label`, { min: needsLabel ? 1 : 0, max: maxLabel[place], count: graphemes }, report);
  if (['camera', 'cameraRoll', 'location'].includes(String(type)) && place !== 'quickReply')
    report(`${at}.type`, 'is for quick replies only');
  if (type === 'richmenuswitch' && place !== 'menu') report(`${at}.type`, 'is for rich menus only');
  switch (type) {
    case 'postback':
      checkText(data, `${at}.data`, { min: 1, max: 300 }, report);
      for (const [name, value] of Object.entries({ displayText, text, fillInText }))
        if (value !== undefined) checkText(value, `${at}.${name}`, { max: 300, count: graphemes }, report);
      if (displayText !== undefined && text !== undefined) report(at, 'displayText and text exclude each other');
      if (fillInText !== undefined && inputOption !== 'openKeyboard')
        report(`${at}.fillInText`, 'needs inputOption openKeyboard');
      return;
    case 'message':
      return checkText(text, `${at}.text`, { min: 1, max: 300, count: graphemes }, report);
    case 'uri':
      return checkUri(uri, `${at}.uri`, report);
    case 'datetimepicker':
      return checkPicker({ data, ...rest }, at, report);
    case 'clipboard':
      return checkText(clipboardText, `${at}.clipboardText`, { min: 1, max: 1000 }, report);
    case 'richmenuswitch':
      checkText(data, `${at}.data`, { min: 1, max: 300 }, report);
      if (!/^[a-z0-9_-]{1,32}$/.test(String(rest['richMenuAliasId']))) report(`${at}.richMenuAliasId`, 'is invalid');
  }
}

const pickerForms: Record<string, RegExp> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^([01]\d|2[0-3]):[0-5]\d$/,
  datetime: /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d$/,
};

function checkPicker({ data, mode, initial, max, min }: Value, at: string, report: Report): void {
  checkText(data, `${at}.data`, { min: 1, max: 300 }, report);
  const form = pickerForms[String(mode)];
  if (!form) return report(`${at}.mode`, 'must be specified');
  for (const [name, value] of Object.entries({ initial, max, min }))
    if (value !== undefined && (!form.test(String(value)) || /^(0|1[0-8]|2[1-9])\d\d-/.test(String(value))))
      report(`${at}.${name}`, `is no ${String(mode)}`);
  if (max !== undefined && min !== undefined && String(max) <= String(min)) report(`${at}.max`, 'must be after min');
}

function checkText(
  text: unknown,
  at: string,
  { min = 0, max, count = (value) => value.length }: { min?: number; max: number; count?: (text: string) => number },
  report: Report,
): void {
  if (typeof text !== 'string') return report(at, 'must be specified');
  if (min > 0 && text.length === 0) return report(at, 'May not be empty');
  if (count(text) > max) report(at, `Length must be between ${min} and ${max}`);
  // Half of an emoji is what a text that was cut at the wrong place has; LINE shows a box.
  if (!text.isWellFormed()) report(at, 'has half of a surrogate pair');
}

function checkUri(uri: unknown, at: string, report: Report): void {
  checkText(uri, at, { min: 1, max: 1000 }, report);
  if (!/^(https?|line|tel):[\x21-\x7e]+$/.test(String(uri))) report(at, 'invalid uri');
}

/** Addresses that LINE or a phone fetches itself. */
const urls = [
  'originalContentUrl',
  'previewImageUrl',
  'baseUrl',
  'thumbnailImageUrl',
  'imageUrl',
  'iconUrl',
  'url',
  'previewUrl',
];

function checkUrls(message: Value, at: string, { allowHttp }: LimitOptions, report: Report): void {
  walk(message, at, (part, place) => {
    for (const name of urls) {
      const url = part[name];
      if (typeof url !== 'string') continue;
      if (url.length > 2000) report(`${place}.${name}`, 'Length must be between 0 and 2000');
      if (!isFetchable(url, allowHttp)) report(`${place}.${name}`, 'invalid uri scheme');
    }
  });
}

/** https, or http to this machine where that is allowed. */
export function isFetchable(url: string, allowHttp: boolean): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (
    protocol === 'https:' ||
    (allowHttp && protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}

function isInside(bounds: Value, width: number, height: number): boolean {
  const [x, y, w, h] = ['x', 'y', 'width', 'height'].map((name) => Number(bounds[name] ?? Number.NaN));
  if (x === undefined || y === undefined || w === undefined || h === undefined) return false;
  return x >= 0 && y >= 0 && w >= 1 && h >= 1 && x + w <= width && y + h <= height;
}

function walk(value: unknown, at: string, visit: (part: Value, at: string) => void): void {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) walk(each, `${at}[${index}]`, visit);
  } else if (isValue(value)) {
    visit(value, at);
    for (const [name, each] of Object.entries(value)) walk(each, `${at}.${name}`, visit);
  }
}
