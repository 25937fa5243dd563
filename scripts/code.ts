/** Rules about the code that no lint knows: who may import whom, and what an effect may return. */
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';
import { findSuperLinear } from './patterns.ts';

interface Layer {
  files: RegExp;
  /** Folders, or files, that it may import from; `$1` is what the first brackets of `files` have caught. */
  imports: string[];
  packages?: RegExp;
  /** Dotted files of other features are closed to it. */
  isFeature?: true;
  rule: string;
}

/** The first that fits counts. What fits none may import everything. */
const layers: Layer[] = [
  {
    files: /^server\/(testing\/|.*\.test\.ts$)/,
    imports: ['shared', 'server', 'e2e/fixtures'],
    rule: 'Tests of the server know nothing of the web.',
  },
  {
    files: /^shared\//,
    imports: ['shared'],
    packages: /^zod($|\/)/,
    rule: 'shared runs anywhere: it imports only zod and itself.',
  },
  {
    files: /^server\/infra\//,
    imports: ['shared', 'server/infra', 'package.json'],
    rule: 'infra knows no feature and no provider.',
  },
  {
    files: /^server\/providers\/([^/]+)\//,
    imports: ['shared', 'server/infra', 'server/providers/$1'],
    rule: 'A provider knows only its own kind.',
  },
  {
    files: /^server\/features\//,
    imports: ['shared', 'server/infra', 'server/providers', 'server/features', 'server/feature.ts', 'package.json'],
    isFeature: true,
    rule: 'Features are below the app, and know no tests.',
  },
  {
    files: /^server\/migrations\//,
    imports: ['shared', 'server/infra', 'server/migrations'],
    rule: 'A migration stays as it is when features change.',
  },
  {
    files: /^server\/[^/]+$/,
    imports: ['shared', 'server/*', 'server/infra', 'server/providers', 'server/features', 'server/migrations'],
    rule: 'The server knows neither the web nor tests.',
  },
  {
    files: /^web\/(testing\/|.*\.test\.tsx?$)/,
    imports: ['shared', 'web'],
    rule: 'Tests of the web know nothing of the server.',
  },
  {
    files: /^web\/ui\//,
    imports: ['web/ui', 'shared/mark-drawings.ts'],
    rule: 'ui imports only ui, and what marks are drawn of.',
  },
  { files: /^web\/lib\//, imports: ['shared', 'web/lib'], rule: 'lib imports only lib and shared.' },
  {
    files: /^web\/features\/([^/]+)\//,
    imports: ['shared', 'web/ui', 'web/lib', 'web/features/$1'],
    rule: 'A feature of the web knows no sibling and no page; put them together on a page.',
  },
  {
    files: /^web\/pages\//,
    imports: ['shared', 'web/ui', 'web/lib', 'web/features'],
    rule: 'A page knows features, and no other page.',
  },
  { files: /^web\//, imports: ['shared', 'web'], rule: 'The web does not import the server.' },
  { files: /^widget\//, imports: ['shared', 'widget'], rule: 'The widget imports shared and itself.' },
];

/** The tree of a file is only read where these may be; it takes ten times as long as its list of imports. */
const isSpecial = /\bimport\s*[(.]|\bmock\(|Effect\(|RegExp\(|[^<*/]\/[a-z]*[\s,;.)\]}]/;

const ofFeature = /^server\/features\/([^/]+)\//;
const isDotted = (file: string) => /\/[^/]+\.[^/]+\.ts$/.test(file);

/** What a file imports, in whatever way, and its tree where that may matter. */
export function readImports(file: string, source: string): { imports: string[]; nodes: Node[] } {
  const parsed = parseSync(file, source);
  const { module } = parsed;
  const statements = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)];
  const nodes = isSpecial.test(source) ? nodesOf(parsed.program) : [];
  const imports = new Set([
    ...statements.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ...nodes.flatMap((node) => importOf(node) ?? []),
  ]);
  return { imports: [...imports], nodes };
}

/** A sentence for each rule that a file breaks. */
export function checkFile(file: string, source: string): string[] {
  const { imports, nodes } = readImports(file, source);
  return [
    ...imports.flatMap((name) => (checkImport(file, name) ?? []).map((rule) => `${file} imports ${name}: ${rule}`)),
    ...nodes.filter(isWildEffect).map(({ start }) => {
      const line = source.slice(0, start).split('\n').length;
      return `${file}:${line}: An effect returns nothing, or the function that ends it; what else it returns is called.`;
    }),
    ...(isTest.test(file) ? [] : nodes.flatMap(patternOf)).flatMap(({ start, pattern, flags }) =>
      findSuperLinear(pattern, flags).map((fault) => `${file}:${source.slice(0, start).split('\n').length}: ${fault}`),
    ),
    ...(isSeen.test(file) && exceptions.test(source)
      ? [`${file} takes what was thrown for an Error: its words are for no reader, and errorText finds those that are.`]
      : []),
    ...ownSheets
      .filter((name) => new RegExp(`<${name}\\b`).test(source) && imports.includes('@mantine/core'))
      .filter((name) => !file.includes('.test.') && !imports.includes(`@mantine/core/styles/${name}.css`))
      .map((name) => `${file} draws a ${name} without its style sheet, which no page brings by itself.`),
  ];
}

/** Its texts are its own. */
const isTest = /\.test\.tsx?$|\/testing\//;

/** What people see, and where nothing that was thrown has words but those of `errorText`. */
const isSeen = /^(web|widget)\/(?!.*\.test\.|testing\/)/;
const exceptions = /[:|<]\s*Error\b(?!\.)|\binstanceof Error\b/;

/** Components of Mantine that only some pages have; the sheets of the others are in `web/ui/styles*.ts`. */
const ownSheets = ['Checkbox', 'NumberInput', 'Radio', 'Slider'];

function checkImport(file: string, name: string): string[] {
  const layer = layers.find(({ files }) => files.test(file));
  if (!layer) return [];
  const { files, imports, packages, isFeature, rule } = layer;
  if (!name.startsWith('.')) return packages && !packages.test(name) ? [rule] : [];
  const target = posix.join(posix.dirname(file), name);
  const [, own = ''] = files.exec(file) ?? [];
  const isAllowed = imports
    .map((folder) => folder.replace('$1', own))
    .some((folder) =>
      folder.endsWith('/*') ? posix.dirname(target) === folder.slice(0, -2) : `${target}/`.startsWith(`${folder}/`),
    );
  if (!isAllowed) return [rule];
  const [from, to] = [file, target].map((path) => ofFeature.exec(path)?.[1]);
  const isPrivate = isFeature && to !== undefined && from !== to && isDotted(target);
  return isPrivate ? ["A dotted file is private to its feature; import the feature's public file."] : [];
}

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function nodesOf(value: unknown, isEntered: (node: Node) => boolean = () => true, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const each of value) nodesOf(each, isEntered, found);
  else if (isNode(value)) {
    found.push(value);
    if (isEntered(value)) for (const field of Object.values(value)) nodesOf(field, isEntered, found);
  }
  return found;
}

/** What a node imports in another way than by a statement: when it is called for, as a type, by a pattern, as a file of its own. */
function importOf({ type, ...node }: Node): string | undefined {
  if (type === 'ImportExpression' || type === 'TSImportType') return textOf(node['source'] ?? node['argument']);
  const { callee, arguments: given } = node;
  if (!isNode(callee) || !Array.isArray(given)) return undefined;
  const isOfFile = [callee, given[1]].some((each) => nodesOf(each).some((inner) => inner.type === 'MetaProperty'));
  const name = isOfFile || isNamed(callee, ['mock']) ? textOf(given[0]) : undefined;
  return name?.startsWith('.') ? name : undefined;
}

interface Pattern {
  start: number;
  pattern: string;
  flags: string;
}

/** A pattern that stands in the code as a whole: as one, or as the text of which `RegExp` makes one. */
function patternOf({ type, start, ...node }: Node): Pattern | [] {
  const { regex, callee, arguments: given } = node;
  if (type === 'Literal' && isPattern(regex)) return { start, ...regex };
  if (!isNode(callee) || !isNamed(callee, ['RegExp']) || !Array.isArray(given)) return [];
  const [pattern, flags = ''] = given.map(wholeText);
  return pattern === undefined ? [] : { start, pattern, flags };
}

const isPattern = (value: unknown): value is Omit<Pattern, 'start'> =>
  typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;

/** A text that nothing is put into. */
const wholeText = (node: unknown): string | undefined =>
  isNode(node) && (!Array.isArray(node['quasis']) || node['quasis'].length === 1) ? textOf(node) : undefined;

/** A text as far as it is known: the beginning of one that is put together. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'TSLiteralType') return textOf(node['literal']);
  const [first] = Array.isArray(node['quasis']) ? node['quasis'] : [];
  const text = first ? first.value.cooked : node['value'];
  return typeof text === 'string' ? text : undefined;
}

const isNamed = (node: Node, names: string[]): boolean =>
  isNode(node['property']) ? isNamed(node['property'], names) : names.includes(String(node['name']));

const effects = ['useEffect', 'useLayoutEffect', 'useInsertionEffect', 'useIsomorphicEffect'];
const isFunction = (node: unknown): node is Node =>
  isNode(node) && /^(ArrowFunction|Function)(Expression|Declaration)$/.test(node.type);

/** React calls what an effect returned, later: if that is no function, the page is gone. Some functions of browsers return a Promise where they used to return nothing. */
function isWildEffect({ type, callee, arguments: given }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee) || !isNamed(callee, effects) || !Array.isArray(given)) return false;
  const [effect] = given;
  if (!isFunction(effect) || effect['async']) return true;
  const { body } = effect;
  if (!isNode(body)) return true;
  if (body.type !== 'BlockStatement') return !isEnd(body);
  return nodesOf(body, (node) => !isFunction(node)).some(
    ({ type: kind, argument }) => kind === 'ReturnStatement' && argument !== null && !isEnd(argument),
  );
}

