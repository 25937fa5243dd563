import type { Citation } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import type { TextKey } from '../../../shared/texts.ts';
import type { Context } from '../../feature.ts';
import { translate } from '../../infra/translate.ts';
import type { ModelFile, ModelMessage, ModelRequest, Wishes } from '../../providers/models/model.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import { fillVariables } from '../../../shared/fill-variables.ts';
import { findPassages, readinessOf } from '../knowledge/knowledge.ts';
import type { ModelTarget } from '../models/models.ts';
import type { GivenPassage, KeptTrace, PassageTrace, Prepared } from './answered.ts';
import { choosePassages, buildRequest, contactOf, searchQuery, toPassages } from './request.ts';
import { drawTool, mayDraw } from './draw.ts';
import { maskMessage, phraseIn } from './guardrails.ts';

/** One question to a bot, with everything that it is answered from. */
export interface Turn {
  bot: SpeakingBot;
  question: string;
  /** In which language it is answered, where the conversation says more of that than the question; otherwise that of the question. */
  language?: 'en' | 'ja';
  /** What the question refers to, where it quotes a message. */
  quoted?: string;
  /** Before the question, oldest first. */
  history: ModelMessage[];
  files: ModelFile[];
  attached: { name: string; text: string }[];
  /** What follows the question already: the beginning of an answer that is to go on, or calls with what they gave. */
  after: ModelMessage[];
  /** What `after` cites, by the numbers that it has. */
  cited?: Citation[];
  /** Where the caller's wishes differ from the bot's settings, and the caller's own tools. */
  options?: CallerOptions;
  /** How many questions in a row, before this one, the documents did not answer. */
  refusals: number;
  /** The conversation waits for a person, so that no model answers in it. */
  isWaiting?: boolean;
}

export type CallerOptions = Partial<
  Pick<
    ModelRequest,
    'temperature' | 'topP' | 'maxTokens' | 'stop' | 'json' | 'toolChoice' | 'tools' | 'reasoning' | keyof Wishes
  >
>;

/** Guard, retrieve and compose: what is said without a model, or what a model is asked with. */
export async function prepareTurn(context: Context, turn: Turn, trace: KeptTrace): Promise<Prepared> {
  const { bot, question } = turn;
  const { config } = bot;
  const locale = config.language === 'question' ? (turn.language ?? languageOf(question) ?? 'en') : config.language;
  const own = (text: string, usual: TextKey) => fillVariables(text, config.variables) || translate(locale, usual);

  if (phraseIn(question, config.guardrails.blockedTopics) !== undefined)
    return { say: own(config.guardrails.blockedReply, 'conversations-server:blocked') };
  const contact = contactOf(config, locale);
  const withContact = (text: string) => [text, contact].filter(Boolean).join('\n\n');
  // It waits already: to hand it over once more would undo that the bot is asked back at this moment.
  if (turn.isWaiting) return { say: withContact(translate(locale, 'conversations-server:waiting')) };
  const { enabled, phrases, afterRefusals, reply } = config.handoff;
  const handedOff = withContact(
    own(reply, contact ? 'conversations-server:handoff' : 'conversations-server:handoffWithoutContact'),
  );
  if (enabled && phraseIn(question, phrases) !== undefined) return { say: handedOff, handsOff: true };
  const isLastRefusal = enabled && afterRefusals !== null && turn.refusals + 1 >= afterRefusals;

  const targets = await findTargets(context, bot, trace);
  const first = targets[0];
  if (!first) throw new AppError('service-not-ready');
  const isBuiltIn = first.service.provider === 'built-in';
  const { passages, say } = await retrieve(context, turn, trace, locale, isBuiltIn);
  const refusal = own(config.refusal, 'conversations-server:refusal');
  if (say !== undefined) return { say };
  // The built-in model tells by itself.
  if (config.knowledges.length > 0 && passages.length === 0 && !isBuiltIn) trace.refused = true;

  const request = buildRequest({ ...turn, config, refusal, locale, passages: toPassages(passages) });
  const { tools: callersTools = [], ...options } = turn.options ?? {};
  const tools = [
    ...(request.tools ?? []),
    // A program that asks for JSON, or brings tools of its own, looks at no pictures.
    ...(mayDraw(bot) && turn.options === undefined ? [drawTool] : []),
    ...callersTools.filter(({ name }) => !request.tools?.some((own) => own.name === name)),
  ];
  const whole = { ...request, ...options, ...(tools.length > 0 && { tools }) };
  const mask = config.guardrails.maskPersonal ? maskMessage : (message: ModelMessage) => message;
  return {
    targets,
    request: { ...whole, messages: whole.messages.map(mask) },
    historyLength: turn.history.length,
    passages,
    bot,
    ...(isLastRefusal && { ifRefused: handedOff }),
  };
}

