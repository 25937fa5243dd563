import type { Config } from '../infra/config.ts';
import type { Db, Engine } from '../infra/db.ts';
import type { Log } from '../infra/log.ts';
import type { Outbound } from '../infra/outbound.ts';
import type { Queue } from '../infra/queue.ts';
import type { Sealer } from '../infra/sealed.ts';
import type { Sockets } from '../infra/sockets.ts';
import type { Tokens } from '../infra/tokens.ts';
import type { Models } from '../providers/models/models.ts';
import type { Storage } from '../providers/storage/storage.ts';
import type { Search } from './knowledge/search.ts';

/** What the features of one process share; made in `main.ts`, and by each test for itself. */
export interface Context {
  config: Config;
  log: Log;
  db: Db;
  engine: Engine;
  sealer: Sealer;
  tokens: Tokens;
  storage: Storage;
  outbound: Outbound;
  queue: Queue;
  sockets: Pick<Sockets, 'toWorkspace' | 'endSession'>;
  models: Models;
  search: Search;
}