/** A function, by itself or by name; or nothing. */
const isEnd = (node: unknown): boolean =>
  isFunction(node) || (isNode(node) && (node.type === 'Identifier' || node['operator'] === 'void'));

/** Each breaks one rule; a check that lets one pass has stopped guarding. */
const planted: [file: string, source: string][] = [
  ['shared/planted.ts', "import '../server/main.ts';"],
  ['shared/contracts/planted.ts', "import type { FastifyRequest } from 'fastify';"],
  ['server/planted.test.ts', "import '../web/lib/api.ts';"],
  ['server/infra/planted.ts', "import '../features/bots/bots.ts';"],
  ['server/infra/deep/planted.ts', "export * from '../../providers/storage/local.ts';"],
  ['server/infra/planted.ts', "import '../testing/app.ts';"],
  ['server/providers/models/planted.ts', "import '../storage/local.ts';"],
  ['server/providers/models/deep/planted.ts', "import '../../storage/local.ts';"],
  ['server/providers/parsers/planted.ts', "import '../../features/bots/bots.ts';"],
  ['server/features/bots/planted.ts', "import '../knowledge/knowledge.store.ts';"],
  ['server/features/bots/templates/planted.ts', "import '../../knowledge/knowledge.store.ts';"],
  ['server/features/bots/planted.ts', "import '../../features/knowledge/deep/knowledge.store.ts';"],
  ['server/features/planted.ts', "import './bots/bots.store.ts';"],
  ['server/features/bots/planted.ts', "import { startTestApp } from '../../testing/app.ts';"],
  ['server/features/bots/templates/planted.ts', "await import('../../../testing/app.ts');"],
  ['server/features/bots/planted.ts', "import '../../server.ts';"],
  ['server/features/bots/planted.ts', "import '../../../web/lib/api.ts';"],
  ['server/migrations/planted.ts', "import '../features/bots/bots.ts';"],
  ['server/planted.ts', "import './testing/app.ts';"],
  ['web/ui/planted.test.tsx', "import '../../server/main.ts';"],
  ['web/ui/planted.tsx', "import '../testing/show.tsx';"],
  ['web/ui/planted.tsx', "import '../lib/api.ts';"],
  ['web/ui/planted.tsx', "import '../../shared/contracts/bots.ts';"],
  ['web/lib/planted.ts', "import '../features/bots/bots.queries.ts';"],
  ['web/lib/planted.ts', "import.meta.glob('../pages/*.tsx');"],
  ['web/features/bots/planted.ts', "import '../knowledge/knowledge.queries.ts';"],
  ['web/features/bots/planted.ts', "import '../../features/knowledge/knowledge.queries.ts';"],
  ['web/features/bots/deep/planted.ts', "import '../../knowledge/knowledge.queries.ts';"],
  ['web/features/bots/planted.ts', "let x: import('../knowledge/base-form.tsx').Props;"],
  ['web/features/bots/planted.ts', "import '../../pages/bot.tsx';"],
  ['web/features/bots/planted.ts', "new URL('../../../server/main.ts', import.meta.url);"],
  ['web/pages/planted.tsx', "import './bot.tsx';"],
  ['web/planted.tsx', "import '../server/features/bots/bots.ts';"],
  ['widget/planted.ts', "import '../web/lib/api.ts';"],
  ['web/planted.tsx', 'useEffect(() => row.scrollIntoView());'],
  ['web/planted.tsx', 'useEffect(() => { if (isOpen) return row?.scrollIntoView(); }, [isOpen]);'],
  ['web/planted.tsx', 'React.useLayoutEffect(close, [close]);'],
  ['web/planted.tsx', 'useEffect(async () => {}, []);'],
  ['web/planted.tsx', 'save().catch((error: Error) => toast.error(error.message));'],
  ['web/planted.tsx', 'const fail = ({ message }: Error) => toast.error(message);'],
  ['web/planted.tsx', 'const [failure, setFailure] = useState<Error | undefined>();'],
  ['server/infra/planted.ts', String.raw`const base = address.replace(/\/+$/, '');`],
  ['server/infra/planted.ts', String.raw`const mail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;`],
  ['shared/planted.ts', "const words = new RegExp('^(a+)+$', 'u');"],
  ['shared/planted.ts', 'const words = RegExp(`[^>]*>`);'],
  ['web/planted.tsx', String.raw`const row = text.replace(/^[ \t]*\|(.*?)\|?[ \t]*$/gm, '');`],
  ['widget/planted.tsx', 'setFault(error instanceof Error ? error.message : String(error));'],
];

