import type { Citation } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import type { ModelMessage } from '../../providers/models/model.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import { speakerOf } from '../users/speaker.ts';
import { answer, mustBeServing } from './answer.ts';
import type { KeptTrace, Prepared } from './answered.ts';
import { prepareTurn } from './prepare.ts';

interface Unsent {
  text: string;
  citations: Citation[];
  refused: boolean;
}

/** What a bot would say; nobody is told, it never hands over, and draws nothing that nobody would see. It is paid for as every answer is. */
export function tryAnswer(
  context: Context,
  caller: Caller,
  bot: SpeakingBot,
  { question, history = [] }: { question: string; history?: ModelMessage[] },
): Promise<Unsent> {
  const config = { ...bot.config, handoff: { ...bot.config.handoff, enabled: false }, drawing: null };
  const turn = { bot: { ...bot, config }, question, history, files: [], attached: [], after: [], refusals: 0 };
  return run(context, caller, bot, (trace) => prepareTurn(context, turn, trace));
}

/** Has a model that can write do something: that of the bot, or the first of the workspace. Throws `model-needed` without one. */
export async function instruct(
  context: Context,
  caller: Caller,
  { bot, text }: { bot: SpeakingBot | undefined; text: string },
): Promise<string> {
  const able = (await context.models.list(caller.workspace)).filter(
    ({ group, provider, availability }) => group === 'model' && provider !== 'built-in' && availability === 'ready',
  );
  const service = able.find(({ uuid }) => uuid === bot?.config.service) ?? able[0];
  if (!service) throw new AppError('model-needed');
  const targets = await context.models.reach(caller.workspace, service.uuid);
  const written = await run(context, caller, bot, async () => ({
    targets,
    request: { messages: [{ role: 'user', text }], passages: [], refusal: '', maxTokens: 1_500 },
    passages: [],
  }));
  return written.text.trim();
}

async function run(
  context: Context,
  caller: Caller,
  bot: SpeakingBot | undefined,
  prepare: (trace: KeptTrace) => Promise<Prepared>,
): Promise<Unsent> {
  mustBeServing(context);
  const events = answer(
    context,
    { speaker: speakerOf(caller), channel: caller.key ? 'api' : 'app', message: newId(), prepare, ...(bot && { bot }) },
    new AbortController().signal,
  );
  for await (const event of events) {
    if (event.type !== 'end') continue;
    const { status, failure, text, citations, trace } = event.answered;
    if (failure) throw failure;
    if (status === 'interrupted') throw new AppError('unavailable');
    return { text, citations, refused: trace.refused ?? false };
  }
  throw new AppError('internal-error');
}
