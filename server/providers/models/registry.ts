import { anthropic } from './anthropic.ts';
import { builtIn } from './built-in/built-in.ts';
import { cohere } from './cohere.ts';
import { google } from './google.ts';
import { learning } from './lessons.ts';
import type { Access, ModelProvider, OperatorAccess } from './model.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { openAi } from './openai.ts';
import { timeouts, type Timeouts } from './wire.ts';

/** Every kind of model service, in the order in which people see them. */
export const createModelProviders = (timeouts: Timeouts): ModelProvider[] => [
  builtIn,
  ...[openAi(timeouts), anthropic(timeouts), google(timeouts), cohere(timeouts), openAiCompatible(timeouts)].map(
    (provider) => ({ ...provider, connect: (access: Access) => learning(provider.connect(access)) }),
  ),
];

export const modelProviders = createModelProviders(timeouts);

const byName = new Map(modelProviders.map((provider) => [provider.name, provider]));

export const findProvider = (name: string): ModelProvider | undefined => byName.get(name);

/** What the operator may set of any of them. */
export const modelSettings: OperatorAccess['settings'] = Object.assign(
  {},
  ...modelProviders.map(({ operator }) => operator.settings),
);
