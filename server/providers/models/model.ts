import type { ErrorCode } from '../../../shared/errors.ts';
import { AppError } from '../../../shared/errors.ts';

/** A passage that the answer may quote; `number` is what a citation names. */
export interface Passage {
  number: number;
  title: string;
  headings: string[];
  page: number | null;
  text: string;
}

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  text: string;
}

export interface ModelRequest {
  model: string;
  /** The conversation, the question last; passages and rules are in the system message already. */
  messages: ModelMessage[];
  /** The same passages as data, best first, for models that do not read prompts. */
  passages: Passage[];
  /** What to say when the passages do not answer. */
  refusal: string;
  maxTokens: number;
}

export type ModelEvent =
  | { type: 'text'; text: string }
  /** Tokens as the provider counted them; may come more than once, the last counts. */
  | { type: 'usage'; tokensIn: number; tokensOut: number }
  | { type: 'finish'; reason: 'stop' | 'length' | 'filter' };

export interface ModelInfo {
  id: string;
  name: string;
  contextTokens: number;
  capabilities: ('vision' | 'tools' | 'json' | 'embeddings')[];
}

/**
 * A source of models. `stream` yields events until the answer ends; aborting `signal` closes the connection at once.
 * Failures are thrown as `AppError` with a `provider-…` code; what was yielded before stands.
 */
export interface ModelProvider {
  name: string;
  listModels(signal: AbortSignal): Promise<ModelInfo[]>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export function providerError(code: Extract<ErrorCode, `provider-${string}`>, details: Record<string, unknown> = {}, cause?: unknown): AppError {
  return new AppError(code, details, { cause });
}
