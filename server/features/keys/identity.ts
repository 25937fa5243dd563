import { AppError } from '../../../shared/errors.ts';
import type { Identity } from '../../feature.ts';
import { hashSecret } from '../../infra/sealed.ts';
import { scopesOf } from './keys.ts';
import { findKeyHolder, touchKey } from './keys.store.ts';

/** How exactly the last use of a key is known. */
const touchMs = 60_000;

/** A key acts for who made it, in its own workspace, as far as its scopes go and never further than the person's role. */
export const keyIdentity: Identity = {
  prefix: 'kt_',
  async find({ db }, key, { workspace, address, route }) {
    const now = Date.now();
    const found = await findKeyHolder(db, hashSecret(key), now);
    if (!found) return undefined;
    if (workspace !== undefined && workspace !== found.workspace) throw new AppError('workspace-not-found');
    if (route.access !== 'anyone') {
      if (!route.scope) throw new AppError('key-not-allowed');
      if (!scopesOf(found).includes(route.scope)) throw new AppError('scope-missing', { scope: route.scope });
    }
    if ((found.last_used_at ?? 0) < now - touchMs) await touchKey(db, found.key, now);
    const bots: string[] | null = found.bots === null ? null : JSON.parse(found.bots);
    return {
      user: found.user,
      username: found.username,
      avatar: found.avatar,
      session: null,
      key: { uuid: found.key, scopes: scopesOf(found), bots },
      workspace: found.workspace,
      workspaceName: found.workspaceName,
      role: found.role,
      operator: false,
      locale: found.locale,
      address,
    };
  },
};
