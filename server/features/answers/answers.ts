import type { AnswerEvent, Attachment, Message, Thread } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import { newId, type Db } from '../../infra/db.ts';
import type { MessageTable, ThreadTable } from '../../infra/db.types.ts';
import type { Caller } from '../../infra/http.ts';
import { createPace, type Pace } from '../../infra/pace.ts';
import { translate } from '../../infra/translate.ts';
import type { ModelMessage } from '../../providers/models/model.ts';
import { getSpeakingBot, type SpeakingBot } from '../bots/bots.ts';
import type { Context } from '../context.ts';
import { reserve, settle as settleAccount, toUse } from '../usage/ledger.ts';
import {
  abandonMessage,
  claimThread,
  findMessage,
  findMessageOf,
  findStopRequests,
  findThread,
  insertClaimed,
  insertMessage,
  keepText,
  listAbandoned,
  listBranch,
  releaseThread,
  settleMessage,
  updateMessage,
} from './answers.store.ts';
import { readAttachments, takeAttachments } from './attachments.ts';
import { generate, newProgress, type KeptTrace, type Progress, type Turn } from './generate.ts';
import { newRow, titleOf, toMessage, toThread } from './messages.ts';

/** For editors: another version or service than the draft's. */
export interface Preview {
  version?: string | undefined;
  service?: string | undefined;
}

export interface Question {
  bot: string;
  thread?: string | undefined;
  text: string;
  files?: string[] | undefined;
  temporary?: boolean | undefined;
  preview?: Preview | undefined;
}

type Listen = (event: AnswerEvent) => void;

/** An answer on its way: what it has so far, and who listens. */
interface Run {
  thread: ThreadTable;
  message: Message;
  listeners: Set<Listen>;
  abort: AbortController;
  settled: Promise<void>;
  isDirty: boolean;
  /** When its text was last written. */
  keptAt: number;
  alone: NodeJS.Timeout | undefined;
  pace: Pace;
  /** The question, where it came with the answer. */
  question: MessageTable | undefined;
}

export interface Answers {
  /** Stores the question, starts the answer and tells `listen` everything from the thread to the end. */
  ask(caller: Caller, question: Question, listen: Listen): Promise<Following>;
  /** Answers a question once more, beside the answer that is there. */
  regenerate(
    caller: Caller,
    at: { thread: string; message: string },
    preview: Preview | undefined,
    listen: Listen,
  ): Promise<Following>;
  /** Asks in other words, beside the question that is there. */
  edit(caller: Caller, at: { thread: string; message: string }, text: string, listen: Listen): Promise<Following>;
  /** Goes on with an answer that ended early. */
  proceed(caller: Caller, at: { thread: string; message: string }, listen: Listen): Promise<Following>;
  /** Follows the answer that a thread is writing, from what it has so far; ends at once when none is. */
  resume(caller: Caller, thread: string, listen: Listen): Promise<Following>;
  stop(caller: Caller, thread: string): Promise<Thread>;
  start(): void;
  /** Lets answers end for `ms`, then interrupts the rest. */
  drain(ms: number): Promise<void>;
}

export interface Following {
  thread: string;
  message: string;
  ended: Promise<void>;
  /** Goes away; the answer waits `graceMs` for somebody to come back. */
  leave(graceMs?: number): void;
}

/** Texts are written a few at a time, so that hundreds do not hold up everything else at one moment. */
const flushMs = 100;
/** A text that is lost with its process is younger than this and a round. A long one is written whole each time, and less often. */
const keepMs = 400;
const keepLongMs = 800;
const longText = 8000;
const leaseMs = 15_000;
const recoverMs = 10_000;
/** A reader that leaves may come back: a refresh, a tunnel. */
const graceMs = 20_000;
const followMs = 300;
/** With more answers than these on their way the trip to disk is shared by many, and asking each model at a moment of its own costs more than it saves: 860 instead of 1,450 whole answers/s. */
const mostEarly = 8;
const historyMessages = 20;

