import { createElement, Fragment, type ReactNode } from 'react';

/** How a citation's number is drawn. */
type Cite = (number: number) => ReactNode;

const deepest = 12;

/**
 * A small Markdown. Elements are made here and nowhere else: there is no HTML in between, a text gives no name of an element or an
 * attribute, and links lead only where `safeUrl` lets them.
 */
export const drawMarkdown = (text: string, cite: Cite): ReactNode => blocks(text.split(/\r?\n/), cite, 0);

const listItem = /^ {0,3}([-*+]|\d{1,9}[.)])\s+([^]*)/;
const rowLine = /^\s*\|.*\|\s*$/;
const ruleLine = /^\s*\|(\s*:?-+:?\s*\|)+\s*$/;
const begins = /^(\s{0,3}(#{1,6}\s|>|```|~~~|([-*_])\s*(\3\s*){2,}$)| {0,3}([-*+]|\d{1,9}[.)])\s)/;

function blocks(lines: string[], cite: Cite, depth: number): ReactNode {
  const made: ReactNode[] = [];
  const within = (text: string) => spans(text, cite);
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const fence = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1];
    const heading = /^\s{0,3}(#{1,6})\s((?:[\s#]*[^\s#])*)/.exec(line);
    const item = listItem.exec(line);
    const key = at;
    if (!line.trim()) at++;
    else if (fence) {
      let last = at + 1;
      const isEnd = (each = fence) => each.trim().startsWith(fence);
      while (!isEnd(lines[last])) last++;
      made.push(
        <pre key={key} tabIndex={0}>
          <code>{lines.slice(at + 1, last).join('\n')}</code>
        </pre>,
      );
      at = last + 1;
    } else if (heading) {
      // The page's own headings are above these.
      made.push(
        createElement(`h${Math.min(6, (heading[1]?.length ?? 1) + 2)}`, { key }, within((heading[2] ?? '').trim())),
      );
      at++;
    } else if (/^\s{0,3}([-*_])\s*(\1\s*){2,}$/.test(line)) {
      made.push(<hr key={key} />);
      at++;
    } else if (/^\s{0,3}>/.test(line) && depth < deepest) {
      const from = at;
      while (/^\s{0,3}>/.test(lines[at] ?? '')) at++;
      const quoted = lines.slice(from, at).map((each) => each.replace(/^\s{0,3}> ?/, ''));
      made.push(<blockquote key={key}>{blocks(quoted, cite, depth + 1)}</blockquote>);
    } else if (item && depth < deepest) {
      const isOrdered = /\d/.test(item[1] ?? '');
      const items: string[][] = [];
      for (; at < lines.length; at++) {
        const each = lines[at] ?? '';
        const next = listItem.exec(each);
        if (next && /\d/.test(next[1] ?? '') === isOrdered) items.push([next[2] ?? '']);
        else if (next || (each.trim() && /^\s{2,}/.test(each))) items.at(-1)?.push(each.replace(/^ {1,4}/, ''));
        else if (!each.trim() && /^\s{2,}\S|^ {0,3}([-*+]|\d{1,9}[.)])\s/.test(lines[at + 1] ?? ''))
          items.at(-1)?.push('');
        else if (each.trim() && !begins.test(each)) items.at(-1)?.push(each);
        else break;
      }
      made.push(
        createElement(
          isOrdered ? 'ol' : 'ul',
          { key, ...(isOrdered && { start: Number.parseInt(item[1] ?? '1', 10) }) },
          items.map((each, index) => <li key={index}>{blocks(each, cite, depth + 1)}</li>),
        ),
      );
    } else if (rowLine.test(line) && ruleLine.test(lines[at + 1] ?? '')) {
      const from = at;
      while (rowLine.test(lines[at] ?? '')) at++;
      made.push(<Table key={key} lines={lines.slice(from, at)} within={within} />);
    } else {
      const from = at++;
      while (lines[at]?.trim() && !begins.test(lines[at] ?? '')) at++;
      made.push(<p key={key}>{within(lines.slice(from, at).join('\n'))}</p>);
    }
  }
  return made;
}

function Table({ lines, within }: { lines: string[]; within(text: string): ReactNode }) {
  const cells = (line: string) =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((each) => within(each.trim()));
  const [head = '', , ...rows] = lines;
  return (
    <div className="wide" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {cells(head).map((each, at) => (
              <th key={at}>{each}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {cells(row).map((each, at) => (
                <td key={at}>{each}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const span =
  /(`+)(?:([^`]+)\1)?|\\([!-/:-@[-`{-~])| ?\[(\d{1,3})\](?!\()|!?\[([^[\]\n]+)\]\(<?((?:[^\s()>]|\([^\s()>]*\))+)>?(?:\s"[^"\n]*")?\)|\*\*|__|~~|[*_]|<?(https?:\/\/[^\s<>"'）」】。、]*[^\s<>"'）」】。、.,:;!?)])>?/g;

/** One pass: a mark that closes takes what has been made since the last one of its kind, and one that nothing closes stays as it is. */
function spans(text: string, cite: Cite): ReactNode[] {
  const made: ReactNode[] = [];
  /** Where in `made` the last mark of each kind is that nothing has closed. */
  const open = new Map<string, number>();
  let from = 0;
  for (const match of text.matchAll(span)) {
    const [raw, , code, escaped, number, label, target, bare] = match;
    const key = match.index;
    if (key > from) made.push(text.slice(from, key));
    from = key + raw.length;
    let part: ReactNode = escaped ?? raw;
    if (code) part = <code key={key}>{code}</code>;
    else if (number) part = <Fragment key={key}>{cite(Number(number))}</Fragment>;
    else if (label || bare) {
      part = (
        <Link key={key} to={target ?? bare ?? ''}>
          {label ? spans(label, cite) : bare}
        </Link>
      );
    } else if (!escaped && raw[0] !== '`') {
      // snake_case is a word.
      const touches = (inner = ' ', outer = '') => !/\s/.test(inner) && (raw[0] !== '_' || !/\w/.test(outer));
      const start = open.get(raw) ?? made.length;
      if (made.length > start + 1 && touches(text[key - 1], text[from])) {
        part = createElement(raw === '~~' ? 'del' : raw[1] ? 'strong' : 'em', { key }, made.splice(start).slice(1));
        open.forEach((at, mark) => at < start || open.delete(mark));
      } else if (touches(text[from], text[key - 1])) open.set(raw, made.length);
    }
    made.push(part);
  }
  made.push(text.slice(from));
  return made;
}

function Link({ to, children }: { to: string; children: ReactNode }) {
  const url = safeUrl(to);
  if (!url) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow">
      {children}
    </a>
  );
}

/** Only what leads to a page, a mail or a call. */
export function safeUrl(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
