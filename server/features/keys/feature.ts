import { keys as contract } from '../../../shared/contracts/keys.ts';
import { toJson, type Feature } from '../../feature.ts';
import { keyIdentity } from './identity.ts';
import { createKey } from './keys.ts';
import { keyRoutes } from './keys.routes.ts';
import { findKey, listKeysOf, revokeKeysOf } from './keys.store.ts';

const audit = ['key.created', 'key.updated', 'key.revoked'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** API keys, for programs that act for a person. */
export const keys: Feature = {
  name: 'keys',
  tables: ['api_key'],
  contracts: [contract],
  routes: keyRoutes,
  identity: keyIdentity,
  audit,
  names: {
    async key({ db }, workspace, ids) {
      const found = await Promise.all(ids.map((uuid) => findKey(db, workspace, uuid)));
      return found.flatMap((key): [string, string][] => (key ? [[key.uuid, key.name]] : []));
    },
  },
  person: {
    reset: (trx, user) => revokeKeysOf(trx, user),
    leave: (trx, { user, workspace }) => revokeKeysOf(trx, user, workspace),
    async *export({ db }, user) {
      yield { name: 'api-keys.json', content: toJson(await listKeysOf(db, user)) };
    },
  },
  examples: async (context, caller) => ({
    'api-key': (await createKey(context, caller, { name: 'Key', scopes: ['chat'] })).uuid,
  }),
};
