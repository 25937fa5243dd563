import '@mantine/core/styles/Checkbox.css';
import { Checkbox } from '@mantine/core';
import { IconPlayerStopFilled, IconRefresh } from '@tabler/icons-react';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Image } from '../../../shared/contracts/images.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { State } from '../../ui/page.tsx';
import { ScrollsFast, Thumb } from './thumb.tsx';
import classes from './images.module.css';

interface Props {
  images: Image[];
  /** What there is so far of those that are being drawn. */
  partials: Map<string, string>;
  selected: ReadonlySet<string>;
  /** As wide as the prompt above it. */
  isNarrow: boolean;
  /** A tap chooses a picture instead of opening it. */
  isChoosing: boolean;
  mayEdit: boolean;
  onOpen(uuid: string): void;
  /** With `isRange` those between it and the one before, too. */
  onSelect(uuid: string, isRange: boolean): void;
  onCancel(uuid: string): void;
  onAgain(image: Image): void;
  onNearEnd(): void;
}

const gap = 12;
const leastWidth = 150;
const usualWidth = 250;
/** Rows above and below the window that are there already when one scrolls to them. */
const beyond = 2;
/** Rows that go by in a moment are not looked at, so their pictures are fetched when it is over. */
const moment = { ms: 150, rows: 2 };

/** Pictures in rows, of which only those near the window are on the page, however many there are. */
export function ImageGrid({ images, partials, selected, isNarrow, onNearEnd, ...rest }: Props) {
  const { t } = useTranslation('images');
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [range, setRange] = useState({ first: 0, last: 6 });
  const columns = Math.max(2, Math.floor((width + gap) / (width < 600 ? leastWidth + gap : usualWidth + gap)));
  const side = Math.max(1, (width - gap * (columns - 1)) / columns);
  const rows = Math.ceil(images.length / columns);
  const [scrollsFast, setScrollsFast] = useState(false);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    let seen = { first: 0, at: 0 };
    let over: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const top = box.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, Math.floor(-top / (side + gap)) - beyond);
      const last = Math.ceil((window.innerHeight - top) / (side + gap)) + beyond;
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
      const now = performance.now();
      if (now - seen.at < moment.ms && Math.abs(first - seen.first) < moment.rows) return;
      if (now - seen.at < moment.ms) {
        setScrollsFast(true);
        clearTimeout(over);
        over = setTimeout(() => setScrollsFast(false), moment.ms);
      }
      seen = { first, at: now };
    };
    look();
    // Whatever scrolls: the window, or a part of the page.
    window.addEventListener('scroll', look, { capture: true, passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look, { capture: true });
      window.removeEventListener('resize', look);
      clearTimeout(over);
      setScrollsFast(false);
    };
  }, [side]);

  const isNearEnd = range.last >= rows;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, rows, onNearEnd]);

  const from = range.first * columns;
  return (
    <ScrollsFast value={scrollsFast}>
      <div
        ref={box}
        className={classes['grid']}
        data-selecting={rest.isChoosing || undefined}
        data-few={isNarrow || undefined}
        role="list"
        aria-label={t('gallery')}
        style={{ height: rows * (side + gap) - gap }}
      >
        {images.slice(from, range.last * columns).map((image, index) => {
          const at = from + index;
          const place = {
            width: side,
            height: side,
            transform: `translate(${(at % columns) * (side + gap)}px, ${Math.floor(at / columns) * (side + gap)}px)`,
          };
          return (
            <div
              key={image.uuid}
              role="listitem"
              aria-setsize={images.length}
              aria-posinset={at + 1}
              className={classes['cell']}
              style={place}
            >
              <Cell image={image} partial={partials.get(image.uuid)} isSelected={selected.has(image.uuid)} {...rest} />
            </div>
          );
        })}
      </div>
    </ScrollsFast>
  );
}

type CellProps = Omit<Props, 'images' | 'partials' | 'selected' | 'isNarrow' | 'onNearEnd'> & {
  image: Image;
  partial: string | undefined;
  isSelected: boolean;
};

const Cell = memo(function Cell({
  image,
  partial,
  isSelected,
  isChoosing,
  mayEdit,
  onOpen,
  onSelect,
  onCancel,
  onAgain,
}: CellProps) {
  const { t } = useTranslation('images');
  const { uuid, status, prompt } = image;
  const isPending = status === 'queued' || status === 'drawing';
  return (
    <>
      <button
        type="button"
        className={classes['open']}
        aria-label={t(isChoosing ? 'select' : 'open', { prompt })}
        aria-pressed={isChoosing ? isSelected : undefined}
        title={prompt}
        onClick={(event) => (isChoosing ? onSelect(uuid, event.shiftKey) : onOpen(uuid))}
      >
        {status === 'done' ? (
          <Thumb uuid={uuid} alt="" />
        ) : (
          <>
            {partial && isPending && <img src={partial} alt="" className={classes['pixels']} />}
            <span className={classes['told']} data-over={(partial && isPending) || undefined}>
              <State
                kind={isPending ? (status === 'queued' ? 'draft' : 'working') : status === 'failed' ? 'failed' : 'off'}
              >
                {t(`state.${status}`)}
              </State>
              {image.error && <small>{image.error.message}</small>}
            </span>
          </>
        )}
      </button>
      {mayEdit && (
        <>
          <Checkbox
            className={classes['check'] ?? ''}
            checked={isSelected}
            // A change does not say which keys were held, a click does.
            readOnly
            onClick={(event) => onSelect(uuid, event.shiftKey)}
            aria-label={t('select', { prompt })}
          />
          {isPending && (
            <IconButton className={classes['corner'] ?? ''} label={t('stop')} onClick={() => onCancel(uuid)}>
              <IconPlayerStopFilled size={16} />
            </IconButton>
          )}
          {(status === 'failed' || status === 'canceled') && (
            <IconButton className={classes['corner'] ?? ''} label={t('again')} onClick={() => onAgain(image)}>
              <IconRefresh size={16} />
            </IconButton>
          )}
        </>
      )}
    </>
  );
});
