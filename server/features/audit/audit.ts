import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';

export type AuditAction =
  | `user.${'registered' | 'signed-in' | 'sign-in-failed' | 'signed-out' | 'email-verified' | 'email-changed' | 'password-changed' | 'password-reset' | 'two-factor-on' | 'two-factor-off' | 'backup-codes' | 'passkey-added' | 'passkey-removed' | 'google-linked' | 'google-unlinked' | 'sessions-ended' | 'updated' | 'exported' | 'deleted' | 'suspended' | 'restored' | 'two-factor-reset' | 'reset-link' | 'operator-on' | 'operator-off'}`
  | `workspace.${'created' | 'updated' | 'deleted' | 'transferred' | 'left'}`
  | `member.${'joined' | 'role-changed' | 'removed'}`
  | `invitation.${'created' | 'revoked'}`
  | `key.${'created' | 'updated' | 'revoked'}`
  | `model-key.${'created' | 'updated' | 'deleted'}`
  | `service.${'added' | 'changed' | 'removed'}`
  | 'settings.changed'
  | 'mail.retried';

/** Who did it; where nobody is signed in yet, `user` is whose account it is about, if there is one. */
export type Actor = Pick<Caller, 'username' | 'address'> &
  Partial<Pick<Caller, 'workspace' | 'workspaceName'>> & { user: string | null };

/** Adds an entry, in the transaction of what it tells. Never a secret in it. */
export async function record(
  trx: Trx | Db,
  actor: Actor,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      uuid: newId(),
      created_at: Date.now(),
      action,
      user: actor.user,
      actor: actor.username,
      workspace: actor.workspace ?? null,
      workspace_name: actor.workspaceName ?? '',
      subject,
      details: JSON.stringify(details),
      address: actor.address,
    })
    .execute();
}
