import { resolve } from 'node:path';
import { z } from 'zod';
import type { ChangedLimits, Limit } from './limits.ts';
import { trimEnd } from '../../shared/text.ts';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const port = z.coerce.number().int().min(0).max(65535);
/** What settings mean by MB, and pages by the same word: a million bytes. */
export const megabyte = 1_000_000;

export const webUrl = z.url({ protocol: /^https?$/ }).transform((value) => trimEnd(value, '/'));
/** Pages, cookies and channels begin at the root of a name. */
const rootUrl = webUrl.refine((value) => new URL(value).pathname === '/' && !/[?#]/.test(value), {
  message: 'has a path, and Kotae answers at the root of a name only: give it a name of its own',
});
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const limits = list.transform((parts, context) => {
  const changed: ChangedLimits = {};
  for (const part of parts) {
    const [, name, max, seconds] = /^([a-z-]+)=([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(part) ?? [];
    if (name) changed[name] = { max: Number(max), seconds: Number(seconds) };
    else context.addIssue(`${part} is not name=max/seconds`);
  }
  return changed;
});

/** The settings of the server itself; each feature declares its own. */
export const settings = z.object({
  PORT: port.default(3000).meta({ description: 'Port to listen on; 0 takes a free one.' }),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on; 0.0.0.0 opens it to the network.' }),
  BASE_URL: rootUrl.optional().meta({
    description:
      'The address that people open, when it is not http://HOST:PORT; it has no path. Links and cookies follow it.',
  }),
  API_BASE_URL: webUrl.optional().meta({
    description:
      'The address under which pages call this server, when it is not the one they were opened at. Both are of one site, and ALLOWED_ORIGINS names the one of the pages.',
  }),
  ALLOWED_ORIGINS: list
    .pipe(z.array(webUrl))
    .default([])
    .meta({ description: 'Other origins of the same site whose pages may call the API, comma-separated.' }),
  ALLOWED_HOSTS: list.default([]).meta({
    description: 'Other names that requests may call this server by, comma-separated; that of BASE_URL is always one.',
  }),
  DATA_DIR: z.string().min(1).default('data').meta({ description: 'Folder for the database, files and secrets.' }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .meta({ description: 'Postgres 15+ instead of the embedded database.' }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .meta({ description: 'Redis 7 or Valkey, to run several web processes.' }),
  MASTER_KEY: z
    .string()
    .optional()
    .meta({ description: 'Key that seals secrets, 32 bytes as base64. Without it one is made in DATA_DIR/secrets.' }),
  PREVIOUS_MASTER_KEYS: list
    .default([])
    .meta({ description: 'Former master keys: what they sealed still needs them.' }),
  TRUST_PROXY: list
    .default([])
    .meta({ description: 'Addresses of reverse proxies whose X-Forwarded-For is believed.' }),
  ALLOW_PRIVATE_HOSTS: list
    .default([])
    .meta({ description: 'Private hosts (host:port) that documents, bots and keys may name.' }),
  CREDIT_GRANT: z.coerce.number().min(0).max(1_000_000_000).default(100).meta({
    description:
      'Credits that the first workspace of a person begins with; one is a US cent of list price times the margin.',
  }),
  CREDIT_MARGIN: z.coerce
    .number()
    .min(0)
    .max(1000)
    .default(1)
    .meta({ description: 'What credits cost against the list prices of models: 1.2 adds a fifth.' }),
  MAX_UPLOAD_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(2000)
    .default(50)
    .meta({ description: 'Largest file that may be uploaded, in MB (a million bytes).' }),
  MIN_FREE_DISK_MB: z.coerce
    .number()
    .int()
    .min(0)
    .default(500)
    .meta({ description: 'Uploads are refused when less than this is free, in MB.' }),
  WORKSPACE_STORAGE_MB: z.coerce.number().int().min(0).default(5000).meta({
    description: 'What the files of one workspace may take together, those in the trash too, in MB; 0 sets no limit.',
  }),
  WORKER_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .meta({ description: 'Documents that one process reads at once.' }),
  CRAWL_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(250)
    .meta({ description: 'Milliseconds between two requests to one website that is read.' }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description:
        'Mail server, for example smtp://user:password@mail.example.com:587. Without one, mails are kept in DATA_DIR/mail.',
    }),
  MAIL_FROM: z.string().default('Kotae <kotae@localhost>').meta({ description: 'Who mails come from.' }),
  GOOGLE_CLIENT_ID: z.string().optional().meta({
    description:
      'Signing in with Google: the client of your Google Cloud project. Its redirect URI is BASE_URL/api/auth/google/callback.',
  }),
  GOOGLE_CLIENT_SECRET: z.string().optional().meta({ description: 'Its secret.' }),
  GOOGLE_ISSUER: webUrl
    .default('https://accounts.google.com')
    .meta({ description: 'Where that client is known; another OpenID provider may stand in.' }),
  LIMITS: limits.default({}).meta({
    description:
      'Other limits than the usual, as name=max/seconds, comma-separated, for example sign-in=50/300. The names are in docs/operations/limits.md.',
  }),
  RATE_LIMITS: flag
    .default(true)
    .meta({ description: 'Limits on sign-in, registration and calls per address. Only for load tests: false.' }),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn').meta({
    description: 'How much is logged, as JSON lines on the standard output; info adds a line for each request.',
  }),
});

type Settings = z.output<typeof settings>;

export interface Config extends Settings {
  DATA_DIR: string;
  /** True when people reach the installation over HTTPS; cookies are `Secure` then. */
  secure: boolean;
  /** Settings that features declare: checked here, and read by the feature that declares them. */
  declared: Record<string, string>;
}

export class ConfigError extends Error {}

/** Reads the settings, `declared` among them; an unset or empty variable takes its default. Throws `ConfigError` naming each wrong variable. */
export function readConfig(
  environment: Record<string, string | undefined>,
  declared: Record<string, z.ZodType>,
): Config {
  const given = (names: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(
      Object.keys(names).flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : [])),
    );
  const own = settings.safeParse(given(settings.shape));
  const others = z.object(declared).safeParse(given(declared));
  if (!own.success || !others.success) {
    const issues = [own, others].flatMap(({ error }) => error?.issues ?? []);
    throw new ConfigError(issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));
  }
  const values = own.data;
  return {
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    secure: values.BASE_URL?.startsWith('https:') ?? false,
    declared: given(declared),
  };
}

/** Throws `ConfigError` when LIMITS names a limit that nobody declares. */
export function checkLimits({ LIMITS }: Pick<Config, 'LIMITS'>, declared: Limit[]): void {
  const names = declared.map(({ name }) => name);
  const unknown = Object.keys(LIMITS).find((name) => !names.includes(name));
  if (unknown) throw new ConfigError(`LIMITS: ${unknown} is not one of ${names.join(', ')}`);
}
