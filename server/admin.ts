import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../shared/errors.ts';
import { checkBooks } from './features/usage/books.ts';
import { findSetupToken, hasOperator } from './features/users/setup.ts';
import { recoverOperator, recoverPassword, recoverTwoFactor } from './features/accounts/recovery.ts';
import type { Context } from './feature.ts';
import { ConfigError, readConfig, type Config } from './infra/config.ts';
import { openDatabase, type Db } from './infra/db.ts';
import { addJob } from './infra/queue.ts';
import { openSealer } from './infra/sealed.ts';

/** For whoever runs the machine and is locked out, or has no mail server. Works while Kotae runs. */
const usage = `npm run admin -- reset-password <email or username>     prints a link to set a new password, valid for 30 minutes, one use
npm run admin -- reset-two-factor <email or username>   takes the authenticator app away from who lost it
npm run admin -- make-operator <email or username>      lets somebody run this installation
npm run admin -- setup-token                             prints what the first account of an open server needs
npm run admin -- ledger check                            counts every account of credits again from its entries`;

const commands: Record<string, (db: Db, name: string, links: Context['links'], config: Config) => Promise<string>> = {
  'reset-password': async (db, name, links) =>
    `Open this within 30 minutes to set a new password for ${name}:\n${links.to('/Reset-Password', { code: await recoverPassword(db, name) })}`,
  'reset-two-factor': async (db, name, links, config) => {
    // Only this needs to know everything that the server does. A running one sends the mail.
    const { features } = await import('./features.ts');
    await recoverTwoFactor({ db, features, links, queue: { add: addJob }, sealer: await openSealer(config, db) }, name);
    return `${name} signs in without a code again, and was signed out everywhere.`;
  },
  'make-operator': async (db, name) => {
    await recoverOperator(db, name);
    return `${name} runs this installation now.`;
  },
  ledger: async (db, what) => {
    if (what !== 'check') throw new Error(usage);
    const { accounts, faults } = await checkBooks(db);
    if (faults.length === 0) return `${accounts} accounts agree with their entries.`;
    process.exitCode = 1;
    const lines = faults.map(
      ({ workspace, of, told, counted }) => `${workspace}: ${of} is ${told}, counted ${counted}`,
    );
    return [`${accounts} accounts were counted, in micro-credits:`, ...lines].join('\n');
  },
  'setup-token': async (db) =>
    (await hasOperator(db))
      ? 'Somebody runs this installation already, so no account needs a setup token.'
      : `The setup token for the first account:\n${await findSetupToken(db)}`,
};

const linksFrom = (base: string): Context['links'] => ({
  to: (path, query) => `${base}${path}?${new URLSearchParams(query)}`,
});

const [command = '', name = ''] = process.argv.slice(2);
try {
  const run = commands[command];
  if (!run || (!name && command !== 'setup-token')) throw new Error(usage);
  const config = readConfig(process.env, {});
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'kotae.db')))
    throw new Error(`There is no data in ${config.DATA_DIR} yet. Start Kotae first, or name the folder with DATA_DIR.`);
  const database = openDatabase(config, { connections: 1 });
  try {
    console.log(await run(database.db, name, linksFrom(config.BASE_URL ?? `http://localhost:${config.PORT}`), config));
  } finally {
    await database.close();
  }
} catch (error) {
  if (error instanceof AppError) console.error(`There is no account named ${name}.`);
  else if (error instanceof ConfigError) console.error(`A setting is wrong.\n${error.message}`);
  else console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
