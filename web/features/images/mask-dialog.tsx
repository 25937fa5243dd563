import { Button, Group } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { maxPoints, maxStrokes, type Mask } from '../../../shared/contracts/images.ts';
import { formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Pixels } from '../../ui/pixels.tsx';
import { SliderField } from '../../ui/slider-field.tsx';
import { usePixels } from './images.queries.ts';
import classes from './images.module.css';

type Stroke = Mask['strokes'][number];

interface Props {
  uuid: string;
  mask: Mask | undefined;
  onDone(mask: Mask | undefined): void;
  onClose(): void;
}

const countPoints = (strokes: Stroke[]) => strokes.reduce((sum, { points }) => sum + points.length, 0);
/** In shares of the picture: what is nearer than this to the last point says nothing new. */
const leastStep = 0.012;

const partNames = ['middle', 'top', 'bottom', 'left', 'right'] as const;
/** Parts that are painted by a button, for whoever does not point. */
const parts: Record<(typeof partNames)[number], Stroke['points']> = {
  middle: [[0.5, 0.5]],
  top: [
    [0, 0.2],
    [1, 0.2],
  ],
  bottom: [
    [0, 0.8],
    [1, 0.8],
  ],
  left: [
    [0.2, 0],
    [0.2, 1],
  ],
  right: [
    [0.8, 0],
    [0.8, 1],
  ],
};
const partSize = 0.45;

/** Paints over a picture what of it may change. */
export function MaskDialog({ uuid, mask, onDone, onClose }: Props) {
  const { t } = useTranslation('images');
  const { data: bytes } = usePixels(uuid);
  const [strokes, setStrokes] = useState<Stroke[]>(mask?.strokes ?? []);
  const [size, setSize] = useState(0.12);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDown = useRef(false);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const paintAll = () => paint(element, strokes);
    const observer = new ResizeObserver(paintAll);
    observer.observe(element);
    paintAll();
    return () => observer.disconnect();
  }, [strokes, bytes]);

  // A part that is painted by a button has two points.
  const isFull = strokes.length >= maxStrokes || countPoints(strokes) > maxPoints - 2;
  const at = (event: PointerEvent): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [clamp((event.clientX - box.left) / box.width), clamp((event.clientY - box.top) / box.height)];
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || isFull) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isDown.current = true;
    setStrokes([...strokes, { size, points: [at(event)] }]);
  };
  const go = (event: PointerEvent) => {
    if (!isDown.current) return;
    const point = at(event);
    setStrokes((before) => {
      const last = before.at(-1);
      const [x = 0, y = 0] = last?.points.at(-1) ?? [];
      if (!last || countPoints(before) >= maxPoints || Math.hypot(point[0] - x, point[1] - y) < leastStep)
        return before;
      return [...before.slice(0, -1), { ...last, points: [...last.points, point] }];
    });
  };
  return (
    <Modal opened onClose={onClose} title={t('mask.title')} size="min(760px, 96vw)" centered>
      <p className={classes['note']}>{t('mask.text')}</p>
      <div className={classes['painting']}>
        {bytes ? (
          <Pixels bytes={bytes} mime="image/png" alt="" />
        ) : (
          <span className={classes['blank']} role="status" aria-label={t('common:loading')} />
        )}
        <canvas
          ref={canvas}
          role="img"
          aria-label={t('mask.canvas', { count: strokes.length })}
          onPointerDown={begin}
          onPointerMove={go}
          onPointerUp={() => void (isDown.current = false)}
          onPointerCancel={() => void (isDown.current = false)}
        />
      </div>
      <Group gap={6} my="sm" role="group" aria-label={t('mask.parts')}>
        {partNames.map((part) => (
          <Button
            key={part}
            size="compact-sm"
            variant="default"
            disabled={isFull}
            onClick={() => setStrokes([...strokes, { size: partSize, points: parts[part] }])}
          >
            {t(`mask.part.${part}`)}
          </Button>
        ))}
        <Group gap={6} ml="auto" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconArrowBackUp size={14} />}
            disabled={strokes.length === 0}
            onClick={() => setStrokes(strokes.slice(0, -1))}
          >
            {t('mask.undo')}
          </Button>
          <Button size="compact-sm" variant="default" disabled={strokes.length === 0} onClick={() => setStrokes([])}>
            {t('mask.clear')}
          </Button>
        </Group>
      </Group>
      <SliderField
        label={t('mask.size')}
        description={t('mask.sizeHint')}
        value={size}
        min={0.02}
        max={0.4}
        step={0.02}
        format={formatShare}
        onChange={setSize}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button disabled={strokes.length === 0} onClick={() => onDone({ strokes })}>
          {t('mask.done')}
        </Button>
      </Group>
    </Modal>
  );
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** In one colour and at once, so that strokes over each other look like one. */
function paint(canvas: HTMLCanvasElement, strokes: Stroke[]): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (!context || width === 0) return;
  canvas.width = width;
  canvas.height = height;
  context.strokeStyle = '#00b900';
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const { size, points } of strokes) {
    context.lineWidth = size * Math.min(width, height);
    context.beginPath();
    const [[x, y] = [0, 0]] = points;
    context.moveTo(x * width, y * height);
    for (const [toX, toY] of points) context.lineTo(toX * width, toY * height);
    context.stroke();
  }
}
