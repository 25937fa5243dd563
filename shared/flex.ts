import { countGraphemes, isStorable } from './characters.ts';

/* Flex messages of LINE: https://developers.line.biz/en/reference/messaging-api/#flex-message */

type FlexPath = (string | number)[];
interface FlexProblem {
  path: FlexPath;
  code: string;
}

const maxBubbleBytes = 30_000;
const maxCarouselBytes = 50_000;
const maxBubbles = 12;
/** Far deeper than anybody draws; LINE does not say where it ends. */
const maxDepth = 30;
const maxProblems = 20;

type Report = (path: FlexPath, code: string) => void;
type Check = (value: unknown, path: FlexPath, report: Report, depth: number) => void;
type Fields = Record<string, Check>;
type Value = Record<string, unknown>;

export const isFlexPart = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What LINE would refuse in the contents of a flex message, each with its place; nothing where it takes them. */
export function checkFlex(contents: unknown): FlexProblem[] {
  const problems: FlexProblem[] = [];
  const report: Report = (path, code) => {
    if (problems.length < maxProblems) problems.push({ path, code });
  };
  if (!isFlexPart(contents)) return [{ path: [], code: 'flex-object' }];
  if (contents['type'] === 'bubble') checkBubble(contents, [], report, 0);
  else if (contents['type'] === 'carousel') checkCarousel(contents, [], report, 0);
  else report(['type'], 'flex-container');
  // What is too deep is not written out, which could take more than there is.
  if (!problems.some(({ code }) => code === 'flex-deep')) checkBytes(contents, report);
  return problems;
}

function checkBytes(contents: Value, report: Report): void {
  const isLarge = (value: unknown, most: number) => new TextEncoder().encode(JSON.stringify(value)).length > most;
  if (contents['type'] === 'bubble') {
    if (isLarge(contents, maxBubbleBytes)) report([], 'flex-large');
  } else if (isLarge(contents, maxCarouselBytes)) report([], 'flex-carousel-large');
  else if (Array.isArray(contents['contents']))
    for (const [at, bubble] of contents['contents'].entries())
      if (isLarge(bubble, maxBubbleBytes)) report(['contents', at], 'flex-large');
}

const fieldsOf =
  (fields: Fields, required: string[] = []): Check =>
  (value, path, report, depth) => {
    if (!isFlexPart(value)) return report(path, 'flex-object');
    for (const name of required) if (!Object.hasOwn(value, name)) report([...path, name], 'required');
    for (const [name, given] of Object.entries(value)) {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (check) check(given, [...path, name], report, depth + 1);
      else report([...path, name.slice(0, 40)], 'flex-unknown');
    }
  };

const word =
  (...words: string[]): Check =>
  (value, path, report) => {
    if (typeof value !== 'string' || !words.includes(value)) report(path, 'flex-word');
  };
const form =
  (pattern: RegExp, code: string): Check =>
  (value, path, report) => {
    if (typeof value !== 'string' || !pattern.test(value)) report(path, code);
  };
const flag: Check = (value, path, report) => {
  if (typeof value !== 'boolean') report(path, 'flex-word');
};
const count: Check = (value, path, report) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 1_000_000)
    report(path, 'flex-number');
};
const words =
  (max: number, length: (text: string) => number = (text) => text.length, min = 1): Check =>
  (value, path, report) => {
    if (typeof value !== 'string') report(path, 'flex-text');
    else if (!isStorable(value)) report(path, 'not-storable');
    else if (value.length < min) report(path, 'empty');
    else if (length(value) > max) report(path, 'too-long');
  };
const graphemes = (max: number, min = 1) => words(max, (text) => countGraphemes(text.slice(0, max * 32), max), min);

const px = String.raw`-?\d{1,5}(?:\.\d{1,5})?px`;
const percent = String.raw`\d{1,5}(?:\.\d{1,5})?%`;
const spaces = 'none|xs|sm|md|lg|xl|xxl';
const letters = 'xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl';
const measure = (names: string, ...units: string[]) =>
  form(new RegExp(`^(?:${[names, ...units].filter(Boolean).join('|')})$`), 'flex-measure');
const space = measure(spaces, px);
const padding = measure(spaces, px, percent);
const length = measure('', px, percent);
const fontSize = measure(letters, px, percent);
const color = form(/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i, 'flex-color');
const ratio: Check = (value, path, report) => {
  const [, width = 0, height = 0] = /^(\d{1,6}):(\d{1,6})$/.exec(String(value))?.map(Number) ?? [];
  if (width < 1 || height < 1 || width > 100_000 || height > 3 * width) report(path, 'flex-ratio');
};
const webAddress: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.length > 2000 || !/^https?:\/\/[\x21-\x7e]+$/.test(value))
    report(path, 'flex-url');
};
const uri: Check = (value, path, report) => {
  if (typeof value !== 'string' || !/^(?:https?|line|tel):[\x21-\x7e]+$/.test(value)) report(path, 'line-uri-form');
  else if (value.length > 1000) report(path, 'too-long');
};

