import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { addressKey } from '../../infra/address.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import {
  codeLimit,
  findOpenInvitation,
  invite,
  joinWorkspace,
  listOwnInvitations,
  renewInvitation,
  takeBackInvitation,
} from './invitations.ts';
import {
  changeRole,
  createWorkspace,
  getWorkspace,
  leaveWorkspace,
  listOwnMembers,
  listOwnWorkspaces,
  removeMember,
  removeWorkspace,
  transferWorkspace,
  updateOwnWorkspace,
} from './workspaces.ts';

export function workspaceRoutes(app: Http, context: Context): void {
  handle(app, workspaces.list, ({ caller }) => listOwnWorkspaces(context, caller));
  handle(app, workspaces.create, async ({ caller, body }) => ({ data: await createWorkspace(context, caller, body) }));
  handle(app, workspaces.update, async ({ caller, body }) => ({
    data: await updateOwnWorkspace(context, caller, body),
  }));
  handle(app, workspaces.remove, async ({ caller, body }) => {
    await removeWorkspace(context, caller, body.name);
    return done;
  });
  handle(app, workspaces.transfer, async ({ caller, body }) => ({
    data: await transferWorkspace(context, caller, body.user),
  }));
  handle(app, workspaces.leave, async ({ caller }) => {
    await leaveWorkspace(context, caller);
    return done;
  });
  handle(app, workspaces.members, ({ caller, query }) => listOwnMembers(context, caller, query));
  handle(app, workspaces.changeRole, async ({ caller, params, body }) => ({
    data: await changeRole(context, caller, params.uuid, body.role),
  }));
  handle(app, workspaces.removeMember, async ({ caller, params }) => {
    await removeMember(context, caller, params.uuid);
    return done;
  });
  handle(app, workspaces.invitations, ({ caller, query }) => listOwnInvitations(context, caller, query));
  handle(app, workspaces.invite, async ({ caller, body }) => ({ data: await invite(context, caller, body) }));
  handle(app, workspaces.renewInvitation, async ({ caller, params }) => ({
    data: await renewInvitation(context, caller, params.uuid),
  }));
  handle(app, workspaces.revokeInvitation, async ({ caller, params }) => {
    await takeBackInvitation(context, caller, params.uuid);
    return done;
  });
  handle(app, workspaces.showInvitation, async ({ body, request }) => {
    await context.limits.take(codeLimit, addressKey(request.ip));
    const invitation = await findOpenInvitation(context.db, body.code);
    if (!invitation) throw new AppError('code-invalid');
    const { uuid: _, ...shown } = invitation;
    return { data: shown };
  });
  handle(app, workspaces.acceptInvitation, async ({ caller, body }) => ({
    data: await getWorkspace(context, caller, await joinWorkspace(context, caller, body.code)),
  }));
}
