import 'katex/dist/katex.min.css';
import rehypeKatex from 'rehype-katex';
import remarkMath from 'remark-math';

const draw = rehypeKatex({ trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20, errorColor: 'var(--mantine-color-error)' });

/** Formulas: nothing in them may link or load, and none may grow without end. */
export const math = { remark: [remarkMath], rehype: () => draw };
