import type { z } from 'zod';
import type { ChatEvent } from '../../shared/contracts/conversations.ts';
import type { ErrorReply } from '../../shared/errors.ts';
import { accounts } from '../../shared/contracts/accounts.ts';
import type { BodyIn, ParamsOf, QueryIn, ReplyOf, Route } from '../../shared/route.ts';
import { currentLocale, translate } from './i18n.ts';

/** What the server, or the lack of one, had to say against a call. `status` 0 means that there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId: string | undefined;
  /** After how many seconds it may be tried again, where the server said so. */
  readonly retryAfterSeconds: number | undefined;
  constructor(
    status: number,
    code: string,
    message: string,
    details: Record<string, unknown> = {},
    requestId?: string,
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Sentences for the fields of a form, by their paths; of several the first. */
  get fields(): Record<string, string> {
    const fields = this.details['fields'];
    return Array.isArray(fields)
      ? Object.fromEntries(
          fields.toReversed().map((field: { path: string; message: string }) => [field.path, field.message]),
        )
      : {};
  }
}

type AnyRoute = Route<z.ZodRawShape, z.ZodRawShape>;

interface Sent<T extends AnyRoute> {
  params?: ParamsOf<T>;
  query?: QueryIn<T>;
  body?: BodyIn<T>;
  form?: FormData;
  signal?: AbortSignal;
  /** Hears which share of a form has left, from 0 to 1. */
  onProgress?: (share: number) => void;
  /** What is sent twice with one key is done once. */
  idempotencyKey?: string;
  /** Of the person, in whichever workspace. */
  anywhere?: true;
}

export const apiBase = document.querySelector<HTMLMetaElement>('meta[name="kotae-api-base"]')?.content ?? '';

export function readToken(): string | undefined {
  return /(?:^|;\s*)jwt=([^;]+)/.exec(document.cookie)?.[1];
}

/** As long as the server lets one live. */
const tokenSeconds = 15 * 60;

/** The API sets its cookie for its own host; a page that calls it from another keeps one of its own. */
function keepToken(reply: object): void {
  if (!apiBase || !('jwt' in reply)) return;
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `jwt=${String(reply.jwt)}; path=/; max-age=${tokenSeconds}; samesite=lax${secure}`;
}

let workspace: string | undefined;

let onWorkspaceLost = () => {};

/** Hears that the chosen workspace is gone, or no longer the person's. */
export const whenWorkspaceLost = (tell: () => void) => void (onWorkspaceLost = tell);

/** Every call is made in this workspace from now on; undefined is the personal one. */
export const actIn = (uuid: string | undefined) => void (workspace = uuid);

/** Calls a declared route. The reply's type is the contract's; the server has checked that it keeps it. */
export async function call<T extends AnyRoute>(route: T, sent: Sent<T> = {}): Promise<ReplyOf<T>> {
  const reply = await (await request(route, sent, { accept: 'application/json' })).json();
  keepToken(reply);
  return reply;
}

export async function fetchBytes<T extends AnyRoute>(route: T, sent: Sent<T>): Promise<ArrayBuffer> {
  return (await request(route, sent)).arrayBuffer();
}

/** Calls a route that answers in server-sent events, and hands each on as it comes. */
export async function stream<T extends AnyRoute>(
  route: T,
  sent: Sent<T>,
  onEvent: (event: ChatEvent) => void,
): Promise<void> {
  const response = await request(route, sent, { accept: 'text/event-stream' });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = (await reader?.read().catch((error: unknown) => failed(error, sent.signal))) ?? {
      value: undefined,
      done: true,
    };
    if (done) return;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = part
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data) onEvent(JSON.parse(data));
    }
  }
}

async function request<T extends AnyRoute>(
  route: T,
  sent: Sent<T>,
  headers: Record<string, string> = {},
): Promise<Response> {
  let token = readToken();
  // A token that is gone while its session lives is renewed before anyone notices.
  if (!token && hasSession()) {
    await renew(undefined);
    token = readToken();
  }
  const first = await send(route, sent, headers, token);
  if (first.ok) return first;
  const error = await toError(first);
  if (error.code === 'workspace-not-found' && !sent.anywhere) onWorkspaceLost();
  if (first.status === 401 && error.code === 'not-signed-in' && hasSession() && (await renew(token))) {
    const second = await send(route, sent, headers, readToken());
    if (second.ok) return second;
    throw await toError(second);
  }
  throw error;
}

