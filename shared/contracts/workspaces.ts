import { z } from 'zod';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { givenRoles } from '../roles.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';
import { email, Image, Role } from './accounts.ts';

export const Workspace = z.object({
  uuid,
  name: z.string(),
  avatar: Image.nullable(),
  role: Role,
  personal: z.boolean(),
  members: z.number().int(),
  createdAt: moment,
  updatedAt: moment,
});
export type Workspace = z.output<typeof Workspace>;

/** `uuid` is the person's. */
export const Member = z.object({
  uuid,
  username: z.string(),
  email: z.string(),
  avatar: Image.nullable(),
  role: Role,
  twoFactor: z.boolean(),
  lastSeenAt: moment.nullable(),
  joinedAt: moment,
  ...moments,
});
export type Member = z.output<typeof Member>;

const GivenRole = z.enum(givenRoles);

export const Invitation = z.object({
  uuid,
  role: GivenRole,
  /** Whom it was sent to; null for a link that anyone may use once. */
  email: z.string().nullable(),
  state: z.enum(['open', 'accepted', 'expired', 'revoked']),
  invitedBy: z.string(),
  expiresAt: moment,
  createdAt: moment,
  updatedAt: moment,
});
export type Invitation = z.output<typeof Invitation>;

/** `sent`: a mail is on its way; the link is there for handing it over otherwise. */
const Issued = Invitation.extend({ url: z.string(), sent: z.boolean() });

const code = z.string().min(1).max(200);

export const workspaces = {
  list: route('GET', '/api/user/workspaces', {
    summary: 'The workspaces you are in',
    access: 'user',
    reply: many(Workspace),
  }),
  create: route('POST', '/api/user/workspace', {
    summary: 'Create a workspace',
    access: 'user',
    status: 201,
    body: z.strictObject({ name: text(60), avatar: uuid.nullable().optional() }),
    reply: one(Workspace),
  }),
  update: route('PUT', '/api/user/workspace', {
    summary: 'Rename the workspace or change its picture',
    access: 'manage',
    body: z.strictObject({ name: text(60), avatar: uuid.nullable() }).partial(),
    reply: one(Workspace),
  }),
  remove: route('DELETE', '/api/user/workspace', {
    summary: 'Delete the workspace with everything in it; its name confirms',
    access: 'own',
    body: z.strictObject({ name: text(60) }),
    reply: ok,
  }),
  transfer: route('POST', '/api/user/workspace/transfer', {
    summary: 'Make another member the owner',
    access: 'own',
    body: z.strictObject({ user: uuid }),
    reply: one(Workspace),
  }),
  leave: route('POST', '/api/user/workspace/leave', { summary: 'Leave the workspace', access: 'user', reply: ok }),
  members: route('GET', '/api/user/members', {
    summary: 'The members of the workspace',
    access: 'read',
    scope: null,
    query: listQuery,
    reply: many(Member),
  }),
  changeRole: route('PUT', '/api/user/member/:uuid', {
    summary: 'Change the role of a member',
    access: 'manage',
    params: byUuid,
    body: z.strictObject({ role: GivenRole }),
    reply: one(Member),
  }),
  removeMember: route('DELETE', '/api/user/member/:uuid', {
    summary: 'Remove a member; their API keys and open invitations of this workspace end',
    access: 'manage',
    params: byUuid,
    reply: ok,
  }),
  invitations: route('GET', '/api/user/invitations', {
    summary: 'The invitations of the workspace',
    access: 'manage',
    query: listQuery,
    reply: many(Invitation),
  }),
  invite: route('POST', '/api/user/invitation', {
    summary: 'Invite by mail, or by a link that is shown once',
    access: 'manage',
    status: 201,
    body: z.strictObject({
      role: GivenRole,
      email: email.optional(),
      days: z.number().int().min(1).max(30).default(7),
    }),
    reply: one(Issued),
  }),
  renewInvitation: route('POST', '/api/user/invitation/:uuid/renew', {
    summary: 'A new link, or mail, in place of an invitation that nobody has taken, for as many days from now',
    access: 'manage',
    params: byUuid,
    status: 201,
    reply: one(Issued),
  }),
  revokeInvitation: route('DELETE', '/api/user/invitation/:uuid', {
    summary: 'Take back an invitation',
    access: 'manage',
    params: byUuid,
    reply: ok,
  }),
  showInvitation: route('POST', '/api/auth/invitation', {
    summary: 'What an invitation is to',
    access: 'anyone',
    body: z.strictObject({ code }),
    reply: one(
      z.object({
        workspace: z.object({ uuid, name: z.string(), avatar: Image.nullable() }),
        role: GivenRole,
        email: z.string().nullable(),
        invitedBy: z.string(),
        expiresAt: moment,
      }),
    ),
  }),
  acceptInvitation: route('POST', '/api/user/invitation/accept', {
    summary: 'Join the workspace of an invitation',
    access: 'user',
    body: z.strictObject({ code }),
    reply: one(Workspace),
  }),
};