/** None of these breaks a rule. */
const sound: [file: string, source: string][] = [
  ['shared/contracts/planted.ts', "import { z } from 'zod'; import '../list.ts';"],
  ['server/features/bots/templates/planted.ts', "import '../bots.store.ts'; import '../../knowledge/knowledge.ts';"],
  ['server/features/bots/bots.test.ts', "import '../../testing/app.ts';"],
  ['server/planted.ts', "import './features/bots/bots.routes.ts'; import './server.ts';"],
  ['web/features/bots/deep/planted.ts', "import '../bots.queries.ts'; import '../../../ui/avatar.tsx';"],
  ['web/pages/planted.tsx', "import '../features/bots/bots.queries.ts';"],
  ['web/planted.tsx', 'useEffect(() => { const end = on(x, () => { return x.y(); }); return end; }, []);'],
  ['server/infra/planted.ts', String.raw`const plain = text.replace(/\s+/g, ' ').replace(/^\/+/, '');`],
  ['server/infra/planted.test.ts', String.raw`const base = address.replace(/\/+$/, '');`],
  ['web/planted.tsx', "class Away extends Error {} throw new Error('No canvas.');"],
  ['web/planted.tsx', 'useEffect(() => void fetchUser(), []); useEffect(() => () => stop(), []);'],
];

export const checkCode = (): string[] => [
  ...planted.flatMap(([file, source]) =>
    checkFile(file, source).length === 0 ? [`The check no longer catches, in ${file}: ${source}`] : [],
  ),
  ...sound.flatMap(([file, source]) => checkFile(file, source)),
  ...globSync('{shared,server,web,widget}/**/*.{ts,tsx}').flatMap((file) =>
    checkFile(file.replaceAll('\\', '/'), readFileSync(file, 'utf8')),
  ),
];
