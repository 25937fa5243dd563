import { AppError } from '../../../shared/errors.ts';
import type { ModelConnection, ModelEvent, ModelRequest } from '../../providers/models/model.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { createModelProviders } from '../../providers/models/registry.ts';

export const providers = createModelProviders({ startMs: 20_000, idleMs: 20_000 });
export const startMs = 2000;
export const idleMs = 150;
/** Longer than silence may be within a text. */
export const longMs = 1200;
/** What is tested of them is how long they wait, which on a busy machine may be too short for anything else. */
export const hasty = createModelProviders({ startMs, idleMs });
export const never = new AbortController().signal;

export const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** An answer to the end, whatever that is. */
export async function collect(connection: ModelConnection, request: ModelRequest, signal = never) {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of connection.stream(request, signal)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return { events, error, ...told(events) };
}

/** Asks a double of chat completions without a key. */
export const askServer = (baseUrl: string, more: Partial<ModelRequest> = {}) =>
  collect(
    providers.at(-1)!.connect({ apiKey: undefined, baseUrl, outbound: createOutbound([new URL(baseUrl).host]) }),
    {
      model: 'm',
      messages: [{ role: 'user', text: 'Hi' }],
      passages: [],
      refusal: '',
      maxTokens: 100,
      ...more,
    },
  );

function told(events: ModelEvent[]) {
  const joinedOf = (type: 'text' | 'reasoning', of = events) =>
    of.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
  const retracted = events.findLastIndex((event) => event.type === 'retract') + 1;
  return {
    text: joinedOf('text', events.slice(retracted)),
    reasoning: joinedOf('text', events.slice(0, retracted)) + joinedOf('reasoning'),
    calls: events.flatMap((event) => (event.type === 'call' ? [event.call] : [])),
    replay: events.findLast((event) => event.type === 'replay')?.replay,
    usage: events.findLast((event) => event.type === 'usage'),
    finish: events.findLast((event) => event.type === 'finish')?.reason,
  };
}

/** Everything a log or a reply could take from an error. */
export function allOf(error: unknown): string {
  let text = '';
  for (let each = error; each instanceof Error; each = each.cause)
    text += `${each.message}\n${each.stack}\n${JSON.stringify(each)}\n${JSON.stringify(each, Object.getOwnPropertyNames(each))}\n${each instanceof AppError ? JSON.stringify(each.details) : ''}`;
  return text;
}
