import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Bounds } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast.tsx';
import classes from './line-menus.module.css';
import type { MenuStage, StageView } from './stage.ts';
import { useKeys } from './use-keys.ts';

interface Props extends StageView {
  onSelect(area: number | undefined): void;
  onChange(area: number, bounds: Bounds): void;
  onDraw(bounds: Bounds): void;
  onKey(event: KeyboardEvent): void;
}

/** The areas over the picture, for the pointer and the finger. The list beside it is for the keyboard as well. */
export function Canvas({ onSelect, onChange, onDraw, onKey, ...view }: Props) {
  const { t } = useTranslation('line-menus');
  const host = useRef<HTMLDivElement>(null);
  useKeys(host, onKey);
  const [stage, setStage] = useState<MenuStage>();
  const scheme = useComputedColorScheme();
  const select = useEffectEvent(onSelect);
  const change = useEffectEvent(onChange);
  const draw = useEffectEvent(onDraw);
  const fail = useEffectEvent(() => toast.error(t('common:offline')));
  useEffect(() => {
    let opened: MenuStage | undefined;
    let isShown = true;
    const open = async () => {
      // It draws with a library that is as large as the rest of the page.
      const { openStage } = await import('./stage.ts');
      if (!host.current || !isShown) return;
      opened = openStage(host.current, {
        onSelect: (area) => select(area),
        onChange: (area, bounds) => change(area, bounds),
        onDraw: (bounds) => draw(bounds),
      });
      setStage(opened);
    };
    open().catch(() => fail());
    return () => {
      isShown = false;
      opened?.close();
    };
  }, []);
  const show = useEffectEvent(() => stage?.show(view));
  // Each of these is drawn; a view is another at each turn.
  const { size, areas, selected, picture, isDrawing, isQuiet } = view;
  const drawn = JSON.stringify([size, areas, selected, isDrawing, isQuiet, scheme]);
  useEffect(() => {
    show();
  }, [stage, drawn, picture]);
  return (
    <div
      ref={host}
      className={classes['canvas']}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      role="application"
      aria-label={t('editor.canvas')}
      aria-describedby="canvas-hint"
      tabIndex={0}
    />
  );
}
