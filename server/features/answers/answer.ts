import type { Citation } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { createChannel } from '../../infra/channel.ts';
import { isForeignKeyViolation, type Trx } from '../../infra/db.ts';
import { createPace } from '../../infra/pace.ts';
import { providerError } from '../../providers/models/model.ts';
import { isCapped } from '../usage/caps.ts';
import { reserve, settle, toUse, type CappedChannel } from '../usage/ledger.ts';
import type { Guest, Speaker } from '../users/speaker.ts';
import type { Answered, AnswerEvent, KeptTrace, Prepared } from './answered.ts';
import { createCitations } from './citations.ts';
import { converse } from './converse.ts';
import { drawPicture, maxDrawn } from './draw.ts';
import { createLetters } from './letters.ts';

export interface AnswerRequest {
  speaker: Speaker;
  /** What the answer is for, in the token history: `app`, `api`, a channel. */
  channel: string;
  bot?: { uuid: string; name: string };
  thread?: string;
  /** What credits are set aside under. */
  message: string;
  /** What the entry in the token history is filed under, when a message gets a second one. */
  entry?: string;
  /** What the part of it that there is already cites. */
  cited?: Citation[];
  /** How long all of it may take, in milliseconds. */
  maxMs?: number;
  /** Finds out how to answer, and writes down in `trace` what it found. */
  prepare(trace: KeptTrace): Promise<Prepared>;
  /** Fails when the question could not be stored; nothing is passed on before it is. */
  stored?: Promise<unknown>;
  /** Writes what the answer was, in the transaction in which it is paid for. May run more than once. */
  record?(trx: Trx, answered: Answered): Promise<void>;
}

/** A hard question keeps the dearest models busy for a quarter of an hour. */
export const usualMaxMs = 20 * 60_000;

/** The answer now belongs to another process, so writing it again would not help. */
export class AnswerLostError extends Error {}

/**
 * Answers one question for whoever asks: credits are set aside before each call of a model, what came is told as it comes (a
 * text at most sixty times a second), and at the end it is paid for and recorded in one transaction. It begins at once;
 * aborting `signal` ends it with what it has.
 */
export function answer(context: Context, request: AnswerRequest, signal: AbortSignal): AsyncIterable<AnswerEvent> {
  const events = createChannel<AnswerEvent>((last, next) =>
    last.type === 'text' && next.type === 'text' ? { type: 'text', text: last.text + next.text } : undefined,
  );
  const abort = new AbortController();
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(), request.maxMs ?? usualMaxMs);
  const signals = { leaving: AbortSignal.any([signal, abort.signal]), late: tooLong.signal };
  const ended = run(context, request, signals, events.push).then(() => events.end(), events.end);
  const running = { abort, ended };
  context.answering.add(running);
  void ended.then(() => {
    clearTimeout(timer);
    context.answering.delete(running);
  });
  return events;
}

/** For whoever begins an answer: a process that stops only waits for those that it is making. Throws `unavailable`. */
export function mustBeServing({ isStopping }: Context): void {
  if (isStopping()) throw new AppError('unavailable');
}

export interface RunningAnswer {
  abort: AbortController;
  /** When it is paid for and recorded; never fails. */
  ended: Promise<void>;
}

/** Waits for the answers on their way, and interrupts those that are not done after `drainMs`. */
export async function drainAnswers({ answering }: Context, drainMs: number): Promise<void> {
  const late = setTimeout(() => answering.forEach(({ abort }) => abort.abort()), drainMs);
  while (answering.size > 0) await Promise.all([...answering].map(({ ended }) => ended));
  clearTimeout(late);
}

