/** Who may do what, written once: the server's check, what pages offer, the help on roles and the documentation come from it. */

/** The roles in a workspace, from the one that may most. */
export const roles = ['owner', 'admin', 'editor', 'staff', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The role of owner changes hands by a transfer; the others are given. */
export const givenRoles = ['admin', 'editor', 'staff', 'viewer'] as const satisfies Role[];
export type GivenRole = (typeof givenRoles)[number];

/** What one may do in a workspace, and the roles that may. Whatever is not here is not allowed. */
const holders = {
  own: ['owner'],
  manage: ['owner', 'admin'],
  edit: ['owner', 'admin', 'editor'],
  converse: ['owner', 'admin', 'editor', 'staff'],
  read: ['owner', 'admin', 'editor', 'staff', 'viewer'],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof holders;

/** `Object.keys` knows only of texts; the table has these keys and no others. */
export const permissions = Object.keys(holders) as Permission[];

export const may = (role: Role, permission: Permission): boolean => holders[permission].some((each) => each === role);

/**
 * What a caller must be or may do. `anyone`: no identity needed (one that is sent is still read); `user`: any signed-in person;
 * `open`: the same, and whoever is not signed in where the thing itself is for everybody, which the feature decides;
 * a permission: a member of the workspace in `X-Workspace` who has it; `operator`: who runs the installation; `visitor`: whoever
 * came through a channel, and nobody else.
 */
export type Access = 'anyone' | 'open' | 'user' | 'operator' | 'visitor' | Permission;

/** Whether somebody who is signed in, with this role in the workspace they act in, has this access. */
export function mayCall(who: { role: Role; operator: boolean }, access: Access): boolean {
  if (access === 'anyone' || access === 'open' || access === 'user') return true;
  if (access === 'visitor') return false;
  return access === 'operator' ? who.operator : may(who.role, access);
}

/** What an API key may be made for. */
export const scopes = ['chat', 'read', 'converse', 'edit'] as const;
export type Scope = (typeof scopes)[number];

/** A key of the workspace needs the scope of the permission's name; `chat` opens what names it, and other access no key. */
export const scopeFor = (access: Access): Scope | null => scopes.find((scope) => scope === access) ?? null;
