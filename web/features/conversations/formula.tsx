import { useLayoutEffect, useRef } from 'react';
import { useExtra } from './extras.ts';

/** Until what draws it is there, and where that fails, a formula is as it was written. */
export function Formula({ text, raw, isDisplay }: { text: string; raw: string; isDisplay: boolean }) {
  const drawFormula = useExtra('drawFormula');
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || !drawFormula) return;
    try {
      drawFormula(element, text, isDisplay);
    } catch {
      element.textContent = raw;
    }
  }, [drawFormula, text, raw, isDisplay]);
  // React leaves alone what is below: there is nothing of its own.
  return drawFormula ? <span ref={place} key="drawn" /> : <span key="raw">{raw}</span>;
}
