import { emptyConfig, type BotConfig, type Tool } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import { fillIn } from '../../../shared/fill-in.ts';

/** What a caller may leave out arrives as undefined. */
export type ConfigChanges = { [Key in keyof BotConfig]?: BotConfig[Key] | undefined };

const maxKb = 256;

/** Values for fields that a tool may have been stored without; it always had a name and an address. */
const emptyTool = { description: '', headers: [], parameters: [], approved: false } satisfies Partial<Tool>;
const emptyParameter = { description: '', required: false } satisfies Partial<Tool['parameters'][number]>;

/** A stored config with every field of today: one that it does not have is empty, at every depth. */
export function fillConfig<T extends object>(stored: T): T & BotConfig {
  const { tools, ...rest } = fillIn({ ...emptyConfig }, stored);
  // A border: the config was stored by this type, and every missing field is filled in here.
  return {
    ...rest,
    tools: tools.map((tool) => {
      const { parameters, ...others } = fillIn<Partial<Tool>>(emptyTool, tool);
      return { ...others, parameters: (parameters ?? []).map((each) => fillIn<object>(emptyParameter, each)) };
    }),
  } as T & BotConfig;
}

/** Written by us only. */
export const toConfig = (text: string): BotConfig => fillConfig(JSON.parse(text));

export function merge(config: BotConfig, changes: ConfigChanges): BotConfig {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...config, ...given };
}

/** The config as it is stored. Throws `validation-failed` when it is over 256 KB. */
export function toText(config: BotConfig): string {
  const text = JSON.stringify(config);
  if (Buffer.byteLength(text) > maxKb * 1024)
    throw new AppError('validation-failed', { fields: [{ path: '', code: 'config-too-large', limitKb: maxKb }] });
  return text;
}

/** Throws `validation-failed` where each field is valid, but some contradict each other. */
export function mustAgree({ tools = [], variables = [] }: ConfigChanges): void {
  mustHaveNone([
    ...doubledNames(variables).map((at) => ({ path: `variables.${at}.name`, code: 'duplicate' })),
    ...doubledNames(tools).map((at) => ({ path: `tools.${at}.name`, code: 'duplicate' })),
    ...tools.flatMap((tool, at) => issuesOf(tool).map((issue) => ({ ...issue, path: `tools.${at}.${issue.path}` }))),
  ]);
}

export const mustBeCallable = (tool: Tool): void =>
  mustHaveNone(issuesOf(tool).map((issue) => ({ ...issue, path: `tool.${issue.path}` })));

interface Issue {
  path: string;
  code: string;
  name?: string;
}

function mustHaveNone(fields: Issue[]): void {
  if (fields.length > 0) throw new AppError('validation-failed', { fields: fields.slice(0, 20) });
}

const doubledNames = (named: { name: string }[]): number[] =>
  named.flatMap(({ name }, at) => (named.findIndex((other) => other.name === name) < at ? [at] : []));

/** A model fills in only what comes after the host, so that it cannot choose who gets the secrets. */
const beginning = /^https?:\/\/[^/?#{}\\\s]+(?=[/?#]|$)/i;

function issuesOf({ url, parameters }: Tool): Issue[] {
  const places = new Set([...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name));
  const inPath = new Set(parameters.flatMap((parameter) => (parameter.in === 'path' ? [parameter.name] : [])));
  return [
    ...(beginning.test(url) && URL.canParse(url.replace(/\{[^{}]*\}/g, 'x'))
      ? []
      : [{ path: 'url', code: 'tool-address' }]),
    ...[...places]
      .filter((name) => !inPath.has(name))
      .map((name) => ({ path: 'url', code: 'parameter-missing', name: name.slice(0, 100) })),
    ...parameters.flatMap(({ name, in: place }, at) =>
      place === 'path' && !places.has(name) ? [{ path: `parameters.${at}.name`, code: 'parameter-unused', name }] : [],
    ),
    ...doubledNames(parameters).map((at) => ({ path: `parameters.${at}.name`, code: 'duplicate' })),
  ];
}
