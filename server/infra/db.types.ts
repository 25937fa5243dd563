import type { Generated } from 'kysely';
import type { GivenRole, Role } from '../../shared/roles.ts';

/** Ids are UUIDv7 made in the app, times are epoch milliseconds, booleans are 0 or 1, JSON is text: the same on both engines. */
type Json = string;
type Flag = 0 | 1;

interface Entity {
  uuid: string;
  created_at: number;
  updated_at: number;
}

export interface UserTable extends Entity {
  username: string;
  username_key: string;
  email: string;
  email_key: string;
  email_verified: Flag;
  password_hash: string | null;
  avatar: string | null;
  locale: 'en' | 'ja';
  timezone: string;
  is_operator: Flag;
  suspended_at: number | null;
  suspended_for: string | null;
  pending_email: string | null;
  /** Sealed; there from the first step, in force from `totp_since` on. `totp_step` is the last one that was used. */
  totp_secret: string | null;
  totp_since: number | null;
  totp_step: number | null;
}

/** `secret_hash` is the SHA-256 of what the session cookie carries. */
export interface SessionTable extends Entity {
  user: string;
  secret_hash: string;
  expires_at: number;
  last_seen_at: number;
  user_agent: string;
  address: string;
  method: 'password' | 'google' | 'passkey';
  /** When the person last showed that it is them. */
  confirmed_at: number;
}

export interface WorkspaceTable extends Entity {
  name: string;
  personal_of: string | null;
  avatar: string | null;
}

export interface MemberTable {
  workspace: string;
  user: string;
  role: Role;
  created_at: number;
}

/** What was handed out as a link or a step of signing in: good once, until it expires; only its hash is kept. */
export interface TicketTable {
  hash: string;
  kind: 'two-factor' | 'verify-email' | 'change-email' | 'reset-password' | 'google' | 'passkey' | 'export';
  user: string | null;
  data: Json;
  attempts: number;
  expires_at: number;
  created_at: number;
}

export interface BackupCodeTable {
  user: string;
  hash: string;
}

export interface PasskeyTable extends Entity {
  user: string;
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: Json;
  last_used_at: number | null;
}

/** `subject` is the provider's own id of the person, which never changes; the e-mail is only for show. */
export interface IdentityTable {
  provider: 'google';
  subject: string;
  user: string;
  email: string;
  created_at: number;
}

export interface InvitationTable extends Entity {
  workspace: string;
  role: GivenRole;
  email: string | null;
  code_hash: string;
  invited_by: string | null;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
}

