import { useState } from 'react';

const most = 100;

interface History<Value> {
  past: Value[];
  future: Value[];
  /** What the last step was about: another about the same goes with it. */
  about: string | undefined;
}

/** Steps that can be taken back and made again. What is typed into one field, or done within one drag, is one step. */
export function useHistory<Value>(value: Value, set: (value: Value) => void) {
  const [{ past, future, about }, setHistory] = useState<History<Value>>({ past: [], future: [], about: undefined });
  const go = (from: Value[], to: Value[], isBack: boolean) => {
    const next = from.at(-1);
    if (next === undefined) return;
    const [left, kept] = [from.slice(0, -1), [...to, value]];
    setHistory({ past: isBack ? left : kept, future: isBack ? kept : left, about: undefined });
    set(next);
  };
  return {
    change(next: Value, step?: string) {
      if (step === undefined || step !== about || future.length > 0)
        setHistory({ past: [...past, value].slice(-most), future: [], about: step });
      set(next);
    },
    undo: past.length > 0 ? () => go(past, future, true) : undefined,
    redo: future.length > 0 ? () => go(future, past, false) : undefined,
    forget: () => setHistory({ past: [], future: [], about: undefined }),
  };
}
