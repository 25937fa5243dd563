import type { Price, Service } from '../../../shared/contracts/services.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { ModelKeyTable, ServiceSettingTable } from './models.tables.ts';
import { lockWorkspace } from '../workspaces/memberships.ts';

/** What the operator changed of a service; `added` is the whole of one that no list has. */
export interface ServiceChange {
  service: string;
  hidden: boolean;
  name: string | null;
  price: Price | null;
  capabilities: Service['capabilities'] | null;
  contextTokens: number | null;
  added: AddedService | null;
  pricedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface AddedService {
  provider: string;
  modelId: string;
  name: string;
  group: Service['group'];
  contextTokens: number;
  maxOutputTokens: number | null;
  capabilities: Service['capabilities'];
  price: Price | null;
  imagePrice: number | null;
  pricedAt: string | null;
}

/** What a person says of a model where its list says otherwise. */
export type Abilities = Partial<Pick<Service, 'group' | 'capabilities' | 'contextTokens'>>;

/** By the ids of the models. */
export const saidOf = ({ abilities }: Pick<ModelKeyTable, 'abilities'>): Map<string, Abilities> =>
  new Map(Object.entries<Abilities>(JSON.parse(abilities)));

/** Why a key does not work, as it is kept: its sentence depends on who reads it. */
export interface KeyProblem {
  code: ErrorCode;
  /** What the provider said. */
  reason: string;
}

export const sealedPlace = (uuid: string) => `model_key:${uuid}:sealed`;

export const listModelKeys = (db: Db, workspace: string) =>
  db
    .selectFrom('model_key')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();

/** A key without its lists, which may have a thousand models: what every question needs to know. */
export type UsableKey = Omit<ModelKeyTable, 'models' | 'named' | 'abilities' | 'hint' | 'message' | 'last_used_at'>;

const findUsableKeys = prepareQuery((db, { workspace }: { workspace: string }) =>
  db
    .selectFrom('model_key')
    .select([
      'uuid',
      'workspace',
      'provider',
      'name',
      'base_url',
      'sealed',
      'state',
      'checked_at',
      'created_at',
      'updated_at',
    ])
    .where('workspace', '=', workspace)
    .orderBy('created_at')
    .orderBy('uuid'),
);

export const listUsableKeys = (db: Db, workspace: string): Promise<UsableKey[]> => findUsableKeys(db, { workspace });

/** What keys open, as it is now; one that was deleted meanwhile is not among them. */
export const listOpened = (db: Db, uuids: string[]) =>
  db.selectFrom('model_key').select(['uuid', 'updated_at', 'models', 'abilities']).where('uuid', 'in', uuids).execute();

export const findModelKey = (db: Db, workspace: string, uuid: string) =>
  db.selectFrom('model_key').selectAll().where('workspace', '=', workspace).where('uuid', '=', uuid).executeTakeFirst();

/** How many keys the workspace has. Until the transaction ends nobody else adds one. */
export async function countModelKeys(trx: Trx, workspace: string): Promise<number> {
  await lockWorkspace(trx, workspace);
  const { count } = await trx
    .selectFrom('model_key')
    .select((select) => select.fn.countAll().as('count'))
    .where('workspace', '=', workspace)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertModelKey = (db: Db | Trx, key: ModelKeyTable) => db.insertInto('model_key').values(key).execute();

/** Changes only the row as it was read, so that a secret is never combined with an address that it was not given for. */
export const changeModelKey = (
  db: Db | Trx,
  { uuid, updated_at }: Pick<ModelKeyTable, 'uuid' | 'updated_at'>,
  changes: Partial<ModelKeyTable>,
): Promise<ModelKeyTable | undefined> =>
  db
    .updateTable('model_key')
    // Always later than before, so that it tells every change.
    .set({ ...changes, updated_at: Math.max(Date.now(), updated_at + 1) })
    .where('uuid', '=', uuid)
    .where('updated_at', '=', updated_at)
    .returningAll()
    .executeTakeFirst();

const touchMs = 60_000;

/** At most once a minute, which is exact enough. */
export const touchModelKey = (db: Db, uuid: string, now: number) =>
  db
    .updateTable('model_key')
    .set({ last_used_at: now })
    .where('uuid', '=', uuid)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', now - touchMs)]))
    .execute();

export const deleteModelKey = (trx: Trx, workspace: string, uuid: string) =>
  trx
    .deleteFrom('model_key')
    .where('workspace', '=', workspace)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();

export async function listServiceSettings(db: Db): Promise<ServiceChange[]> {
  return (await db.selectFrom('service_setting').selectAll().execute()).map(toChange);
}

function toChange(row: ServiceSettingTable): ServiceChange {
  return {
    service: row.service,
    hidden: row.hidden === 1,
    name: row.name,
    price: row.price === null ? null : JSON.parse(row.price),
    capabilities: row.capabilities === null ? null : JSON.parse(row.capabilities),
    contextTokens: row.context_tokens,
    added: row.added === null ? null : JSON.parse(row.added),
    pricedAt: row.priced_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

type ServiceSettings = Partial<Omit<ServiceSettingTable, 'service' | 'created_at' | 'updated_at'>>;

const unchanged = {
  hidden: 0,
  name: null,
  price: null,
  capabilities: null,
  context_tokens: null,
  added: null,
  priced_at: null,
} as const;

/** What is not given stays as it is; a row that changes nothing any more is gone. */
export async function changeServiceSetting(trx: Trx, service: string, changes: ServiceSettings): Promise<void> {
  const now = Date.now();
  await trx
    .insertInto('service_setting')
    .values({ ...unchanged, service, created_at: now, updated_at: now, ...changes })
    .onConflict((conflict) => conflict.column('service').doUpdateSet({ ...changes, updated_at: now }))
    .execute();
  await trx
    .deleteFrom('service_setting')
    .where('service', '=', service)
    .where('hidden', '=', 0)
    .where('name', 'is', null)
    .where('price', 'is', null)
    .where('capabilities', 'is', null)
    .where('context_tokens', 'is', null)
    .where('added', 'is', null)
    .execute();
}

/** False where it was added before. */
export async function addServiceSetting(trx: Trx, service: string, added: AddedService): Promise<boolean> {
  const json = JSON.stringify(added);
  const now = Date.now();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('service_setting')
    .values({ ...unchanged, service, added: json, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('service')
        .doUpdateSet({ added: json, updated_at: now })
        .where('service_setting.added', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Only of one that was added. */
export const deleteServiceSetting = (trx: Trx, service: string) =>
  trx
    .deleteFrom('service_setting')
    .where('service', '=', service)
    .where('added', 'is not', null)
    .returningAll()
    .executeTakeFirst();
