import 'katex/dist/katex.min.css';
import { render } from 'katex';

/** Draws a formula into an element. KaTeX builds the nodes itself, without HTML: nothing in a formula may link or load, and none may grow without end. */
export const drawFormula = (element: HTMLElement, formula: string, displayMode: boolean): void =>
  render(formula, element, {
    displayMode,
    throwOnError: false,
    trust: false,
    strict: 'ignore',
    maxExpand: 200,
    maxSize: 20,
    errorColor: 'var(--mantine-color-error)',
  });
