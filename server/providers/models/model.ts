import type { z } from 'zod';
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
  /** What the provider wants back with the call, as JSON could hold it; nobody else reads it. */
  behind?: unknown;
}

export type ModelMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string; files?: ModelFile[] }
  | { role: 'assistant'; text: string; calls?: ToolCall[] }
  /** What a call gave. */
  | { role: 'tool'; id: string; name: string; text: string };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the input, an object. */
  parameters: Record<string, unknown>;
}

export interface ModelRequest {
  model: string;
  /** The conversation, the question last; passages and rules are in the system message already. */
  messages: ModelMessage[];
  /** The same passages as data, best first, for models that do not read prompts. */
  passages: Passage[];
  /** What to say when the passages do not answer. */
  refusal: string;
  /** Most tokens of the answer, its reasoning included. */
  maxTokens: number;
  temperature?: number | undefined;
  topP?: number | undefined;
  stop?: string[] | undefined;
  /** How long a model that reasons may think; a model that does not takes no notice. */
  reasoning?: 'none' | 'low' | 'medium' | 'high' | undefined;
  tools?: ModelTool[] | undefined;
  toolChoice?: 'auto' | 'none' | 'required' | { name: string } | undefined;
  /** The answer has to be JSON: any, or of this schema. */
  json?: true | { name: string; schema: Record<string, unknown> } | undefined;
}

export interface Tokens {
  tokensIn: number;
  tokensOut: number;
  /** How many of `tokensIn` came from the provider's cache. */
  tokensCached: number;
}

export type ModelEvent =
  | { type: 'text'; text: string }
  /** What the model thinks before it answers, where the provider shows it. */
  | { type: 'reasoning'; text: string }
  | { type: 'call'; call: ToolCall }
  /** As the provider counted; may come more than once, the last counts. */
  | ({ type: 'usage' } & Tokens)
  | { type: 'finish'; reason: 'stop' | 'length' | 'filter' | 'tools' };

export type Capability = 'vision' | 'tools' | 'json' | 'embeddings' | 'reasoning';

export interface ModelInfo {
  id: string;
  name: string;
  contextTokens: number;
  capabilities: Capability[];
}

/** What a provider is reached with: a key of the workspace's or of the operator's. */
export interface Access {
  apiKey: string | undefined;
  /** Where the API is, without a slash at the end; the vendor's own address unless told. */
  baseUrl: string | undefined;
  outbound: Outbound;
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
}

/** A kind of model service: one file, and one line in the registry. */
export interface ModelProvider {
  name: string;
  /** As its vendor writes it. */
  title: string;
  /** What a key of it has; a form is drawn from it. `null`: needs none. */
  settings: z.ZodObject | null;
  connect(access: Access): ModelConnection;
}

export function providerError(
  code: Extract<ErrorCode, `provider-${string}`>,
  details: Record<string, unknown> = {},
  cause?: unknown,
): AppError {
  return new AppError(code, details, { cause });
}
