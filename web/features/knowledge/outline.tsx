import type { CSSProperties } from 'react';
import type { Embedding } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './chunks.module.css';

interface Heading {
  path: string;
  title: string;
  level: number;
  /** The first one under it. */
  chunk: Embedding;
}

/** The headings that chunks stand under, each once, in their order. */
export function headingsOf(chunks: Embedding[]): Heading[] {
  const found = new Map<string, Heading>();
  for (const chunk of chunks)
    for (const [level, title] of chunk.headings.entries()) {
      const path = chunk.headings.slice(0, level + 1).join('\n');
      if (!found.has(path)) found.set(path, { path, title, level, chunk });
    }
  return [...found.values()];
}

interface Props {
  headings: Heading[];
  active: Embedding | undefined;
  onPick(chunk: Embedding): void;
}

/** What a document is about, and the way to each part of it. */
export function Outline({ headings, active, onPick }: Props) {
  const { t } = useTranslation('knowledge');
  const current = active?.headings.join('\n');
  return (
    <nav className={classes['outline']} aria-label={t('document.outline')}>
      <h2>{t('document.outline')}</h2>
      <ol>
        {headings.map(({ path, title, level, chunk }) => (
          <li key={path}>
            <button
              type="button"
              aria-current={current === path || undefined}
              style={{ '--level': level } as CSSProperties} // React's styles know no variables of ours
              onClick={() => onPick(chunk)}
            >
              {title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
