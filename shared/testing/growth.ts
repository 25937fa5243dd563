// A border: tests run in Node, whose types the web does not have.
declare const process: { threadCpuUsage(since?: object): { user: number; system: number } };

/** Longer ones are no front matter. */
const mostFrontMatter = 18_000;

export type HostileTexts = Record<string, (n: number) => string>;

/** Texts of about `n` characters, each of which has made some pattern or loop look at everything again for every character. */
export const hostileTexts: HostileTexts = {
  ...Object.fromEntries(
    [
      ' ',
      '\t',
      '\n',
      '\r',
      '\u3000',
      '\u00a0',
      ' \n',
      '\n ',
      '/',
      '\\',
      '[',
      ']',
      '(',
      ')',
      '{',
      '}',
      '{{',
      '{{ ',
      '}}',
      '{{secret.',
      '<',
      '>',
      '<!--',
      '<a ',
      '</',
      '<br',
      '<b>',
      '<p>',
      '<ul><li>',
      '<td>',
      '<table><tr>',
      '&',
      '&amp',
      '"',
      "'",
      '`',
      '```\n',
      '~~',
      '~~~\n',
      '*',
      '**',
      '** ',
      '*a',
      '**a',
      '_',
      '__',
      '_a ',
      '#',
      '# ',
      '#\n',
      '-',
      '- ',
      '-\n',
      '---\n',
      '- a\n',
      '-:',
      '|',
      '| ',
      '|-',
      '|-|',
      '||\n',
      '|a|\n',
      ':',
      '=',
      '=\n',
      '+',
      '.',
      '. ',
      ',',
      '、',
      '。',
      '」',
      '!',
      '?',
      '？',
      '！[',
      '![',
      '](',
      '[a](',
      '[a]',
      '![a](',
      '[1]',
      'x[1]',
      '[[1]]',
      '@',
      'a@',
      'a.',
      'a@b.',
      '0',
      '0 ',
      '0-',
      '1234-',
      '4111 ',
      '(0)',
      '+1',
      '〒1',
      'a',
      'a ',
      'a b. ',
      'a\n',
      'a-',
      'a/',
      'a_',
      'A: ',
      'Q: ',
      'Q: a\n',
      'Q: a\nA: b\n',
      '質問',
      '問1',
      '第',
      '第一',
      '・',
      '■',
      '■a\n',
      '【',
      'あ',
      'あ\n',
      'あ \n',
      'あ ',
      'ー',
      '東',
      '東京',
      '々',
      'ｱ',
      'が',
      'か\u3099',
      'a\u0301',
      '\u0301',
      '\u200d',
      '👩\u200d',
      '🇯',
      '\ud83d\ude00',
      '\u0000',
      '\u00ad',
      'title: ',
      'http://',
      'https://a/',
      'a,b\n',
      '"a",',
      '"a"\n',
      ';',
      '%',
      '%41',
      '%E3',
      '$',
      '^',
      '. . ',
      '… ',
      '=?',
      'e',
    ].map((unit) => [JSON.stringify(unit), (n: number) => unit.repeat(Math.ceil(n / unit.length))]),
  ),
  // Most patterns give up only at what comes after.
  ...Object.fromEntries(
    [
      ' ',
      '\n',
      '\t',
      '\u3000',
      '/',
      '-',
      '0',
      '=',
      '.',
      '_',
      '|',
      '| ',
      '*',
      '`',
      '#',
      '>',
      '> ',
      ':',
      '- ',
      '"',
      '\\',
      '⁗',
      '、',
    ].map((unit) => [
      `a, many ${JSON.stringify(unit)} and b`,
      (n: number) => `a${unit.repeat(Math.ceil(n / unit.length))}b`,
    ]),
  ),
  ...Object.fromEntries(
    [
      '# ',
      '- ',
      '> ',
      '| ',
      '|-',
      '    ',
      '```',
      '**',
      '[',
      '![',
      '(',
      '{{',
      '1. ',
      'Q: ',
      '■',
      '【',
      '質問',
      '第',
      '---\n',
      'a |\n-',
      'https://',
      'a@',
      '"',
      '<!--',
      '<a ',
      '<script>',
      '<p>あ',
    ].flatMap((head) => [
      [`${JSON.stringify(head)} and many spaces`, (n: number) => `${head}${' '.repeat(n)}b`],
      [
        `lines of ${JSON.stringify(head)} and spaces`,
        (n: number) => `${head}${' '.repeat(1900)}b\n`.repeat(Math.ceil(n / 1900)),
      ],
    ]),
  ),
  // A field of a head that is looked at: what the pattern begins with, much that it may pass over, and more than it may take.
  ...Object.fromEntries(
    ['\t', ' ', '"', '\t"', "' "].map((unit) => [
      `a title in front matter and many ${JSON.stringify(unit)}`,
      (n: number) =>
        `---\ntitle:${unit.repeat(Math.ceil(Math.min(n, mostFrontMatter) / unit.length))}${'x'.repeat(400)}\n---\n`,
    ]),
  ),
  'nested tags': (n) => `${'<div>'.repeat(n / 11)}a${'</div>'.repeat(n / 11)}`,
  'nested lists': (n) => `${'<ul><li>'.repeat(n / 18)}a${'</li></ul>'.repeat(n / 18)}`,
  'one wide row of many': (n) => `${'a,'.repeat(n / 4)}\n${'b\n'.repeat(n / 4)}`,
};

