import type { ServiceTrial } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { translate } from '../../infra/translate.ts';
import { speakerOf } from '../users/speaker.ts';
import { answer, mustBeServing } from './answer.ts';

/** A large model of a server of one's own is loaded first. */
const trialMs = 5 * 60_000;
const trialTokens = 60;
/** For a server that does not say whether its model thinks. */
const unsureTokens = 1_000;

/** Asks a service for one sentence, from the target that an answer would ask first; it is paid for and recorded like one. */
export async function tryService(context: Context, caller: Caller, uuid: string): Promise<ServiceTrial> {
  mustBeServing(context);
  const [target] = await context.models.reach(caller.workspace, uuid);
  if (!target) throw new AppError('service-not-ready');
  const { service } = target;
  if (service.group !== 'model')
    throw new AppError('validation-failed', { fields: [{ path: 'service', code: 'invalid' }] });
  const isUnsure = target.maxOutputTokens === null && !target.thinking;
  const request = {
    messages: [{ role: 'user' as const, text: translate(caller.locale, 'models:trial.question') }],
    passages: [],
    refusal: translate(caller.locale, 'models:trial.builtIn'),
    maxTokens: isUnsure ? unsureTokens : trialTokens,
    ...(target.thinking && { reasoning: 'none' as const }),
  };
  const events = answer(
    context,
    {
      speaker: speakerOf(caller),
      channel: 'trial',
      message: newId(),
      maxMs: trialMs,
      prepare: async () => ({ targets: [target], request, passages: [], maxRetries: 0 }),
    },
    new AbortController().signal,
  );
  for await (const event of events) {
    if (event.type !== 'end') continue;
    const { status, failure, text, tokens, latencyMs, firstTokenMs } = event.answered;
    if (failure) throw failure;
    if (status === 'interrupted') throw new AppError('unavailable');
    const { tokensIn, tokensOut } = tokens;
    return { text: text.trim(), service, tokensIn, tokensOut, latencyMs, firstTokenMs };
  }
  throw new AppError('internal-error');
}
