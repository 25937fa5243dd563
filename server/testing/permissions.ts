import { mayCall } from '../roles.ts';
import type { Caller } from '../infra/http.ts';
import type { Route, Scope } from '../../shared/route.ts';

/** Every kind of caller there is. `visitor`: somebody with a token that is not one for the API. */
export const callers = [
  'anonymous',
  'visitor',
  'suspended',
  'stranger',
  'viewer',
  'staff',
  'editor',
  'admin',
  'owner',
  'operator',
  'key: chat',
  'key: read',
  'key: converse',
  'key: edit',
] as const;
export type CallerKind = (typeof callers)[number];

const roles: Partial<Record<CallerKind, Pick<Caller, 'role' | 'operator'>>> = {
  viewer: { role: 'viewer', operator: false },
  staff: { role: 'staff', operator: false },
  editor: { role: 'editor', operator: false },
  admin: { role: 'admin', operator: false },
  owner: { role: 'owner', operator: false },
  operator: { role: 'owner', operator: true },
};

const scopes: Partial<Record<CallerKind, Scope>> = {
  'key: chat': 'chat',
  'key: read': 'read',
  'key: converse': 'converse',
  'key: edit': 'edit',
};

/** What the policy says to a caller: `yes`, or the status of the refusal. A stranger acts in a workspace that is not theirs. */
export function verdict(route: Route, caller: CallerKind): 'yes' | 401 | 403 | 404 {
  const role = roles[caller];
  if (route.access === 'anyone') return 'yes';
  if (role) return mayCall(role, route.access) ? 'yes' : 403;
  const scope = scopes[caller];
  if (scope) return route.scope === scope ? 'yes' : 403;
  return caller === 'stranger' ? 404 : 401;
}
