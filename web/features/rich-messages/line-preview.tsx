import { IconPhoto } from '@tabler/icons-react';
import { Fragment, useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import { isFlexPart } from '../../../shared/flex.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { partsAroundName } from '../../../shared/addressed.ts';
import { isGhost, isGhostPicture } from './ghosts.ts';
import classes from './line-preview.module.css';

/* Near enough to what a phone shows to judge it: https://developers.line.biz/en/docs/messaging-api/flex-message-layout/ */

const bubbleWidths = new Map<unknown, number>(
  Object.entries({ nano: 120, micro: 160, deca: 220, hecto: 241, kilo: 260, mega: 300, giga: 386 }),
);
const fontSizes: Sizes = { xxs: 11, xs: 13, sm: 14, md: 16, lg: 19, xl: 22, xxl: 29, '3xl': 35, '4xl': 48, '5xl': 74 };
const spaces: Sizes = { none: 0, xs: 2, sm: 4, md: 8, lg: 12, xl: 16, xxl: 20 };
const imageSizes: Sizes = {
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
const borders: Sizes = { none: 0, light: 0.5, normal: 1, medium: 2, 'semi-bold': 3, bold: 4 };
const corners: Sizes = { none: 0, xs: 3, sm: 6, md: 9, lg: 12, xl: 15, xxl: 18 };

type Sizes = Record<string, number>;
type Part = Record<string, unknown>;

const length = (value: unknown, words: Sizes = {}): string | undefined =>
  typeof value !== 'string' ? undefined : Object.hasOwn(words, value) ? `${words[value]}px` : value;
const said = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const partsOf = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isFlexPart) : []);

/** Our own pictures, by which way they are shown here; those of other sites are shown on LINE alone. */
function ownImage(url: unknown): string | undefined {
  const path = /\/line\/image\/[0-9a-f-]{36}(?:\/\d+)?$/.exec(String(url));
  return path?.[0];
}

interface Props {
  line: unknown;
  label: string;
  /** Which of several cards stands first in sight. */
  card?: number | undefined;
}

/** A message object of LINE as its app draws it. Nothing in it can be pressed. */
export function LinePreview({ line, label, card }: Props) {
  if (isFlexPart(line) && line['type'] === 'text')
    return (
      <span className={classes['words']}>
        <Said text={said(line['text']) ?? ''} />
      </span>
    );
  return (
    <div className={classes['message']} role="figure" aria-label={label}>
      <Drawn line={line} card={card} />
    </div>
  );
}

/** Whose name stands here is not known before it is sent, so its place is shown. */
function Said({ text }: { text: string }) {
  const { t } = useTranslation('rich-messages');
  return partsAroundName(text).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <b className={classes['token']}>{t('content.name')}</b>}
      {part}
    </Fragment>
  ));
}

function Drawn({ line, card }: Pick<Props, 'line' | 'card'>) {
  const { t } = useTranslation('rich-messages');
  if (!isFlexPart(line)) return null;
  if (line['type'] === 'imagemap') return <Imagemap line={line} />;
  if (line['type'] === 'image') return <Picture className={classes['single']} url={line['originalContentUrl']} />;
  const contents = line['contents'];
  if (line['type'] !== 'flex' || !isFlexPart(contents)) return <Missing>{t('preview.nothing')}</Missing>;
  const bubbles = contents['type'] === 'carousel' ? partsOf(contents['contents']) : [contents];
  if (bubbles.every(isBlank)) return <Missing>{t('preview.empty')}</Missing>;
  if (contents['type'] !== 'carousel') return <Bubble bubble={contents} />;
  return <Carousel bubbles={bubbles} card={card} />;
}

function Carousel({ bubbles, card }: { bubbles: Part[]; card: number | undefined }) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = card === undefined ? undefined : row.current?.children[card];
    if (row.current && shown instanceof HTMLElement) row.current.scrollLeft = shown.offsetLeft;
  }, [card, bubbles.length]);
  return (
    // What scrolls has to be reached by keys, too.
    <div ref={row} className={classes['carousel']} tabIndex={0}>
      {bubbles.map((bubble, at) => (
        <Bubble key={at} bubble={bubble} />
      ))}
    </div>
  );
}

/** Nothing of it would be seen. */
const isBlank = (bubble: Part) =>
  ['header', 'hero', 'body', 'footer'].every((name) => {
    const part = bubble[name];
    return !isFlexPart(part) || (part['type'] === 'box' && partsOf(part['contents']).length === 0);
  });

