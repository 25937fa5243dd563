import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { sendMail, type Outbox } from '../mail/mail.ts';
import type { User } from '../users/users.ts';

type Told = Pick<User, 'username' | 'email' | 'locale'>;

type Change =
  | 'password-changed'
  | 'password-reset'
  | 'two-factor-on'
  | 'two-factor-off'
  | 'backup-codes'
  | 'passkey-added'
  | 'passkey-removed'
  | 'google-linked'
  | 'google-unlinked';

/** A mail about what protects the account, in the transaction that changes it: whoever did not do it sets a new password. */
export const tellOfChange = (
  context: Outbox & Pick<Context, 'links'>,
  trx: Trx,
  kind: Change,
  { username, email, locale }: Told,
  values: { name?: string } = {},
): Promise<void> =>
  sendMail(context, trx, {
    kind,
    to: email,
    locale,
    link: context.links.to('/Forgot-Password', { email }),
    values: { username, ...values },
  });

/** Both addresses are told: an intruder reads the new one, and the old one may be out of reach. */
export async function tellOfNewAddress(
  context: Outbox,
  trx: Trx,
  { username, email: old, locale }: Told,
  email: string,
): Promise<void> {
  for (const to of [old, email])
    await sendMail(context, trx, { kind: 'email-changed', to, locale, values: { username, email } });
}
