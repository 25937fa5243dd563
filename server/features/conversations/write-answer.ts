import type { Message } from '../../../shared/contracts/conversations.ts';
import { languageOf } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { translate } from '../../infra/translate.ts';
import type { ModelMessage } from '../../providers/models/model.ts';
import { answer, AnswerLostError, isOfCredits } from '../answers/answer.ts';
import type { Answered } from '../answers/answered.ts';
import { prepareTurn, type Turn } from '../answers/prepare.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import { markSent } from '../files/files.ts';
import { attacherOf, readAttachments, readPictures } from './attachments.ts';
import { previewOf } from './messages.ts';
import {
  findMessage,
  finishGuestMessage,
  finishMessage,
  listQuoted,
  listSaid,
  releaseGuestThread,
  releaseThread,
  updateMessage,
  type Said,
} from './conversations.store.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { deliveryOf, queueDelivery } from './deliver.ts';
import { announce, tellMessage } from './live.ts';
import { tell, type Run } from './runs.ts';
import type { Owner } from './own-thread.ts';

/** Of these, as many are sent as the model's window has room for. */
const historyMessages = 200;
/** Characters of a message that a question refers to. */
const mostQuoted = 2000;

export interface Writing {
  owner: Owner;
  bot: SpeakingBot;
  /** Fails when the question and the place for the answer could not be stored. */
  stored: Promise<void>;
  /** The row before it was continued. */
  earlier?: MessageTable;
}

/** Writes the answer; whatever happens, the message is ended and the thread is free again. Gives a guest's thread as it was when it was free. */
export async function writeAnswer(
  context: Context,
  run: Run,
  { owner, bot, stored, earlier }: Writing,
): Promise<ThreadTable | undefined> {
  const { message, thread } = run;
  const before = { ...message };
  let kept: { thread: ThreadTable | undefined; message: MessageTable } | undefined;
  const end = (answered: Answered) => endOf(run, answered, { bot, before, earlier });
  const events = answer(
    context,
    {
      speaker: owner,
      channel: owner.kind === 'key' ? 'api' : thread.channel,
      bot,
      thread: thread.uuid,
      message: message.uuid,
      ...(earlier && { entry: newId() }),
      cited: before.citations,
      prepare: async (trace) => prepareTurn(context, await readTurn(context, run, bot, before), trace),
      stored,
      async record(trx, answered) {
        const written = { ...message, ...end(answered) };
        const release = { uuid: thread.uuid, answer: message.uuid, now: Date.now() };
        const row = toRow(context, written, answered);
        const drawn = answered.files.map(({ uuid }) => uuid);
        if (drawn.length > 0) await markSent(trx, { by: attacherOf(owner), uuids: drawn, now: release.now });
        // The thread before its message, as everything that writes to both does; the other way round two could wait for each other.
        if (owner.kind !== 'guest') {
          const [, [ended]] = await Promise.all([
            releaseThread(trx, { ...release, status: answered.handsOff ? 'waiting' : null }),
            finishMessage(trx, row),
          ]);
          if (!ended) throw new AnswerLostError();
          return;
        }
        const [[free], [ended]] = await Promise.all([
          releaseGuestThread(trx, {
            ...release,
            handsOff: answered.handsOff ? 1 : 0,
            reason:
              answered.failure && isOfCredits(answered.failure)
                ? 'spent'
                : written.text === ''
                  ? 'failed'
                  : answered.trace.refused
                    ? 'refused'
                    : 'asked',
            isOver: context.isStopping() || answered.handsOff ? 0 : 1,
            text: previewOf(written.text),
          }),
          finishGuestMessage(trx, row),
        ]);
        if (!ended) throw new AnswerLostError();
        // What staff have cut short stays unsaid.
        const isSaid = (written.text !== '' || written.files.length > 0) && answered.status !== 'interrupted';
        const goesOut = isSaid && deliveryOf(context, thread) === 'queued';
        if (goesOut) {
          await updateMessage(trx, message.uuid, { delivery: 'queued' });
          await queueDelivery(context, trx, thread);
        }
        kept = { thread: free, message: goesOut ? { ...ended, delivery: 'queued' } : ended };
      },
    },
    run.abort.signal,
  );
  for await (const event of events) {
    if (event.type === 'text') {
      message.text += event.text;
      run.isDirty = true;
      tell(run, { type: 'delta', text: event.text });
    } else if (event.type === 'retract') {
      message.text = before.text + event.text;
      run.isDirty = true;
      tell(run, { type: 'message', message: { ...message } });
    } else if (event.type === 'reasoning') {
      message.reasoning += event.text;
      tell(run, event);
    } else if (event.type === 'tool') {
      message.tools = [...message.tools.filter(({ id }) => id !== event.tool.id), event.tool];
      tell(run, event);
    } else if (event.type === 'citation') tell(run, event);
    else {
      clearTimeout(run.alone);
      Object.assign(message, end(event.answered));
      run.failure = event.answered.failure;
      if (message.usage) tell(run, { type: 'usage', usage: message.usage });
      if (message.error) tell(run, { type: 'error', error: message.error, message });
      else tell(run, { type: 'done', message });
      if (owner.kind === 'guest') {
        if (!event.isRecorded) kept = undefined;
        const ended = kept?.message ?? (await findMessage(context.db, message.uuid)) ?? null;
        if (ended?.delivery === 'queued') context.queue.wake();
        announce(context, thread.uuid, { message: ended, isNew: true }, kept?.thread);
      } else tellMessage(context, thread.uuid, owner, message);
    }
  }
  return kept?.thread;
}