async function run(
  context: Context,
  request: AnswerRequest,
  { leaving, late }: { leaving: AbortSignal; late: AbortSignal },
  tell: (event: AnswerEvent) => void,
): Promise<void> {
  const signal = AbortSignal.any([leaving, late]);
  const { write, log } = context;
  const { speaker, message } = request;
  const started = Date.now();
  const isStored = (request.stored ?? Promise.resolve()).then(
    () => true,
    () => false,
  );
  const answered: Answered = {
    status: 'done',
    failure: undefined,
    finish: null,
    text: '',
    reasoning: '',
    tools: [],
    files: [],
    target: undefined,
    tokens: { tokensIn: 0, tokensOut: 0, tokensCached: 0 },
    cost: 0,
    latencyMs: 0,
    firstTokenMs: null,
    citations: request.cited ?? [],
    suggestions: [],
    marks: [],
    calls: [],
    handsOff: false,
    trace: {},
  };
  const pace = createPace((text) => tell({ type: 'text', text }));
  const letters = { text: createLetters(), reasoning: createLetters() };
  const say = (type: 'text' | 'reasoning', text: string) => {
    if (text === '') return;
    answered.firstTokenMs ??= Date.now() - started;
    answered[type] += text;
    if (type === 'text') return pace.push(text);
    pace.flush();
    tell({ type, text });
  };
  const hear = (event: AnswerEvent) => {
    if (event.type === 'reasoning' && answered.reasoning.length > maxReasoning) return;
    if (event.type === 'text' || event.type === 'reasoning')
      return say(event.type, letters[event.type].push(event.text));
    if (event.type === 'tool')
      answered.tools = [...answered.tools.filter(({ id }) => id !== event.tool.id), event.tool];
    pace.flush();
    tell(event);
  };
  const { workspace } = speaker;
  let drawn = 0;
  const payer = async () => {
    const channel = speaker.kind === 'guest' ? await channelOf(context, speaker) : undefined;
    const asker = {
      workspace,
      member: speaker.kind === 'guest' ? null : speaker.user,
      bot: request.bot?.uuid ?? null,
      channel: channel?.id ?? null,
      key: speaker.kind === 'key' ? speaker.key : null,
    };
    return { channel, asker };
  };
  const hold = async (amount: number) => {
    const { channel, asker } = await payer();
    // Counted against a cap one after another; what is mixed runs in between.
    const isAlone = (channel !== undefined && channel.cap !== null) || (amount > 0 && (await isCapped(context, asker)));
    await write((trx) => reserve(context, trx, { workspace, message, amount, channel, asker }), {
      mixes: !isAlone,
    });
  };
  try {
    const prepared = await request.prepare(answered.trace);
    if ('say' in prepared) {
      answered.handsOff = prepared.handsOff ?? false;
      await request.stored;
      answered.finish = 'stop';
      hear({ type: 'text', text: prepared.say });
    } else {
      const passages = prepared.request.json ? [] : prepared.passages;
      let citations = createCitations(passages, request.cited);
      const pass = ({ text, citations: fresh }: { text: string; citations: Citation[] }) => {
        if (fresh.length > 0) answered.citations = citations.all();
        answered.marks = citations.marks();
        for (const citation of fresh) hear({ type: 'citation', citation });
        if (text !== '') hear({ type: 'text', text });
      };
      /** Where the text of the call begins that is being answered. */
      let base = 0;
      const retract = () => {
        pass(citations.end());
        say('text', letters.text.end());
        const thought = answered.text.slice(base);
        answered.text = answered.text.slice(0, base);
        const kept = base === 0 ? request.cited : citations.all();
        const marks = answered.marks.filter(({ end }) => end <= base);
        citations = createCitations(passages, kept, { shown: base, marks });
        answered.citations = kept ?? [];
        answered.marks = marks;
        hear({ type: 'retract', text: answered.text });
        hear({ type: 'reasoning', text: thought });
      };
      await converse(context, prepared, {
        answered,
        hold,
        async draw(bot, given) {
          const { drawing } = bot.config;
          if (drawing === null) throw new AppError('not-allowed');
          // Calls of one round run at once: each counts before it waits.
          if (drawn >= maxDrawn) return false;
          drawn++;
          const { channel: place, thread } = request;
          const who = { ...(await payer()), service: drawing, speaker, place, thread, bot };
          answered.files.push(await drawPicture(context, who, given, signal));
          return true;
        },
        signal,
        stored: request.stored,
        tell(event) {
          if (event.type === 'text') return pass(citations.push(event.text));
          if (event.type === 'retract') return retract();
          if (event.type === 'tool') base = answered.text.length;
          hear(event);
        },
      });
      pass(citations.end());
      if (prepared.ifRefused !== undefined && answered.trace.refused && !signal.aborted) {
        answered.handsOff = true;
        hear({ type: 'text', text: `\n\n${prepared.ifRefused}` });
      }
      if (!signal.aborted) mustHaveAnswered(answered);
    }
    if (late.aborted && !leaving.aborted) answered.failure = providerError('provider-timeout');
  } catch (error) {
    if ((await isStored) && !leaving.aborted) {
      answered.failure = late.aborted
        ? providerError('provider-timeout')
        : error instanceof AppError
          ? error
          : new AppError('internal-error', {}, { cause: error });
      log.warn(
        { err: answered.failure.cause ?? answered.failure, code: answered.failure.code, message },
        'an answer failed',
      );
    }
  }
  say('reasoning', letters.reasoning.end());
  say('text', letters.text.end());
  pace.flush();
  const { text, files, calls, failure } = answered;
  const isBlank = text.trim() === '' && files.length === 0 && calls.length === 0;
  if (isBlank) answered.text = '';
  // Nobody leaves a visitor without an answer, and they cannot buy credits: people answer instead.
  if (speaker.kind === 'guest' && !leaving.aborted && (isBlank || (failure && isOfCredits(failure))))
    answered.handsOff = true;
  if (!(await isStored)) {
    await write((trx) => settle(context, trx, message, undefined)).catch((err: unknown) =>
      log.warn({ err, message }, 'credits for a question that was not stored stay set aside for a while'),
    );
    return;
  }
  answered.status = leaving.aborted ? 'interrupted' : answered.failure ? 'failed' : 'done';
  answered.latencyMs = Date.now() - started;
  const isRecorded = await close(context, request, answered);
  if (!isRecorded) {
    answered.status = 'failed';
    answered.failure = new AppError('internal-error');
    answered.cost = 0;
  }
  tell({ type: 'end', answered, isRecorded });
}

