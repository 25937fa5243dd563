import { useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';
import type { Bounds } from '../../../shared/menu-layout.ts';
import { imagemapWidth, maxAreas } from '../../../shared/rich-line.ts';
import type { Picture } from '../../../shared/rich-message.ts';
import { useTranslation } from '../../lib/i18n.ts';
import {
  atLeast,
  between,
  corners,
  leastOn,
  letterOf,
  moved,
  opposite,
  pulledTo,
  snapped,
  type Corner,
} from './areas.ts';
import classes from './rich-messages.module.css';

interface Props {
  picture: Picture;
  areas: { bounds: Bounds }[];
  selected: number | undefined;
  /** Those with something wrong. */
  wrong: ReadonlySet<number>;
  /** Those of which a tap does nothing yet. */
  blank: ReadonlySet<number>;
  onSelect(at: number): void;
  /** One was pressed, and not moved. */
  onTap(): void;
  onChange(at: number, bounds: Bounds): void;
  onAdd(bounds: Bounds): void;
  onRemove(at: number): void;
}

type Pull =
  | { kind: 'draw'; from: { x: number; y: number }; to: { x: number; y: number } }
  | { kind: 'move'; at: number; dx: number; dy: number; isMoved?: true }
  | { kind: 'resize'; at: number; fixed: { x: number; y: number } };

/** The picture with its areas: drawn on the free places, moved by pulling, made larger at their corners; all of it by keys, too. */
export function AreaCanvas({
  picture,
  areas,
  selected,
  wrong,
  blank,
  onSelect,
  onTap,
  onChange,
  onAdd,
  onRemove,
}: Props) {
  const { t } = useTranslation('rich-messages');
  const ground = useRef<HTMLDivElement>(null);
  const [pull, setPull] = useState<Pull>();
  const { height } = picture;

  const placeOf = (event: PointerEvent) => {
    const box = ground.current?.getBoundingClientRect();
    if (!box || box.width === 0) return { x: 0, y: 0 };
    const scale = imagemapWidth / box.width;
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  };
  const least = () => leastOn(ground.current?.clientWidth || imagemapWidth);
  const begin = (event: PointerEvent, next: Pull) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    ground.current?.setPointerCapture(event.pointerId);
    setPull(next);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!pull) return;
    const place = placeOf(event);
    if (pull.kind === 'draw') return setPull({ ...pull, to: place });
    const area = areas[pull.at];
    if (!area) return undefined;
    if (pull.kind === 'move' && !pull.isMoved) setPull({ ...pull, isMoved: true });
    const others = areas.toSpliced(pull.at, 1);
    return onChange(
      pull.at,
      pull.kind === 'move'
        ? snapped(moved(area.bounds, place.x - pull.dx, place.y - pull.dy, height), others, height)
        : between(
            pull.fixed,
            pulledTo(snapped({ ...place, width: 0, height: 0 }, others, height), pull.fixed, least()),
            height,
          ),
    );
  };
  const end = () => {
    if (pull?.kind === 'draw') {
      const drawn = between(pull.from, pull.to, height);
      if (Math.max(drawn.width, drawn.height) >= least() && areas.length < maxAreas)
        onAdd(atLeast(drawn, least(), height));
    }
    if (pull?.kind === 'move' && !pull.isMoved) onTap();
    setPull(undefined);
  };
  const onKeyDown = (event: KeyboardEvent, at: number, { x, y, width, height: high }: Bounds) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      return onRemove(at);
    }
    const step = event.altKey ? 1 : 10;
    const [dx, dy] = steps.get(event.key) ?? [0, 0];
    if (dx === 0 && dy === 0) return undefined;
    event.preventDefault();
    return onChange(
      at,
      event.shiftKey
        ? between(
            { x, y },
            { x: Math.max(x + 1, x + width + dx * step), y: Math.max(y + 1, y + high + dy * step) },
            height,
          )
        : moved({ x, y, width, height: high }, x + dx * step, y + dy * step, height),
    );
  };
  const styleOf = (bounds: Bounds) => ({
    left: `${(bounds.x / imagemapWidth) * 100}%`,
    top: `${(bounds.y / height) * 100}%`,
    width: `${(bounds.width / imagemapWidth) * 100}%`,
    height: `${(bounds.height / height) * 100}%`,
  });
  return (
    <div
      ref={ground}
      className={classes['canvas']}
      // A border: React's styles know no variables of ours.
      style={{ aspectRatio: `${imagemapWidth} / ${height}`, '--ratio': imagemapWidth / height } as CSSProperties}
      role="group"
      aria-label={t('areas.canvas')}
      onPointerDown={(event) => {
        const place = placeOf(event);
        begin(event, { kind: 'draw', from: place, to: place });
      }}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={() => setPull(undefined)}
    >
      <img src={`/line/image/${picture.uuid}/1040`} alt="" draggable={false} />
      {areas.map(({ bounds }, at) => (
        <button
          key={at}
          type="button"
          className={classes['area']}
          style={styleOf(bounds)}
          aria-pressed={selected === at}
          aria-label={t('areas.area', { letter: letterOf(at) })}
          aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Delete"
          data-wrong={wrong.has(at) || undefined}
          data-blank={blank.has(at) || undefined}
          onFocus={() => onSelect(at)}
          onKeyDown={(event) => onKeyDown(event, at, bounds)}
          onClick={() => {
            onSelect(at);
            onTap();
          }}
          onPointerDown={(event) => {
            // A finger on one that is not chosen may be about to scroll; its tap is a click.
            if (event.pointerType === 'touch' && selected !== at) return event.stopPropagation();
            onSelect(at);
            const place = placeOf(event);
            begin(event, { kind: 'move', at, dx: place.x - bounds.x, dy: place.y - bounds.y });
          }}
        >
          <span>{letterOf(at)}</span>
          {selected === at &&
            corners.map((corner: Corner) => (
              <i
                key={corner}
                data-corner={corner}
                onPointerDown={(event) => begin(event, { kind: 'resize', at, fixed: opposite(bounds, corner) })}
              />
            ))}
        </button>
      ))}
      {pull?.kind === 'draw' && (
        <span className={classes['drawn']} style={styleOf(between(pull.from, pull.to, height))} aria-hidden />
      )}
    </div>
  );
}

const steps = new Map<string, [number, number]>([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
]);
