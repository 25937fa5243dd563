import type { Access, Permission } from '../shared/route.ts';
import type { Caller } from './infra/http.ts';

const every: Permission[] = ['read', 'converse', 'edit', 'manage', 'own'];

/** What each role may do in its workspace. Whatever is not here is not allowed. */
const permissions: Record<Caller['role'], readonly Permission[]> = {
  owner: every,
  admin: ['read', 'converse', 'edit', 'manage'],
  editor: ['read', 'converse', 'edit'],
  staff: ['read', 'converse'],
  viewer: ['read'],
};

export function may(role: Caller['role'], permission: Permission): boolean {
  return permissions[role].includes(permission);
}

/** Whether somebody who is signed in, with this role in the workspace they act in, has this access. */
export function mayCall(who: Pick<Caller, 'role' | 'operator'>, access: Access): boolean {
  if (access === 'anyone' || access === 'user') return true;
  return access === 'operator' ? who.operator : may(who.role, access);
}
