import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { TopUpReason } from '../../../shared/contracts/payments.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { formatMoney } from '../../../shared/money.ts';
import { may } from '../../../shared/roles.ts';
import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { translate } from '../../infra/translate.ts';
import { sendMail } from '../mail/mail.ts';
import { listBalances } from '../usage/gifts.ts';
import { listContacts } from '../users/users.ts';
import { listMembers } from '../workspaces/memberships.ts';
import type { PaymentTable, TopUpTable } from './payments.tables.ts';

type News = 'topped-up' | 'top-up-ended' | 'top-up-full';

/** Credits were bought by themselves. */
export async function tellToppedUp(
  context: Context,
  trx: Trx,
  { uuid, workspace, credits, amount, currency }: PaymentTable,
): Promise<void> {
  if (workspace === null) return;
  const balance = (await listBalances(trx, [workspace])).get(workspace) ?? 0;
  await tellManagers(context, trx, { workspace, about: uuid, kind: 'topped-up' }, (locale) => ({
    credits: formatCredits(locale, credits),
    price: formatMoney(amount, currency, locale),
    balance: formatCredits(locale, Math.floor(balance / microPerCredit)),
  }));
}

/** It has been turned off, why, and what to do. */
export const tellEnded = (context: Context, trx: Trx, row: TopUpTable, reason: TopUpReason): Promise<void> =>
  tellManagers(context, trx, { workspace: row.workspace, about: row.uuid, kind: 'top-up-ended' }, (locale) => ({
    reason: translate(locale, `payments-server:topUpReason.${reason}`),
  }));

/** What may be paid by itself in a month has been. */
export const tellFull = (context: Context, trx: Trx, row: TopUpTable): Promise<void> =>
  tellManagers(context, trx, { workspace: row.workspace, about: row.uuid, kind: 'top-up-full' }, (locale) => ({
    limit: formatMoney(row.month_limit, row.currency, locale),
    price: formatMoney(row.price, row.currency, locale),
    below: formatCredits(locale, row.below),
  }));

/** Tells whoever manages a workspace in their browsers and by mail, in the transaction in which it happened. */
async function tellManagers(
  context: Context,
  trx: Trx,
  { workspace, about, kind }: { workspace: string; about: string; kind: News },
  valuesIn: (locale: Locale) => Record<string, string>,
): Promise<void> {
  const managers = (await listMembers(trx, workspace)).filter(
    ({ role, suspended_at }) => suspended_at === null && may(role, 'manage'),
  );
  const [manager] = managers;
  if (!manager) return;
  const contacts = await listContacts(
    trx,
    managers.map(({ user }) => user),
  );
  const name = manager.workspaceName;
  for (const { username, email, locale } of contacts)
    await sendMail(context, trx, {
      kind,
      tenant: workspace,
      to: email,
      locale,
      link: context.links.to('/Token', { tab: 'purchases' }),
      values: { username, workspace: name, ...valuesIn(locale) },
    });
  for (const { notify } of context.features)
    await notify?.(context, trx, {
      users: contacts.map(({ uuid }) => uuid),
      about,
      url: '/Token?tab=purchases',
      say: (locale) => ({
        title: translate(locale, `payments-server:${kind}.title`, { workspace: name }),
        body: translate(locale, `payments-server:${kind}.text`, valuesIn(locale)),
      }),
    });
}

const formatCredits = (locale: Locale, credits: number) => new Intl.NumberFormat(locale).format(credits);
