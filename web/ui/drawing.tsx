import { useEffect, useState } from 'react';
import type { drawings, Lines } from './drawings.ts';

/** Those that are shown when nothing more can be fetched. */
const atHand: Partial<Record<Kind, Lines>> = {
  lost: {
    ink: 'M30 72V20l20-8 20 8 20-8v52l-20 8-20-8zM50 12v52M70 20v52',
    mark: 'm56 34 8 8m0-8-8 8',
  },
  broken: {
    ink: 'M26 18h68a6 6 0 0 1 6 6v40a6 6 0 0 1-6 6H62l6-14-14-10 8-14-6-8M50 70H26a6 6 0 0 1-6-6V24a6 6 0 0 1 6-6h22',
    mark: 'M34 34h8M78 34h8',
  },
  offline: {
    ink: 'M20 36c24-20 56-20 80 0M34 50c16-13 36-13 52 0M48 64c7-6 17-6 24 0',
    mark: 'M24 14 96 76',
  },
};

type Kind = keyof typeof drawings | 'lost' | 'broken' | 'offline';

interface Props {
  kind: Kind;
  size?: number;
  /** Something went wrong with what it stands for. */
  isFailure?: boolean;
}

/** Small drawings for places where there is nothing yet, or nothing any more. */
export function Drawing({ kind, size = 120, isFailure = kind === 'broken' }: Props) {
  const [lines, setLines] = useState(atHand[kind]);
  useEffect(() => {
    if (lines) return;
    // Without it the place stays as large as it is.
    void import('./drawings.ts')
      .then(({ drawings: all }) => setLines(Object.assign(atHand, all)[kind]))
      .catch(() => {});
  }, [kind, lines]);
  return (
    <svg
      width={size}
      height={(size * 3) / 4}
      viewBox="0 0 120 90"
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ color: 'var(--mantine-color-dimmed)' }}
    >
      <ellipse
        cx="60"
        cy="80"
        rx="44"
        ry="6"
        fill={isFailure ? 'var(--paper-2)' : 'var(--mantine-primary-color-light)'}
        stroke="none"
      />
      <path d={lines?.ink} />
      <path d={lines?.mark} stroke={isFailure ? 'var(--shu)' : '#00b900'} strokeWidth={2.5} />
    </svg>
  );
}
