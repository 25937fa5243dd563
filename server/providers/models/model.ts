import type { z } from 'zod';
import type { Refusable } from '../../../shared/contracts/conversations.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Outbound } from '../../infra/outbound.ts';

/** A passage that the answer may quote; `number` is what a citation names. */
export interface Passage {
  number: number;
  title: string;
  headings: string[];
  page: number | null;
  text: string;
}

/** An image or a document that a model reads beside the text. */
export interface ModelFile {
  name: string;
  mime: string;
  bytes: Uint8Array;
}

/** What the model wants called; `input` is JSON as the model wrote it, which may be anything. */
export interface ToolCall {
  id: string;
  name: string;
  input: string;
}

export type ModelMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string; files?: ModelFile[] }
  /** `replay` is what its provider wants back with the calls, such as the thoughts behind them, as JSON could hold it; nobody else reads it. */
  | { role: 'assistant'; text: string; calls?: ToolCall[]; replay?: unknown }
  /** What a call gave. */
  | { role: 'tool'; id: string; name: string; text: string };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the input, an object. */
  parameters: Record<string, unknown>;
  strict?: boolean | undefined;
}

/** A part of a request that a model may refuse; the last two are no wish of anybody's, but how one wire has them. */
export type Refused = Refusable | 'streamOptions' | 'maxTokens';

export type Level = 'none' | 'low' | 'medium' | 'high';

/** How much a model thinks. */
export interface Thinking {
  /** As little as it can be told to; not every model can be told `none`. */
  least: Level;
  /** What it does when it is told nothing. */
  usual: Level;
}

/** What only some vendors have. */
export interface Wishes {
  /** Answers to the same request alike, as far as the vendor can. */
  seed?: number | undefined;
  /** -2 to 2: against what was said before. */
  presencePenalty?: number | undefined;
  /** -2 to 2: the more often it was said. */
  frequencyPenalty?: number | undefined;
  /** False: one call of a tool at a time. */
  parallelCalls?: boolean | undefined;
}

/** The same as OpenAI's API names them. */
export const wishNames = {
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  parallelCalls: 'parallel_tool_calls',
} as const satisfies Record<keyof Wishes, string>;

/** `strict`: a tool's schema is kept to the letter. */
export type Wish = (typeof wishNames)[keyof Wishes] | 'strict';

export interface ModelRequest extends Wishes {
  model: string;
  /** The conversation, the question last; passages and rules are in the system message already. */
  messages: ModelMessage[];
  /** The same passages as data, best first, for models that do not read prompts. */
  passages: Passage[];
  /** What to say when the passages do not answer. */
  refusal: string;
  /** What a model needs to know of the bot that does not read prompts. */
  bot?: {
    locale: 'en' | 'ja';
    /** As it was asked, without what came with it. */
    question: string;
    /** Pictures or documents came with it. */
    hasFiles: boolean;
    /** Questions that it offers. */
    starters: string[];
    /** Where a person helps; empty when nobody does. */
    contact: string;
    /** What is said before a quote; empty for the usual words. */
    lead: string;
    /** How sure an answer has to be, 0 to 1; 0.4 is usual. */
    threshold: number;
  };
  /** Most tokens of the answer itself. */
  maxTokens: number;
  /** Most tokens of the thoughts before it, which come on top: vendors have one limit for both. */
  thinkingTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string[] | undefined;
  /** How long a model that reasons may think; a model that does not takes no notice. */
  reasoning?: Level | undefined;
  tools?: ModelTool[] | undefined;
  toolChoice?: 'auto' | 'none' | 'required' | { name: string } | undefined;
  /** What this model has refused before, for a wire that has another word for it. */
  refused?: Refused[] | undefined;
  /** The answer has to be JSON: any, or of this schema. */
  json?: true | { name: string; schema: Record<string, unknown>; strict?: boolean | undefined } | undefined;
}