export const isOfCredits = ({ code }: Pick<AppError, 'code'>) =>
  code === 'balance-empty' || code === 'channel-spent' || code === 'cap-reached';

/** The channel through which a guest asks, with what its answers may cost; a maker who tries it is not counted. */
export async function channelOf(context: Context, guest: Guest): Promise<CappedChannel | undefined> {
  if (guest.isPreview) return undefined;
  let cap: number | null = null;
  for (const { dailyCap } of context.features) cap ??= (await dailyCap?.(context, guest)) ?? null;
  return { id: guest.channelId, cap };
}

/** A model that ends without a word has not answered; where its provider held the answer back, `finish` says so. */
function mustHaveAnswered({ text, calls, files, finish }: Answered): void {
  if (text.trim() !== '' || calls.length > 0 || files.length > 0 || finish === 'filter') return;
  throw providerError(finish === 'length' ? 'provider-out-of-tokens' : 'provider-answer-empty');
}

/** Of thoughts, what is told and kept, in characters; more than anybody reads. */
const maxReasoning = 200_000;

const maxAttempts = 5;

/** Pays for the answer and records it, trying again so that a short outage of the database does not lose it; says whether it could. */
async function close(context: Context, request: AnswerRequest, answered: Answered): Promise<boolean> {
  const { write, log } = context;
  const { speaker, channel, bot, thread, message, entry = message, record } = request;
  const { target, tokens, failure, latencyMs, firstTokenMs } = answered;
  const wasDelivered = tokens.tokensIn > 0 || tokens.tokensOut > 0 || failure === undefined;
  const spent =
    target && wasDelivered
      ? toUse({
          speaker,
          message: entry,
          thread,
          bot,
          channel,
          target,
          tokens,
          cost: answered.cost,
          latencyMs,
          firstTokenMs,
        })
      : undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      await write(
        (trx) =>
          settle(context, trx, message, spent, async (cost) => {
            answered.cost = cost;
            await record?.(trx, answered);
          }),
        { mixes: true },
      );
      return true;
    } catch (err) {
      if (err instanceof AnswerLostError || isForeignKeyViolation(err)) {
        log.warn({ err, message }, 'an answer is not recorded: what it belongs to is gone, or another process has it');
        return false;
      }
      if (attempt === maxAttempts) {
        log.error({ err, message }, 'an answer could not be recorded; its lease will run out');
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt));
    }
  }
}
