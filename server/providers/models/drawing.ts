import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { readBytes, type OutboundAnswer } from '../../infra/outbound.ts';
import { providerError, type Access, type Drawing, type DrawEvent, type DrawRequest } from './model.ts';
import {
  ask,
  brokenOff,
  checkKey,
  endedEarly,
  isObject,
  parseJson,
  refusal,
  refusalOf,
  type Timeouts,
} from './wire.ts';

/** What draws and does not answer, which most lists tell by nothing but its name: most say “image”, and these families do not. */
export const onlyDraws =
  /(?:^|[-_/ ]|hunyuan)image(?!-?(?:to-)?text)|imagen\b|nano-?banana|dall-e|\bflux|stable-?diffusion|\bsdxl?\b|\bsd3|seedream|seededit|ideogram|recraft|hidream|kolors|cogview|midjourney|kandinsky|pixart|playground-v/i;

/** Bytes of one picture, and of a whole answer in base64 with the states before it. */
const maxPicture = 32 * 1024 * 1024;
export const maxAnswer = 96 * 1024 * 1024;
/** States of a picture that are asked for; each costs what about a hundred tokens of a picture do. */
const partials = 2;

const Answer = z.object({
  data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })).min(1),
});

interface Way {
  urlOf(path: string): string;
  headers: Record<string, string>;
  timeouts: Timeouts;
  /** It sends states of a picture as events, as OpenAI does; other servers know no such thing. */
  streams: boolean;
}

/**
 * Pictures by OpenAI's API, which LocalAI, vLLM, Together and others have as well: JSON with `model`, `prompt`, `size` as “1024x1024” and
 * `n`, or with references a form to `/images/edits`. The answer has `data` with `b64_json` or `url`; an address is fetched without the
 * key. With `stream` it is server-sent events of the types `image_generation.partial_image` and `image_generation.completed`
 * (`image_edit.…` for edits), each with `b64_json`. There is no seed in it.
 * https://platform.openai.com/docs/api-reference/images
 */
export const drawing = (access: Access, { urlOf, headers, timeouts, streams }: Way): Drawing => ({
  async *draw(request, signal) {
    checkKey(access);
    const { contentType, body, path } = await toBody(request, streams);
    const response = await ask(access, {
      url: urlOf(path),
      headers: { ...headers, 'content-type': contentType },
      body,
      signal,
      idleMs: timeouts.startMs,
    });
    if (response.status !== 200) throw await refusal(response, access);
    try {
      if (response.type.startsWith('text/event-stream')) yield* readEvents(response, access);
      else if (response.type.startsWith('application/json'))
        yield { type: 'picture', bytes: await readWhole(response, { access, signal, idleMs: timeouts.startMs }) };
      else throw providerError('provider-answer-unreadable', { contentType: response.type.slice(0, 100) });
    } catch (error) {
      throw broken(error, signal);
    } finally {
      response.body.destroy();
    }
  },
});

/** Why an answer that had begun is no picture; throws what `signal` was aborted with. */
export function broken(error: unknown, signal: AbortSignal): AppError {
  signal.throwIfAborted();
  return error instanceof AppError && error.code === 'body-too-large'
    ? providerError('provider-answer-unreadable', {}, error)
    : brokenOff(error);
}

/** OpenAI's own models answer in base64 whatever is asked, and refuse to be asked for it. */
const isOwn = (model: string) => /gpt-image/i.test(model);

async function toBody({ model, prompt, width, height, references = [], mask }: DrawRequest, streams: boolean) {
  const fields = {
    model,
    prompt,
    size: `${width}x${height}`,
    n: 1,
    ...(streams && isOwn(model) && { stream: true, partial_images: partials }),
    ...(!isOwn(model) && { response_format: 'b64_json' }),
  };
  if (references.length === 0)
    return { path: '/images/generations', contentType: 'application/json', body: JSON.stringify(fields) };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const { name, mime, bytes } of references)
    form.append(isOwn(model) ? 'image[]' : 'image', new Blob([new Uint8Array(bytes)], { type: mime }), name);
  if (mask) form.append('mask', new Blob([new Uint8Array(mask)], { type: 'image/png' }), 'mask.png');
  const packed = new Response(form);
  return {
    path: '/images/edits',
    contentType: packed.headers.get('content-type') ?? '',
    body: Buffer.from(await packed.arrayBuffer()),
  };
}

async function readWhole(
  response: OutboundAnswer,
  { access, signal, idleMs }: { access: Access; signal: AbortSignal; idleMs: number },
): Promise<Buffer> {
  const parsed = Answer.safeParse(parseJson((await readBytes(response, maxAnswer)).toString('utf8')));
  const [picture] = parsed.data?.data ?? [];
  if (picture?.b64_json) return fromBase64(picture.b64_json);
  if (!picture?.url) throw providerError('provider-answer-unreadable');
  const fetched = await ask(access, { url: picture.url, headers: {}, signal, idleMs });
  try {
    if (fetched.status !== 200) throw providerError('provider-answer-unreadable', { reason: `HTTP ${fetched.status}` });
    return await readBytes(fetched, maxPicture);
  } finally {
    fetched.body.destroy();
  }
}

/** Events of one picture; fails when they end before it. */
async function* readEvents({ body }: OutboundAnswer, access: Access): AsyncIterable<DrawEvent> {
  let size = 0;
  let line: Buffer[] = [];
  for await (const part of body) {
    size += part.length;
    if (size > maxAnswer) throw providerError('provider-answer-unreadable');
    let from = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      line.push(part.subarray(from, end));
      from = end + 1;
      const event = readLine(Buffer.concat(line).toString('utf8'), access);
      line = [];
      if (event) yield event;
      if (event?.type === 'picture') return;
    }
    line.push(part.subarray(from));
  }
  throw endedEarly();
}

function readLine(line: string, access: Access): DrawEvent | undefined {
  if (!line.startsWith('data:')) return undefined;
  const data = line.slice(5).trim();
  if (data === '' || data === '[DONE]') return undefined;
  const event = parseJson(data);
  if (!isObject(event)) throw providerError('provider-answer-unreadable');
  const { type, error, b64_json: encoded } = event;
  if (type === 'error' || isObject(error))
    throw refusalOf({ status: 400, headers: {}, text: JSON.stringify({ error: error ?? event }), access });
  if (typeof encoded !== 'string' || typeof type !== 'string') return undefined;
  if (type.endsWith('.completed')) return { type: 'picture', bytes: fromBase64(encoded) };
  return type.endsWith('.partial_image') ? { type: 'partial', bytes: fromBase64(encoded) } : undefined;
}

export function fromBase64(encoded: string): Buffer {
  if (encoded.length > (maxPicture / 3) * 4) throw providerError('provider-answer-unreadable');
  return Buffer.from(encoded, 'base64');
}
