import { useMemo, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { useExtra, type Extras } from './extras.ts';

export function Listing({ language, text }: { language: string; text: string }) {
  const highlight = useExtra('highlight', language !== '');
  const colored = useMemo(
    () => (highlight && language !== '' ? highlight(language, text) : undefined),
    [highlight, language, text],
  );
  return (
    <CodeBlock language={language} text={text}>
      <code>{colored ? colored.map(toSpan) : text}</code>
    </CodeBlock>
  );
}

function toSpan(node: ReturnType<NonNullable<Extras['highlight']>>[number], at: number): ReactNode {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties['className'];
  return (
    <span key={at} className={Array.isArray(names) ? names.join(' ') : ''}>
      {node.children.map(toSpan)}
    </span>
  );
}
