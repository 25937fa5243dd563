import { join } from 'node:path';
import { sql } from 'kysely';
import { isPage } from '../shared/pages.ts';
import { createAuthorize, createIdentifySocket, createVisit } from './authorize.ts';
import { hourMs, type Context, type Services } from './feature.ts';
import { isHostAllowed } from './features/settings/allowed-hosts.ts';
import { everyLimit, everyRoute, features } from './features.ts';
import { checkLimits, type Config } from './infra/config.ts';
import { keepPrivate, lockDataDirectory, openDatabase } from './infra/db.ts';
import { createHttp, watchBodies, type Http } from './infra/http.ts';
import type { Log } from './infra/log.ts';
import { createIdempotency, sweepAnswers } from './infra/idempotency.ts';
import { createLimits, noLimits } from './infra/limits.ts';
import { migrate } from './infra/migrate.ts';
import { createOutbound } from './infra/outbound.ts';
import { createQueue, dropLeases, sweepJobs } from './infra/queue.ts';
import { createRecurring } from './infra/recurring.ts';
import { emptyWork } from './infra/trash.ts';
import { openRedis } from './infra/redis.ts';
import { openSealer } from './infra/sealed.ts';
import { openSockets, type Sockets } from './infra/sockets.ts';
import { openTokens } from './infra/tokens.ts';
import { createWrite } from './infra/write.ts';
import { migrations } from './migrations/migrations.ts';
import { createMailer } from './providers/mail/mailer.ts';
import { localStorage } from './providers/storage/local.ts';

export type ProcessRole = 'web' | 'worker';

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
  roles: ProcessRole[],
  {
    webFolder = join(import.meta.dirname, '../dist/web'),
    print = () => {},
    rehearsesWrites = false,
  }: Surroundings = {},
): Promise<Server> {
  checkLimits(config, everyLimit);
  keepPrivate(config.DATA_DIR, log);
  // On Postgres several processes may share the work; the embedded database belongs to one.
  const unlock = config.DATABASE_URL ? () => {} : lockDataDirectory(config.DATA_DIR);
  const database = openDatabase(config);
  try {
    await migrate(database, migrations);
    const { db, engine } = database;
    const sealer = await openSealer(config, db);
    const tokens = await openTokens(db, sealer);
    const redis = await openRedis(config.REDIS_URL, log);
    const limits = config.RATE_LIMITS ? createLimits(redis, config.LIMITS) : noLimits;
    const write = createWrite(database, { rehearses: rehearsesWrites });
    // The place above those of one workspace is for another's documents.
    const queue = createQueue({ db, engine, write }, log, { lanes: { ingestion: config.WORKER_CONCURRENCY + 1 } });
    let sockets: Sockets | undefined;
    let address: string | undefined;
    let stopping = false;
    const base: Omit<Context, keyof Services> = {
      config,
      log,
      db,
      write,
      engine,
      sealer,
      tokens,
      queue,
      limits,
      mailer: createMailer(config, print),
      redis,
      links: {
        to(path, query = {}) {
          const asked = new URLSearchParams(query).toString();
          return `${address ?? config.BASE_URL ?? `http://localhost:${config.PORT}`}${path}${asked && `?${asked}`}`;
        },
      },
      storage: await localStorage(join(config.DATA_DIR, 'files')),
      outbound: createOutbound(config.ALLOW_PRIVATE_HOSTS, (host) => isHostAllowed(db, host)),
      // The socket server needs the web server, which needs the routes, which need this.
      sockets: {
        toWorkspace: (...event) => sockets?.toWorkspace(...event),
        toUser: (...event) => sockets?.toUser(...event),
        here: {
          isHeard: (room) => sockets?.here.isHeard(room) ?? false,
          toRoom: (...event) => sockets?.here.toRoom(...event),
        },
        toNodes: (news) => sockets?.toNodes(news),
        toRoom: (...event) => sockets?.toRoom(...event),
        inRoom: async (room) => (await sockets?.inRoom(room)) ?? [],
        sessionsHere: () => sockets?.sessionsHere() ?? [],
        endSession: (session) => sockets?.endSession(session),
        endUser: (user) => sockets?.endUser(user),
        endGuest: (guest) => sockets?.endGuest(guest),
      },
      features,
      isStopping: () => stopping,
    };
    // A border: it is whole once every feature has added its part, each of which sees those of the features before it.
    const context = base as Context;
    for (const feature of features) Object.assign(context, feature.provide?.(context));
    const app = await createHttp({
      config,
      log,
      authorize: createAuthorize(context),
      visit: createVisit(context),
      limits,
      idempotency: createIdempotency(context),
      webFolder,
      isPage,
      doors: features.flatMap(({ door }) => (door ? [door] : [])),
      pageSources: features.flatMap(({ pageSources }) => pageSources?.(config) ?? []),
      notFoundCodes: Object.assign({}, ...features.map(({ notFound }) => notFound)),
    });
    for (const feature of features) {
      feature.routes?.(app, context);
      feature.jobs?.(context);
    }
    const unserved = everyRoute.find(({ method, path: url }) => !app.hasRoute({ method, url }));
    if (unserved) throw new Error(`${unserved.method} ${unserved.path} is declared and not served`);
    if (engine === 'sqlite') await dropLeases(db);
    for (const feature of features) await feature.prepare?.(context);
    const served: ((drainMs: number) => Promise<void>)[] = [];
    if (roles.includes('web')) {
      await app.ready();
      sockets = await openSockets(app.server, {
        config,
        log,
        redis,
        limits,
        requests: features.flatMap((feature) => feature.requests?.(context) ?? []),
        identify: createIdentifySocket(context),
        onNews(news) {
          for (const { onNews } of features) onNews?.(context, news);
        },
        onLeave(thread) {
          for (const { leftRoom } of features)
            leftRoom?.(context, thread).catch((err: unknown) => log.warn({ err, thread }, 'who left was not told'));
        },
      });
      watchBodies(app);
      // With Node's 511, some of 10,000 pages that come back at once waited up to 157 s for the system to try again.
      await app.listen({ port: config.PORT, host: config.HOST, backlog: 4096 });
      served.push(...features.flatMap((feature) => feature.serve?.(context) ?? []));
      const bound = app.server.address();
      const port = bound && typeof bound === 'object' ? bound.port : config.PORT;
      address =
        config.BASE_URL ??
        `http://${config.HOST === '0.0.0.0' || config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`;
    }
    const recurring = createRecurring(db, log);
    recurring.register({ name: 'jobs.sweep', everyMs: hourMs, run: () => sweepJobs(db) });
    recurring.register({ name: 'idempotency.sweep', everyMs: hourMs, run: () => sweepAnswers(db) });
    for (const feature of features) feature.recurring?.(context).forEach(recurring.register);
    recurring.register({
      name: emptyWork,
      everyMs: hourMs,
      async run(signal) {
        for (const { name, emptyTrash } of features.toReversed())
          await emptyTrash?.(context, signal).catch((err: unknown) => {
            signal.throwIfAborted();
            log.warn({ err, feature: name }, 'the trash could not be emptied; the next round tries again');
          });
        // What was erased is still in the main file until the log is written into it.
        if (context.engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db);
      },
    });
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
        await Promise.all([queue.stop(), recurring.stop(), ...served.map((end) => end(drainMs))]);
        // Answers are over; a connection that a browser merely keeps open must not hold the process.
        const late = setTimeout(() => app.server.closeAllConnections(), lingerMs);
        await sockets?.close();
        await app.close();
        clearTimeout(late);
        for (const feature of features.toReversed()) await feature.close?.(context);
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
