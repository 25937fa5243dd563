import type { ServiceTrial } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { maxTokensOf, usualTokensOf } from '../../infra/token-estimate.ts';
import { translate } from '../../infra/translate.ts';
import { providerError, type ModelRequest, type Tokens } from '../../providers/models/model.ts';
import type { Context } from '../context.ts';
import { costOf, reserve, settle, toUse } from '../usage/ledger.ts';
import type { Way } from './models.ts';

const trialMs = 30_000;
const trialTokens = 60;
/** A model that cannot help thinking has to think and speak with them. */
const thinkingTokens = 1_000;

/** Asks a service for one sentence, by the way that an answer would take first; it is paid for and recorded like one. */
export async function tryService(context: Context, caller: Caller, service: string): Promise<ServiceTrial> {
  const { db, config, models } = context;
  const [way] = await models.reach(caller.workspace, service);
  if (!way) throw new AppError('service-not-ready');
  if (way.service.group !== 'model')
    throw new AppError('validation-failed', { fields: [{ path: 'service', code: 'invalid' }] });
  const question = translate(caller.locale, 'models:trial.question');
  const thinks = way.service.capabilities.includes('reasoning');
  const maxTokens = Math.min(thinks ? thinkingTokens : trialTokens, way.maxOutputTokens ?? Infinity);
  const request: ModelRequest = {
    model: way.model,
    messages: [{ role: 'user', text: question }],
    passages: [],
    refusal: translate(caller.locale, 'models:trial.builtIn'),
    maxTokens,
    ...(thinks && { reasoning: 'none' }),
  };
  const message = newId();
  const grant = config.CREDIT_GRANT;
  const { price } = way;
  if (price)
    await db.transaction().execute((trx) =>
      reserve(trx, {
        workspace: caller.workspace,
        message,
        amount: costOf(
          price,
          { tokensIn: maxTokensOf(question) + 10, tokensOut: maxTokens, tokensCached: 0 },
          config.CREDIT_MARGIN,
        ),
        grant,
      }),
    );
  const heard = await listen(context, way, request).catch(async (error: unknown) => {
    await db.transaction().execute((trx) => settle(trx, message, undefined));
    throw error;
  });
  const { text, tokens, latencyMs, firstTokenMs } = heard;
  const spent = toUse(
    { workspace: caller.workspace, message, caller, channel: 'trial', way, tokens, latencyMs, firstTokenMs },
    config,
  );
  await db.transaction().execute((trx) => settle(trx, message, spent));
  return {
    text,
    service: way.service,
    tokensIn: tokens.tokensIn,
    tokensOut: tokens.tokensOut,
    latencyMs,
    firstTokenMs,
  };
}

async function listen({ models }: Context, way: Way, request: ModelRequest) {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  let text = '';
  let firstTokenMs: number | null = null;
  let counted: Tokens | undefined;
  try {
    for await (const event of way.connection.stream(request, AbortSignal.timeout(trialMs))) {
      if (event.type === 'usage') counted = event;
      if (event.type === 'text' || event.type === 'reasoning') firstTokenMs ??= since();
      if (event.type === 'text') text += event.text;
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw providerError('provider-unreachable', { reason: 'timeout' }, error);
    if (error instanceof AppError && error.code === 'provider-key-rejected' && way.ownKey)
      await models.reject(way.ownKey, String(error.details['reason'] ?? ''));
    throw error;
  }
  const tokens = counted ?? {
    tokensIn: usualTokensOf(request.messages.map((message) => message.text).join('\n')),
    tokensOut: usualTokensOf(text),
    tokensCached: 0,
  };
  return { text: text.trim(), tokens, latencyMs: since(), firstTokenMs };
}
