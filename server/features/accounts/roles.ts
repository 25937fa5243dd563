import type { Permission } from '../../../shared/route.ts';
import type { MemberTable } from '../../infra/db.types.ts';

const every: Permission[] = ['read', 'converse', 'edit', 'manage', 'own'];

/** What each role may do in its workspace. */
const permissions: Record<MemberTable['role'], readonly Permission[]> = {
  owner: every,
  admin: ['read', 'converse', 'edit', 'manage'],
  editor: ['read', 'converse', 'edit'],
  staff: ['read', 'converse'],
  viewer: ['read'],
};

export function may(role: MemberTable['role'], permission: Permission): boolean {
  return permissions[role].includes(permission);
}
