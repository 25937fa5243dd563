import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import type { ErrorCode } from '../../../shared/errors.ts';

/** What a model says, on whatever wire. */
export interface Scene {
  reasoning?: string[];
  text?: string[];
  calls?: { id: string; name: string; pieces: string[] }[];
  /** All that came in, with what of it came from the cache or was put into it, and all that went out, with what of it was thought. */
  tokens?: { in: number; out: number; cached: number; written?: number; thought?: number };
  finish?: 'stop' | 'length' | 'filter' | 'tools';
  /** The vendor's own word for why it ended, in place of `finish`. */
  ends?: string;
}

/** What a request asked, told the same for every wire. */
export interface Seen {
  system: string;
  messages: {
    role: 'user' | 'assistant' | 'tool';
    text: string;
    images?: string[];
    calls?: { name: string; input: unknown }[];
    thoughts?: string[];
  }[];
  tools: string[];
  maxTokens: number | undefined;
  /** How many of them it may think. */
  budget?: number | undefined;
}

export interface Asked {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** How one vendor speaks: what it wants of a request, and what its stream looks like. */
export interface Wire {
  name: string;
  /** A model that thinks, draws conclusions from pictures and calls tools. */
  model: string;
  /** Models with other levels of thinking; the double refuses what its vendor does not document. */
  thinkers: string[];
  /** Its words for why it ended without a text, and what each means. */
  endings: Record<string, 'filter' | ErrorCode>;
  /** The models of `models` that can chat. */
  lists: string[];
  /** Wants the thoughts before a call back with it: those of a scene that thinks “I need the weather.” */
  thinksOn?: string[];
  /** What it wants back with a call, as a body has it. */
  signature?: string;
  /** It tells what it puts into its cache. */
  writesCache?: true;
  /** It does not tell how many of its tokens it thought. */
  hidesThoughts?: true;
  /** It can be told how many tokens to think. */
  hasBudget?: true;
  /** It cannot be told where to end. */
  hasNoStops?: true;
  /** It does not say that it held something back. */
  hasNoFilter?: true;
  /** It writes down what is said, with these of its models. */
  transcribers?: string[];
  /** What follows the origin in the base URL. */
  prefix: string;
  isChat(path: string): boolean;
  /** The answer to a request that the vendor would not take. */
  check(asked: Asked): { status: number; body: unknown } | undefined;
  /** Whole events, each without the blank line that ends it. */
  frames(scene: Scene): string[];
  /** What its documentation says of keys, credit and what else it refuses, each with what that means. */
  refusals: { status: number; body: unknown; code: ErrorCode }[];
  /** The body of an answer with an error status. */
  error(status: number, message: string): unknown;
  /** An error that comes after the stream has begun. */
  errorFrame(message: string): string;
  seen(body: unknown): Seen;
  /** The list of models, in two pages where the vendor has pages. */
  models(asked: Asked): unknown;
}

export interface Received extends Asked {
  at: number;
  /** When the connection of it closed, or 0. */
  closedAt: number;
  /** Which connection it came by. */
  connection: number;
}

export type Behave = (exchange: { asked: Received; response: ServerResponse; socket: Socket }) => void | Promise<void>;

export const goodKey = 'sk-double-4cb1e0f9d2a7';

/** A real server on loopback that speaks a vendor's wire, and behaves as badly as it is told to. */
export async function startDouble(wire: Wire) {
  const received: Received[] = [];
  const connections = new Map<Socket, number>();
  let behave: Behave = () => {};
  let hear: Behave = () => {};
  const double = {
    wire,
    url: '',
    received,
    behave: (next: Behave) => void (behave = next),
    /** Says this from now on. */
    say: (scene: Scene) => void (behave = ({ response }) => stream(response, wire.frames(scene))),
    /** Does this with what is said to it from now on, or answers that. */
    hear: (next: Behave | { text: string; usage?: object | null }) =>
      void (hear = typeof next === 'function' ? next : ({ response }) => json(response, 200, next)),
    /** What it was given to write down. */
    heard: () => received.filter(({ path }) => isTranscription(path)),
    last: () => received.at(-1)!,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://double');
      const bytes = Buffer.concat(parts);
      const type = request.headers['content-type'] ?? '';
      const asked: Received = {
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: type.startsWith('multipart/')
          ? Object.fromEntries(await new Response(bytes, { headers: { 'content-type': type } }).formData())
          : bytes.length > 0
            ? JSON.parse(bytes.toString('utf8'))
            : undefined,
        at: Date.now(),
        closedAt: 0,
        connection: connections.get(request.socket) ?? connections.size + 1,
      };
      connections.set(request.socket, asked.connection);
      received.push(asked);
      response.on('close', () => (asked.closedAt = Date.now()));
      const refused = wire.check(asked);
      if (refused) return json(response, refused.status, refused.body);
      if (isTranscription(pathname)) return hear({ asked, response, socket: request.socket });
      if (!wire.isChat(pathname)) return json(response, 200, wire.models(asked));
      return behave({ asked, response, socket: request.socket });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  double.url = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}${wire.prefix}`;
  return double;
}

export type Double = Awaited<ReturnType<typeof startDouble>>;

export const isTranscription = (path: string) => path.endsWith('/audio/transcriptions');

/** CreateTranscriptionRequest of https://github.com/openai/openai-openapi, as it was in August 2026: what we send of it. */
const Recording = z.strictObject({
  file: z
    .file()
    .max(25 * 1024 * 1024)
    .refine(({ name }) => /\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/.test(name)),
  model: z.string(),
  response_format: z.literal('json'),
});

/** The answer to something that is not to be written down as the vendor wants it. */
export function checkRecording(wire: Wire, { body }: Asked): ReturnType<Wire['check']> {
  const parsed = Recording.safeParse(body);
  if (!parsed.success) return { status: 400, body: wire.error(400, z.prettifyError(parsed.error)) };
  const { model } = parsed.data;
  return wire.transcribers?.includes(model)
    ? undefined
    : { status: 404, body: wire.error(404, `The model ${model} does not exist.`) };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function stream(response: ServerResponse, frames: string[]): void {
  begin(response).end(joined(frames));
}

export const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
export const joined = (frames: string[]) => frames.map((frame) => `${frame}\n\n`).join('');
export const data = (payload: unknown) => `data: ${JSON.stringify(payload)}`;
export const event = <T extends { type: string }>(payload: T) =>
  `event: ${payload.type}\ndata: ${JSON.stringify(payload)}`;