/** The targets of the bot's service, then those of its fallback. */
async function findTargets(context: Context, bot: SpeakingBot, trace: KeptTrace): Promise<ModelTarget[]> {
  const { service, fallback } = bot.config;
  const targets: ModelTarget[] = [];
  let problem: unknown;
  for (const uuid of fallback && fallback !== service ? [service, fallback] : [service]) {
    try {
      targets.push(...(await context.models.reach(bot.workspace, uuid)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problem ??= error;
      (trace.failed ??= []).push({ service: uuid, code: error.code });
    }
  }
  if (targets.length === 0) throw problem;
  return targets;
}

async function retrieve(
  context: Context,
  { bot, question, quoted, history, cited = [] }: Turn,
  trace: KeptTrace,
  locale: 'en' | 'ja',
  isBuiltIn: boolean,
): Promise<{ passages: GivenPassage[]; say?: string }> {
  const { knowledges, retrieval, filter } = bot.config;
  const nothing = () => ({
    passages: [],
    ...(isBuiltIn && { say: translate(locale, 'conversations-server:noKnowledge') }),
  });
  if (knowledges.length === 0) return nothing();
  const readiness = await readinessOf(context, bot.workspace, knowledges);
  if (readiness === 'indexing') return { passages: [], say: translate(locale, 'conversations-server:indexing') };
  if (readiness === 'empty') return nothing();
  const wanted = searchQuery(question, quoted ?? history.findLast(({ role }) => role === 'user')?.text);
  const { passages, coverage, tookMs } = await findPassages(context, { knowledges, filter, ...wanted, limit: 12 });
  // The built-in model decides by itself, from all that was found, whether a passage answers.
  const chosen = isBuiltIn
    ? choosePassages(passages, passages.length, { maxPerDocument: passages.length })
    : coverage < retrieval.threshold
      ? []
      : choosePassages(passages, retrieval.passages);
  // The beginning of an answer that goes on cites by the reader's numbers: what it cites keeps them, and what is new comes after.
  const before = new Map(cited.map(({ embedding, number }) => [embedding, number]));
  let lastNumber = Math.max(0, ...before.values());
  const numbered = chosen.map((passage) => ({
    ...passage,
    number: before.get(passage.embedding.uuid) ?? ++lastNumber,
  }));
  const given = isBuiltIn ? numbered : numbered.toSorted((one, other) => one.number - other.number);
  const numbers = new Map(given.map(({ embedding, number }) => [embedding.uuid, number]));
  Object.assign(trace, {
    query: wanted.before ? `${wanted.query}\n${wanted.before}` : wanted.query,
    coverage,
    threshold: retrieval.threshold,
    searchMs: Math.round(tookMs),
    passages: passages.map((passage): PassageTrace => {
      const number = numbers.get(passage.embedding.uuid);
      return {
        embedding: passage.embedding.uuid,
        score: Math.round(passage.score * 100) / 100,
        used: number !== undefined,
        ...(number !== undefined && { number }),
      };
    }),
  } satisfies KeptTrace);
  return { passages: given };
}
