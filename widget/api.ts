import type { z } from 'zod';
import type { Attachment } from '../shared/contracts/conversations.ts';
import { visitors } from '../shared/contracts/visitors.ts';
import type { ErrorReply } from '../shared/errors.ts';
import type { BodyIn, ParamsOf, QueryIn, ReplyOf, Route } from '../shared/route.ts';

/** What the server, or the lack of one, had to say against a call. `status` 0 means that there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** By the fields of a form, what is wrong with them. */
  readonly fields: Record<string, string>;
  constructor(status: number, code = 'unavailable', message = '', fields: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** What the server said of something that failed; empty where it said nothing, and of what nobody expected. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  console.error(error);
  return '';
}

type AnyRoute = Route<z.ZodRawShape, z.ZodRawShape>;

interface Sent<T extends AnyRoute> {
  params?: ParamsOf<T>;
  query?: QueryIn<T>;
  body?: BodyIn<T>;
  headers?: Record<string, string>;
  /** As nobody yet, or as whoever the headers say. */
  isFirst?: true;
  /** Ends it; to whoever asked it looks like a broken connection. */
  signal?: AbortSignal;
}

/** Calls as one visitor. A lost token is told to `renew` once, and the call is made again. */
export function createApi({ language, renew }: { language: string; renew(): Promise<void> }) {
  let token: string | undefined;

  const headersOf = (isFirst?: true) => ({
    'accept-language': language,
    ...(token && !isFirst && { authorization: `Bearer ${token}` }),
  });

  async function request<T extends AnyRoute>(route: T, sent: Sent<T>, isAgain = false): Promise<Response> {
    const { query, body, headers, isFirst, signal } = sent;
    const search = new URLSearchParams(
      Object.entries(query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const response = await fetch(`${pathOf(route, sent.params)}?${search}`, {
      method: route.method,
      headers: {
        ...headersOf(isFirst),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch(() => {
      throw new ApiError(0);
    });
    if (response.ok) return response;
    if (response.status === 401 && token && !isAgain && !isFirst) {
      await renew();
      return request(route, sent, true);
    }
    throw await toError(response.status, () => response.json());
  }

  return {
    setToken: (given: string | undefined) => void (token = given),
    token: () => token,
    call: async <T extends AnyRoute>(route: T, sent: Sent<T> = {}): Promise<ReplyOf<T>> =>
      (await request(route, sent)).json(),
    bytes: async <T extends AnyRoute>(route: T, sent: Sent<T>): Promise<Blob> => (await request(route, sent)).blob(),

    /** Hands on each server-sent event as it comes. A connection that breaks is an error of status 0. */
    async stream<T extends AnyRoute, E>(route: T, sent: Sent<T>, onEvent: (event: E) => void): Promise<void> {
      const response = await request(route, { ...sent, headers: { accept: 'text/event-stream' } });
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      let rest = '';
      for (;;) {
        const read = await reader?.read().catch(() => {
          throw new ApiError(0);
        });
        if (!read || read.done) return;
        const parts = (rest + decoder.decode(read.value, { stream: true })).split(/\r?\n\r?\n/);
        rest = parts.pop() ?? '';
        for (const part of parts) {
          const data = part.replace(/^(?!data:).*$/gm, '').replace(/^data: ?/gm, '');
          if (data.trim() && !sent.signal?.aborted) onEvent(JSON.parse(data));
        }
      }
    },

    /** As fetch, which cannot tell how much has left. */
    upload(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<Attachment[]> {
      return new Promise((done, fail) => {
        const sending = new XMLHttpRequest();
        const form = new FormData();
        form.append('file', file);
        sending.open('POST', visitors.attach.path);
        for (const [name, value] of Object.entries(headersOf())) sending.setRequestHeader(name, value);
        sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0));
        sending.addEventListener('loadend', () => {
          const read = () => JSON.parse(sending.responseText);
          if (sending.status >= 200 && sending.status < 300) done(read().data);
          else toError(sending.status, async () => read()).then(fail, fail);
        });
        signal.addEventListener('abort', () => sending.abort());
        sending.send(form);
      });
    },
  };
}

export type Api = ReturnType<typeof createApi>;

const pathOf = ({ path }: AnyRoute, params: object = {}) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(Reflect.get(params, name))));

async function toError(status: number, read: () => Promise<ErrorReply>): Promise<ApiError> {
  const { code, message, details } = (await read().catch(() => undefined))?.error ?? {};
  const fields: { path: string; message: string }[] = Array.isArray(details?.['fields']) ? details['fields'] : [];
  return new ApiError(status, code, message, Object.fromEntries(fields.map((each) => [each.path, each.message])));
}
