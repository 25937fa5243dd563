import type { Attachment, Citation, ToolUse, Trace } from '../../../shared/contracts/conversations.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { ModelRequest, Tokens, ToolCall } from '../../providers/models/model.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import type { FoundPassage } from '../knowledge/knowledge.ts';
import type { ModelTarget } from '../models/models.ts';
import type { Mark } from './citations.ts';

/** A passage that a model is given, and the number by which it cites it. */
export type GivenPassage = FoundPassage & { number: number };

/** `number`: what the model knew it by; traces of before have none. */
export type PassageTrace = Pick<Trace['passages'][number], 'embedding' | 'score' | 'used'> & { number?: number };

/** What is kept of how an answer came about. */
export interface KeptTrace {
  query?: string;
  coverage?: number;
  /** Which coverage the bot wants at least; the built-in model takes it as how strict to be. */
  threshold?: number;
  searchMs?: number;
  passages?: PassageTrace[];
  prompt?: { role: 'system' | 'user' | 'assistant' | 'tool'; text: string }[];
  /** How many messages of the conversation there was no room for. */
  omitted?: number;
  without?: Trace['without'];
  failed?: { service: string; code: string }[];
  /** The documents had no answer. */
  refused?: true;
}

/** How a question is to be answered: with a text that is known already, or by asking a model. */
export type Prepared =
  | { say: string; handsOff?: true }
  | {
      /** What may be asked, in this order. */
      targets: ModelTarget[];
      request: Omit<ModelRequest, 'model'>;
      /** How many messages after the first, which are the conversation before the question, may be left out where there is no room. */
      historyLength?: number;
      /** What its numbers in brackets may cite. */
      passages: GivenPassage[];
      /** The bot whose tools are called here; calls of other tools are the caller's. */
      bot?: SpeakingBot;
      /** Said after the answer, which then hands over, when the documents had none. */
      ifRefused?: string;
      /** How often a provider that is busy or not there is asked again. */
      maxRetries?: number;
    };

/** Everything that is known of an answer at its end. */
export interface Answered {
  /** `interrupted`: the signal was aborted. */
  status: 'done' | 'interrupted' | 'failed';
  failure: AppError | undefined;
  finish: 'stop' | 'length' | 'filter' | 'tools' | null;
  /** Everything of each kind so far, also what nobody has read yet. */
  text: string;
  reasoning: string;
  tools: ToolUse[];
  /** Pictures that were drawn for it. */
  files: Attachment[];
  /** The one that answered. */
  target: ModelTarget | undefined;
  tokens: Tokens;
  /** Micro-credits: what its calls cost, each at the price of the model that was called; at the end what was charged. */
  cost: number;
  latencyMs: number;
  firstTokenMs: number | null;
  citations: Citation[];
  /** What the model offers to be asked next, as its text lists it. */
  suggestions: string[];
  /** Where in `text` they are cited. */
  marks: Mark[];
  /** Calls of tools that are for the caller to make. */
  calls: ToolCall[];
  /** A person is to go on. */
  handsOff: boolean;
  trace: KeptTrace;
}

export type AnswerEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The answer's text is this again, and nothing of it is cited; what came after it was thought. */
  | { type: 'retract'; text: string }
  | { type: 'citation'; citation: Citation }
  | { type: 'tool'; tool: ToolUse }
  /** The last one, once everything is written down; what could not be is told as failed, and not `isRecorded`. Nothing comes when the question could not be stored. */
  | { type: 'end'; answered: Answered; isRecorded: boolean };