function Imagemap({ line }: { line: Part }) {
  const { width = 1040, height = 1040 } = isFlexPart(line['baseSize']) ? line['baseSize'] : {};
  const url = said(line['baseUrl']);
  return (
    <span className={classes['imagemap']} data-areas style={{ aspectRatio: `${Number(width)} / ${Number(height)}` }}>
      <Picture url={url === undefined ? undefined : `${url}/700`} />
      {partsOf(line['actions']).map(({ area, linkUri, text, clipboardText }, at) =>
        isFlexPart(area) ? (
          <i
            key={at}
            data-does={said(linkUri) ?? said(text) ?? said(clipboardText)}
            style={{
              left: shareOf(area['x'], width),
              top: shareOf(area['y'], height),
              width: shareOf(area['width'], width),
              height: shareOf(area['height'], height),
            }}
          />
        ) : null,
      )}
    </span>
  );
}

const shareOf = (part: unknown, whole: unknown) => `${(Number(part) / Number(whole)) * 100}%`;

function Picture({ url, className, style }: { url: unknown; className?: string | undefined; style?: CSSProperties }) {
  const { t } = useTranslation('rich-messages');
  if (isGhostPicture(url))
    return (
      <span className={classes['ghost']} style={style}>
        <IconPhoto size={40} stroke={1.25} aria-hidden />
      </span>
    );
  const own = ownImage(url);
  if (own) return <img className={className} style={style} src={own} alt="" loading="lazy" draggable={false} />;
  return (
    <span className={classes['elsewhere']} style={style}>
      {t('preview.picture')}
    </span>
  );
}

const Missing = ({ children }: { children: ReactNode }) => <span className={classes['missing']}>{children}</span>;

function Bubble({ bubble }: { bubble: Part }) {
  const { size = 'mega', direction, styles } = bubble;
  const room = size === 'nano' || size === 'micro' ? '10px' : '20px';
  const block = (name: 'header' | 'hero' | 'body' | 'footer', padding: string) => {
    const part = bubble[name];
    if (!isFlexPart(part)) return null;
    const style = isFlexPart(styles) && isFlexPart(styles[name]) ? styles[name] : {};
    return (
      <div
        data-block={name}
        style={{
          background: said(style['backgroundColor']),
          ...(style['separator'] === true && { borderTop: `1px solid ${said(style['separatorColor']) ?? '#d4d6da'}` }),
        }}
      >
        <Component part={{ ...(part['type'] === 'box' && { paddingAll: padding }), ...part }} inside="vertical" />
      </div>
    );
  };
  return (
    <div
      className={classes['bubble']}
      dir={direction === 'rtl' ? 'rtl' : 'ltr'}
      style={{ width: bubbleWidths.get(size) ?? 300 }}
    >
      {block('header', room)}
      {block('hero', '0')}
      {block('body', room)}
      {block('footer', '10px')}
    </div>
  );
}

const gravities = new Map<unknown, string>([
  ['top', 'flex-start'],
  ['center', 'center'],
  ['bottom', 'flex-end'],
]);

function Component({ part, inside, margin }: { part: Part; inside: unknown; margin?: unknown }) {
  const { t } = useTranslation('rich-messages');
  const isRow = inside !== 'vertical';
  const { type, flex, gravity } = part;
  // A part takes its share of a row, and its own height in a column, unless it says otherwise.
  const share = typeof flex === 'number' ? flex : isRow && type !== 'icon' && type !== 'separator' ? 1 : 0;
  const gap = length(part['margin'] ?? margin, spaces);
  const style: CSSProperties = {
    flex: share === 0 ? '0 0 auto' : `${share} 0 0px`,
    ...(isRow ? { minWidth: 0, marginInlineStart: gap } : { marginTop: gap }),
    position: part['position'] === 'absolute' ? 'absolute' : 'relative',
    top: length(part['offsetTop'], spaces),
    bottom: length(part['offsetBottom'], spaces),
    insetInlineStart: length(part['offsetStart'], spaces),
    insetInlineEnd: length(part['offsetEnd'], spaces),
    ...(isRow && gravities.has(gravity) && { alignSelf: gravities.get(gravity) }),
  };
  switch (type) {
    case 'box':
      return <Box part={part} style={style} />;
    case 'text':
      return <Words part={part} style={style} />;
    case 'button':
      return <Button part={part} style={style} />;
    case 'image':
      return (
        <div
          className={classes['image']}
          style={{ ...style, justifyContent: alignments.get(part['align']) ?? 'center' }}
        >
          <Picture url={part['url']} style={imageStyle(part)} />
        </div>
      );
    case 'icon':
      return (
        <div style={style}>
          <Picture url={part['url']} style={{ height: length(part['size'] ?? 'md', fontSizes), aspectRatio: '1' }} />
        </div>
      );
    case 'video':
      return (
        <div style={style}>
          <Picture url={part['previewUrl']} style={imageStyle({ ...part, size: 'full' })} />
        </div>
      );
    case 'separator':
      return (
        <div
          className={classes['separator']}
          style={{ ...style, flex: '0 0 1px', background: said(part['color']) ?? '#d4d6da' }}
        />
      );
    case 'filler':
      return <div style={{ ...style, flex: typeof flex === 'number' ? style.flex : '1 0 0px' }} />;
    default:
      return <Missing>{t('preview.unknown', { type: String(type).slice(0, 40) })}</Missing>;
  }
}

