import '@mantine/core/styles/Slider.css';
import { Button, Group, Slider, Stack } from '@mantine/core';
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import type { MenuSize } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { toFile } from './draw-design.ts';
import classes from './line-menus.module.css';
import { useKeys } from './use-keys.ts';

const shownWidth = 1000;
const maxZoom = 4;
const keyStep = 0.02;

interface Props {
  bitmap: ImageBitmap;
  size: MenuSize;
  onCut(file: Blob): void;
  onClose(): void;
}

/** Which part of a picture the menu shows: dragged and zoomed, in the menu's ratio. */
export function CropDialog(props: Props) {
  const { t } = useTranslation('line-menus');
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('picture.crop.title')}
      size="lg"
      centered
      closeOnClickOutside={false}
    >
      <Crop {...props} />
    </Modal>
  );
}

function Crop({ bitmap, size, onCut, onClose }: Props) {
  const { t } = useTranslation('line-menus');
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ x: number; y: number }>(undefined);
  const [zoom, setZoom] = useState(1);
  /** Of what cannot be seen at once, how much is to the left of and above the cut-out. */
  const [place, setPlace] = useState({ x: 0.5, y: 0.5 });
  const [isBusy, setIsBusy] = useState(false);
  const ratio = size.width / size.height;
  const wide = Math.min(bitmap.width, bitmap.height * ratio) / zoom;
  const cut = { width: wide, height: wide / ratio };
  const from = { x: (bitmap.width - cut.width) * place.x, y: (bitmap.height - cut.height) * place.y };
  const shownHeight = Math.round(shownWidth / ratio);
  useEffect(() => {
    const paper = canvas.current?.getContext('2d');
    paper?.clearRect(0, 0, shownWidth, shownHeight);
    paper?.drawImage(bitmap, from.x, from.y, cut.width, cut.height, 0, 0, shownWidth, shownHeight);
  }, [bitmap, from.x, from.y, cut.width, cut.height, shownHeight]);
  /** By shares of the cut-out. */
  const move = (x: number, y: number) => {
    const [left, above] = [bitmap.width - cut.width, bitmap.height - cut.height];
    const within = (value: number) => Math.min(1, Math.max(0, value));
    setPlace({
      x: left > 0 ? within(place.x + (x * cut.width) / left) : 0.5,
      y: above > 0 ? within(place.y + (y * cut.height) / above) : 0.5,
    });
  };
  const press = (event: KeyboardEvent) => {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!arrow) return;
    event.preventDefault();
    move((arrow[0] ?? 0) * keyStep, (arrow[1] ?? 0) * keyStep);
  };
  useKeys(frame, press);
  const pull = (event: PointerEvent) => {
    const before = dragged.current;
    if (!before || !canvas.current) return;
    dragged.current = { x: event.clientX, y: event.clientY };
    const { width, height } = canvas.current.getBoundingClientRect();
    move((before.x - event.clientX) / width, (before.y - event.clientY) / height);
  };
  const finish = async () => {
    setIsBusy(true);
    const whole = document.createElement('canvas');
    Object.assign(whole, size);
    const paper = whole.getContext('2d');
    // What is see-through would be black as JPEG.
    if (paper) paper.fillStyle = '#ffffff';
    paper?.fillRect(0, 0, size.width, size.height);
    if (paper) paper.imageSmoothingQuality = 'high';
    paper?.drawImage(bitmap, from.x, from.y, cut.width, cut.height, 0, 0, size.width, size.height);
    onCut(await toFile(whole, true));
  };
  return (
    <Stack>
      <div ref={frame} role="application" aria-label={t('picture.crop.frame')} tabIndex={0}>
        <canvas
          ref={canvas}
          width={shownWidth}
          height={shownHeight}
          className={classes['crop']}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            dragged.current = { x: event.clientX, y: event.clientY };
          }}
          onPointerMove={pull}
          onPointerUp={() => (dragged.current = undefined)}
          onPointerCancel={() => (dragged.current = undefined)}
        />
      </div>
      <div>
        <div className={classes['fieldLabel']}>{t('picture.crop.zoom')}</div>
        <Slider
          min={1}
          max={maxZoom}
          step={0.05}
          value={zoom}
          label={null}
          thumbLabel={t('picture.crop.zoom')}
          onChange={setZoom}
        />
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button loading={isBusy} onClick={() => void finish()}>
          {t('picture.crop.go')}
        </Button>
      </Group>
    </Stack>
  );
}
