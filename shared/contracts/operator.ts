import { z } from 'zod';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { roles } from '../roles.ts';
import { optionalText, text, uuid } from '../text.ts';
import { Image, registrations } from './accounts.ts';

export const OperatedUser = z.object({
  uuid,
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  avatar: Image.nullable(),
  operator: z.boolean(),
  twoFactor: z.boolean(),
  providers: z.array(z.enum(['local', 'google', 'passkey'])),
  suspendedAt: moment.nullable(),
  suspendedFor: z.string().nullable(),
  workspaces: z.number().int(),
  lastSeenAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type OperatedUser = z.output<typeof OperatedUser>;

/** A workspace that somebody is in, with what it has, in micro-credits. */
export const OperatedWorkspace = z.object({
  uuid,
  name: z.string(),
  role: z.enum(roles),
  /** The person's own, which they have had from the start. */
  personal: z.boolean(),
  balance: z.number().int(),
  ...moments,
});
export type OperatedWorkspace = z.output<typeof OperatedWorkspace>;

/** The most that is given or taken at once, in credits. */
export const mostGivenCredits = 1_000_000;

/** Who, what, on what, from where. `actor` and `subject` are names as they were then. */
export const AuditEntry = z.object({
  uuid,
  action: z.string(),
  actor: z.object({ uuid, name: z.string() }).nullable(),
  workspace: z.object({ uuid, name: z.string() }).nullable(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  address: z.string(),
  createdAt: moment,
  updatedAt: moment,
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const Mail = z.object({
  uuid,
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  /** `kept`: there is no mail server, so it lies in the data folder, and `link` is where it leads. */
  state: z.enum(['queued', 'sent', 'failed', 'kept']),
  link: z.string().nullable(),
  error: z.string().nullable(),
  ...moments,
});
export type Mail = z.output<typeof Mail>;

export const Health = z.object({
  version: z.string(),
  node: z.string(),
  startedAt: moment,
  memoryBytes: z.number().int(),
  database: z.object({
    engine: z.enum(['sqlite', 'postgres']),
    version: z.string(),
    bytes: z.number().int(),
    pingMs: z.number(),
  }),
  queue: z.object({
    queued: z.number().int(),
    running: z.number().int(),
    dead: z.number().int(),
    oldestQueuedAt: moment.nullable(),
  }),
  storage: z.object({
    files: z.number().int(),
    bytes: z.number().int(),
    freeBytes: z.number().int(),
    lowBytes: z.number().int(),
  }),
  mail: z.object({ mode: z.enum(['smtp', 'kept']), waiting: z.number().int(), failed: z.number().int() }),
  counts: z.object({
    users: z.number().int(),
    workspaces: z.number().int(),
    bots: z.number().int(),
    documents: z.number().int(),
    sessions: z.number().int(),
  }),
  /** Of the last hour, from at most the newest five thousand. */
  answers: z.object({
    count: z.number().int(),
    failed: z.number().int(),
    /** How long until the first word, in milliseconds: of half of them less, of one in twenty more. */
    firstWordMs: z.object({ median: z.number().int(), slow: z.number().int() }).nullable(),
    /** Answers of each five minutes, oldest first. */
    slots: z.array(z.object({ at: moment, count: z.number().int(), failed: z.number().int() })),
  }),
  /** How the accounts of credits were when they were last counted from their entries; null before the first night. */
  ledger: z.object({ at: moment, accounts: z.number().int(), faults: z.number().int() }).nullable(),
  /** What this process reported since it started, newest first, at most fifty. */
  recentErrors: z.array(
    z.object({ at: moment, level: z.enum(['warn', 'error']), message: z.string(), detail: z.string() }),
  ),
});
export type Health = z.output<typeof Health>;

export const Settings = z.object({ registration: z.enum(registrations) });

/** A host with its port, in the network of this server, that may be called. */
export const AllowedHost = z.object({ uuid, host: z.string(), ...moments });
export type AllowedHost = z.output<typeof AllowedHost>;

const auditQuery = {
  action: optionalText(60).optional(),
  user: uuid.optional(),
  from: moment.optional(),
  until: moment.optional(),
};

export const operator = {
  users: route('GET', '/api/operator/users', {
    summary: 'Everyone with an account',
    access: 'operator',
    query: { ...listQuery, state: z.enum(['all', 'active', 'suspended', 'unverified', 'operators']).default('all') },
    reply: many(OperatedUser),
  }),
  user: route('GET', '/api/operator/user/:uuid', {
    summary: 'One account',
    access: 'operator',
    params: byUuid,
    reply: one(OperatedUser),
  }),
  suspend: route('POST', '/api/operator/user/:uuid/suspend', {
    summary: 'Suspend an account: its sessions, keys and connections end at once',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({ reason: optionalText(500).optional() }).optional(),
    reply: one(OperatedUser),
  }),
  restore: route('POST', '/api/operator/user/:uuid/restore', {
    summary: 'Lift a suspension',
    access: 'operator',
    params: byUuid,
    reply: one(OperatedUser),
  }),
  resetTwoFactor: route('POST', '/api/operator/user/:uuid/reset-two-factor', {
    summary: 'Take away the second factor and the passkeys of who lost them',
    access: 'operator',
    params: byUuid,
    reply: one(OperatedUser),
  }),
  resetPassword: route('POST', '/api/operator/user/:uuid/reset-password', {
    summary: 'A link, good for 30 minutes, with which a person sets a new password',
    access: 'operator',
    params: byUuid,
    reply: one(z.object({ url: z.string(), expiresAt: moment })),
  }),
  setOperator: route('PUT', '/api/operator/user/:uuid', {
    summary: 'Make somebody an operator, or no longer',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({ operator: z.boolean() }),
    reply: one(OperatedUser),
  }),
  workspaces: route('GET', '/api/operator/user/:uuid/workspaces', {
    summary: 'The workspaces that a person is in, with their balances',
    access: 'operator',
    params: byUuid,
    reply: one(z.array(OperatedWorkspace)),
  }),
  giveCredits: route('POST', '/api/operator/user/:uuid/credits', {
    summary: 'Give credits to a workspace of a person, or take them back; once for each `Idempotency-Key`',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({
      /** Their personal one unless told. */
      workspace: uuid.optional(),
      /** Whole credits; negative takes them back. */
      credits: z
        .number()
        .refine(
          (value) => Number.isInteger(value) && value !== 0 && Math.abs(value) <= mostGivenCredits,
          'credits-range',
        ),
      reason: text(200),
    }),
    reply: one(OperatedWorkspace),
  }),
  settings: route('GET', '/api/operator/settings', {
    summary: 'Settings of the installation',
    access: 'operator',
    reply: one(Settings),
  }),
  changeSettings: route('PUT', '/api/operator/settings', {
    summary: 'Change settings of the installation',
    access: 'operator',
    body: z.strictObject(Settings.shape).partial(),
    reply: one(Settings),
  }),
  hosts: route('GET', '/api/operator/hosts', {
    summary: 'Private addresses that may be called: those that operators have allowed, and those of the environment',
    access: 'operator',
    reply: one(z.object({ allowed: z.array(AllowedHost), environment: z.array(z.string()) })),
  }),
  allowHost: route('POST', '/api/operator/hosts', {
    summary: 'Allow the host and port of a private address, at once and until it is taken back',
    access: 'operator',
    body: z.strictObject({ url: text(2000) }),
    reply: one(AllowedHost),
  }),
  forbidHost: route('DELETE', '/api/operator/host/:uuid', {
    summary: 'Take back an allowed address',
    access: 'operator',
    params: byUuid,
    reply: ok,
  }),
  audit: route('GET', '/api/operator/audit', {
    summary: 'The audit log, newest first',
    access: 'operator',
    query: { ...listQuery, ...auditQuery },
    reply: many(AuditEntry),
  }),
  exportAudit: route('GET', '/api/operator/audit/export', {
    summary: 'The audit log as CSV',
    access: 'operator',
    kind: 'file',
    query: { q: listQuery.q, ...auditQuery },
  }),
  mails: route('GET', '/api/operator/mails', {
    summary: 'The latest mails',
    access: 'operator',
    query: { limit: listQuery.limit, cursor: listQuery.cursor },
    reply: many(Mail),
  }),
  retryMail: route('POST', '/api/operator/mail/:uuid/retry', {
    summary: 'Send a failed mail again',
    access: 'operator',
    params: byUuid,
    reply: one(Mail),
  }),
  testMail: route('POST', '/api/operator/mail/test', {
    summary: 'Send a mail to yourself',
    access: 'operator',
    reply: ok,
  }),
  health: route('GET', '/api/operator/health', {
    summary: 'How the installation is',
    access: 'operator',
    reply: one(Health),
  }),
};