/** And marks that nothing closes, that close what others have begun, or that come in great number after what asks for them. */
export const hostileMarkdown: HostileTexts = {
  ...hostileTexts,
  ...Object.fromEntries(
    [
      '**a **b ',
      '***a',
      '**a*b',
      '**__',
      '_*_*',
      '~~a',
      '` `` ',
      '`a``b```c',
      '[**a**](x',
      '[a](b ',
      '[a](x "y',
      '(https://',
      '<https://',
      'https://!a ',
      '> ',
      '> - ',
      '- - ',
      '* - + ',
      '1. a\n- a\n',
      '  - a\n',
      '- a\n  - b\n    - c\n',
      '```\n~~~\n',
      '```a\n~~~\n',
      '| a |\n|---|\n',
      '- \t',
      '$',
      '$a',
      '$$',
      '\\[',
      '\\(',
    ].map((unit) => [`of Markdown ${JSON.stringify(unit)}`, (n: number) => unit.repeat(Math.ceil(n / unit.length))]),
  ),
  ...Object.fromEntries(
    ['# a', '- ', '- a\n', '|', '`', '[', '[a](', 'https://a', '**', '~~', '$', '$$', '---'].flatMap((head) =>
      [' ', '#', '`', '!', '\n', 'a ', '-|', '('].map((unit): [string, (n: number) => string] => [
        `${JSON.stringify(head)} and many ${JSON.stringify(unit)}`,
        (n) => `${head}${unit.repeat(Math.ceil(n / unit.length))}x\u2028`,
      ]),
    ),
  ),
};

interface Growth {
  /** How many characters the smaller input has; the larger has sixteen times as many. */
  size?: number;
  texts?: HostileTexts;
}

const times = 16;
const mostTimes = 40;
/** How finely the system counts a thread's work. */
const tickMs = 4;
const mostMs = 500;

/**
 * Does `work` on each hostile text and on one of sixteen times its size. Returns those that took more than forty times the work:
 * what is linear takes sixteen, what is quadratic 256.
 */
async function findGrowth(
  work: (text: string) => unknown,
  { size = 3000, texts = hostileTexts }: Growth = {},
): Promise<string[]> {
  const found: string[] = [];
  // What is loaded and compiled once is no work on a text.
  await cost(work, 'a');
  for (const [name, make] of Object.entries(texts)) {
    const [small, large] = [make(size), make(size * times)];
    const before = await leastCost(work, small, (ms) => ms > mostMs);
    // Its own time says enough; sixteen times the text might not end.
    if (before > mostMs) found.push(`${name}: ${Math.round(before)} ms for ${size} characters`);
    else {
      const isTooMuch = (ms: number) => ms > mostTimes * Math.max(tickMs, before);
      const after = await leastCost(work, large, isTooMuch);
      if (isTooMuch(after)) found.push(`${name}: ${before.toFixed(1)} ms, then ${Math.round(after)} ms`);
    }
  }
  return found;
}

/** What is too much is measured again: a pause of the machine or of the collector does not happen three times. */
async function leastCost(
  work: (text: string) => unknown,
  text: string,
  isTooMuch: (ms: number) => boolean,
): Promise<number> {
  let least = await cost(work, text);
  for (let again = 0; again < 2 && isTooMuch(least); again++) least = Math.min(least, await cost(work, text));
  return least;
}

/** Milliseconds of this thread's own work, whatever else the machine does. */
async function cost(work: (text: string) => unknown, text: string): Promise<number> {
  const begun = process.threadCpuUsage();
  try {
    await work(text);
  } catch {
    // To refuse it is an answer too.
  }
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

export async function mustStayLinear(work: (text: string) => unknown, growth?: Growth): Promise<void> {
  const found = await findGrowth(work, growth);
  if (found.length > 0) throw new Error(`This takes more than its share:\n${found.join('\n')}`);
}
