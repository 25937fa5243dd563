import { render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { hostileMarkdown, mustStayLinear } from '../shared/testing/growth.ts';
import { contrast, inkOn } from './contrast.ts';
import { drawMarkdown } from './markdown.tsx';

const draw = (text: string) =>
  render(
    <div>
      {drawMarkdown(text, (number) => (
        <button type="button">{number}</button>
      ))}
    </div>,
  ).container;

test('HTML in an answer is shown as it was written', () => {
  const drawn = draw('<img src=x onerror=alert(1)> and <script>alert(1)</script>\n\n<b>bold</b>');
  expect(drawn.querySelectorAll('img, script, b')).toHaveLength(0);
  expect(drawn.textContent).toContain('<img src=x onerror=alert(1)>');
});

test('links lead to pages, mails and calls, and nowhere else', () => {
  const drawn = draw(
    [
      '[page](https://example.com/a?b=c)',
      '[mail](mailto:hanako@example.com)',
      '[call](tel:+81312345678)',
      'https://example.com/bare.',
      '[script](javascript:alert(1))',
      '[data](data:text/html,x)',
      '[file](file:///etc/passwd)',
      '[encoded](java%73cript:alert)',
      '[own](/Login)',
      '![picture](https://example.com/track.png)',
    ].join('\n\n'),
  );
  const links = [...drawn.querySelectorAll('a')];
  expect(links.map((each) => each.getAttribute('href'))).toEqual([
    'https://example.com/a?b=c',
    'mailto:hanako@example.com',
    'tel:+81312345678',
    'https://example.com/bare',
    'https://example.com/track.png',
  ]);
  for (const { rel, target } of links) expect([rel, target]).toEqual(['noreferrer nofollow', '_blank']);
  expect(drawn.querySelector('img')).toBeNull();
});

test('a number in brackets is its citation, with the space before it gone', () => {
  const drawn = draw('Dogs are welcome. [1] On Sundays, too.[2]');
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['1', '2']);
  expect(drawn.textContent).toBe('Dogs are welcome.1 On Sundays, too.2');
});

test('lists, tables, code, quotes and emphasis are drawn', () => {
  const drawn = draw(
    [
      '# Menu',
      '',
      '1. **Coffee**',
      '   - light',
      '   - dark',
      '2. *Tea* and `snake_case_name`',
      '',
      '| Size | Price |',
      '|---|---:|',
      '| S | ¥400 |',
      '',
      '```js',
      'const a = "<b>";',
      '```',
      '> quoted [1]',
      '',
      'snake_case_name stays',
    ].join('\n'),
  );
  expect(drawn.querySelector('h3')?.textContent).toBe('Menu');
  expect(drawn.querySelectorAll('ol > li')).toHaveLength(2);
  expect([...drawn.querySelectorAll('ol ul li')].map(({ textContent }) => textContent)).toEqual(['light', 'dark']);
  expect(drawn.querySelector('strong')?.textContent).toBe('Coffee');
  expect([...drawn.querySelectorAll('em')].map(({ textContent }) => textContent)).toEqual(['Tea']);
  expect(drawn.querySelector('td:last-child')?.textContent).toBe('¥400');
  expect(drawn.querySelector('pre')?.textContent).toBe('const a = "<b>";');
  expect(drawn.querySelector('blockquote button')?.textContent).toBe('1');
  expect(drawn.textContent).toContain('snake_case_name stays');
});

/** What it is drawn to: elements that only React asks for, such as a table's, are work, too. */
const drawAll = (text: string) => renderToStaticMarkup(<>{drawMarkdown(text, () => null)}</>);

test('emphasis takes the nearest marks, and leaves those of words, sums and nothing', () => {
  const { container } = render(
    <>
      {drawMarkdown(
        '*a **b** c* and ~~d~~, 2 * 3 * 4, snake_case_name, __init__ **「注意：」**です **** ** *open ``c`d',
        () => null,
      )}
    </>,
  );
  expect(container.innerHTML).toBe(
    '<p><em>a <strong>b</strong> c</em> and <del>d</del>, 2 * 3 * 4, snake_case_name, <strong>init</strong> <strong>「注意：」</strong>です **** ** *open ``c`d</p>',
  );
});

test('an address ends before the sentence does, and a link may have brackets', () => {
  const drawn = draw('[Wiki](https://example.com/A_(b)) and [x [y](https://example.com/y) (https://example.com/z).');
  expect([...drawn.querySelectorAll('a')].map((each) => [each.textContent, each.getAttribute('href')])).toEqual([
    ['Wiki', 'https://example.com/A_(b)'],
    ['y', 'https://example.com/y'],
    ['https://example.com/z', 'https://example.com/z'],
  ]);
});

test('a text takes no more than its share to draw', { timeout: 240_000 }, async () => {
  await mustStayLinear(drawAll, { texts: hostileMarkdown });
});

test('text on any color is black or white, whichever is read', () => {
  for (let value = 0; value < 0x1000000; value += 4099) {
    const color = `#${value.toString(16).padStart(6, '0')}`;
    const ink = inkOn(color) === '#000' ? '#000000' : '#ffffff';
    expect(contrast(color, ink), color).toBeGreaterThanOrEqual(4.4);
  }
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 0);
});
