import { modelKeys, operatorServices, services } from '../../../shared/contracts/services.ts';
import type { Feature } from '../../feature.ts';
import { modelSettings } from '../../providers/models/registry.ts';
import { createModels, type Models } from './models.ts';
import { modelRoutes } from './models.routes.ts';

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
};