export function createAnswers(context: Context): Answers {
  const { db, write, log, config } = context;
  const owner = newId();
  const runs = new Map<string, Run>();
  /** Threads that a question is being written to. */
  const beginning = new Set<string>();
  let flushing = false;
  let lookedAt = 0;
  let flushTimer: NodeJS.Timeout | undefined;
  let recoverTimer: NodeJS.Timeout | undefined;

  const tell = (run: Run, event: AnswerEvent) => {
    for (const listen of run.listeners) listen(event);
  };

  /** What waits of the text comes first: events have an order. */
  function emit(run: Run, event: AnswerEvent): void {
    run.pace.flush();
    tell(run, event);
  }

  async function ask(
    caller: Caller,
    { bot: uuid, thread: threadUuid, text, files = [], temporary = false, preview }: Question,
    listen: Listen,
  ): Promise<Following> {
    const bot = await getSpeakingBot(context, caller, uuid, preview);
    mustFit(bot, text);
    const known = threadUuid ? await findThread(db, caller, threadUuid) : undefined;
    if (threadUuid && known?.bot !== uuid) throw new AppError('thread-not-found');
    const now = Date.now();
    const language = languageOf(text);
    const thread: ThreadTable = known ?? {
      uuid: newId(),
      workspace: bot.workspace,
      bot: uuid,
      user: caller.user,
      api_key: caller.key?.uuid ?? null,
      channel: 'app',
      title: titleOf(text),
      status: 'bot',
      language,
      last_seq: 0,
      running: null,
      head: null,
      pinned_at: null,
      temporary: temporary ? 1 : 0,
      share_hash: null,
      deleted_at: null,
      created_at: now,
      updated_at: now,
    };
    return begin({ caller, bot, thread, isNew: !known, parent: thread.head, asked: { text, files }, listen });
  }

  interface Beginning {
    caller: Caller;
    bot: SpeakingBot;
    thread: ThreadTable;
    isNew?: boolean;
    /** What the question follows, or, without a question of its own, the question to answer. */
    parent: string | null;
    asked?: { text: string; files: string[] };
    listen: Listen;
  }

  /**
   * Claims the thread and writes the question, if there is a new one, and the empty answer. The model is asked meanwhile; whatever
   * it says waits until that is stored, and where it cannot be, nobody hears of it.
   */
  async function begin({ caller, bot, thread, isNew = false, parent, asked, listen }: Beginning): Promise<Following> {
    const now = Date.now();
    const answer = newId();
    const attached = asked ? await takeAttachments(context, caller, asked.files) : [];
    const common = { thread: thread.uuid, seq: 0, now };
    const question =
      asked &&
      newRow({ ...common, uuid: newId(), role: 'user', parent, text: asked.text, files: attached, status: 'done' });
    const reply = {
      ...newRow({
        ...common,
        uuid: answer,
        role: 'assistant',
        parent: question?.uuid ?? parent,
        text: '',
        files: [],
        status: 'streaming',
      }),
      service: bot.config.service,
      lease_owner: owner,
      lease_until: now + leaseMs,
    };
    const stored = write(async (trx) => {
      const claim = { uuid: thread.uuid, answer, places: question ? 2 : 1, now };
      const last = isNew ? await insertClaimed(trx, thread, claim) : (await claimThread(trx, claim))[0]?.last_seq;
      if (last === undefined) throw new AppError('thread-busy');
      reply.seq = last;
      if (question) {
        question.seq = last - 1;
        await insertMessage(trx, question);
      }
      await insertMessage(trx, reply);
    });
    // Of many who ask in one thread at once, only one asks the model before it is known whose turn it is.
    if (runs.size >= mostEarly || thread.running !== null || beginning.has(thread.uuid)) await stored;
    const run = open({ ...thread, running: answer, head: answer }, toMessage(reply, caller.locale), question);
    run.settled = compose(run, { caller, bot, started: now, stored }).finally(() => runs.delete(answer));
    beginning.add(thread.uuid);
    try {
      await stored;
    } catch (error) {
      run.abort.abort();
      throw error;
    } finally {
      beginning.delete(thread.uuid);
    }
    run.message.seq = reply.seq;
    listen({ type: 'thread', thread: toThread(run.thread) });
    if (question) listen({ type: 'message', message: toMessage(question, caller.locale) });
    listen({ type: 'message', message: run.message });
    return follow(run, listen);
  }

  function open(thread: ThreadTable, message: Message, question?: MessageTable): Run {
    const run: Run = {
      thread,
      message,
      listeners: new Set(),
      abort: new AbortController(),
      settled: Promise.resolve(),
      isDirty: false,
      keptAt: Date.now(),
      alone: undefined,
      pace: createPace((text) => tell(run, { type: 'delta', text })),
      question,
    };
    runs.set(message.uuid, run);
    return run;
  }

  function follow(run: Run, listen: Listen): Following {
    clearTimeout(run.alone);
    run.listeners.add(listen);
    return {
      thread: run.thread.uuid,
      message: run.message.uuid,
      ended: run.settled,
      leave(grace = graceMs) {
        run.listeners.delete(listen);
        if (run.listeners.size > 0) return;
        if (grace === 0) run.abort.abort();
        else run.alone = setTimeout(() => run.abort.abort(), grace).unref();
      },
    };
  }

  /** The question that an answer answers, with what was said before it. */
  async function readTurn(run: Run, bot: SpeakingBot, begun: string): Promise<Turn> {
    const [asked, ...before] = run.question
      ? [run.question, ...(await listBranch(db, run.question.parent, historyMessages))]
      : await listBranch(db, run.message.parent, historyMessages + 1);
    const { files, attached } = asked ? await readAttachments(context, asked) : { files: [], attached: [] };
    const history = before
      .toReversed()
      .flatMap((each): ModelMessage[] =>
        each.text && (each.role === 'user' || each.role === 'assistant') ? [{ role: each.role, text: each.text }] : [],
      );
    const after: ModelMessage[] = begun
      ? [
          { role: 'assistant', text: begun },
          { role: 'user', text: 'Go on exactly where you stopped. Repeat nothing and say nothing about it.' },
        ]
      : [];
    return { bot, question: asked?.text ?? '', history, files, attached, after, refusals: countRefusals(before) };
  }

  interface Composition {
    caller: Caller;
    bot: SpeakingBot;
    started: number;
    /** The question and the place for the answer; what cannot be stored is not answered. */
    stored: Promise<void>;
    /** The row before it was gone on with. */
    earlier?: MessageTable;
  }

  /** Writes the answer; whatever happens, the message is settled and the thread is free again. */
  async function compose(run: Run, { caller, bot, started, stored, earlier }: Composition): Promise<void> {
    const { message } = run;
    const progress = newProgress();
    const begun = message.text;
    const isStored = stored.then(
      () => true,
      () => false,
    );
    let firstTokenMs: number | null = null;
    let failure: AppError | undefined;
    try {
      const turn = await readTurn(run, bot, begun);
      await generate(
        context,
        turn,
        progress,
        {
          stored,
          text(text) {
            firstTokenMs ??= Date.now() - started;
            message.text += text;
            run.isDirty = true;
            run.pace.push(text);
          },
          reasoning(text) {
            firstTokenMs ??= Date.now() - started;
            message.reasoning += text;
            emit(run, { type: 'reasoning', text });
          },
          citation: (citation) => emit(run, { type: 'citation', citation }),
          tool(use) {
            message.tools = [...message.tools.filter(({ id }) => id !== use.id), use];
            emit(run, { type: 'tool', tool: use });
          },
          hold: (amount) =>
            write((trx) =>
              reserve(trx, { workspace: bot.workspace, message: message.uuid, amount, grant: config.CREDIT_GRANT }),
            ),
        },
        run.abort.signal,
      );
    } catch (error) {
      if ((await isStored) && !run.abort.signal.aborted) {
        failure = error instanceof AppError ? error : new AppError('internal-error', {}, { cause: error });
        log.warn({ err: failure.cause ?? failure, code: failure.code, message: message.uuid }, 'an answer failed');
      }
    }
    clearTimeout(run.alone);
    if (!(await isStored)) {
      await write((trx) => settleAccount(trx, message.uuid, undefined)).catch((err: unknown) =>
        log.warn(
          { err, message: message.uuid },
          'what was set aside for a question that was not stored stays so for a while',
        ),
      );
      return;
    }
    const locale = languageOf(message.text || run.thread.title);
    message.status = run.abort.signal.aborted ? 'interrupted' : failure ? 'failed' : 'done';
    message.finish = progress.finish;
    message.citations = mergeCitations(message.citations, progress);
    message.error = failure
      ? {
          code: failure.code,
          message: translate(locale, `errors:${failure.code}`, { ...failure.details, requestId: message.uuid }),
        }
      : null;
    await settle(run, { caller, bot, progress, latencyMs: Date.now() - started, firstTokenMs, failure, earlier });
    if (message.usage) emit(run, { type: 'usage', usage: message.usage });
    if (message.error) emit(run, { type: 'error', error: message.error, message });
    else emit(run, { type: 'done', message });
  }

  interface Outcome {
    caller: Caller;
    bot: SpeakingBot;
    progress: Progress;
    latencyMs: number;
    firstTokenMs: number | null;
    failure: AppError | undefined;
    /** The row before it was gone on with. */
    earlier: MessageTable | undefined;
  }

  async function settle(
    { message, thread }: Run,
    { caller, bot, progress, latencyMs, firstTokenMs, failure, earlier }: Outcome,
  ): Promise<void> {
    const { tokens, way } = progress;
    const wasDelivered = way !== undefined && (tokens.tokensIn > 0 || tokens.tokensOut > 0 || failure === undefined);
    const service = way?.service.uuid ?? bot.config.service;
    const now = Date.now();
    const spent = wasDelivered
      ? toUse(
          {
            workspace: bot.workspace,
            message: earlier ? newId() : message.uuid,
            thread: thread.uuid,
            bot,
            caller,
            channel: thread.channel,
            way,
            tokens,
            latencyMs,
            firstTokenMs,
          },
          config,
        )
      : undefined;
    const attemptIt = () =>
      write(async (trx) => {
        const cost = await settleAccount(trx, message.uuid, spent);
        message.usage = {
          service,
          serviceName: way?.service.name ?? '',
          tokensIn: tokens.tokensIn + (earlier?.tokens_in ?? 0),
          tokensOut: tokens.tokensOut + (earlier?.tokens_out ?? 0),
          tokensCached: tokens.tokensCached + (earlier?.tokens_cached ?? 0),
          cost: cost + (earlier?.cost ?? 0),
          ownKey: Boolean(way?.ownKey),
          latencyMs,
          firstTokenMs,
        };
        const [settled] = await settleMessage(trx, {
          uuid: message.uuid,
          owner,
          text: message.text,
          reasoning: message.reasoning,
          tools: JSON.stringify(message.tools),
          citations: JSON.stringify(message.citations),
          status: message.status,
          finish: message.finish,
          error: failure ? JSON.stringify({ code: failure.code, details: failure.details }) : null,
          service,
          service_name: message.usage.serviceName,
          tokens_in: message.usage.tokensIn,
          tokens_out: message.usage.tokensOut,
          tokens_cached: message.usage.tokensCached,
          cost: message.usage.cost,
          own_key: message.usage.ownKey ? 1 : 0,
          latency_ms: latencyMs,
          first_token_ms: firstTokenMs,
          trace: JSON.stringify(progress.trace),
          updated_at: now,
        });
        // Another process took it for abandoned, and has ended its account.
        if (!settled) throw new LostError();
        await releaseThread(trx, {
          uuid: thread.uuid,
          answer: message.uuid,
          status: progress.handsOff ? 'waiting' : null,
          now,
        });
      });
    // An answer that was written must not be lost to a database that was away for a moment.
    for (let attempt = 0; ; attempt++) {
      try {
        return await attemptIt();
      } catch (err) {
        if (err instanceof LostError || attempt === 4) {
          log.error({ err, message: message.uuid }, 'an answer could not be settled; its lease will run out');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
      }
    }
  }

  /** One clock for all answers: the texts that are due in one transaction; twice a second also the leases of the others, and whether another node was asked to stop one. */
  async function flush(): Promise<void> {
    if (flushing || runs.size === 0) return;
    flushing = true;
    const now = Date.now();
    const until = now + leaseMs;
    const isRoundForAll = now - lookedAt >= keepMs;
    if (isRoundForAll) lookedAt = now;
    try {
      const due = [...runs.values()].filter(
        (run) => run.isDirty && now - run.keptAt >= (run.message.text.length < longText ? keepMs : keepLongMs),
      );
      const quiet = isRoundForAll
        ? [...runs.values()].filter((run) => !run.isDirty).map((run) => run.message.uuid)
        : [];
      if (due.length > 0 || quiet.length > 0) {
        await write(async (trx) => {
          for (const run of due) {
            run.isDirty = false;
            run.keptAt = now;
            await keepText(trx, { uuid: run.message.uuid, owner, text: run.message.text, until });
          }
          if (quiet.length > 0)
            await trx
              .updateTable('message')
              .set({ lease_until: until })
              .where('uuid', 'in', quiet)
              .where('lease_owner', '=', owner)
              .execute();
        });
      }
      if (isRoundForAll)
        for (const { uuid } of await findStopRequests(db, [...runs.keys()])) runs.get(uuid)?.abort.abort();
    } catch (err) {
      log.warn({ err }, 'answers could not be written; the next round tries again');
      for (const run of runs.values()) run.isDirty = true;
    } finally {
      flushing = false;
    }
  }

  /** Answers of a process that is gone keep what they had, are marked interrupted, and cost nothing: the fault was ours. */
  async function recover(): Promise<void> {
    const now = Date.now();
    for (const { uuid, thread } of await listAbandoned(db, now)) {
      if (runs.has(uuid)) continue;
      await db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await abandonMessage(trx, uuid, now);
        if (numUpdatedRows === 0n) return;
        await releaseThread(trx, { uuid: thread, answer: uuid, status: null, now });
        await settleAccount(trx, uuid, undefined);
      });
    }
  }

  async function resume(caller: Caller, uuid: string, listen: Listen): Promise<Following> {
    const thread = await mustFindThread(context, caller, uuid);
    const run = thread.running ? runs.get(thread.running) : undefined;
    listen({ type: 'thread', thread: toThread(thread) });
    if (run) {
      run.pace.flush();
      listen({ type: 'message', message: { ...run.message } });
      return follow(run, listen);
    }
    return followElsewhere(caller, thread, listen);
  }

  /** The answer is another node's: its text comes from the database as it grows. */
  function followElsewhere(caller: Caller, thread: ThreadTable, listen: Listen): Following {
    const leaving = new AbortController();
    const watch = async () => {
      let shown = 0;
      for (let first = true; thread.running && !leaving.signal.aborted; first = false) {
        const found = await findMessage(db, thread.running);
        if (!found) return;
        const message = toMessage(found, caller.locale);
        if (first) listen({ type: 'message', message });
        else if (message.text.length > shown) listen({ type: 'delta', text: message.text.slice(shown) });
        shown = message.text.length;
        if (message.status !== 'streaming') {
          listen(message.error ? { type: 'error', error: message.error, message } : { type: 'done', message });
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, followMs));
      }
    };
    return { thread: thread.uuid, message: thread.running ?? '', ended: watch(), leave: () => leaving.abort() };
  }

  async function mustFindMessage(
    caller: Caller,
    at: { thread: string; message: string },
    role: 'user' | 'assistant',
  ): Promise<{ thread: ThreadTable; message: MessageTable }> {
    const thread = await mustFindThread(context, caller, at.thread);
    const message = await findMessageOf(db, thread.uuid, at.message);
    if (message?.role !== role) throw new AppError('message-not-found');
    return { thread, message };
  }

  return {
    ask,
    resume,
    async regenerate(caller, at, preview, listen) {
      const { thread, message } = await mustFindMessage(caller, at, 'assistant');
      const bot = await getSpeakingBot(context, caller, thread.bot, preview);
      return begin({ caller, bot, thread, parent: message.parent, listen });
    },
    async edit(caller, at, text, listen) {
      const { thread, message } = await mustFindMessage(caller, at, 'user');
      const bot = await getSpeakingBot(context, caller, thread.bot);
      mustFit(bot, text);
      const files: Attachment[] = JSON.parse(message.files);
      return begin({
        caller,
        bot,
        thread,
        parent: message.parent,
        asked: { text, files: files.map(({ uuid }) => uuid) },
        listen,
      });
    },
    async proceed(caller, at, listen) {
      const { thread, message } = await mustFindMessage(caller, at, 'assistant');
      const isCut =
        message.status === 'interrupted' ||
        (message.status === 'failed' && message.text !== '') ||
        message.finish === 'length';
      if (!isCut || message.status === 'streaming') throw new AppError('conflict');
      const bot = await getSpeakingBot(context, caller, thread.bot);
      const now = Date.now();
      await write(async (trx) => {
        const [claimed] = await claimThread(trx, { uuid: thread.uuid, answer: message.uuid, places: 0, now });
        if (!claimed) throw new AppError('thread-busy');
        await updateMessage(trx, message.uuid, {
          status: 'streaming',
          error: null,
          finish: null,
          stop_requested: 0,
          lease_owner: owner,
          lease_until: now + leaseMs,
        });
      });
      const run = open(
        { ...thread, running: message.uuid, head: message.uuid },
        { ...toMessage(message, caller.locale), status: 'streaming', error: null, finish: null },
      );
      listen({ type: 'thread', thread: toThread(run.thread) });
      listen({ type: 'message', message: { ...run.message } });
      run.settled = compose(run, { caller, bot, started: now, stored: Promise.resolve(), earlier: message }).finally(
        () => runs.delete(message.uuid),
      );
      return follow(run, listen);
    },
    async stop(caller, uuid) {
      const thread = await mustFindThread(context, caller, uuid);
      const run = thread.running ? runs.get(thread.running) : undefined;
      if (run) {
        run.abort.abort();
        await run.settled;
      } else if (thread.running) await updateMessage(db, thread.running, { stop_requested: 1 });
      return toThread(await mustFindThread(context, caller, uuid));
    },
    start() {
      flushTimer = setInterval(() => void flush(), flushMs).unref();
      const round = () =>
        recover().catch((err: unknown) => log.warn({ err }, 'abandoned answers could not be looked for'));
      void round();
      recoverTimer = setInterval(() => void round(), recoverMs).unref();
    },
    async drain(ms) {
      clearInterval(recoverTimer);
      const all = Promise.all([...runs.values()].map((run) => run.settled));
      const late = setTimeout(() => runs.forEach((run) => run.abort.abort()), ms);
      await all;
      clearTimeout(late);
      clearInterval(flushTimer);
    },
  };
}

