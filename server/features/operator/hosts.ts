import type { AllowedHost } from '../../../shared/contracts/operator.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import { hostToAllow } from '../../infra/outbound.ts';
import { record } from '../audit/audit.ts';
import { deleteAllowedHost, listAllowedHosts, putAllowedHost, type AllowedHostRow } from '../settings/allowed-hosts.ts';
import { asOperator } from './operator.ts';

export const listHosts = async ({ db, config }: Context) => ({
  allowed: (await listAllowedHosts(db)).map(toAllowedHost),
  environment: config.ALLOW_PRIVATE_HOSTS,
});

export async function allowHost({ db }: Context, caller: Caller, url: string): Promise<AllowedHost> {
  const host = await hostToAllow(url).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('validation-failed', { fields: [{ path: 'url', code: 'address-forbidden' }] });
  });
  return db.transaction().execute(async (trx) => {
    const now = Date.now();
    const given = { uuid: newId(now), created_at: now, updated_at: now, host };
    const row = await putAllowedHost(trx, given);
    if (row.uuid === given.uuid) await record(trx, asOperator(caller), 'host.allowed', host);
    return toAllowedHost(row);
  });
}

export async function forbidHost({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await deleteAllowedHost(trx, uuid);
    if (!row) throw new AppError('host-not-found');
    await record(trx, asOperator(caller), 'host.forbidden', row.host);
  });
}

const toAllowedHost = (row: AllowedHostRow): AllowedHost => ({
  uuid: row.uuid,
  host: row.host,
  ...momentsOf(row),
});
