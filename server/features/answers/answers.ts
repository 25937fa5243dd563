import type { AnswerEvent, Citation, Message, Thread } from '../../../shared/contracts/conversations.ts';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import { newId } from '../../infra/db.ts';
import type { MessageTable, ThreadTable } from '../../infra/db.types.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { translate } from '../../infra/translate.ts';
import type { ModelMessage } from '../../providers/models/model.ts';
import { getSpeakingBot, type SpeakingBot } from '../bots/bots.ts';
import type { Context } from '../context.ts';
import { findPassages, readinessOf, type FoundPassage } from '../knowledge/knowledge.ts';
import { abandonMessage, claimThread, findMessage, findStopRequests, findThread, insertMessages, insertThread, listAbandoned, listMessages, listThreads, releaseThread, settleMessage, updateMessage, updateThread } from './answers.store.ts';
import { createCitations } from './citations.ts';
import { choosePassages, composeRequest, searchQuery, toPassages } from './compose.ts';

export interface Question {
  bot: string;
  thread?: string | undefined;
  text: string;
}

/** An answer on its way: what it has so far, and who listens. */
interface Run {
  thread: ThreadTable;
  message: Message;
  listeners: Set<(event: AnswerEvent) => void>;
  abort: AbortController;
  settled: Promise<void>;
  isDirty: boolean;
  alone: NodeJS.Timeout | undefined;
}

export interface Answers {
  /** Stores the question, starts the answer and tells `listen` everything from the thread to the end. */
  ask(caller: Caller, question: Question, listen: (event: AnswerEvent) => void): Promise<Following>;
  /** Follows the answer that a thread is writing, from what it has so far; ends at once when none is. */
  resume(caller: Caller, thread: string, listen: (event: AnswerEvent) => void): Promise<Following>;
  stop(caller: Caller, thread: string): Promise<Thread>;
  start(): void;
  /** Lets answers end for `ms`, then interrupts the rest. */
  drain(ms: number): Promise<void>;
}

export interface Following {
  thread: string;
  message: string;
  ended: Promise<void>;
  leave(): void;
}

const flushMs = 250;
const leaseMs = 15_000;
const recoverMs = 10_000;
/** A reader that leaves may come back: a refresh, a tunnel. */
const graceMs = 20_000;
const followMs = 300;
const enoughCoverage = 0.4;

