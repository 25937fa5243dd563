import { accounts as contract, security } from '../../../shared/contracts/accounts.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { accountRoutes } from './accounts.routes.ts';
import { insertPasskey } from './accounts.store.ts';
import { sessionIdentity } from './identity.ts';
import { exportAccount } from './leaving.ts';
import { accountLimits } from './limits.ts';
import { forgotPasswordJob, forgotPasswordKind } from './passwords.ts';
import { copyPictureJob, copyPictureKind } from './pictures.ts';
import { deleteExpiredTickets } from './tickets.ts';

const audit = [
  'user.registered',
  'user.signed-in',
  'user.sign-in-failed',
  'user.signed-out',
  'user.email-verified',
  'user.email-changed',
  'user.password-changed',
  'user.password-reset',
  'user.two-factor-on',
  'user.two-factor-off',
  'user.backup-codes',
  'user.passkey-added',
  'user.passkey-removed',
  'user.google-linked',
  'user.google-unlinked',
  'user.sessions-ended',
  'user.session-replayed',
  'user.updated',
  'user.exported',
  'user.deleted',
  'user.two-factor-reset',
  'user.reset-link',
  'user.operator-on',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Registering, signing in, protecting an account, and leaving. */
export const accounts: Feature = {
  name: 'accounts',
  tables: ['ticket', 'backup_code', 'passkey', 'identity'],
  contracts: [contract, security],
  routes: accountRoutes,
  identity: sessionIdentity,
  limits: accountLimits,
  audit,
  jobs(context) {
    context.queue.register(forgotPasswordKind, forgotPasswordJob(context));
    context.queue.register(copyPictureKind, copyPictureJob(context));
  },
  recurring: ({ db }) => [{ name: 'accounts.sweep', everyMs: hourMs, run: () => deleteExpiredTickets(db) }],
  person: { export: exportAccount },
  async examples({ db }, caller) {
    const now = Date.now();
    const passkey = newId();
    const key = { credential_id: passkey, public_key: '', counter: 0, transports: '[]', last_used_at: null };
    await insertPasskey(db, {
      ...key,
      uuid: passkey,
      user: caller.user,
      name: 'Key',
      created_at: now,
      updated_at: now,
    });
    return { session: caller.session ?? '', passkey };
  },
};
