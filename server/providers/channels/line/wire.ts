import { z } from 'zod';
import { readBytes, type Outbound, type OutboundAnswer } from '../../../infra/outbound.ts';
import { trimEnd } from '../../../../shared/text.ts';

/** Where LINE's servers are: what people and programs send and fetch in bytes has a host of its own. */
export interface LineAddress {
  api: string;
  data: string;
}

const official: LineAddress = { api: 'https://api.line.me', data: 'https://api-data.line.me' };

/** LINE's own servers, or one address that plays both. https://developers.line.biz/en/reference/messaging-api/#domain-name */
export function lineAddress(url: string = official.api): LineAddress {
  const api = trimEnd(url, '/');
  return api === official.api ? official : { api, data: api };
}

/** The id of the channel and its secret, as the LINE Developers Console shows them. */
export interface LineAccess {
  channelId: string;
  secret: string;
}

/** One call as it is logged: without its query, its headers and its body. */
export interface LineCall {
  method: string;
  path: string;
  /** Null where there was no answer. */
  status: number | null;
  ms: number;
  requestId: string | null;
}

export interface Wire {
  request: Outbound['request'];
  onCall?: ((call: LineCall) => void) | undefined;
}

const Sent = z.object({ id: z.string(), quoteToken: z.string().optional().catch(undefined) });
/** A message that LINE has taken: what it is called, and what a later one quotes it by. */
export type SentMessage = z.output<typeof Sent>;
export const sentMessages = z.array(Sent).catch([]);

const Refusal = z.object({
  message: z.string().optional().catch(undefined),
  /** Of the token endpoint, which speaks OAuth. */
  error_description: z.string().optional().catch(undefined),
  details: z
    .array(z.object({ message: z.string().catch(''), property: z.string().catch('') }))
    .optional()
    .catch(undefined),
  sentMessages: sentMessages.optional(),
});

/**
 * What LINE says when it does not do what it was asked: an HTTP status that is not a success, with LINE's own sentence and, of a
 * wrong body, what is wrong in it. https://developers.line.biz/en/reference/messaging-api/#error-responses
 */
export class LineError extends Error {
  readonly status: number;
  readonly path: string;
  readonly details: { message: string; property: string }[];
  readonly requestId: string | null;
  /** With 409: what was sent when the retry key was first taken. */
  readonly sent: SentMessage[] | undefined;
  /** With 409: the request that was taken. */
  readonly acceptedRequestId: string | null;

  constructor(path: string, { status, headers }: Pick<OutboundAnswer, 'status' | 'headers'>, body: unknown) {
    const { message, error_description, details, sentMessages: sent } = Refusal.safeParse(body).data ?? {};
    super(message ?? error_description ?? `HTTP ${status}`);
    this.name = 'LineError';
    this.status = status;
    this.path = path;
    this.details = details ?? [];
    this.requestId = headerOf(headers, 'x-line-request-id');
    this.sent = sent;
    this.acceptedRequestId = headerOf(headers, 'x-line-accepted-request-id');
  }
}

export const headerOf = (headers: OutboundAnswer['headers'], name: string): string | null =>
  [headers[name]].flat()[0] ?? null;

export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  host: string;
  path: string;
  query?: Record<string, string | undefined> | undefined;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
  /** Milliseconds until the last byte of the answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The head of an answer, whatever its status. Throws what the network, `signal` or the time limit ends it with. */
export async function ask({ request, onCall }: Wire, asked: Ask): Promise<OutboundAnswer> {
  const { method, host, path, query = {}, headers = {}, body, timeoutMs, signal } = asked;
  const begun = performance.now();
  const told = (answer?: OutboundAnswer) =>
    onCall?.({
      method,
      path,
      status: answer?.status ?? null,
      ms: Math.round(performance.now() - begun),
      requestId: answer ? headerOf(answer.headers, 'x-line-request-id') : null,
    });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(`${host}${path}${search.size > 0 ? '?' : ''}${search}`, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      timeoutMs,
      ...(body !== undefined && { body }),
    });
    told(answer);
    return answer;
  } catch (error) {
    told();
    throw error;
  }
}

/** Lists of a thousand menus are the longest that LINE answers with. */
const maxAnswerBytes = 16 * 1024 * 1024;
const maxRefusalBytes = 256 * 1024;

/** The JSON of an answer, as `schema` has it. Throws `LineError` for another status than a success, and where it is unreadable. */
export async function readAnswer<T extends z.ZodType>(
  path: string,
  answer: OutboundAnswer,
  schema: T,
): Promise<z.output<T>> {
  const isTaken = answer.status >= 200 && answer.status < 300;
  const body = parseJson(await readBytes(answer, isTaken ? maxAnswerBytes : maxRefusalBytes));
  if (!isTaken) throw new LineError(path, answer, body);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new LineError(path, answer, { message: 'The answer cannot be read.' });
  return parsed.data;
}

export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