/** The question that an answer answers, with what was said before it. */
async function readTurn(context: Context, run: Run, bot: SpeakingBot, begun: Message): Promise<Turn> {
  const { db } = context;
  const branch = run.question
    ? await listSaid(db, run.question.parent, historyMessages)
    : await listSaid(db, run.message.parent, historyMessages + 1);
  // What was said to a guest by itself, that they are handed over for one, is no question.
  const at = run.question ? -1 : branch.findIndex(({ role }) => role === 'user');
  const asked = run.question ?? branch[at];
  const before = branch.slice(at + 1);
  const quoted = asked?.quotes ? (await listQuoted(db, [asked.quotes])).get(asked.quotes)?.text : undefined;
  const { files, attached } = asked ? await readAttachments(context, asked) : { files: [], attached: [] };
  const pictures = await readPictures(context, {
    newestFirst: before,
    asked: files,
    workspace: bot.workspace,
    services: [bot.config.service, bot.config.fallback].filter((uuid) => uuid !== null),
  });
  const history = before.toReversed().flatMap((each): ModelMessage[] => {
    if (!each.text) return [];
    if (each.role === 'assistant' || each.role === 'staff') return [{ role: 'assistant', text: each.text }];
    const seen = pictures.get(each);
    return each.role === 'user' ? [{ role: 'user', text: each.text, ...(seen && { files: seen }) }] : [];
  });
  const after: ModelMessage[] = begun.text
    ? [
        { role: 'assistant', text: begun.text },
        { role: 'user', text: 'Go on exactly where you stopped. Repeat nothing and say nothing about it.' },
      ]
    : [];
  return {
    bot,
    question: asked?.text ?? '',
    language: languageIn([...(asked ? [asked] : []), ...before]) ?? run.thread.language,
    ...(quoted && { quoted: quoted.slice(0, mostQuoted) }),
    history,
    files,
    attached,
    after,
    cited: begun.citations,
    refusals: countRefusals(before),
    // A guest is answered while they wait only where that is chosen.
    isWaiting: run.thread.status === 'waiting' && run.thread.guest === null,
  };
}

/** What the asker writes in, by the newest of their messages that tells; what stands for a sticker or a place is not in their language. */
function languageIn(newestFirst: Pick<Said, 'role' | 'text' | 'sticker' | 'location'>[]): 'en' | 'ja' | undefined {
  for (const { role, text, sticker, location } of newestFirst) {
    const language = role === 'user' && sticker === null && location === null ? languageOf(text) : undefined;
    if (language) return language;
  }
  return undefined;
}

interface Around {
  bot: SpeakingBot;
  /** What the message had when this answer began: nothing, or what was written before it was continued. */
  before: Message;
  earlier: MessageTable | undefined;
}

/** What a message is at its end, with what it had before. */
function endOf(
  { message, thread }: Run,
  answered: Answered,
  { bot, before, earlier }: Around,
): Pick<
  Message,
  'text' | 'reasoning' | 'tools' | 'files' | 'status' | 'finish' | 'citations' | 'suggestions' | 'error' | 'usage'
> {
  const { status, finish, failure, target, tokens, cost, latencyMs, firstTokenMs } = answered;
  const text = before.text + answered.text;
  const locale = languageOf(text || thread.title) ?? thread.language;
  return {
    text,
    reasoning: before.reasoning + answered.reasoning,
    tools: [...before.tools, ...answered.tools],
    files: [...before.files, ...answered.files],
    status,
    finish,
    citations: answered.citations,
    suggestions: answered.suggestions,
    error: failure
      ? {
          code: failure.code,
          message: translate(locale, `errors:${failure.code}`, { ...failure.details, requestId: message.uuid }),
        }
      : null,
    usage: {
      service: target?.service.uuid ?? bot.config.service,
      serviceName: target?.service.name ?? '',
      tokensIn: tokens.tokensIn + (earlier?.tokens_in ?? 0),
      tokensOut: tokens.tokensOut + (earlier?.tokens_out ?? 0),
      tokensCached: tokens.tokensCached + (earlier?.tokens_cached ?? 0),
      cost: cost + (earlier?.cost ?? 0),
      ownKey: Boolean(target?.ownKey),
      latencyMs,
      firstTokenMs,
    },
  };
}

function toRow({ runs }: Context, message: Message, { failure, trace }: Answered) {
  const { usage } = message;
  return {
    uuid: message.uuid,
    owner: runs.owner,
    text: message.text,
    reasoning: message.reasoning,
    tools: JSON.stringify(message.tools),
    files: JSON.stringify(message.files),
    citations: JSON.stringify(message.citations),
    suggestions: message.suggestions.length > 0 ? JSON.stringify(message.suggestions) : null,
    status: message.status,
    finish: message.finish,
    error: failure ? JSON.stringify({ code: failure.code, details: failure.details }) : null,
    service: usage?.service ?? null,
    service_name: usage?.serviceName ?? null,
    tokens_in: usage?.tokensIn ?? 0,
    tokens_out: usage?.tokensOut ?? 0,
    tokens_cached: usage?.tokensCached ?? 0,
    cost: usage?.cost ?? 0,
    own_key: usage?.ownKey ? (1 as const) : (0 as const),
    latency_ms: usage?.latencyMs ?? null,
    first_token_ms: usage?.firstTokenMs ?? null,
    trace: JSON.stringify(trace),
    updated_at: Date.now(),
  };
}

/** How many answers in a row, back from the newest, had nothing in the documents. */
function countRefusals(newestFirst: Pick<Said, 'role' | 'refused'>[]): number {
  const answers = newestFirst.filter(({ role }) => role === 'assistant');
  const answered = answers.findIndex(({ refused }) => !refused);
  return answered < 0 ? answers.length : answered;
}
