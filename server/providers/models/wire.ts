import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { OutboundAnswer } from '../../infra/outbound.ts';
import { providerError, type Access, type Opening, type OperatorAccess } from './model.ts';

/** How long a provider is waited for. */
export interface Timeouts {
  /** Milliseconds without a byte while a model loads or thinks. A large one is read from a disk for minutes, and many think without a word. */
  startMs: number;
  /** Milliseconds without a byte between two pieces of a text, and of whatever is no answer. */
  idleMs: number;
}

export const timeouts: Timeouts = { startMs: 300_000, idleMs: 60_000 };

/** What the vendors that are reached with a key alone ask for. */
export const keySettings = z.object({
  apiKey: z.string().trim().min(1).max(500).meta({ title: 'API key', secret: true }),
});

export const operatorAccess = <S extends Record<string, z.ZodType>>(
  line: string,
  settings: S,
  open: (values: z.output<z.ZodObject<S>>) => Opening | undefined,
): OperatorAccess => ({ line, settings, read: (environment) => open(z.object(settings).parse(environment)) });

/** The variable that holds the operator's key of a vendor. */
export const operatorKey = (variable: string, vendor: string): OperatorAccess => ({
  line: `${variable}=`,
  settings: {
    [variable]: z
      .string()
      .optional()
      .meta({ description: `A key of ${vendor}, whose models every workspace may use, paid with credits.` }),
  },
  read: ({ [variable]: apiKey }) => (apiKey ? { apiKey } : undefined),
});

/** Characters or bytes of one line of an answer, and bytes of a whole one. */
export const maxLineLength = 1024 * 1024;
export const maxAnswerLength = 20 * 1024 * 1024;

const maxListLength = 4 * 1024 * 1024;
const maxReasonLength = 300;
const maxRetryMs = 86_400_000;

/** A key that no header can carry, say with a Japanese letter in it, is no vendor's. */
export function checkKey({ apiKey = '' }: Access): void {
  if (!/^[\u0021-\u007e]*$/.test(apiKey)) throw providerError('provider-key-rejected');
}

export interface Ask {
  url: string;
  headers: Record<string, string>;
  /** With one it is a POST. */
  body?: string | Buffer | undefined;
  signal?: AbortSignal | undefined;
  idleMs: number;
}

/**
 * The answer's head; redirects are not followed. Throws what `signal` was aborted with, what `brokenOff` says, or what `Outbound` refuses. Aborting `signal` and `idleMs` without a byte close the connection, afterwards as well.
 */
export async function ask({ outbound }: Access, { url, headers, body, signal, idleMs }: Ask): Promise<OutboundAnswer> {
  try {
    return unpack(
      await outbound.request(url, {
        headers,
        timeoutMs: idleMs,
        ...(signal && { signal }),
        ...(body !== undefined && { method: 'POST', body }),
      }),
    );
  } catch (cause) {
    signal?.throwIfAborted();
    throw brokenOff(cause);
  }
}

/** Some proxies pack what nobody asked them to pack; a part is passed on as soon as it is there. */
function unpack(answer: OutboundAnswer): OutboundAnswer {
  const unpacker = createUnpacker(String(answer.headers['content-encoding']).toLowerCase());
  if (!unpacker) return answer;
  // Its reader hears what goes wrong, on either side.
  pipeline(answer.body, unpacker, () => {});
  return { ...answer, body: unpacker };
}

function createUnpacker(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'deflate') return createInflate({ flush: constants.Z_SYNC_FLUSH });
  return encoding === 'br' ? createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }) : undefined;
}

/** One kind of line end for all three that event streams may have, also where the network cuts one in two. */
export function createLineEnds(): (text: string) => string {
  let isAfterReturn = false;
  return (text) => {
    if (text === '' || (!isAfterReturn && !text.includes('\r'))) return text;
    const rest = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text;
    isAfterReturn = text.endsWith('\r');
    return rest.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  };
}

/**
 * Why an exchange ended without its end: `provider-timeout` after too long a silence, `provider-certificate` where its certificate is
 * not trusted, `provider-unreachable` where no connection was made, otherwise `provider-failed`.
 */
export function brokenOff(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = String(codeOf(cause));
  if (ofCertificates.test(code)) return providerError('provider-certificate', { reason: code }, cause);
  if (silences.has(codeOf(cause))) return providerError('provider-timeout', {}, cause);
  return noConnection.has(codeOf(cause))
    ? providerError('provider-unreachable', {}, cause)
    : providerError('provider-failed', { reason: broke }, cause);
}

/** An answer of which the end is missing. */
const broke = 'The connection broke off.';
export const endedEarly = () => providerError('provider-failed', { reason: 'The answer broke off before its end.' });

