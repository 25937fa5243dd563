import { Text } from '@mantine/core';
import { createContext, use, useEffect, useRef, useState } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { AnchoredPopover } from '../../ui/anchored.tsx';
import { ActiveSource } from './active-source.ts';
import classes from './answer-text.module.css';

export interface CitedIn {
  citations: Citation[];
  /** Without it the marks are only numbers. */
  onOpen?: ((citation: Citation) => void) | undefined;
}

/** What the marks of a text refer to. */
export const Cited = createContext<CitedIn>({ citations: [] });

export function CitationMark({ number, gap }: { number: number; gap: string }) {
  const { citations, onOpen } = use(Cited);
  const citation = citations.find((each) => each.number === number);
  return citation ? <Mark citation={citation} gap={gap} onOpen={onOpen} /> : `${gap}[${number}]`;
}

/** The pointer's way from the mark to its card, or past it. */
const closeMs = 150;

interface MarkProps extends Pick<CitedIn, 'onOpen'> {
  citation: Citation;
  /** The sign before it. */
  gap: string;
}

function Mark({ citation, gap, onOpen }: MarkProps) {
  const { t } = useTranslation('conversations');
  const [isNear, setIsNear] = useState(false);
  const isActive = use(ActiveSource) === citation.embedding;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = (near: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsNear(near), closeMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  if (!onOpen)
    return (
      <>
        {gap}
        <sup>[{citation.number}]</sup>
      </>
    );
  const label = t('citation.open', { number: citation.number, name: citation.document.name });
  return (
    <span className={classes['markPlace']} onPointerEnter={() => soon(true)} onPointerLeave={() => soon(false)}>
      {gap}
      <button
        type="button"
        className={classes['mark']}
        data-after-gap={gap > '~' || undefined}
        onClick={() => onOpen(citation)}
        onFocus={() => soon(true)}
        onBlur={() => soon(false)}
        onKeyDown={({ key }) => key === 'Escape' && setIsNear(false)}
        aria-label={label}
        aria-current={isActive || undefined}
      >
        {citation.number}
      </button>
      {isNear && (
        <AnchoredPopover label={label} width={320} position="bottom" onFail={() => setIsNear(false)}>
          <Text size="xs" fw={600} lineClamp={1}>
            {citation.document.name}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {[...citation.headings, ...(citation.page ? [t('citation.page', { page: citation.page })] : [])].join(
              ' › ',
            )}
          </Text>
          <Text size="sm" mt={4} lineClamp={6}>
            {toExcerpt(citation.quote)}
          </Text>
        </AnchoredPopover>
      )}
    </span>
  );
}