/** The embedded database has one process: what a former one was writing is interrupted at once, not when its lease runs out. */
export async function abandonAnswers(db: Db): Promise<void> {
  await db.updateTable('message').set({ lease_until: 0 }).where('status', '=', 'streaming').execute();
}

class LostError extends Error {}

export async function mustFindThread({ db }: Context, caller: Caller, uuid: string): Promise<ThreadTable> {
  const thread = await findThread(db, caller, uuid);
  if (!thread) throw new AppError('thread-not-found');
  return thread;
}

function mustFit({ config }: SpeakingBot, text: string): void {
  const maximum = config.guardrails.maxQuestion;
  if (text.length > maximum && [...new Intl.Segmenter().segment(text)].length > maximum)
    throw new AppError('question-too-long', { maximum });
}

/** How many answers in a row, back from the newest, had nothing in the documents. */
function countRefusals(newestFirst: MessageTable[]): number {
  let count = 0;
  for (const { role, trace } of newestFirst) {
    if (role !== 'assistant') continue;
    const kept: KeptTrace = trace === null ? {} : JSON.parse(trace);
    if (!kept.refused) break;
    count++;
  }
  return count;
}

/** An answer that was gone on with keeps what it cited before. */
function mergeCitations(before: Message['citations'], { citations }: Progress): Message['citations'] {
  const numbers = new Set(citations.map(({ number }) => number));
  return [...before.filter(({ number }) => !numbers.has(number)), ...citations].toSorted(
    (one, other) => one.number - other.number,
  );
}
