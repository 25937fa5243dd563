import { operator as contract } from '../../../shared/contracts/operator.ts';
import type { Feature } from '../../feature.ts';
import { operatorRoutes } from './operator.routes.ts';

const audit = [
  'user.suspended',
  'user.restored',
  'user.operator-off',
  'credits.given',
  'settings.changed',
  'mail.retried',
  'host.allowed',
  'host.forbidden',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** What whoever runs the installation sees and does. */
export const operator: Feature = {
  name: 'operator',
  contracts: [contract],
  routes: operatorRoutes,
  notFound: { host: 'host-not-found' },
  audit,
  examples: async (_context, caller) => ({ user: caller.user }),
};
