import { modelKeys, operatorServices, services } from '../../../shared/contracts/services.ts';
import type { Feature } from '../../feature.ts';
import { modelProviders, modelSettings } from '../../providers/models/registry.ts';
import type { ModelInfo } from '../../providers/models/model.ts';
import { createModels, serviceId, type Models } from './models.ts';
import { newId } from '../../infra/db.ts';
import { modelRoutes } from './models.routes.ts';
import { insertModelKey } from './models.store.ts';

const audit = [
  'model-key.created',
  'model-key.updated',
  'model-key.deleted',
  'service.added',
  'service.changed',
  'service.removed',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

declare module '../../feature.ts' {
  interface Services {
    models: Models;
  }
}

/** Model services: built in, behind the operator's keys, and behind each workspace's own. */
export const models: Feature = {
  name: 'models',
  settings: modelSettings,
  tables: ['model_key', 'service_setting'],
  contracts: [services, modelKeys, operatorServices],
  routes: modelRoutes,
  provide: (context) => ({ models: createModels(context) }),
  audit,
  async examples({ db }, { workspace }) {
    const now = Date.now();
    const uuid = newId();
    const provider = modelProviders.find(({ kind }) => kind === 'server')?.name ?? '';
    const model: ModelInfo = { id: 'example', name: 'Example', contextTokens: 8192, capabilities: [] };
    await insertModelKey(db, {
      uuid,
      workspace,
      provider,
      name: 'Key',
      base_url: 'https://example.com/v1',
      sealed: null,
      hint: '',
      state: 'unreachable',
      message: null,
      models: JSON.stringify([model]),
      named: '',
      abilities: '{}',
      checked_at: now,
      last_used_at: null,
      created_at: now,
      updated_at: now,
    });
    return { 'model-api-key': uuid, model: serviceId(`${provider}/${uuid}`, model.id) };
  },
};
