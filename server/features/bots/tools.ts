import type { Tool } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import { storable } from '../../../shared/text.ts';
import type { OutboundAnswer } from '../../infra/outbound.ts';
import type { ModelTool } from '../../providers/models/model.ts';
import type { Context } from '../../feature.ts';
import { listSecrets } from './bots.store.ts';

const maxMs = 15_000;
const maxCharacters = 20_000;
// In UTF-8 a UTF-16 unit takes at most three bytes.
const maxBytes = 3 * maxCharacters;

export const secretPlace = (bot: string, name: string) => `bot_secret:${bot}:${name}`;

/** The call as a model is told of it: JSON Schema of its parameters. */
export function toModelTool({ name, description, parameters }: Tool): ModelTool {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          {
            type: parameter.type,
            description: parameter.description,
            ...(parameter.type === 'array' && { items: {} }),
          },
        ]),
      ),
      required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
      additionalProperties: false,
    },
  };
}

/**
 * Makes the call that a tool describes. Parameters go where the tool says; secrets of the bot are put into headers only, and are
 * sent only where they were stored for, or whoever edits a bot could send them to themselves. The
 * address is checked like any that a person named, redirects are not followed, and an answer is cut after 20,000 characters.
 * Throws `tool-input-invalid`, `secret-elsewhere`, `address-not-allowed`, or after `limitMs` at the latest `tool-failed`.
 */
export async function callTool(
  context: Pick<Context, 'db' | 'sealer' | 'outbound'>,
  bot: string,
  tool: Tool,
  input: Record<string, unknown>,
  signal: AbortSignal,
  limitMs = maxMs,
): Promise<{ status: number; body: string; tookMs: number }> {
  const given = givenOf(tool, input);
  const started = performance.now();
  const url = addressOf(tool, given);
  const body = bodyOf(tool, given);
  const headers = {
    accept: 'application/json, text/*;q=0.9',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(await headersOf(context, bot, tool, new URL(url).origin)),
  };
  try {
    const response = await context.outbound.request(url, {
      method: tool.method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      timeoutMs: limitMs,
    });
    const text = await readStart(response);
    return {
      status: response.status,
      body: storable(text.slice(0, maxCharacters)),
      tookMs: Math.round(performance.now() - started),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError && error.code === 'address-not-allowed') throw error;
    throw new AppError('tool-failed', { name: tool.name }, { cause: error });
  }
}

/** Reads only as much of the answer as is passed on. */
async function readStart({ body }: OutboundAnswer): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8');
}

type Parameter = Tool['parameters'][number];
type Values = Map<string, unknown>;

/** The values by name, without what was left out. A map: a parameter may be called `constructor`. */
function givenOf({ parameters }: Tool, input: Record<string, unknown>): Values {
  const given: Values = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const wrong = parameters.find((parameter) => !fits(parameter, given.get(parameter.name)));
  const unknown = Object.keys(input).find((name) => !parameters.some((parameter) => parameter.name === name));
  if (wrong || unknown !== undefined)
    throw new AppError('tool-input-invalid', { parameter: (wrong?.name ?? unknown)?.slice(0, 100) });
  return given;
}

function fits({ type, required }: Parameter, value: unknown): boolean {
  if (value === undefined) return !required;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}

/** What is filled in cannot leave its place in the path: `/`, `?` and `#` are escaped, and `..` is refused. */
function addressOf({ url, parameters }: Tool, given: Values): string {
  const filled = url.replace(/\{([A-Za-z][A-Za-z0-9_-]*)\}/g, (_, name: string, at: number) => {
    const value = asText(given.get(name) ?? '');
    // An empty part would change the path, and one at its beginning the host.
    if (value === '' || value === '.' || value === '..' || !/^https?:\/\/[^/?#]+[/?#]/i.test(url.slice(0, at)))
      throw new AppError('tool-input-invalid', { parameter: name });
    return encodeURIComponent(value.toWellFormed());
  });
  if (!URL.canParse(filled)) throw new AppError('address-not-allowed', { reason: 'form' });
  const address = new URL(filled);
  for (const { name, in: place } of parameters) {
    if (place !== 'query' || !given.has(name)) continue;
    const value = given.get(name);
    // As OpenAPI has it unless told otherwise (style `form`, exploded): https://spec.openapis.org/oas/v3.1.1#style-values
    for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(name, asText(one));
  }
  return address.href;
}

function bodyOf({ parameters }: Tool, given: Values): string | undefined {
  const inBody = parameters.filter(({ name, in: place }) => place === 'body' && given.has(name));
  return inBody.length > 0
    ? JSON.stringify(Object.fromEntries(inBody.map(({ name }) => [name, given.get(name)])))
    : undefined;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const ours =
  /^(host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;

async function headersOf(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  bot: string,
  { headers }: Tool,
  origin: string,
): Promise<Record<string, string>> {
  if (headers.length === 0) return {};
  const secrets = new Map((await listSecrets(db, bot)).map((secret) => [secret.name, secret]));
  const fill = (name: string): string => {
    const secret = secrets.get(name);
    if (!secret) return '';
    const origins: string[] = JSON.parse(secret.origins);
    if (!origins.includes(origin)) throw new AppError('secret-elsewhere', { name, origin });
    return sealer.open(secret.sealed, secretPlace(bot, name));
  };
  return Object.fromEntries(
    headers.map(({ name, value }) => {
      const filled = value.replace(/\{\{\s*secret\.([A-Za-z][A-Za-z0-9_]*)\s*\}\}/g, (_, secret: string) =>
        fill(secret),
      );
      // What may stand in a header: https://www.rfc-editor.org/rfc/rfc9110#section-5.5
      if (ours.test(name) || !/^[A-Za-z0-9-]+$/.test(name) || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(filled))
        throw new AppError('tool-input-invalid', { parameter: name });
      return [name.toLowerCase(), filled];
    }),
  );
}
