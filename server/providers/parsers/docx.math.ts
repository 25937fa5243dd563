import { child, elements, valueOf, type Element } from './xml.ts';

/** An equation (Office Math, ECMA-376 part 1, 22.1) as a line of text: (a+b)/2, x^2, a_1, √(x+1), ∑_(i=1)^n i, [a, b; c, d]. */
export function mathText(element: Element): string {
  const part = (name: string) => mathText(child(element, name) ?? none);
  const setting = (group: string, name: string) => valueOf(child(element, group, name));
  switch (element.name) {
    case 'm:t':
    case 'w:t':
      return element.children.filter((each) => typeof each === 'string').join('');
    case 'w:tab':
    case 'w:br':
      return ' ';
    case 'w:del':
    case 'w:moveFrom':
      return '';
    case 'm:oMathPara':
      return elements(element).map(mathText).filter(Boolean).join('\n');
    case 'm:f':
      return setting('m:fPr', 'm:type') === 'noBar'
        ? `(${part('m:num')}; ${part('m:den')})`
        : `${grouped(part('m:num'), /[-+−±=<>≤≥/\s]/)}/${grouped(part('m:den'))}`;
    case 'm:sSup':
      return `${base(part('m:e'))}^${grouped(part('m:sup'))}`;
    case 'm:sSub':
      return `${base(part('m:e'))}_${grouped(part('m:sub'))}`;
    case 'm:sSubSup':
      return `${base(part('m:e'))}_${grouped(part('m:sub'))}^${grouped(part('m:sup'))}`;
    case 'm:sPre':
      return `_${grouped(part('m:sub'))}^${grouped(part('m:sup'))} ${part('m:e')}`;
    case 'm:rad':
      return `${part('m:deg').replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)))}√${grouped(part('m:e'))}`;
    case 'm:nary': {
      const [sub, sup] = [part('m:sub'), part('m:sup')];
      const sign = setting('m:naryPr', 'm:chr') ?? '∫';
      return `${sign}${sub && `_${grouped(sub)}`}${sup && `^${grouped(sup)}`} ${part('m:e')}`;
    }
    case 'm:d': {
      const inside = elements(element).filter(({ name }) => name === 'm:e');
      const [begin, end] = [setting('m:dPr', 'm:begChr') ?? '(', setting('m:dPr', 'm:endChr') ?? ')'];
      return `${begin}${inside.map((each) => matrixAlone(each) ?? mathText(each)).join(setting('m:dPr', 'm:sepChr') ?? '|')}${end}`;
    }
    case 'm:m':
      return `[${matrix(element)}]`;
    case 'm:eqArr':
      return elements(element)
        .filter(({ name }) => name === 'm:e')
        .map(mathText)
        .join('; ');
    case 'm:func': {
      const argument = part('m:e');
      return `${part('m:fName')}${/^[([{|]/.test(argument) ? '' : ' '}${argument}`;
    }
    case 'm:limLow':
      return `${part('m:e')}_${grouped(part('m:lim'))}`;
    case 'm:limUpp':
      return `${part('m:e')}^${grouped(part('m:lim'))}`;
    case 'm:acc':
      return `${part('m:e')}${setting('m:accPr', 'm:chr') ?? '\u0302'}`;
    case 'm:bar':
      return `${part('m:e')}${setting('m:barPr', 'm:pos') === 'top' ? '\u0305' : '\u0332'}`;
    default:
      return elements(element).map(mathText).join('');
  }
}

const none: Element = { name: '', attributes: {}, children: [] };

/** The brackets around a matrix are its own. */
function matrixAlone(element: Element): string | undefined {
  const [only, ...more] = elements(element).filter(({ name }) => name !== 'm:ctrlPr');
  return only?.name === 'm:m' && more.length === 0 ? matrix(only) : undefined;
}

const matrix = (element: Element): string =>
  elements(element)
    .filter(({ name }) => name === 'm:mr')
    .map((row) => elements(row).map(mathText).join(', '))
    .join('; ');

/** In brackets when it would be read otherwise without: a number or a word stays bare. */
function grouped(text: string, parting?: RegExp): string {
  const bare = parting ? !parting.test(text) : /^(?:[\p{N}.,]+|[\p{L}\p{M}]+|)$/u.test(text);
  return bare || isBracketed(text) ? text : `(${text})`;
}

const base = (text: string) => grouped(text, /[-+−±=/×·\s]/);

function isBracketed(text: string): boolean {
  return text.startsWith('(') && text.indexOf(')') === text.length - 1;
}

/** Older Word writes readings and characters in a circle as equations: `EQ \o\ad(\s\up 9(かしだし),貸出)`. */
export function readOldEquation(code: string): { text: string; base?: string; reading?: string } {
  const whole = code.slice(0, 1000);
  const reading = /\\s\\up\s?[\d.]{1,6}\(([^()]{1,100})\),([^()]{1,100})\)/.exec(whole);
  const circled = /\\o\\a[a-z]\s?\([^(),]{1,20},([^()]{1,100})\)/.exec(whole);
  if (reading) return { text: reading[2] ?? '', base: reading[2] ?? '', reading: reading[1] ?? '' };
  if (circled) return { text: circled[1] ?? '' };
  const text = whole
    .replace(/"[^"]{0,100}"/g, '')
    .replace(/\\f\s?\(([^(),]{1,200}),([^(),]{1,200})\)/g, '$1/$2')
    .replace(/\\\*?\s?[a-z]{1,4}\d{0,3}/gi, '');
  return { text: text.trimStart().slice('EQ'.length).trim() };
}
