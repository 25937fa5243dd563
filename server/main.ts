import { setFlagsFromString } from 'node:v8';
import { findSetupToken, needsSetup } from './features/users/setup.ts';
import { featureSettings } from './features.ts';
import { ConfigError, readConfig, type Config } from './infra/config.ts';
import { DataLockedError } from './infra/db.ts';
import { giveBackWhenIdle } from './infra/idle.ts';
import { createLog } from './infra/log.ts';
import { NewerDatabaseError } from './infra/migrate.ts';
import { SecretsError } from './infra/sealed.ts';
import { startServer, type ProcessRole } from './server.ts';

// V8 collects once garbage is half as much as what lives, not three times as much: 300 long answers take 296 MB instead of 571, in the same time.
setFlagsFromString('--heap-growing-percent=40');
// V8 would allocate the objects of streams in the old generation, where those of short answers then keep each other alive. Whole answers after streams: 1,100/s → 1,440/s.
setFlagsFromString('--no-allocation-site-pretenuring');

// Whatever is written, by a library too, is for this user alone.
process.umask(0o077);

const drainMs = 30_000;
const secondPressMs = 1_000;
/** How often it is looked whether those are still there that have started this process. */
const lookMs = 500;

/** node server/main.ts [web] [worker]: both when neither is named. */
const named = process.argv.slice(2).filter((word): word is ProcessRole => word === 'web' || word === 'worker');

let config: Config | undefined;
try {
  config = readConfig(process.env, featureSettings);
  const log = createLog(config.LOG_LEVEL);
  const server = await startServer(config, log, named.length > 0 ? named : ['web', 'worker'], { print: console.log });

  giveBackWhenIdle();

  let firstAt: number | undefined;
  const end = () => {
    if (firstAt !== undefined) return;
    firstAt = performance.now();
    server.stop(drainMs).then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // One Ctrl-C may arrive several times, from the terminal and from npm; pressed again later, it means now.
      if (firstAt !== undefined && performance.now() - firstAt > secondPressMs) process.exit(1);
      end();
    });
  }
  // The launcher and those above it, which may go without a word: nobody could stop the server any more.
  const callers = (process.env['KOTAE_ENDS_WITH'] ?? '').split(',').filter(Boolean).map(Number);
  if (callers.length > 0) setInterval(() => void (callers.some(isGone) && end()), lookMs).unref();
  process.on('unhandledRejection', (err) => log.error({ err }, 'a failed promise was dropped'));
  if (server.address && (await needsSetup(server.context)))
    console.log(`The first account needs this setup token: ${await findSetupToken(server.context.db)}`);
  console.log(server.address ? `Kotae is ready: ${server.address}` : 'The Kotae worker is running.');
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** One sentence that says what to do; whatever is not foreseen, with its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `A setting is wrong.\n${error.message}`;
  if (error instanceof SecretsError) return error.message;
  if (error instanceof DataLockedError)
    return `Another Kotae is already running on ${error.message}. Stop it, or choose another folder with DATA_DIR.`;
  if (error instanceof NewerDatabaseError)
    return 'This data was written by a newer version of Kotae. Start that version, or restore a backup.';
  const { code = '', message = String(error) } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === 'EADDRINUSE')
    return `Port ${config?.PORT} is taken. Stop the other program, or choose another port: PORT=3001 npm start`;
  if (code === 'EACCES' && /listen/.test(message))
    return `Port ${config?.PORT} may not be used by this user. Choose one above 1023: PORT=3000 npm start`;
  if (['EACCES', 'EROFS', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'].includes(code))
    return `The data folder ${config?.DATA_DIR} cannot be written. Change its permissions, or choose another with DATA_DIR.`;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `The data folder ${config?.DATA_DIR} is a file. Move it away, or choose another folder with DATA_DIR.`;
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return `The disk of ${config?.DATA_DIR} is full.`;
  if (code === 'ECONNREFUSED')
    return 'The database in DATABASE_URL or the server in REDIS_URL does not answer. Is it running?';
  return error instanceof Error ? (error.stack ?? message) : message;
}
