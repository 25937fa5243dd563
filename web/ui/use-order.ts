import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

interface Options<Row> {
  onChange(rows: Row[]): void;
  /** Told to a screen reader: where a row stands now. */
  moved(number: number): string;
}

/** Rows in an order that a person chooses: by dragging a handle, or with the arrow keys on it. The rows are the first children of `list`; what follows them stays. */
export function useOrder<Row>(rows: Row[], { onChange, moved }: Options<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const dragged = useRef<number>(undefined);
  const [told, setTold] = useState('');
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length || from === to) return;
    onChange(rows.toSpliced(from, 1).toSpliced(to, 0, ...rows.slice(from, from + 1)));
    setTold(moved(to + 1));
  };
  const drop = () => (dragged.current = undefined);
  return {
    list,
    told,
    handle: (at: number) => ({
      'data-handle': true,
      style: { cursor: 'grab', touchAction: 'none' } as const,
      onKeyDown: (event: KeyboardEvent) => {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
        if (step === 0) return;
        event.preventDefault();
        move(at, at + step);
        list.current?.querySelectorAll<HTMLElement>('[data-handle]')[at + step]?.focus();
      },
      onPointerDown: (event: PointerEvent) => {
        dragged.current = at;
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        const from = dragged.current;
        if (from === undefined) return;
        const places = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
        const to = places.findIndex(({ top, bottom }) => event.clientY >= top && event.clientY <= bottom);
        if (to < 0 || to >= rows.length || to === from) return;
        dragged.current = to;
        move(from, to);
      },
      onPointerUp: drop,
      onPointerCancel: drop,
    }),
  };
}