const alignments = new Map<unknown, string>([
  ['start', 'flex-start'],
  ['center', 'center'],
  ['end', 'flex-end'],
]);

const imageStyle = ({ size = 'md', aspectRatio, aspectMode, backgroundColor }: Part): CSSProperties => ({
  width: size === 'full' ? '100%' : length(size, imageSizes),
  maxWidth: '100%',
  aspectRatio: (said(aspectRatio) ?? '1:1').replace(':', ' / '),
  objectFit: aspectMode === 'cover' ? 'cover' : 'contain',
  background: said(backgroundColor),
});

function gradientOf(background: unknown): string | undefined {
  if (!isFlexPart(background) || background['type'] !== 'linearGradient') return undefined;
  const { angle, startColor, centerColor, centerPosition, endColor } = background;
  const stops = [
    said(angle),
    said(startColor),
    said(centerColor) && `${said(centerColor)} ${said(centerPosition) ?? '50%'}`,
    said(endColor),
  ];
  return `linear-gradient(${stops.filter(Boolean).join(', ')})`;
}

function Box({ part, style }: { part: Part; style: CSSProperties }) {
  const { layout, contents, spacing } = part;
  const border = length(part['borderWidth'], borders);
  return (
    <div
      className={classes['box']}
      data-layout={said(layout)}
      style={{
        ...style,
        backgroundColor: said(part['backgroundColor']),
        backgroundImage: gradientOf(part['background']),
        ...(border && { border: `${border} solid ${said(part['borderColor']) ?? '#d4d6da'}` }),
        borderRadius: length(part['cornerRadius'], corners),
        width: length(part['width']),
        maxWidth: length(part['maxWidth']),
        height: length(part['height']),
        maxHeight: length(part['maxHeight']),
        paddingTop: length(part['paddingTop'] ?? part['paddingAll'], spaces),
        paddingBottom: length(part['paddingBottom'] ?? part['paddingAll'], spaces),
        paddingInlineStart: length(part['paddingStart'] ?? part['paddingAll'], spaces),
        paddingInlineEnd: length(part['paddingEnd'] ?? part['paddingAll'], spaces),
        justifyContent: said(part['justifyContent']),
        alignItems: said(part['alignItems']),
      }}
    >
      {partsOf(contents).map((each, at) => (
        <Component key={at} part={each} inside={layout} margin={at > 0 ? spacing : undefined} />
      ))}
    </div>
  );
}

const letters = ({ size, color, weight, style, decoration }: Part): CSSProperties => ({
  fontSize: length(size, fontSizes),
  color: said(color),
  ...(weight === 'bold' && { fontWeight: 700 }),
  ...(style === 'italic' && { fontStyle: 'italic' }),
  ...(decoration !== 'none' && { textDecoration: said(decoration) }),
});

function Words({ part, style }: { part: Part; style: CSSProperties }) {
  const spans = partsOf(part['contents']);
  const { align, wrap, maxLines, lineSpacing } = part;
  return (
    <div
      className={classes['text']}
      data-wrap={wrap === true || undefined}
      data-ghost={isGhost(said(part['text'])) || undefined}
      style={{
        ...style,
        ...letters({ size: 'md', color: '#111111', ...part }),
        ...((align === 'start' || align === 'center' || align === 'end') && { textAlign: align }),
        ...(typeof lineSpacing === 'string' && { lineHeight: `calc(1.3em + ${lineSpacing})` }),
        ...(typeof maxLines === 'number' &&
          maxLines > 0 && { display: '-webkit-box', WebkitLineClamp: maxLines, WebkitBoxOrient: 'vertical' }),
      }}
    >
      {spans.length > 0
        ? spans.map((span, at) => (
            <span key={at} style={letters(span)}>
              {said(span['text'])}
            </span>
          ))
        : said(part['text'])}
    </div>
  );
}

function Button({ part, style }: { part: Part; style: CSSProperties }) {
  const { action, style: look = 'link', color, height } = part;
  const own = said(color);
  return (
    <div style={style}>
      <span
        className={classes['button']}
        data-look={said(look)}
        data-small={height === 'sm' || undefined}
        style={own ? (look === 'link' ? { color: own } : { background: own }) : undefined}
      >
        {(isFlexPart(action) && said(action['label'])) || '…'}
      </span>
    </div>
  );
}
