import { Konva } from 'konva/lib/Core.js';
import type { Layer } from 'konva/lib/Layer.js';
import { Image } from 'konva/lib/shapes/Image.js';
import { Label, Tag } from 'konva/lib/shapes/Label.js';
import { Line } from 'konva/lib/shapes/Line.js';
import { Rect } from 'konva/lib/shapes/Rect.js';
import { Text } from 'konva/lib/shapes/Text.js';
import type { Bounds, MenuSize } from '../../../shared/menu-layout.ts';
import { areaAt, drawArea, handles, minSide, moveArea, resizeArea, type Guide, type Handle } from './geometry.ts';

export interface StageView {
  size: MenuSize;
  areas: { bounds: Bounds; letter: string; isFaulty: boolean; /** It does nothing yet. */ isIdle?: boolean }[];
  selected: number | undefined;
  picture: CanvasImageSource | undefined;
  /** The next drag makes an area, also where there is one. */
  isDrawing: boolean;
  /** Only looked at: of the areas what is selected has an outline, so that the picture is seen as it is. */
  isQuiet: boolean;
}

interface StageEvents {
  onSelect(area: number | undefined): void;
  /** Once, when a drag ends. */
  onChange(area: number, bounds: Bounds): void;
  onDraw(bounds: Bounds): void;
}

export interface MenuStage {
  show(view: StageView): void;
  close(): void;
}

/** Around the menu, so that handles at its edges can be seen and held. */
const margin = 10;
const snapPixels = 8;
/** What moves less is a click. */
const clickPixels = 4;
const handlePixels = { mouse: 9, touch: 20 };
const isCoarse = matchMedia('(pointer: coarse)').matches;
/** To the eye; a finger may be further away. */
const handleSide = 9;
/** Dashes and the room between them. */
const dash = [5, 3];
const cursors = ['nwse-resize', 'ns-resize', 'nesw-resize', 'ew-resize'];

interface Drag {
  pointer: number;
  /** In the menu's units. */
  start: { x: number; y: number };
  kind: 'move' | 'resize' | 'draw';
  area: number;
  handle: Handle | undefined;
  bounds: Bounds | undefined;
  guides: Guide[];
}

