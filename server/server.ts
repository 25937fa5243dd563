import { join } from 'node:path';
import { isPage } from '../shared/pages.ts';
import { addRoutes } from './app.ts';
import { createAuthorize, identifySocket } from './features/accounts/authorize.ts';
import { sweepAccounts } from './features/accounts/tickets.ts';
import { createAnswers } from './features/answers/answers.ts';
import { sweepThreads } from './features/answers/threads.ts';
import type { Context } from './features/context.ts';
import { renewIndex } from './features/knowledge/documents.ts';
import { createSearch } from './features/knowledge/search.ts';
import { sweepMails } from './features/mail/mail.ts';
import { createModels } from './features/models/models.ts';
import { sweepHolds } from './features/usage/ledger.ts';
import type { Config } from './infra/config.ts';
import { createWrite, lockDataDirectory, openDatabase } from './infra/db.ts';
import { createHttp, type Http } from './infra/http.ts';
import type { Log } from './infra/log.ts';
import { createLimits, noLimits } from './infra/limits.ts';
import { migrate } from './infra/migrate.ts';
import { createOutbound } from './infra/outbound.ts';
import { createQueue, dropLeases, sweepJobs } from './infra/queue.ts';
import { openRedis } from './infra/redis.ts';
import { openSealer } from './infra/sealed.ts';
import { openSockets, type Sockets } from './infra/sockets.ts';
import { openTokens } from './infra/tokens.ts';
import { addJobs } from './jobs.ts';
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
}

const sweepMs = 3_600_000;
const lingerMs = 2_000;

export async function startServer(
  config: Config,
  log: Log,
  roles: Role[],
  { webFolder = join(import.meta.dirname, '../dist/web'), print = () => {} }: Surroundings = {},
): Promise<Server> {
  // On Postgres several processes may share the work; the embedded database belongs to one.
  const unlock = config.DATABASE_URL ? () => {} : lockDataDirectory(config.DATA_DIR);
  const database = openDatabase(config);
  try {
    await migrate(database);
    const { db, engine } = database;
    if (engine === 'sqlite') await dropLeases(db);
    const sealer = await openSealer(config, db);
    const tokens = await openTokens(db, sealer);
    const redis = await openRedis(config.REDIS_URL, log);
    const limits = config.RATE_LIMITS ? createLimits(redis, config.LIMITS) : noLimits;
    const queue = createQueue(database, log, config.WORKER_CONCURRENCY);
    const search = createSearch(config);
    const outbound = createOutbound(config.ALLOW_PRIVATE_HOSTS);
    let sockets: Sockets | undefined;
    let address: string | undefined;
    const context: Context = {
      config,
      log,
      db,
      write: createWrite(database),
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
    const app = await createHttp({
      config,
      log,
      authorize: createAuthorize(context),
      limits,
      webFolder,
      isPage,
    });
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
    if (roles.includes('worker')) queue.start();
    const sweep = setInterval(
      () =>
        Promise.all([sweepJobs(db), sweepAccounts(db), sweepMails(db), sweepHolds(db), sweepThreads(db)]).catch(
          (err: unknown) => log.warn({ err }, 'what is old could not be swept'),
        ),
      sweepMs,
    ).unref();
    return {
      address,
      app,
      context,
      async stop(drainMs = 0) {
        stopping = true;
        clearInterval(sweep);
        await Promise.all([queue.stop(), answers.drain(drainMs)]);
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