export interface Tokens {
  tokensIn: number;
  /** Thoughts are among them, shown or not. */
  tokensOut: number;
  /** How many of `tokensIn` came from the provider's cache. */
  tokensCached: number;
  /** How many of `tokensIn` the provider put into its cache, where that has a price of its own. */
  tokensCacheWritten?: number | undefined;
  /** How many of `tokensOut` were thoughts, where the provider tells. */
  tokensThought?: number | undefined;
}

export type ModelEvent =
  /** Comes first: what was asked for and is left out, since the model has refused it. */
  | { type: 'without'; refused: Refusable[] }
  | { type: 'text'; text: string }
  /** What the model thinks before it answers, where the provider shows it. */
  | { type: 'reasoning'; text: string }
  /** All text of this answer so far was thought. */
  | { type: 'retract' }
  | { type: 'call'; call: ToolCall }
  /** For the message that the calls are in. */
  | { type: 'replay'; replay: unknown }
  /** As the provider counted; may come more than once, the last counts. */
  | ({ type: 'usage' } & Tokens)
  | {
      type: 'finish';
      reason: 'stop' | 'length' | 'filter' | 'tools';
      /** The passages did not answer, and the model knows it. */
      refused?: true;
      /** Questions that the text offers, as a list of Markdown with a line for each. */
      suggestions?: string[];
    };

export type Capability = 'vision' | 'tools' | 'json' | 'embeddings' | 'reasoning' | 'mask';

/** Most servers tell nothing of what their models can do: then everything is tried, and what is refused is not tried again. */
export const untold: Capability[] = ['vision', 'tools', 'json'];

export interface ModelInfo {
  id: string;
  name: string;
  contextTokens: number;
  maxOutputTokens?: number;
  capabilities: Capability[];
  /** What draws, or does something else, where it is no model that answers. */
  group?: CatalogueModel['group'] | 'other';
  /** Its window depends on how the server has loaded it: `ModelConnection.window` knows. */
  asksWindow?: true;
  /** Only where the list of a server has prices; null where it has none for this model, which is not to be given away. */
  price?: ModelPrice | null;
}

/** What a provider is reached with: a key of the workspace's or of the operator's. */
export interface Access {
  apiKey: string | undefined;
  /** Where the API is, without a slash at the end; the vendor's own address unless told. */
  baseUrl: string | undefined;
  outbound: Pick<Outbound, 'request'>;
}

/**
 * A provider reached with one key. `stream` yields events until the answer ends, a `finish` last; aborting `signal` closes
 * the connection at once. Failures are thrown as `AppError` with a `provider-…` code, never with the key in them; what was
 * yielded before stands. Nothing is tried again here.
 */
export interface ModelConnection {
  /** The models this key may use. Fails as `stream` does, so it is also how a key is checked: it must cost nothing. */
  listModels(signal: AbortSignal): Promise<ModelInfo[]>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The tokens that a model reads at once as it is loaded now; undefined where it is not loaded. Never fails. */
  window?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** Where the provider writes down what is said. */
  transcription?: Transcription;
  /** Where the provider draws pictures. */
  drawing?: Drawing;
}

/** A provider that draws; its models are those of the group `image-model`. */
export interface Drawing {
  /**
   * One picture. Yields states of it as they come, where the provider tells them, and the picture last, exactly once. Nothing of it
   * has been looked at: the bytes are what the provider says is a picture, at most 32 MB, and whoever keeps them decodes them first.
   * Fails as `ModelConnection.stream`: `provider-refused` where it does not draw this, and throws what `signal` was aborted with.
   */
  draw(request: DrawRequest, signal: AbortSignal): AsyncIterable<DrawEvent>;
}

export interface DrawRequest {
  model: string;
  /** At most 4,000 characters. */
  prompt: string;
  /** Pixels. */
  width: number;
  height: number;
  /** 0 to 2³¹ − 1; the same one draws the same, as far as the provider can. */
  seed: number;
  /** Pictures to begin with, as WebP, PNG or JPEG. */
  references?: ModelFile[];
  /** A PNG as large as the first reference, clear where that may change; only for models that can `mask`. */
  mask?: Uint8Array | undefined;
}

