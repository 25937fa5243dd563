import type { Options } from 'react-markdown';
import { harden } from 'rehype-harden';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';

type Plugins = NonNullable<Options['rehypePlugins']>;
type Root = Parameters<ReturnType<typeof harden>>[0];
type Nodes = Root | Root['children'][number];

/** Raw HTML is not run, and not lost either: it stands there as it was written. Markdown's own pictures become links, since loading one tells its server who reads. */
function inert() {
  return (tree: Root) =>
    walk(tree, (node) => {
      if (!('children' in node)) return;
      node.children = node.children.map((child) => {
        // `raw` is what remark-rehype makes of HTML; hast itself has no such node.
        const { type, value } = child as { type: string; value?: string };
        if (type === 'raw') return { type: 'text', value: value ?? '' };
        if (child.type !== 'element' || child.tagName !== 'img') return child;
        const { src, alt } = child.properties;
        return { type: 'element', tagName: 'a', properties: { href: src }, children: [{ type: 'text', value: String(alt || src || '') }] };
      });
    });
}

/** `[1]` in running text becomes a link to the citation of that number; in code and in links it stays what it is. */
function citationMarks() {
  return (tree: Root) =>
    walk(tree, (node) => {
      if (!('children' in node)) return;
      if (node.type === 'element' && ['a', 'code', 'pre', 'math', 'svg'].includes(node.tagName)) return 'skip';
      node.children = node.children.flatMap((child): Root['children'] => {
        if (child.type !== 'text' || !child.value.includes('[')) return [child];
        return child.value.split(/(\[\d{1,3}\])/).flatMap((part, at): Root['children'] => {
          if (part === '') return [];
          if (at % 2 === 0) return [{ type: 'text', value: part }];
          return [{ type: 'element', tagName: 'a', properties: { href: `#citation-${part.slice(1, -1)}` }, children: [{ type: 'text', value: part }] }];
        });
      });
      return undefined;
    });
}

const deepest = 120;

function walk(tree: Root, visit: (node: Nodes) => 'skip' | undefined | void): void {
  const left: [Nodes, number][] = [[tree, 0]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, depth] = next;
    if (depth > deepest) throw new RangeError('nested too deep to be drawn');
    if (visit(node) !== 'skip' && 'children' in node) for (const child of node.children) left.push([child, depth + 1]);
  }
}

// https://katex.org/docs/options: what KaTeX draws with. With `trust: false` it makes no link and no picture.
const mathElements = ['math', 'semantics', 'annotation', 'mrow', 'mi', 'mo', 'mn', 'ms', 'mtext', 'mspace', 'msup', 'msub', 'msubsup', 'mfrac', 'msqrt', 'mroot', 'mover', 'munder', 'munderover', 'mtable', 'mtr', 'mtd', 'mlabeledtr', 'mpadded', 'mphantom', 'menclose', 'mstyle', 'merror'];
const mathAttributes = ['mathvariant', 'mathsize', 'mathcolor', 'mathbackground', 'display', 'displaystyle', 'scriptlevel', 'stretchy', 'fence', 'separator', 'lspace', 'rspace', 'linethickness', 'accent', 'accentunder', 'columnalign', 'columnspacing', 'columnlines', 'rowspacing', 'rowlines', 'rowalign', 'movablelimits', 'minsize', 'maxsize', 'notation', 'voffset', 'height', 'depth', 'width', 'encoding', 'side'];
/** Lengths, colours and the like; nothing that names an address. */
const plainStyle = /^(?!.*(?:url|image|expression|import|@|\\|\/\*))[^<>]*$/is;

const { attributes, tagNames } = defaultSchema;
const schema: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: [...(tagNames ?? []).filter((name) => !['img', 'picture', 'source', 'details', 'summary'].includes(name)), 'svg', 'path', 'line', ...mathElements],
  attributes: {
    ...attributes,
    code: [['className', /^language-./, 'hljs', 'math-inline', 'math-display']],
    span: ['className', ['style', plainStyle], ['ariaHidden', 'true']],
    svg: ['className', 'width', 'height', 'viewBox', 'preserveAspectRatio', ['style', plainStyle]],
    path: ['d'],
    line: ['x1', 'x2', 'y1', 'y2', 'strokeWidth'],
    ...Object.fromEntries(mathElements.map((name) => [name, mathAttributes])),
  },
};

/** Whatever made the tree, these come last: what passes them can neither run, load nor send anything. */
export const safePlugins = (makers: Plugins): Plugins => [inert, citationMarks, ...makers, [rehypeSanitize, schema], [harden, { allowedLinkPrefixes: ['*'], allowedImagePrefixes: [], linkBlockPolicy: 'text-only', imageBlockPolicy: 'text-only', defaultOrigin: window.location.origin }]];