/** True where nothing was begun, so that asking again costs nothing: the vendor is busy, or there never was a connection. */
export const wasNotBegun = ({ code }: AppError): boolean => code === 'provider-busy' || code === 'provider-unreachable';

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const ofCertificates = /CERT|CRL_|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$/;
const silences = new Set<unknown>(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const noConnection = new Set<unknown>([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPROTO',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const codeOf = (cause: unknown) => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

/** Closes an answer that falls silent between two pieces of its text. While it loads or thinks, the limit of its request does. */
export function createPatience({ idleMs }: Timeouts) {
  let body: Readable | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    watch: (next: Readable) => void (body = next),
    /** Bytes came, whatever they are. */
    hear: () => void timer?.refresh(),
    speaks: () => void (timer ??= setTimeout(() => body?.destroy(providerError('provider-timeout')), idleMs)),
    /** It thinks again, or is over. */
    thinks() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

export type Patience = ReturnType<typeof createPatience>;

/** A page of JSON, as `schema` has it. Fails as `ModelConnection` does. */
export async function askJson<T extends z.ZodType>(access: Access, request: Ask, schema: T): Promise<z.output<T>> {
  checkKey(access);
  const response = await ask(access, request);
  if (response.status !== 200) throw await refusal(response, access);
  const text = await readBody(response, maxListLength).catch((error: unknown) => {
    request.signal?.throwIfAborted();
    throw error;
  });
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw providerError('provider-answer-unreadable');
  return parsed.data;
}

export async function refusal(response: OutboundAnswer, access: Access): Promise<AppError> {
  const text = await readBody(response, 16_000).catch(() => '');
  return refusalOf({ status: response.status, headers: response.headers, text, access });
}

interface Refusal {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body, or the sentence that was found in it. */
  text: string;
  access: Access;
}

/** What a status other than 200 means; `details.reason` is the vendor's sentence, `details.retryAfterMs` its wish. */
export function refusalOf({ status, headers, text, access }: Refusal): AppError {
  const reason = sentence(text, access) || `HTTP ${status}`;
  if (status === 402 || noCredit.test(text)) return providerError('provider-exhausted', { reason });
  // Only these are about the key: 403 is also what a region, a moderator or a firewall refuses with. 498 is Cohere's.
  if (status === 401 || status === 498 || badKey.test(text)) return providerError('provider-key-rejected', { reason });
  if (status === 429 || status === 503 || status === 529)
    return providerError('provider-busy', { reason, ...retryAfter(headers['retry-after']) });
  if (status >= 500) return providerError('provider-failed', { reason });
  return providerError('provider-refused', { reason });
}

/** OpenAI's, Moonshot's and Anthropic's words for an account without credit; Anthropic's earlier one is a sentence. */
const noCredit =
  /"(insufficient_quota|billing_hard_limit_reached|exceeded_current_quota_error|billing_error)"|credit balance is too low/;
/** Google's word, which comes with 400, and OpenAI's. */
const badKey = /"(API_KEY_INVALID|invalid_api_key)"/;

/** The vendor's sentence, of a body or as it is, short and without the key, which some repeat. */
export function sentence(text: string, { apiKey }: Access): string {
  const said = Said.safeParse(parseJson(text)).data ?? (/^\s*[<{[]/.test(text) ? '' : text);
  return (apiKey ? said.replaceAll(apiKey, '…') : said).trim().slice(0, maxReasonLength);
}

const Message = z.union([z.string(), z.object({ message: z.string() }).transform((error) => error.message)]);
/** FastAPI's: https://fastapi.tiangolo.com/tutorial/handling-errors/#requestvalidationerror */
const Details = z
  .array(z.object({ loc: z.array(z.union([z.string(), z.number()])).default([]), msg: z.string() }))
  .min(1)
  .transform((details) => details.map(({ loc, msg }) => [loc.join('.'), msg].filter(Boolean).join(': ')).join('; '));
const Said = z.union([
  z.object({ error: Message }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: Details }).transform(({ detail }) => detail),
  z.object({ message: z.object({ detail: Details }) }).transform(({ message }) => message.detail),
  // Google's list of one, where no event stream was begun.
  z.tuple([z.object({ error: Message })]).transform(([{ error }]) => error),
]);

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfter(header: string | string[] | undefined): { retryAfterMs?: number } {
  const value = [header].flat()[0]?.trim();
  if (!value) return {};
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.round(Math.min(Math.max(ms, 0), maxRetryMs)) };
}

/** At most `most` bytes; the rest is not waited for. Throws what `brokenOff` says when the connection breaks. */
export async function readBody({ body }: OutboundAnswer, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.length;
      if (size > most) break;
    }
  } catch (cause) {
    throw brokenOff(cause);
  }
  return Buffer.concat(parts).toString('utf8');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
