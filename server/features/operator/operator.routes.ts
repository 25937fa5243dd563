import { operator } from '../../../shared/contracts/operator.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { exportAudit, listAuditEntries } from './audit-log.ts';
import { giveCredits, listWorkspacesOf } from './credits.ts';
import { readSettings } from '../settings/settings.ts';
import { allowHost, forbidHost, listHosts } from './hosts.ts';
import { readHealth } from './health.ts';
import {
  changeSettings,
  getOperatedUser,
  linkToResetPassword,
  listAllUsers,
  listLatestMails,
  resetTwoFactor,
  restore,
  sendAgain,
  sendTestMail,
  setOperator,
  suspend,
} from './operator.ts';

export function operatorRoutes(app: Http, context: Context): void {
  handle(app, operator.users, ({ query }) => listAllUsers(context, query));
  handle(app, operator.user, async ({ params }) => ({ data: await getOperatedUser(context, params.uuid) }));
  handle(app, operator.suspend, async ({ caller, params, body }) => ({
    data: await suspend(context, caller, params.uuid, body?.reason ?? ''),
  }));
  handle(app, operator.restore, async ({ caller, params }) => ({ data: await restore(context, caller, params.uuid) }));
  handle(app, operator.resetTwoFactor, async ({ caller, params }) => ({
    data: await resetTwoFactor(context, caller, params.uuid),
  }));
  handle(app, operator.resetPassword, async ({ caller, params }) => ({
    data: await linkToResetPassword(context, caller, params.uuid),
  }));
  handle(app, operator.setOperator, async ({ caller, params, body }) => ({
    data: await setOperator(context, caller, params.uuid, body.operator),
  }));
  handle(app, operator.workspaces, async ({ params }) => ({ data: await listWorkspacesOf(context, params.uuid) }));
  handle(
    app,
    operator.giveCredits,
    async ({ caller, params: { uuid }, body: { workspace, credits, reason }, key }) => ({
      data: await giveCredits(context, caller, { uuid, key, workspace, credits, reason }),
    }),
    { keepsKey: true },
  );
  handle(app, operator.settings, async () => ({ data: await readSettings(context.db) }));
  handle(app, operator.changeSettings, async ({ caller, body }) => ({
    data: await changeSettings(context, caller, body),
  }));
  handle(app, operator.hosts, async () => ({ data: await listHosts(context) }));
  handle(app, operator.allowHost, async ({ caller, body }) => ({ data: await allowHost(context, caller, body.url) }));
  handle(app, operator.forbidHost, async ({ caller, params }) => {
    await forbidHost(context, caller, params.uuid);
    return done;
  });
  handle(app, operator.audit, ({ query }) => listAuditEntries(context, query));
  handle(app, operator.exportAudit, async ({ query, reply }) => {
    const day = new Date().toISOString().slice(0, 10);
    await reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="kotae-audit-${day}.csv"`)
      .header('cache-control', 'no-store')
      .send(exportAudit(context, query));
  });
  handle(app, operator.mails, ({ query }) => listLatestMails(context, query));
  handle(app, operator.retryMail, async ({ caller, params }) => ({
    data: await sendAgain(context, caller, params.uuid),
  }));
  handle(app, operator.testMail, async ({ caller }) => {
    await sendTestMail(context, caller);
    return done;
  });
  handle(app, operator.health, async () => ({ data: await readHealth(context) }));
}