export type DrawEvent = { type: 'partial' | 'picture'; bytes: Uint8Array };

export interface Transcription {
  /** The names of the models for it, as far as the provider's list tells, the best first. Fails and costs as `ModelConnection.listModels`. */
  listModels(signal: AbortSignal): Promise<string[]>;
  /**
   * A recording of at most 25 MB, whose name ends as its kind does. Without a word in it the text is empty. A provider that counts
   * seconds tells no tokens. Fails as `ModelConnection.stream`, and throws what `signal` was aborted with.
   */
  transcribe(request: { model: string; recording: ModelFile }, signal: AbortSignal): Promise<Transcript>;
}

export interface Transcript {
  text: string;
  tokens: Tokens;
}

/** US dollars per million tokens. */
interface Rates {
  in: number;
  out: number;
  cached: number;
  /** Of tokens that the provider put into its cache; as any other, where nothing is said. */
  cacheWrite?: number | undefined;
}

export interface ModelPrice extends Rates {
  /** Of all tokens of a request whose prompt is longer than `above` tokens. */
  long?: (Rates & { above: number }) | undefined;
}

/** A model as its vendor's own pages have it on the day `asOf`. */
export interface CatalogueModel {
  id: string;
  /** As the vendor writes it; may end in " (tag)". */
  name: string;
  group: 'model' | 'image-model';
  /** 0 for pictures. */
  contextTokens: number;
  maxOutputTokens: number | null;
  capabilities: Capability[];
  /** Null for one that does not think. */
  thinking: Thinking | null;
  /** Null where no source tells it. */
  price: ModelPrice | null;
  /** Prices that are announced, each with its first day, the earliest first. */
  later?: { from: string; price: ModelPrice }[];
  /** US dollars for one picture of the usual size. */
  imagePrice: number | null;
  source: string;
  asOf: string;
}

/** What the operator has opened a provider with, for every workspace. */
export interface Opening {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Its models, where it is not to be asked for them. */
  models?: string[] | undefined;
  /** Follows the names of its models, in brackets. */
  tag?: string | undefined;
  /** Nobody has named it: that it does not answer is nothing to speak of. */
  isGuess?: boolean;
}

export interface OperatorAccess {
  /** The line of the environment that opens it: of a vendor the key follows, of a server it is an example. */
  line: string;
  /** Variables of the environment, each with its meaning. */
  settings: Record<string, z.ZodType>;
  /** Gets the variables that are set, which are valid. Nothing: it stays closed. */
  read(environment: Record<string, string>): Opening | undefined;
}

/** A kind of model service: one file, and one line in the registry. */
export interface ModelProvider {
  name: string;
  /** As its vendor writes it. */
  title: string;
  /** A vendor has one address, and a list of models with prices; a server is anybody's own, and says what it has. */
  kind: 'built-in' | 'vendor' | 'server';
  /** An SVG as wide as it is high. */
  picture: string;
  /** What a key of it has; a form is drawn from it. `null`: needs none. */
  settings: z.ZodObject | null;
  /** Where a person gets a key. */
  keyUrl: string | null;
  operator: OperatorAccess;
  /** Those that its wire passes on. */
  wishes: readonly Wish[];
  /** In the order in which people see them; of a vendor only. */
  catalogue: CatalogueModel[];
  /** How a model thinks that the catalogue does not have, as far as its name tells. */
  thinking(model: string): Thinking | undefined;
  connect(access: Access): ModelConnection;
}

export function providerError(
  code: Extract<ErrorCode, `provider-${string}`>,
  details: Record<string, unknown> = {},
  cause?: unknown,
): AppError {
  return new AppError(code, details, { cause });
}