const shown = { data: words(300), displayText: graphemes(300), text: graphemes(300) };
const pickerForms = /^(?:\d{4}-\d\d-\d\d)?[Tt]?(?:\d\d:\d\d)?$/;
const actions: Record<string, [Fields, string[]]> = {
  uri: [{ uri, altUri: fieldsOf({ desktop: uri }) }, ['uri']],
  message: [{ text: shown.text }, ['text']],
  postback: [
    {
      ...shown,
      inputOption: word('closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice'),
      fillInText: words(300),
    },
    ['data'],
  ],
  datetimepicker: [
    {
      data: shown.data,
      mode: word('date', 'time', 'datetime'),
      initial: form(pickerForms, 'line-picker-form'),
      min: form(pickerForms, 'line-picker-form'),
      max: form(pickerForms, 'line-picker-form'),
    },
    ['data', 'mode'],
  ],
  clipboard: [{ clipboardText: words(1000) }, ['clipboardText']],
};

const actionWith =
  (isButton: boolean): Check =>
  (value, path, report, depth) => {
    if (!isFlexPart(value)) return report(path, 'flex-object');
    const known = Object.hasOwn(actions, String(value['type'])) ? actions[String(value['type'])] : undefined;
    if (!known) return report([...path, 'type'], 'flex-action');
    const [fields, required] = known;
    const rest: Fields = { type: () => {}, label: graphemes(40, isButton ? 1 : 0), ...fields };
    fieldsOf(rest, isButton ? ['label', ...required] : required)(value, path, report, depth);
    if (value['displayText'] !== undefined && value['text'] !== undefined) report([...path, 'text'], 'flex-text-twice');
    if (value['fillInText'] !== undefined && value['inputOption'] !== 'openKeyboard')
      report([...path, 'fillInText'], 'line-fill-in');
  };
const action = actionWith(false);

const placed = {
  margin: space,
  position: word('relative', 'absolute'),
  ...Object.fromEntries(
    ['offsetTop', 'offsetBottom', 'offsetStart', 'offsetEnd'].map((name) => [name, measure(spaces, px, percent)]),
  ),
};
const align = word('start', 'end', 'center');
const gravity = word('top', 'bottom', 'center');
const letter = {
  size: fontSize,
  color,
  weight: word('regular', 'bold'),
  style: word('normal', 'italic'),
  decoration: word('none', 'underline', 'line-through'),
};
// A text is bounded by what its bubble may have.
const said = words(maxBubbleBytes, undefined, 0);

const parts: Record<string, { fields: Fields; required?: string[] }> = {
  box: {
    fields: {
      layout: word('horizontal', 'vertical', 'baseline'),
      flex: count,
      contents: (value, path, report, depth) => checkContents(value, path, report, depth),
      spacing: space,
      ...placed,
      backgroundColor: color,
      borderColor: color,
      borderWidth: measure('none|light|normal|medium|semi-bold|bold', px),
      cornerRadius: space,
      width: length,
      maxWidth: length,
      height: length,
      maxHeight: length,
      paddingAll: padding,
      paddingTop: padding,
      paddingBottom: padding,
      paddingStart: padding,
      paddingEnd: padding,
      action,
      justifyContent: word('center', 'flex-start', 'flex-end', 'space-between', 'space-around', 'space-evenly'),
      alignItems: word('center', 'flex-start', 'flex-end'),
      background: fieldsOf(
        {
          type: word('linearGradient'),
          angle: form(/^\d{1,3}(?:\.\d{1,5})?deg$/, 'flex-measure'),
          startColor: color,
          endColor: color,
          centerColor: color,
          centerPosition: form(new RegExp(`^${percent}$`), 'flex-measure'),
        },
        ['type', 'angle', 'startColor', 'endColor'],
      ),
    },
    required: ['layout', 'contents'],
  },
  button: {
    fields: {
      flex: count,
      color,
      style: word('primary', 'secondary', 'link'),
      action: actionWith(true),
      gravity,
      ...placed,
      height: word('md', 'sm'),
      adjustMode: word('shrink-to-fit'),
      scaling: flag,
    },
    required: ['action'],
  },
  filler: { fields: { flex: count } },
  icon: {
    fields: { url: webAddress, size: fontSize, aspectRatio: ratio, ...placed, scaling: flag },
    required: ['url'],
  },
  image: {
    fields: {
      url: webAddress,
      flex: count,
      ...placed,
      align,
      gravity,
      size: measure(`${letters}|full`, px, percent),
      aspectRatio: ratio,
      aspectMode: word('fit', 'cover'),
      backgroundColor: color,
      action,
      animated: flag,
    },
    required: ['url'],
  },
  separator: { fields: { margin: space, color } },
  span: { fields: { text: said, ...letter }, required: ['text'] },
  text: {
    fields: {
      flex: count,
      text: said,
      ...letter,
      align,
      gravity,
      wrap: flag,
      lineSpacing: form(new RegExp(`^${px}$`), 'flex-measure'),
      ...placed,
      action,
      maxLines: count,
      contents: (value, path, report, depth) => {
        if (!Array.isArray(value)) return report(path, 'flex-list');
        for (const [at, span] of value.entries()) checkPart(span, [...path, at], report, depth, ['span']);
      },
      adjustMode: word('shrink-to-fit'),
      scaling: flag,
    },
  },
  video: {
    fields: {
      url: webAddress,
      previewUrl: webAddress,
      altContent: (value, path, report, depth) => checkPart(value, path, report, depth, ['box', 'image']),
      aspectRatio: ratio,
      action,
    },
    required: ['url', 'previewUrl', 'altContent'],
  },
};

