import { Anchor, Code } from '@mantine/core';
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import type { Tokens } from 'marked';
import { decodeNumericCharacterReference } from 'micromark-util-decode-numeric-character-reference';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { CitationMark } from './citation-mark.tsx';
import { Formula } from './formula.tsx';
import { Listing } from './listing.tsx';
import { joinLines, partsOf, type Part } from './markdown.ts';
import classes from './answer-text.module.css';

export const Plain = ({ text }: { text: string }) => <p className={classes['plain']}>{text.trim()}</p>;

const deepest = 120;

export const drawAll = (parts: Part[], depth: number): ReactElement =>
  createElement(
    Fragment,
    null,
    ...parts.map((part, at) => {
      const gap = parts[at + 1]?.type === 'citation' && gapOf(part);
      const shown = gap && part.type === 'text' ? { ...part, text: part.text.slice(0, gap.index) } : part;
      return draw(shown, depth + 1, gapOf(parts[at - 1])?.[1]);
    }),
  );

/** Half of the Japanese signs is empty, as wide as a space; a mark after any stays in its line. */
const gapOf = (part: Part | undefined) =>
  part?.type === 'text' && !part.tokens ? /([。、」』）】.!?])\s*$/.exec(part.text) : null;

/** Elements are made of parts here and nowhere else: there is no HTML in between, and a part can give no name of an element or an attribute. */
function draw(part: Part, depth: number, gap = ''): ReactNode {
  if (depth > deepest) throw new RangeError('nested too deep to be drawn');
  const children = 'tokens' in part && drawAll(partsOf(part.tokens), depth);
  switch (part.type) {
    case 'space':
    case 'def':
      return null;
    case 'text':
      return part.tokens ? children : decodeReferences(joinLines(part.text));
    case 'escape':
      return part.text;
    case 'paragraph':
      return <p>{children}</p>;
    case 'heading':
      return createElement(headings[part.depth - 1] ?? 'h6', null, children);
    case 'strong':
      return <strong>{children}</strong>;
    case 'em':
      return <em>{children}</em>;
    case 'del':
      return <del>{children}</del>;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'codespan':
      return <Code>{part.text}</Code>;
    case 'code': {
      const language = /^\S*/.exec(part.lang ?? '')?.[0] ?? '';
      return language === 'math' ? (
        <Formula text={part.text} raw={part.raw} isDisplay />
      ) : (
        <Listing language={language} text={part.text} />
      );
    }
    case 'formula':
      return <Formula text={part.text} raw={part.raw} isDisplay={part.display} />;
    case 'blockquote':
      return <blockquote>{children}</blockquote>;
    case 'list':
      return createElement(
        part.ordered ? 'ol' : 'ul',
        part.ordered ? { start: Number(part.start) } : null,
        ...part.items.map((item) => draw(item, depth + 1)),
      );
    case 'list_item':
      return <li>{children}</li>;
    case 'checkbox':
      return (
        <span
          className={classes['task']}
          data-checked={part.checked || undefined}
          role="img"
          aria-label={part.checked ? '☑' : '☐'}
        />
      );
    case 'table': {
      const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
        createElement(
          'tr',
          null,
          ...cells.map(({ align, tokens }) =>
            createElement(tag, align && { style: { textAlign: align } }, drawAll(partsOf(tokens), depth)),
          ),
        );
      return (
        <div className={classes['table']} tabIndex={0} role="group">
          <table>
            <thead>{row(part.header, 'th')}</thead>
            {createElement('tbody', null, ...part.rows.map((cells) => row(cells, 'td')))}
          </table>
        </div>
      );
    }
    // A break in a cell has no other writing. All other HTML is shown as it was written.
    case 'html':
      if (/^<br\s*\/?>$/i.test(part.raw)) return <br />;
      return part.block ? <Plain text={part.raw} /> : part.raw;
    case 'link':
      return <Link href={part.href}>{children}</Link>;
    // Loading a picture would tell its server who reads.
    case 'image':
      return <Link href={part.href}>{decodeReferences(part.text || part.href)}</Link>;
    case 'citation':
      return <CitationMark number={part.number} gap={gap} />;
  }
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** `&amp;`, `&#38;` and `&#x26;` as what they stand for. */
const decodeReferences = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z\d]{1,31}));/gi,
    (written, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return decodeNamedCharacterReference(name) || written;
      return hex === undefined
        ? decodeNumericCharacterReference(decimal ?? '', 10)
        : decodeNumericCharacterReference(hex, 16);
    },
  );

const schemes = ['http:', 'https:', 'mailto:', 'tel:'];

/** The address of a link that somebody may press. A place on this host is none of a text's business, and neither is what runs or opens a program. */
function toAddress(href: string): string | undefined {
  const address = decodeReferences(href);
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return schemes.includes(url.protocol) ? url.href : undefined;
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  const address = toAddress(href);
  if (address === undefined) return children;
  return (
    <Anchor
      className={classes['link'] ?? ''}
      href={address}
      title={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      inherit
      underline="always"
    >
      {children}
    </Anchor>
  );
}
