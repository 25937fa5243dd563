import type { Config } from '../infra/config.ts';
import type { Db, Engine, Write } from '../infra/db.ts';
import type { Limits } from '../infra/limits.ts';
import type { Log } from '../infra/log.ts';
import type { Outbound } from '../infra/outbound.ts';
import type { Queue } from '../infra/queue.ts';
import type { Sealer } from '../infra/sealed.ts';
import type { Sockets } from '../infra/sockets.ts';
import type { Tokens } from '../infra/tokens.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import type { Storage } from '../providers/storage/storage.ts';
import type { Search } from './knowledge/search.ts';
import type { Models } from './models/models.ts';

/** What the features of one process share; made in `main.ts`, and by each test for itself. */
export interface Context {
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
  models: Models;
  search: Search;
}