const inFlow = ['box', 'button', 'image', 'text', 'separator', 'filler'];
const inBaseline = ['icon', 'text', 'filler'];

function checkPart(value: unknown, path: FlexPath, report: Report, depth: number, allowed: string[]): void {
  if (depth > maxDepth) return report(path.slice(0, 12), 'flex-deep');
  if (!isFlexPart(value)) return report(path, 'flex-object');
  const { type, ...rest } = value;
  const known = typeof type === 'string' && Object.hasOwn(parts, type) ? parts[type] : undefined;
  if (!known || typeof type !== 'string') return report([...path, 'type'], 'flex-part');
  if (!allowed.includes(type)) return report([...path, 'type'], 'flex-place');
  fieldsOf(known.fields, known.required)(rest, path, report, depth);
  if (type === 'box') checkLayout(rest, path, report);
  if (type === 'text' && !rest['text'] && !(Array.isArray(rest['contents']) && rest['contents'].length > 0))
    report([...path, 'text'], 'empty');
}

function checkContents(value: unknown, path: FlexPath, report: Report, depth: number): void {
  if (!Array.isArray(value)) return report(path, 'flex-list');
  for (const [at, each] of value.entries()) checkPart(each, [...path, at], report, depth + 1, [...inFlow, 'icon']);
}

/** What stands on one line of writing is something else than what stands in rows and columns. */
function checkLayout({ layout, contents }: Value, path: FlexPath, report: Report): void {
  if (!Array.isArray(contents)) return;
  const allowed = layout === 'baseline' ? inBaseline : inFlow;
  for (const [at, each] of contents.entries())
    if (isFlexPart(each) && typeof each['type'] === 'string' && !allowed.includes(each['type']))
      if (Object.hasOwn(parts, each['type']) && [...inFlow, 'icon'].includes(each['type']))
        report([...path, 'contents', at, 'type'], 'flex-place');
}

const block: Check = (value, path, report, depth) => checkPart(value, path, report, depth, ['box']);
const blockStyle = fieldsOf({ backgroundColor: color, separator: flag, separatorColor: color });
const bubbleSizes = ['nano', 'micro', 'deca', 'hecto', 'kilo', 'mega', 'giga'];

const bubbleFields = fieldsOf({
  type: word('bubble'),
  size: word(...bubbleSizes),
  direction: word('ltr', 'rtl'),
  header: block,
  hero: (value, path, report, depth) => checkPart(value, path, report, depth, ['box', 'image', 'video']),
  body: block,
  footer: block,
  styles: fieldsOf({ header: blockStyle, hero: blockStyle, body: blockStyle, footer: blockStyle }),
  action,
});

const checkBubble: Check = (value, path, report, depth) => {
  bubbleFields(value, path, report, depth);
  if (!isFlexPart(value)) return;
  if (value['type'] === undefined) report([...path, 'type'], 'required');
  if (['header', 'hero', 'body', 'footer'].every((name) => value[name] === undefined)) report(path, 'flex-empty');
  const { hero, size = 'mega' } = value;
  if (isFlexPart(hero) && hero['type'] === 'video' && !['kilo', 'mega', 'giga'].includes(String(size)))
    report([...path, 'size'], 'flex-video');
};

const checkCarousel: Check = (value, path, report, depth) => {
  fieldsOf({ type: word('carousel'), contents: () => {} }, ['contents'])(value, path, report, depth);
  if (!isFlexPart(value)) return;
  const bubbles = value['contents'];
  if (!Array.isArray(bubbles)) return report([...path, 'contents'], 'flex-list');
  if (bubbles.length < 1 || bubbles.length > maxBubbles) report([...path, 'contents'], 'flex-bubbles');
  for (const [at, bubble] of bubbles.slice(0, maxBubbles).entries()) {
    const here = [...path, 'contents', at];
    checkBubble(bubble, here, report, depth + 1);
    if (!isFlexPart(bubble)) continue;
    const [first] = bubbles;
    if (isFlexPart(first) && (bubble['size'] ?? 'mega') !== (first['size'] ?? 'mega'))
      report([...here, 'size'], 'flex-sizes');
    if (isFlexPart(bubble['hero']) && bubble['hero']['type'] === 'video') report([...here, 'hero'], 'flex-video');
  }
};

/** A place as one would write it: `body.contents[2].text`. */
export const flexPlace = (path: FlexPath): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
