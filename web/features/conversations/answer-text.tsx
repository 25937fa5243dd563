import '@mantine/core/styles/Blockquote.css';
import '@mantine/core/styles/Code.css';
import { Anchor, Blockquote, Code, Text } from '@mantine/core';
import { createContext, memo, use, useDeferredValue, useEffect, useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { toExcerpt } from '../../lib/plain-text.ts';
import { createStore } from '../../lib/store.ts';
import { AnchoredPopover } from '../../ui/anchored-popover.tsx';
import { isTooMuch, mayHaveCode, mayHaveMath, splitBlocks, toMath } from './blocks.ts';
import { CodeBlock } from './code-block.tsx';
import { safePlugins } from './safe-html.ts';
import classes from './answer-text.module.css';

interface Props {
  text: string;
  citations: Citation[];
  /** Without it the marks are only numbers. */
  onOpen?: ((citation: Citation) => void) | undefined;
}

/** A model's or a document's text as Markdown: no raw HTML, no pictures from elsewhere, links that a person must press. */
export const AnswerText = memo(function AnswerText({ text, citations, onOpen }: Props) {
  // Where drawing cannot keep up with the words, it leaves some states out.
  const current = useDeferredValue(text);
  const blocks = useMemo(() => splitBlocks(current), [current]);
  const cited = useMemo(() => ({ citations, onOpen }), [citations, onOpen]);
  return (
    <Cited value={cited}>
      <div className={classes['markdown']}>
        {blocks.map((block, at) => (
          <Block key={at} text={block} />
        ))}
      </div>
    </Cited>
  );
});

const Cited = createContext<Omit<Props, 'text'>>({ citations: [] });

interface Extras {
  highlighting?: typeof import('./highlighting.ts').highlighting;
  math?: typeof import('./math.ts').math;
}

/** What colours code and draws formulas is large, and comes with the first text that has any. Until then code is plain and formulas are as written. */
const extras = createStore<Extras>({});
const fetched = new Map<keyof Extras, Promise<void>>();

function fetchExtra(name: keyof Extras): void {
  const fetchIt = async () => {
    const extra = name === 'math' ? { math: (await import('./math.ts')).math } : { highlighting: (await import('./highlighting.ts')).highlighting };
    extras.set({ ...extras.get(), ...extra });
  };
  // What could not be fetched is asked for again by the next text.
  if (!fetched.has(name)) fetched.set(name, fetchIt().catch(() => void fetched.delete(name)));
}

const Block = memo(function Block({ text }: { text: string }) {
  const { highlighting, math } = extras.use();
  const hasCode = mayHaveCode(text);
  const hasMath = mayHaveMath(text);
  useEffect(() => {
    if (hasCode) fetchExtra('highlighting');
    if (hasMath) fetchExtra('math');
  }, [hasCode, hasMath]);
  const drawsMath = hasMath && math;
  const makers = [...(drawsMath ? [math.rehype] : []), ...(hasCode && highlighting ? [highlighting] : [])];
  return toElements(text, { children: drawsMath ? toMath(text) : text, remarkPlugins: [remarkGfm, ...(drawsMath ? math.remark : [])], rehypePlugins: safePlugins(makers), components });
});

/** What cannot be drawn is shown as it was written. */
function toElements(text: string, options: Options): ReactNode {
  if (isTooMuch(text)) return <Plain text={text} />;
  try {
    return Markdown(options);
  } catch {
    return <Plain text={text} />;
  }
}

const Plain = ({ text }: { text: string }) => <p className={classes['plain']}>{text.trim()}</p>;

type CodeNode = { type: string; value?: string; children?: CodeNode[]; properties?: { className?: unknown } };

const textOf = ({ value = '', children = [] }: CodeNode): string => value + children.map(textOf).join('');

const components: Components = {
  a: Link,
  blockquote: ({ children }) => (
    <Blockquote className={classes['quote'] ?? ''} p="xs" pl="md" my="xs">
      {children}
    </Blockquote>
  ),
  code: ({ children, className }) => (className ? <code className={className}>{children}</code> : <Code>{children}</Code>),
  pre({ node, children }) {
    const code: CodeNode | undefined = node?.children[0];
    const names = code?.properties?.className;
    const language = Array.isArray(names) ? names.map(String).find((name) => name.startsWith('language-'))?.slice('language-'.length) : undefined;
    return (
      <CodeBlock language={language ?? ''} text={code ? textOf(code) : ''}>
        {children}
      </CodeBlock>
    );
  },
  table: ({ children }) => (
    <div className={classes['table']} tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span className={classes['task']} data-checked={checked || undefined} role="img" aria-label={checked ? '☑' : '☐'} />,
};

function Link({ href = '', children }: ComponentProps<'a'>) {
  const { citations, onOpen } = use(Cited);
  const number = /^#citation-(\d+)$/.exec(href)?.[1];
  const citation = citations.find((each) => each.number === Number(number));
  if (citation) return <CitationMark citation={citation} onOpen={onOpen} />;
  // A place on this page is none of the text's business.
  if (href === '' || href.startsWith('#')) return <>{children}</>;
  return (
    <Anchor className={classes['link'] ?? ''} href={href} title={href} target="_blank" rel="noopener noreferrer nofollow" inherit underline="always">
      {children}
    </Anchor>
  );
}

/** The pointer's way from the mark to its card, or past it. */
const closeMs = 150;

function CitationMark({ citation, onOpen }: { citation: Citation; onOpen: Props['onOpen'] }) {
  const { t } = useTranslation('conversations');
  const [isNear, setIsNear] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = (near: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsNear(near), closeMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  if (!onOpen) return <sup>[{citation.number}]</sup>;
  const label = t('citation.open', { number: citation.number, name: citation.document.name });
  return (
    <span className={classes['markPlace']} onPointerEnter={() => soon(true)} onPointerLeave={() => soon(false)}>
      <button type="button" className={classes['mark']} onClick={() => onOpen(citation)} onFocus={() => soon(true)} onBlur={() => soon(false)} onKeyDown={({ key }) => key === 'Escape' && setIsNear(false)} aria-label={label}>
        {citation.number}
      </button>
      {isNear && (
        <AnchoredPopover label={label} width={320} position="bottom">
          <Text size="xs" fw={600} lineClamp={1}>
            {citation.document.name}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {[...citation.headings, ...(citation.page ? [t('citation.page', { page: citation.page })] : [])].join(' › ')}
          </Text>
          <Text size="sm" mt={4} lineClamp={6}>
            {toExcerpt(citation.quote)}
          </Text>
        </AnchoredPopover>
      )}
    </span>
  );
}
