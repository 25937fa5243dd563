import type { User } from '../../shared/contracts/accounts.ts';
import { setUser } from '../lib/session.ts';

/** For tests. */
export const anOwner: User = {
  uuid: crypto.randomUUID(),
  username: 'hanako',
  displayName: null,
  email: 'hanako@example.com',
  emailVerified: true,
  pendingEmail: null,
  locale: 'en',
  timezone: 'Asia/Tokyo',
  providers: ['local'],
  twoFactor: false,
  suspendedAt: null,
  operator: false,
  workspaces: [{ uuid: crypto.randomUUID(), name: 'Shop', shop: 'Shop', avatar: null, role: 'owner', personal: true }],
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};

/** Until the session is put back. */
export function signIn(who: User) {
  document.cookie = 'jwt=token; path=/';
  setUser(who);
}