async function send<T extends AnyRoute>(
  route: T,
  { params, query, body, form, signal, onProgress, anywhere, idempotencyKey }: Sent<T>,
  headers: Record<string, string>,
  token: string | undefined,
): Promise<Response> {
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) =>
    encodeURIComponent(String(new Map(Object.entries(params ?? {})).get(key))),
  );
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  );
  const url = `${apiBase}${path}${search.size > 0 ? `?${search}` : ''}`;
  const all = {
    'accept-language': currentLocale(),
    ...(workspace && !anywhere && { 'x-workspace': workspace }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...headers,
  };
  try {
    if (form && onProgress)
      return await sendForm(url, { method: route.method, headers: all, form, signal, onProgress });
    return await fetch(url, {
      method: route.method,
      credentials: 'include',
      headers: all,
      ...(form ? { body: form } : body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    return failed(error, signal);
  }
}

interface SentForm {
  method: string;
  headers: Record<string, string>;
  form: FormData;
  signal: AbortSignal | undefined;
  onProgress(share: number): void;
}

/** As fetch, which cannot tell how much has left. */
function sendForm(url: string, { method, headers, form, signal, onProgress }: SentForm): Promise<Response> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () =>
      done(
        new Response(request.responseText, {
          status: request.status,
          headers: { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' },
        }),
      ),
    );
    request.addEventListener('error', () => fail(new TypeError('The connection broke.')));
    request.addEventListener('abort', () => fail(signal?.reason));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** A connection that breaks is told in words; one that we ended ourselves stays what it is. */
function failed(error: unknown, signal: AbortSignal | undefined): never {
  signal?.throwIfAborted();
  throw error instanceof TypeError ? new ApiError(0, 'offline', translate('common:offline')) : error;
}

async function toError(response: Response): Promise<ApiError> {
  const reply: ErrorReply | undefined = await response.json().catch(() => undefined);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (!reply?.error)
    return new ApiError(response.status, 'unavailable', translate('common:unavailable'), {}, requestId);
  const { status, code, message, details } = reply.error;
  const seconds = Number(response.headers.get('retry-after'));
  return new ApiError(status, code, message, details, requestId, seconds > 0 ? seconds : undefined);
}

// Whether somebody signed in here; the cookie itself is out of a script's reach.
const marker = 'session-known';
export const hasSession = () => localStorage.getItem(marker) === 'true';
export function rememberSession(isThere: boolean): void {
  if (isThere) return localStorage.setItem(marker, 'true');
  localStorage.removeItem(marker);
  document.cookie = 'jwt=; path=/; max-age=0; samesite=lax';
}

/** Hears of the end of a session that this page did not ask for: in another tab, on another device, by its age. */
export function whenSessionEnds(tell: () => void): void {
  onSessionEnd = tell;
  window.addEventListener('storage', ({ key, newValue }) => key === marker && newValue === null && tell());
}

let onSessionEnd = () => {};
let renewing: Promise<boolean> | undefined;

/** One renewal at a time, over all tabs where the browser can tell them of each other; another's new token serves, too. */
function renew(refused: string | undefined): Promise<boolean> {
  renewing ??= navigatorLock(async () => {
    const token = readToken();
    if (token && token !== refused) return true;
    const response = await send(accounts.renew, { anywhere: true }, {}, token);
    if (response.status === 401) {
      rememberSession(false);
      onSessionEnd();
    }
    if (response.ok) keepToken(await response.json());
    return response.ok;
  }).finally(() => (renewing = undefined));
  return renewing;
}

/** Asks whether the session still counts, whatever the token says. */
export const recheckSession = (): Promise<boolean> =>
  hasSession() ? renew(readToken()).catch(() => false) : Promise.resolve(false);

/** For a socket that wants a fresh token. */
export async function freshToken(): Promise<string | undefined> {
  if (!readToken() && hasSession()) await renew(undefined).catch(() => false);
  return readToken();
}

function navigatorLock<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('kotae-renew', work) : work();
}
