import { workspaces as contract } from '../../../shared/contracts/workspaces.ts';
import type { Feature } from '../../feature.ts';
import { codeLimit, endAllInvitationsBy, invite, inviteLimit } from './invitations.ts';
import { workspaceRoutes } from './workspaces.routes.ts';

const audit = [
  'workspace.created',
  'workspace.updated',
  'workspace.deleted',
  'workspace.transferred',
  'workspace.left',
  'member.joined',
  'member.role-changed',
  'member.removed',
  'invitation.created',
  'invitation.revoked',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Workspaces, who is in them, and invitations. */
export const workspaces: Feature = {
  name: 'workspaces',
  tables: ['workspace', 'member', 'invitation'],
  contracts: [contract],
  routes: workspaceRoutes,
  limits: [codeLimit, inviteLimit],
  audit,
  person: { reset: endAllInvitationsBy },
  pictures: [{ table: 'workspace', column: 'avatar' }],
  examples: async (context, caller) => ({
    member: caller.user,
    invitation: (await invite(context, caller, { role: 'viewer', days: 7 })).uuid,
  }),
};
