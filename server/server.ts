import { join } from 'node:path';
import { addRoutes } from './app.ts';
import { createAuthorize, identifySocket } from './features/accounts/authorize.ts';
import { abandonAnswers, createAnswers } from './features/answers/answers.ts';
import type { Context } from './features/context.ts';
import { renewIndex } from './features/knowledge/documents.ts';
import { createSearch } from './features/knowledge/search.ts';
import { createModels } from './features/models/models.ts';
import type { Config } from './infra/config.ts';
import { createWrite, lockDataDirectory, openDatabase } from './infra/db.ts';
import { createHttp, type Http } from './infra/http.ts';
import type { Log } from './infra/log.ts';
import { createLimits, noLimits } from './infra/limits.ts';
import { migrate } from './infra/migrate.ts';
import { createOutbound } from './infra/outbound.ts';
import { createQueue, dropLeases } from './infra/queue.ts';
import { createRecurring } from './infra/recurring.ts';
import { openRedis } from './infra/redis.ts';
import { openSealer } from './infra/sealed.ts';
import { openSockets, type Sockets } from './infra/sockets.ts';
import { openTokens } from './infra/tokens.ts';
import { addJobs, addRecurring } from './jobs.ts';
import { createMailer } from './providers/mail/mailer.ts';
import { localStorage } from './providers/storage/local.ts';

export type Role = 'web' | 'worker';

export interface Server {
  /** The address people open; undefined for a process that only works. */
  address: string | undefined;
  app: Http;
  context: Context;
  /** Takes no more, lets what runs end for `drainMs`, and lets go of everything. */
  stop(drainMs?: number): Promise<void>;
}

interface Surroundings {
  webFolder?: string;
  /** Says something to whoever started the server. */
  print?: (line: string) => void;
  /** Whether each write that may be run twice is. */
  rehearsesWrites?: boolean;
}

const lingerMs = 2_000;

export async function startServer(
  config: Config,
  log: Log,
  roles: Role[],
  {
    webFolder = join(import.meta.dirname, '../dist/web'),
    print = () => {},
    rehearsesWrites = false,
  }: Surroundings = {},
): Promise<Server> {
  // On Postgres several processes may share the work; the embedded database belongs to one.
  const unlock = config.DATABASE_URL ? () => {} : lockDataDirectory(config.DATA_DIR);
  const database = openDatabase(config);
  try {
    await migrate(database);
    const { db, engine } = database;
    if (engine === 'sqlite') await Promise.all([dropLeases(db), abandonAnswers(db)]);
    const sealer = await openSealer(config, db);
    const tokens = await openTokens(db, sealer);
    const redis = await openRedis(config.REDIS_URL, log);
    const limits = config.RATE_LIMITS ? createLimits(redis, config.LIMITS) : noLimits;
    const write = createWrite(database, { rehearses: rehearsesWrites });
    const queue = createQueue({ db, engine, write }, log, { lanes: { ingestion: config.WORKER_CONCURRENCY } });
    const search = createSearch(config);
    const outbound = createOutbound(config.ALLOW_PRIVATE_HOSTS);
    let sockets: Sockets | undefined;
    let address: string | undefined;
    const context: Context = {
      config,
      log,
      db,
      write,
      engine,
      sealer,
      tokens,
      queue,
      search,
      limits,
      mailer: createMailer(config, print),
      links: {
        to: (path, query) =>
          `${address ?? config.BASE_URL ?? `http://localhost:${config.PORT}`}${path}?${new URLSearchParams(query)}`,
      },
      storage: await localStorage(join(config.DATA_DIR, 'files')),
      outbound,
      models: createModels({ db, config, log, sealer, outbound }),
      // The socket server needs the web server, which needs the routes, which need this.
      sockets: {
        toWorkspace: (...event) => sockets?.toWorkspace(...event),
        toUser: (...event) => sockets?.toUser(...event),
        endSession: (session) => sockets?.endSession(session),
        endUser: (user) => sockets?.endUser(user),
      },
    };
    const answers = createAnswers(context);
    let stopping = false;
    const app = await createHttp({ config, log, authorize: createAuthorize(context), limits, webFolder });
    addRoutes(app, context, answers, () => stopping);
    addJobs(context);
    await renewIndex(context);
    if (roles.includes('web')) {
      await app.ready();
      sockets = await openSockets(app.server, { config, redis, identify: (token) => identifySocket(context, token) });
      await app.listen({ port: config.PORT, host: config.HOST });
      answers.start();
      const bound = app.server.address();
      const port = bound && typeof bound === 'object' ? bound.port : config.PORT;
      address =
        config.BASE_URL ??
        `http://${config.HOST === '0.0.0.0' || config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`;
    }
    const recurring = createRecurring(db, log);
    addRecurring(recurring, context);
    if (roles.includes('worker')) {
      queue.start();
      recurring.start();
    }
    return {
      address,
      app,
      context,
      async stop(drainMs = 0) {
        stopping = true;
        await Promise.all([queue.stop(), recurring.stop(), answers.drain(drainMs)]);
        await sockets?.close();
        // Answers are over; a connection that a browser merely keeps open must not hold the process.
        const late = setTimeout(() => app.server.closeAllConnections(), lingerMs);
        await app.close();
        clearTimeout(late);
        await search.close();
        redis?.destroy();
        await database.close();
        unlock();
      },
    };
  } catch (error) {
    await database.close();
    unlock();
    throw error;
  }
}
