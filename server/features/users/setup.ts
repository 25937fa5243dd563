import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Config } from '../../infra/config.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { isLoopback } from '../../infra/hosts.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { updateUser } from './users.ts';

const tokenName = 'setup-token';

/** The first account runs the installation. Where others than whoever started it can reach it, it wants the token that the start prints. */
export const needsSetup = async ({ config, db }: Pick<Context, 'config' | 'db'>): Promise<boolean> =>
  !isForThisMachine(config) && !(await hasOperator(db));

/** A proxy on the same machine lets others reach what listens here alone: it has an address of its own, or is named. */
const isForThisMachine = ({
  HOST,
  BASE_URL,
  TRUST_PROXY,
}: Pick<Config, 'HOST' | 'BASE_URL' | 'TRUST_PROXY'>): boolean =>
  TRUST_PROXY.length === 0 && [HOST, ...(BASE_URL ? [new URL(BASE_URL).hostname] : [])].every(isLoopback);

/** 256 random bits, the same until somebody runs the installation. Kept as it is: whoever reads it reads an installation without people. */
export async function findSetupToken(db: Db): Promise<string> {
  const find = () => db.selectFrom('installation').select('value').where('name', '=', tokenName).executeTakeFirst();
  const known = await find();
  if (known) return known.value;
  await db
    .insertInto('installation')
    .values({ name: tokenName, value: newSecret() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return findSetupToken(db);
}

/** Throws `setup-needed` when the token is asked for and is not the one that was given. */
export async function mustHaveSetupToken(context: Pick<Context, 'config' | 'db'>, given = ''): Promise<void> {
  if ((await needsSetup(context)) && hashSecret(given) !== hashSecret(await findSetupToken(context.db)))
    throw new AppError('setup-needed');
}

/** The first person who can sign in runs the installation. */
export async function makeFirstOperator(trx: Trx, user: string): Promise<void> {
  if (await hasOperator(trx)) return;
  // Of two first people at the same moment, the second waits here until the first is the operator.
  await trx
    .insertInto('installation')
    .values({ name: 'first-operator', value: '' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
    .execute();
  if (!(await hasOperator(trx))) await updateUser(trx, user, { is_operator: 1 });
  await trx.deleteFrom('installation').where('name', '=', tokenName).execute();
}

export const hasOperator = async (db: Db | Trx) =>
  (await db.selectFrom('user').select('uuid').where('is_operator', '=', 1).limit(1).executeTakeFirst()) !== undefined;