export interface ApiKeyTable extends Entity {
  workspace: string;
  user: string;
  name: string;
  prefix: string;
  hash: string;
  scopes: Json;
  bots: Json | null;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

/** Append-only. Names are kept as they were, since what they name may be gone. */
export interface AuditTable {
  uuid: string;
  created_at: number;
  action: string;
  user: string | null;
  actor: string;
  workspace: string | null;
  workspace_name: string;
  subject: string;
  details: Json;
  address: string;
}

/** `body` is sealed, and gone once the mail was sent. */
export interface MailTable extends Entity {
  kind: string;
  recipient: string;
  subject: string;
  locale: 'en' | 'ja';
  body: string | null;
  state: 'queued' | 'sent' | 'failed' | 'kept';
  error: string | null;
  sent_at: number | null;
}

export interface SettingTable {
  name: string;
  value: Json;
}

export interface FileTable extends Entity {
  workspace: string | null;
  user: string | null;
  kind: 'avatar' | 'document' | 'attachment';
  name: string;
  mime: string;
  bytes: number;
  sha256: string;
  storage_key: string;
}

export interface BotTable extends Entity {
  workspace: string;
  bot_group: string | null;
  name: string;
  description: string;
  avatar: string | null;
  draft: Json;
  published_version: string | null;
  visibility: 'private' | 'workspace' | 'public';
  created_by: string | null;
  deleted_at: number | null;
}

export interface BotVersionTable {
  uuid: string;
  bot: string;
  number: number;
  config: Json;
  note: string;
  published_by: string | null;
  created_at: number;
}

export interface BotGroupTable extends Entity {
  workspace: string;
  name: string;
  color: string;
  position: number;
}

/** What a bot's tools may send along; sealed. */
export interface BotSecretTable {
  bot: string;
  name: string;
  sealed: string;
  updated_at: number;
}

/** A workspace's own key of a model provider. `sealed` is null where the server wants none; `models` is what it opened. */
export interface ModelKeyTable extends Entity {
  workspace: string;
  provider: string;
  name: string;
  base_url: string | null;
  sealed: string | null;
  hint: string;
  state: 'ready' | 'rejected' | 'unreachable';
  message: string | null;
  models: Json;
  checked_at: number;
  last_used_at: number | null;
}

/** What the operator changed of a service; `added` is the whole of one that the list does not have. */
export interface ServiceSettingTable {
  service: string;
  hidden: Flag;
  name: string | null;
  price: Json | null;
  added: Json | null;
  updated_at: number;
}

/** Micro-credits. `balance` is the sum of the workspace's entries; `reserved` the sum of its holds. */
export interface CreditAccountTable {
  workspace: string;
  balance: number;
  reserved: number;
}

/** What an answer on its way may cost at most. */
export interface CreditHoldTable {
  message: string;
  workspace: string;
  amount: number;
  created_at: number;
}

/** Append-only: grants, purchases and uses. Names are kept as they were, since what they name may be gone. */
export interface TokenEntryTable {
  uuid: string;
  created_at: number;
  workspace: string;
  kind: 'grant' | 'use' | 'purchase' | 'refund' | 'adjustment';
  amount: number;
  balance: number;
  message: string | null;
  thread: string | null;
  bot: string | null;
  bot_name: string | null;
  user: string | null;
  api_key: string | null;
  channel: string | null;
  service: string | null;
  service_name: string | null;
  provider: string | null;
  model: string | null;
  model_key: string | null;
  own_key: Flag;
  price: Json | null;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  latency_ms: number | null;
  first_token_ms: number | null;
  note: string | null;
}

/** `key` is the small number under which the keyword index files a base. */
export interface KnowledgeTable extends Entity {
  key: Generated<number>;
  workspace: string;
  name: string;
  description: string;
  deleted_at: number | null;
}

/** `generation` is the one that answers; a re-index builds the next beside it and switches when it is whole. 0: none yet. */
export interface DocumentTable extends Entity {
  knowledge: string;
  name: string;
  source: 'file' | 'url' | 'text' | 'qa';
  mime: string;
  extension: string;
  bytes: number;
  sha256: string;
  file: string | null;
  language: string | null;
  pages: number | null;
  status: DocumentStatus;
  stage: DocumentStage | null;
  progress: number;
  error: Json | null;
  warnings: Json;
  tokens: number;
  chunk_count: number;
  word_count: number;
  bigram_count: number;
  kanji_count: number;
  generation: number;
  enabled: Flag;
  deleted_at: number | null;
}
export type DocumentStage = 'parsing' | 'chunking' | 'embedding';
export type DocumentStatus = 'queued' | DocumentStage | 'indexed' | 'indexed-with-warnings' | 'failed' | 'canceled';

export interface ChunkTable extends Entity {
  id: Generated<number>;
  knowledge: string;
  document: string;
  generation: number;
  position: number;
  headings: Json;
  page: number | null;
  text: string;
  start_offset: number;
  end_offset: number;
  questions: Json;
  keywords: Json;
  tokens: number;
  enabled: Flag;
  hit_count: number;
}

export interface ThreadTable extends Entity {
  workspace: string;
  bot: string;
  user: string | null;
  /** The key that asked; its threads are apart from those of the person it belongs to. */
  api_key: string | null;
  channel: 'app';
  title: string;
  status: 'bot' | 'waiting' | 'staff' | 'resolved' | 'snoozed';
  language: 'en' | 'ja';
  last_seq: number;
  /** The assistant message being written; a thread has one writer at a time. */
  running: string | null;
  /** The last message of the branch that is shown. */
  head: string | null;
  pinned_at: number | null;
  temporary: Flag;
  share_hash: string | null;
  deleted_at: number | null;
}

export interface MessageTable extends Entity {
  thread: string;
  seq: number;
  role: 'user' | 'assistant' | 'staff' | 'system';
  /** What it follows; messages with the same one are branches. */
  parent: string | null;
  text: string;
  reasoning: string;
  tools: Json;
  files: Json;
  feedback: Json | null;
  finish: 'stop' | 'length' | 'filter' | 'tools' | null;
  citations: Json;
  status: 'pending' | 'streaming' | 'done' | 'interrupted' | 'failed';
  error: Json | null;
  service: string | null;
  service_name: string | null;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  /** Micro-credits. */
  cost: number;
  own_key: Flag;
  latency_ms: number | null;
  first_token_ms: number | null;
  trace: Json | null;
  /** Who writes it and until when; a run past its lease belongs to a process that is gone. */
  lease_owner: string | null;
  lease_until: number | null;
  stop_requested: Flag;
}

/** `fence` grows with every claim: a worker that lost its lease can no longer finish the job. */
export interface JobTable {
  uuid: string;
  kind: string;
  payload: Json;
  unique_key: string | null;
  state: 'queued' | 'running' | 'done' | 'dead';
  run_at: number;
  attempts: number;
  lease_owner: string | null;
  lease_until: number | null;
  fence: number;
  error: string | null;
  created_at: number;
  updated_at: number;
}

/** What an installation knows about itself: the check value of its master key, the sealed signing key, versions of indexes. */
export interface InstallationTable {
  name: string;
  value: string;
}

export interface Tables {
  installation: InstallationTable;
  user: UserTable;
  session: SessionTable;
  workspace: WorkspaceTable;
  member: MemberTable;
  ticket: TicketTable;
  backup_code: BackupCodeTable;
  passkey: PasskeyTable;
  identity: IdentityTable;
  invitation: InvitationTable;
  api_key: ApiKeyTable;
  audit: AuditTable;
  mail: MailTable;
  setting: SettingTable;
  file: FileTable;
  bot: BotTable;
  bot_version: BotVersionTable;
  bot_group: BotGroupTable;
  bot_secret: BotSecretTable;
  model_key: ModelKeyTable;
  service_setting: ServiceSettingTable;
  credit_account: CreditAccountTable;
  credit_hold: CreditHoldTable;
  token_entry: TokenEntryTable;
  knowledge: KnowledgeTable;
  document: DocumentTable;
  chunk: ChunkTable;
  thread: ThreadTable;
  message: MessageTable;
  job: JobTable;
}
