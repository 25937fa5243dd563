import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { may } from '../../../shared/roles.ts';
import type { Context } from '../../feature.ts';
import { sendMail } from '../mail/mail.ts';
import { listCapped, listNear, markWarned } from '../usage/caps.ts';
import { listContacts } from '../users/users.ts';
import { listMembers } from '../workspaces/memberships.ts';

const batch = 200;

/** Writes to those who can raise a cap when most of it is used, once in its day or month. */
export async function warnOfCaps(context: Context, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const workspaces = await listCapped(context.db, after, batch);
    for (const workspace of workspaces) {
      signal.throwIfAborted();
      await warnIn(context, workspace);
    }
    after = workspaces.at(-1);
    if (workspaces.length < batch) break;
  }
  context.queue.wake();
}

async function warnIn(context: Context, workspace: string): Promise<void> {
  const near = await listNear(context, workspace);
  if (near.length === 0) return;
  const managers = (await listMembers(context.db, workspace)).filter(
    ({ role, suspended_at }) => suspended_at === null && may(role, 'manage'),
  );
  const contacts = await listContacts(
    context.db,
    managers.map(({ user }) => user),
  );
  for (const { cap, used, name } of near)
    await context.db.transaction().execute(async (trx) => {
      if (!(await markWarned(trx, cap.uuid, name))) return;
      for (const { username, email, locale } of contacts)
        await sendMail(context, trx, {
          kind: cap.span === 'day' ? 'cap-near-day' : 'cap-near-month',
          tenant: workspace,
          to: email,
          locale,
          link: context.links.to('/Token', { tab: 'limits' }),
          values: {
            username,
            workspace: managers[0]?.workspaceName ?? '',
            share: Math.floor((used / microPerCredit / cap.credits) * 100),
            credits: cap.credits,
          },
        });
    });
}
