import type { Feature } from './feature.ts';
import type { Config } from './infra/config.ts';
import type { Db, Engine, Write } from './infra/db.ts';
import type { Limits } from './infra/limits.ts';
import type { Log } from './infra/log.ts';
import type { Outbound } from './infra/outbound.ts';
import type { Queue } from './infra/queue.ts';
import type { Sealer } from './infra/sealed.ts';
import type { Sockets } from './infra/sockets.ts';
import type { Tokens } from './infra/tokens.ts';
import type { Mailer } from './providers/mail/mailer.ts';
import type { Storage } from './providers/storage/storage.ts';

/** What features share beyond the parts of every process: each adds its own where it declares `provide`. */
export interface Services {}

/** What the features of one process share; made in `server.ts`, and by each test for itself. */
export interface Context extends Services {
  config: Config;
  log: Log;
  db: Db;
  /** For writes that come with every answer. */
  write: Write;
  engine: Engine;
  sealer: Sealer;
  tokens: Tokens;
  storage: Storage;
  outbound: Outbound;
  queue: Queue;
  limits: Limits;
  mailer: Mailer;
  /** Addresses that people open, made of the configured one and never of what a request says. */
  links: { to(path: string, query: Record<string, string>): string };
  sockets: Omit<Sockets, 'close'>;
  /** Every feature in order, for what has to reach all of them. */
  features: readonly Feature[];
  /** True from the moment the process was asked to end. */
  isStopping(): boolean;
}
