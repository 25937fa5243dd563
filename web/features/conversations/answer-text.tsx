import { Anchor, Blockquote, Code, HoverCard, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components } from 'react-markdown';
import { harden } from 'rehype-harden';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import classes from './conversations.module.css';

interface Props {
  text: string;
  citations: Citation[];
  onOpen(citation: Citation): void;
}

/** A model's or a document's text as Markdown: no raw HTML, no pictures from elsewhere, links that a person must press. */
export function AnswerText({ text, citations, onOpen }: Props) {
  const components: Components = {
    a: ({ href = '', children }) => {
      const number = /^#citation-(\d+)$/.exec(href)?.[1];
      const citation = citations.find((each) => each.number === Number(number));
      if (citation) return <CitationMark citation={citation} onOpen={onOpen} />;
      return (
        <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" inherit>
          {children}
        </Anchor>
      );
    },
    blockquote: ({ children }) => (
      <Blockquote className={classes['quote'] ?? ''} p="xs" pl="md" my="xs">
        {children}
      </Blockquote>
    ),
    code: ({ children, className }) => <Code block={Boolean(className) || String(children).includes('\n')}>{children}</Code>,
    pre: ({ children }) => <>{children}</>,
    table: ({ children }) => (
      <div className={classes['table']} tabIndex={0} role="region">
        <table>{children}</table>
      </div>
    ),
  };
  return (
    <div className={classes['markdown']}>
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize, [harden, { allowedLinkPrefixes: ['*'], allowedImagePrefixes: [], defaultOrigin: window.location.origin }]]} components={components}>
        {withMarks(text, citations)}
      </Markdown>
    </div>
  );
}

/** `[1]` becomes a link to the citation of that number, which is how Markdown lets it through. */
function withMarks(text: string, citations: Citation[]): string {
  const known = new Set(citations.map((citation) => citation.number));
  return text.replace(/\[(\d{1,3})\](?!\()/g, (mark, number: string) => (known.has(Number(number)) ? `[${number}](#citation-${number})` : mark));
}

function CitationMark({ citation, onOpen }: { citation: Citation; onOpen(citation: Citation): void }) {
  const { t } = useTranslation('conversations');
  return (
    <HoverCard width={320} shadow="md" openDelay={150} withinPortal>
      <HoverCard.Target>
        <button type="button" className={classes['mark']} onClick={() => onOpen(citation)} aria-label={t('citation.open', { number: citation.number, name: citation.document.name })}>
          {citation.number}
        </button>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <Text size="xs" fw={600} lineClamp={1}>
          {citation.document.name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {[...citation.headings, ...(citation.page ? [t('citation.page', { page: citation.page })] : [])].join(' › ')}
        </Text>
        <Text size="sm" mt={4} lineClamp={6}>
          {citation.quote}
        </Text>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}