/** The menu with its areas on a canvas. While somebody drags, it is drawn here alone; who opened it learns of the end. */
export function openStage(host: HTMLElement, events: StageEvents): MenuStage {
  const stage = new Konva.Stage({ container: document.createElement('div'), width: 1, height: 1 });
  host.append(stage.container());
  const below = new Konva.Layer({ listening: false });
  const rest = new Konva.Layer({ listening: false });
  const live = new Konva.Layer({ listening: false });
  stage.add(below, rest, live);
  const sheet = new Rect({ strokeWidth: 1 });
  const picture = new Image({ image: undefined });
  below.add(sheet, picture);
  let view: StageView | undefined;
  let scale = 1;
  let drag: Drag | undefined;

  // It follows the page's colors by itself.
  const styles = getComputedStyle(host);
  const colorOf = (name: string) => styles.getPropertyValue(name);
  const boundsOf = (area: number) => (drag?.area === area && drag.bounds) || view?.areas[area]?.bounds;

  function drawPicture({ size, picture: image }: StageView): void {
    const place = { x: margin, y: margin, width: size.width * scale, height: size.height * scale };
    sheet.setAttrs({ ...place, fill: colorOf('--paper-2'), stroke: colorOf('--line-2') });
    picture.setAttrs({ ...place, image, visible: image !== undefined });
    below.batchDraw();
  }

  /** Those that stay where they are; while one is dragged, they are not drawn again. */
  function drawRest({ areas, selected }: StageView): void {
    rest.destroyChildren();
    areas.forEach((_, at) => at !== selected && outline(rest, at));
    rest.batchDraw();
  }

  /** What is selected or just being drawn, and where its edges rest. */
  function drawLive({ selected, size }: StageView): void {
    const accent = colorOf('--ai');
    live.destroyChildren();
    if (selected !== undefined) outline(live, selected);
    if (drag?.kind === 'draw' && drag.bounds)
      live.add(new Rect({ ...placeOf(drag.bounds), stroke: accent, strokeWidth: 2, dash: [6, 4] }));
    for (const { axis, at } of drag?.guides ?? []) {
      const edge = margin + at * scale;
      const points =
        axis === 'x'
          ? [edge, 0, edge, size.height * scale + 2 * margin]
          : [0, edge, size.width * scale + 2 * margin, edge];
      live.add(new Line({ points, stroke: accent, strokeWidth: 1 }));
    }
    live.batchDraw();
  }

  function outline(layer: Layer, at: number): void {
    const area = view?.areas[at];
    const bounds = boundsOf(at);
    if (!view || !area || !bounds) return;
    const { isQuiet, picture: image } = view;
    const isSelected = at === view.selected;
    const place = placeOf(bounds);
    const sheetColor = colorOf('--sheet');
    const color = colorOf(area.isFaulty ? '--shu-text' : '--ai');
    const isMarked = isSelected || area.isFaulty;
    // A pale line under the dark one is seen on any picture.
    const under = { stroke: sheetColor, opacity: image ? 0.85 : 0 };
    if (isSelected) {
      layer.add(
        new Rect({ ...place, ...under, strokeWidth: 4 }),
        new Rect({ ...place, stroke: color, strokeWidth: 2 }),
      );
    } else if (!isQuiet) {
      for (const points of sidesOf(place)) {
        // Its dashes begin where they would at the edge of all: on those of a neighbor, and not between them.
        const dashOffset = (points[0] ?? 0) + (points[1] ?? 0);
        layer.add(
          new Line({ points, ...under, strokeWidth: 2 }),
          new Line({ points, stroke: color, strokeWidth: 1.25, dash, dashOffset }),
        );
      }
    }
    // With a picture, it is seen as it will be.
    if (isSelected && !isQuiet && !image) layer.add(new Rect({ ...place, fill: color, opacity: 0.1 }));
    layer.add(
      tag(area.letter, {
        // Beside the corner that is held, not behind it.
        x: place.x + 6,
        y: place.y + 6,
        ground: isMarked ? color : sheetColor,
        ink: isMarked ? sheetColor : colorOf('--ink'),
      }),
    );
    // Of what is selected, the panel asks for it.
    if (area.isIdle && !isSelected)
      layer.add(
        new Rect({
          x: place.x + place.width - 16,
          y: place.y + 6,
          width: 10,
          height: 10,
          cornerRadius: 5,
          fill: colorOf('--yama'),
          stroke: sheetColor,
        }),
      );
    if (!isSelected || isQuiet) return;
    // What it measures is of interest while it changes.
    if (drag?.bounds && place.width > 110 && place.height > 40) {
      const text = `${bounds.width} × ${bounds.height}`;
      const dimension = tag(text, { x: 0, y: place.y + 6, ground: color, ink: sheetColor });
      dimension.x(place.x + place.width - dimension.width() - 6);
      layer.add(dimension);
    }
    for (const handle of handles) {
      // Between the corners there is no room for large ones.
      if (isCoarse && (handle.x === 0 || handle.y === 0)) continue;
      const center = centerOf(place, handle);
      layer.add(
        new Rect({
          x: center.x - handleSide / 2,
          y: center.y - handleSide / 2,
          width: handleSide,
          height: handleSide,
          fill: '#ffffff',
          stroke: color,
          strokeWidth: 1.5,
        }),
      );
    }
  }

  const placeOf = ({ x, y, width, height }: Bounds) => ({
    x: margin + x * scale,
    y: margin + y * scale,
    width: width * scale,
    height: height * scale,
  });

  function tag(text: string, { x, y, ground, ink }: { x: number; y: number; ground: string; ink: string }): Label {
    const label = new Label({ x, y });
    label.add(new Tag({ fill: ground, cornerRadius: 3 }));
    label.add(new Text({ text, padding: 4, fontSize: 11, fontStyle: '600', fontFamily: styles.fontFamily, fill: ink }));
    return label;
  }

  function drawAll(all: StageView): void {
    drawPicture(all);
    drawRest(all);
    drawLive(all);
  }

  function fit(): void {
    if (!view) return;
    const width = host.clientWidth;
    scale = Math.max(0.01, (width - 2 * margin) / view.size.width);
    stage.size({ width, height: view.size.height * scale + 2 * margin });
    drawAll(view);
  }

  const pointOf = (event: PointerEvent) => {
    const { left, top } = host.getBoundingClientRect();
    return { x: (event.clientX - left - margin) / scale, y: (event.clientY - top - margin) / scale };
  };

  const handleAt = (point: { x: number; y: number }, isTouch: boolean): Handle | undefined => {
    const bounds = view?.selected === undefined || view.isQuiet ? undefined : view.areas[view.selected]?.bounds;
    if (!bounds) return undefined;
    const near = (isTouch ? handlePixels.touch : handlePixels.mouse) / scale;
    return handles
      .map((handle) => {
        const { x, y } = centerOf(bounds, handle);
        return { handle, far: Math.hypot(point.x - x, point.y - y) };
      })
      .filter(({ far }) => far <= near)
      .toSorted((one, other) => one.far - other.far)[0]?.handle;
  };

  const targetAt = (point: { x: number; y: number }): number => {
    if (!view) return -1;
    const { selected, areas } = view;
    const all = areas.map(({ bounds }) => bounds);
    // What is selected stays so where others lie over it.
    const own = selected === undefined ? undefined : all[selected];
    return own && areaAt([own], point) === 0 ? (selected ?? -1) : areaAt(all, point);
  };

  function press(event: PointerEvent): void {
    if (!view || event.button !== 0) return;
    const start = pointOf(event);
    const handle = handleAt(start, event.pointerType === 'touch');
    const area = handle ? (view.selected ?? -1) : view.isDrawing ? -1 : targetAt(start);
    if (area !== view.selected && !view.isDrawing) events.onSelect(area < 0 ? undefined : area);
    if (view.isQuiet) return;
    host.setPointerCapture(event.pointerId);
    const kind = handle ? 'resize' : area < 0 ? 'draw' : 'move';
    drag = { pointer: event.pointerId, start, kind, area, handle, bounds: undefined, guides: [] };
  }

  function pull(event: PointerEvent): void {
    const point = pointOf(event);
    if (!view) return;
    if (!drag || drag.pointer !== event.pointerId) {
      host.style.cursor = cursorAt(point);
      return;
    }
    const by = { x: point.x - drag.start.x, y: point.y - drag.start.y };
    if (!drag.bounds && Math.hypot(by.x, by.y) * scale < clickPixels) return;
    const { area, handle } = drag;
    const from = view.areas[area]?.bounds;
    const others = view.areas.flatMap(({ bounds }, at) => (at === area ? [] : [bounds]));
    const snapping = { size: view.size, others, reach: event.altKey ? 0 : snapPixels / scale };
    const to =
      drag.kind === 'draw'
        ? drawArea(drag.start, point, snapping)
        : from && (handle ? resizeArea(from, handle, by, snapping) : moveArea(from, by, snapping));
    if (!to) return;
    Object.assign(drag, to);
    drawLive(view);
  }

  function release(event: PointerEvent): void {
    if (!drag || drag.pointer !== event.pointerId) return;
    const { kind, area, bounds } = drag;
    drag = undefined;
    if (view) drawAll(view);
    if (!bounds || event.type === 'pointercancel') return;
    if (kind !== 'draw') events.onChange(area, bounds);
    else if (bounds.width > minSide && bounds.height > minSide) events.onDraw(bounds);
  }

  function cursorAt(point: { x: number; y: number }): string {
    const handle = handleAt(point, false);
    if (handle) return cursors[handles.indexOf(handle) % cursors.length] ?? '';
    if (view?.isQuiet) return 'pointer';
    return !view?.isDrawing && targetAt(point) >= 0 ? 'move' : 'crosshair';
  }

  host.addEventListener('pointerdown', press);
  host.addEventListener('pointermove', pull);
  host.addEventListener('pointerup', release);
  host.addEventListener('pointercancel', release);
  const resized = new ResizeObserver(fit);
  resized.observe(host);
  return {
    show(next) {
      const isLike = view?.size.width === next.size.width && view.size.height === next.size.height;
      view = next;
      if (isLike) {
        drawAll(next);
      } else fit();
    },
    close() {
      resized.disconnect();
      host.removeEventListener('pointerdown', press);
      host.removeEventListener('pointermove', pull);
      host.removeEventListener('pointerup', release);
      host.removeEventListener('pointercancel', release);
      stage.destroy();
      host.replaceChildren();
    },
  };
}

const centerOf = ({ x, y, width, height }: Bounds, handle: Handle) => ({
  x: x + (width * (handle.x + 1)) / 2,
  y: y + (height * (handle.y + 1)) / 2,
});

/** From left to right and from top to bottom. */
const sidesOf = ({ x, y, width, height }: Bounds) => [
  [x, y, x + width, y],
  [x, y + height, x + width, y + height],
  [x, y, x, y + height],
  [x + width, y, x + width, y + height],
];