export function createAnswers(context: Context): Answers {
  const { db, log } = context;
  const owner = newId();
  const runs = new Map<string, Run>();
  let flushing = false;
  let flushTimer: NodeJS.Timeout | undefined;
  let recoverTimer: NodeJS.Timeout | undefined;

  function emit(run: Run, event: AnswerEvent): void {
    for (const listen of run.listeners) listen(event);
  }

  async function ask(caller: Caller, { bot: uuid, thread: threadUuid, text }: Question, listen: (event: AnswerEvent) => void): Promise<Following> {
    const bot = await getSpeakingBot(context, caller, uuid);
    const now = Date.now();
    const language = languageOf(text);
    const known = threadUuid ? await findThread(db, caller, threadUuid) : undefined;
    if (threadUuid && known?.bot !== uuid) throw new AppError('thread-not-found');
    const thread: ThreadTable = known ?? { uuid: newId(), workspace: bot.workspace, bot: uuid, user: caller.user, api_key: caller.key?.uuid ?? null, channel: 'app', title: titleOf(text), status: 'bot', language, last_seq: 0, running: null, deleted_at: null, created_at: now, updated_at: now };
    const answer = newId();
    const { question, message } = await db.transaction().execute(async (trx) => {
      if (!known) await insertThread(trx, thread);
      const claimed = await claimThread(trx, thread.uuid, answer, now);
      if (!claimed) throw new AppError('thread-busy');
      const asked = row({ uuid: newId(), thread: thread.uuid, seq: claimed.last_seq - 1, role: 'user', text, status: 'done', now });
      const reply = { ...row({ uuid: answer, thread: thread.uuid, seq: claimed.last_seq, role: 'assistant', text: '', status: 'streaming', now }), parent: asked.uuid, service: bot.config.service, lease_owner: owner, lease_until: now + leaseMs };
      await insertMessages(trx, [asked, reply]);
      return { question: asked, message: reply };
    });
    const run: Run = { thread: { ...thread, running: answer }, message: toMessage(message, caller.locale), listeners: new Set([listen]), abort: new AbortController(), settled: Promise.resolve(), isDirty: false, alone: undefined };
    runs.set(answer, run);
    listen({ type: 'thread', thread: toThread(run.thread) });
    listen({ type: 'message', message: toMessage(question, caller.locale) });
    listen({ type: 'message', message: run.message });
    run.settled = write(run, bot, text, now).finally(() => runs.delete(answer));
    return follow(run, listen);
  }

  function follow(run: Run, listen: (event: AnswerEvent) => void): Following {
    clearTimeout(run.alone);
    run.listeners.add(listen);
    return {
      thread: run.thread.uuid,
      message: run.message.uuid,
      ended: run.settled,
      leave() {
        run.listeners.delete(listen);
        if (run.listeners.size === 0) run.alone = setTimeout(() => run.abort.abort(), graceMs).unref();
      },
    };
  }

  /** Writes the answer; whatever happens, the message is settled and the thread is free again. */
  async function write(run: Run, bot: SpeakingBot, question: string, started: number): Promise<void> {
    const language = languageOf(question);
    const { message } = run;
    const trace: Record<string, unknown> = {};
    let firstTokenMs: number | null = null;
    let tokens = { tokensIn: 0, tokensOut: 0 };
    let failure: ErrorCode | undefined;
    let details: Record<string, unknown> = {};
    try {
      const service = await context.models.find(bot.config.service);
      if (!service) throw new AppError('service-not-ready');
      const { passages, said, history } = await retrieve(run, bot, question, trace);
      const citations = createCitations(passages);
      const tell = ({ text, citations: fresh }: { text: string; citations: Citation[] }) => {
        for (const citation of fresh) emit(run, { type: 'citation', citation });
        if (text === '') return;
        firstTokenMs ??= Date.now() - started;
        message.text += text;
        run.isDirty = true;
        emit(run, { type: 'delta', text });
      };
      const refusal = bot.config.refusal || translate(language, 'answers:refusal');
      if (said) tell({ text: said, citations: [] });
      else {
        const request = composeRequest({ config: bot.config, refusal, passages: toPassages(passages), history, question, model: service.model });
        for await (const event of service.provider.stream(request, run.abort.signal)) {
          if (event.type === 'text') tell(citations.push(event.text));
          if (event.type === 'usage') tokens = event;
          if (run.abort.signal.aborted) break;
        }
        tell(citations.end());
      }
      message.citations = citations.all();
    } catch (error) {
      if (!run.abort.signal.aborted) {
        const known = error instanceof AppError ? error : new AppError('internal-error', {}, { cause: error });
        log.warn({ err: known.cause ?? known, code: known.code, message: message.uuid }, 'an answer failed');
        failure = known.code;
        details = known.details;
      }
    }
    clearTimeout(run.alone);
    const latencyMs = Date.now() - started;
    message.status = run.abort.signal.aborted ? 'interrupted' : failure ? 'failed' : 'done';
    message.usage = { service: bot.config.service, tokensIn: tokens.tokensIn, tokensOut: tokens.tokensOut, latencyMs, firstTokenMs };
    message.error = failure ? { code: failure, message: translate(language, `errors:${failure}`, { ...details, requestId: message.uuid }) } : null;
    await settle(run, { tokens, latencyMs, firstTokenMs, trace, failure, details });
    emit(run, { type: 'usage', usage: message.usage });
    if (message.error) emit(run, { type: 'error', error: message.error, message });
    else emit(run, { type: 'done', message });
  }

  async function retrieve(run: Run, bot: SpeakingBot, question: string, trace: Record<string, unknown>): Promise<{ passages: FoundPassage[]; said?: string; history: ModelMessage[] }> {
    const language = languageOf(question);
    const { knowledges } = bot.config;
    const history = await readHistory(run);
    const isBuiltIn = (await context.models.find(bot.config.service))?.provider.name === 'built-in';
    if (knowledges.length === 0) return { passages: [], history, ...(isBuiltIn && { said: translate(language, 'answers:noKnowledge') }) };
    const readiness = await readinessOf(context, bot.workspace, knowledges);
    if (readiness === 'indexing') return { passages: [], history, said: translate(language, 'answers:indexing') };
    if (readiness === 'empty') return { passages: [], history, ...(isBuiltIn && { said: translate(language, 'answers:noKnowledge') }) };
    const query = searchQuery(question, history);
    const { passages, coverage, tookMs } = await findPassages(context, { knowledges, query, limit: 12 });
    Object.assign(trace, { query, coverage, searchMs: Math.round(tookMs), passages: passages.map(({ embedding, score }) => ({ embedding: embedding.uuid, score: Math.round(score * 100) / 100 })) });
    return { passages: coverage < enoughCoverage ? [] : choosePassages(passages), history };
  }

  async function readHistory(run: Run): Promise<ModelMessage[]> {
    const rows = await listMessages(db, run.thread.uuid, 20, run.message.seq - 1);
    return rows.toReversed().flatMap((each): ModelMessage[] => (each.text && (each.role === 'user' || each.role === 'assistant') ? [{ role: each.role, text: each.text }] : []));
  }

  interface Outcome {
    tokens: { tokensIn: number; tokensOut: number };
    latencyMs: number;
    firstTokenMs: number | null;
    trace: Record<string, unknown>;
    failure: ErrorCode | undefined;
    details: Record<string, unknown>;
  }

  async function settle({ message, thread }: Run, { tokens, latencyMs, firstTokenMs, trace, failure, details }: Outcome): Promise<void> {
    // An answer that was written must not be lost to a database that was away for a moment.
    for (let attempt = 0; ; attempt++) {
      try {
        await db.transaction().execute(async (trx) => {
          await settleMessage(trx, message.uuid, owner, {
            text: message.text,
            citations: JSON.stringify(message.citations),
            status: message.status,
            error: failure ? JSON.stringify({ code: failure, details }) : null,
            tokens_in: tokens.tokensIn,
            tokens_out: tokens.tokensOut,
            latency_ms: latencyMs,
            first_token_ms: firstTokenMs,
            trace: JSON.stringify(trace),
          });
          await releaseThread(trx, thread.uuid, message.uuid);
        });
        return;
      } catch (err) {
        if (attempt === 4) {
          log.error({ err, message: message.uuid }, 'an answer could not be settled; its lease will run out');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
      }
    }
  }

  /** One clock for all answers: their texts and leases in one transaction, and whether another node was asked to stop one. */
  async function flush(): Promise<void> {
    if (flushing || runs.size === 0) return;
    flushing = true;
    try {
      const until = Date.now() + leaseMs;
      const dirty = [...runs.values()].filter((run) => run.isDirty);
      await db.transaction().execute(async (trx) => {
        for (const run of dirty) {
          run.isDirty = false;
          await trx.updateTable('message').set({ text: run.message.text, lease_until: until }).where('uuid', '=', run.message.uuid).where('lease_owner', '=', owner).execute();
        }
        const quiet = [...runs.values()].filter((run) => !dirty.includes(run)).map((run) => run.message.uuid);
        if (quiet.length > 0) await trx.updateTable('message').set({ lease_until: until }).where('uuid', 'in', quiet).where('lease_owner', '=', owner).execute();
      });
      for (const { uuid } of await findStopRequests(db, [...runs.keys()])) runs.get(uuid)?.abort.abort();
    } catch (err) {
      log.warn({ err }, 'answers could not be written; the next round tries again');
      for (const run of runs.values()) run.isDirty = true;
    } finally {
      flushing = false;
    }
  }

  /** Answers of a process that is gone keep what they had and are marked interrupted. */
  async function recover(): Promise<void> {
    const now = Date.now();
    for (const { uuid, thread } of await listAbandoned(db, now)) {
      if (runs.has(uuid)) continue;
      await db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await abandonMessage(trx, uuid, now);
        if (numUpdatedRows > 0n) await releaseThread(trx, thread, uuid);
      });
    }
  }

  async function resume(caller: Caller, uuid: string, listen: (event: AnswerEvent) => void): Promise<Following> {
    const thread = await mustFindThread(context, caller, uuid);
    const run = thread.running ? runs.get(thread.running) : undefined;
    listen({ type: 'thread', thread: toThread(thread) });
    if (run) {
      listen({ type: 'message', message: { ...run.message } });
      return follow(run, listen);
    }
    return followElsewhere(caller, thread, listen);
  }

  /** The answer is another node's: its text comes from the database as it grows. */
  function followElsewhere(caller: Caller, thread: ThreadTable, listen: (event: AnswerEvent) => void): Following {
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

  return {
    ask,
    resume,
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
      const round = () => recover().catch((err: unknown) => log.warn({ err }, 'abandoned answers could not be looked for'));
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

export async function listOwnThreads({ db }: Context, caller: Caller, query: { bot: string; q?: string | undefined; limit: number; cursor?: string | undefined }) {
  const rows = await listThreads(db, caller, { bot: query.bot, q: query.q, limit: query.limit, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (each) => each.updated_at);
  return { data: shown.rows.map(toThread), meta: { nextCursor: shown.nextCursor } };
}

export async function getThread(context: Context, caller: Caller, uuid: string): Promise<Thread> {
  return toThread(await mustFindThread(context, caller, uuid));
}

export async function listThreadMessages(context: Context, caller: Caller, uuid: string, query: { limit: number; cursor?: string | undefined }) {
  await mustFindThread(context, caller, uuid);
  const before = readCursor(query.cursor);
  const rows = await listMessages(context.db, uuid, query.limit, before ? Number(before.at) : undefined);
  const shown = page(rows, query.limit, (each) => each.seq);
  return { data: shown.rows.toReversed().map((each) => toMessage(each, caller.locale)), meta: { nextCursor: shown.nextCursor } };
}

export async function renameThread(context: Context, caller: Caller, uuid: string, title: string): Promise<Thread> {
  await mustFindThread(context, caller, uuid);
  await updateThread(context.db, uuid, { title });
  return getThread(context, caller, uuid);
}

export async function removeThread(context: Context, answers: Answers, caller: Caller, uuid: string): Promise<void> {
  await answers.stop(caller, uuid);
  await updateThread(context.db, uuid, { deleted_at: Date.now() });
}

async function mustFindThread({ db }: Context, caller: Caller, uuid: string): Promise<ThreadTable> {
  const thread = await findThread(db, caller, uuid);
  if (!thread) throw new AppError('thread-not-found');
  return thread;
}

interface NewMessage {
  uuid: string;
  thread: string;
  seq: number;
  role: 'user' | 'assistant';
  text: string;
  status: 'done' | 'streaming';
  now: number;
}

function row({ now, ...message }: NewMessage): MessageTable {
  return { ...message, parent: null, citations: '[]', error: null, service: null, tokens_in: 0, tokens_out: 0, latency_ms: null, first_token_ms: null, trace: null, lease_owner: null, lease_until: null, stop_requested: 0, created_at: now, updated_at: now };
}

function titleOf(question: string): string {
  const line = question.split('\n')[0]?.trim() || question.trim();
  const graphemes = [...new Intl.Segmenter().segment(line.slice(0, 2000))];
  return graphemes.length > 60 ? `${graphemes.slice(0, 59).map(({ segment }) => segment).join('')}…` : line;
}

function toThread(thread: ThreadTable): Thread {
  return { uuid: thread.uuid, bot: thread.bot, title: thread.title, status: thread.status, running: thread.running, createdAt: new Date(thread.created_at).toISOString(), updatedAt: new Date(thread.updated_at).toISOString() };
}

function toMessage(message: MessageTable, locale: 'en' | 'ja'): Message {
  const error: { code: ErrorCode; details: Record<string, unknown> } | null = message.error ? JSON.parse(message.error) : null;
  return {
    uuid: message.uuid,
    seq: message.seq,
    role: message.role,
    text: message.text,
    citations: JSON.parse(message.citations),
    status: message.status,
    error: error && { code: error.code, message: translate(locale, `errors:${error.code}`, { ...error.details, requestId: message.uuid }) },
    usage: message.service && message.latency_ms !== null ? { service: message.service, tokensIn: message.tokens_in, tokensOut: message.tokens_out, latencyMs: message.latency_ms, firstTokenMs: message.first_token_ms } : null,
    createdAt: new Date(message.created_at).toISOString(),
  };
}
