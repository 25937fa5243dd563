import { AppError } from '../../../shared/errors.ts';
import type { Context, Identity } from '../../feature.ts';
import type { MemberListener } from '../../infra/sockets.ts';
import { ClockError, type TokenClaims } from '../../infra/tokens.ts';
import { touchSession } from '../users/sessions.ts';
import { findCaller, listMemberships } from '../workspaces/memberships.ts';

/** How exactly the last use of a session is known. */
const touchMs = 60_000;

/** A page's access token speaks for the person of its session. */
export const sessionIdentity: Identity = {
  async find(context, token, { workspace, address, before }) {
    const { db } = context;
    // What began with a good token goes on for as long as the session lives.
    const claims = before?.session ? { user: before.user, session: before.session } : await readToken(context, token);
    const now = Date.now();
    const found = claims && (await findCaller(db, { user: claims.user, session: claims.session, workspace, now }));
    if (!found) return undefined;
    if (!found.workspace || !found.role || found.workspaceName === null) throw new AppError('workspace-not-found');
    if (found.last_seen_at < now - touchMs) await touchSession(db, claims.session, now);
    return {
      user: found.user,
      username: found.username,
      avatar: found.avatar,
      session: claims.session,
      key: null,
      workspace: found.workspace,
      workspaceName: found.workspaceName,
      role: found.role,
      operator: found.is_operator === 1,
      locale: found.locale,
      address,
    };
  },
  /** A live connection listens in every workspace of the person, for as long as the session lives: longer than its token. */
  async listen(context, token) {
    const claims = await readToken(context, token);
    const again = async () => claims && findListener(context, claims);
    const listener = await again();
    return listener && { listener, again };
  },
};

async function findListener({ db }: Context, claims: TokenClaims): Promise<MemberListener | undefined> {
  const asked = { user: claims.user, session: claims.session, workspace: undefined, now: Date.now() };
  const found = await findCaller(db, asked);
  if (!found) return undefined;
  const workspaces = await listMemberships(db, { user: found.user });
  return {
    kind: 'member',
    user: found.user,
    session: claims.session,
    locale: found.locale,
    workspaces: workspaces.map(({ uuid, role }) => ({ uuid, role })),
  };
}

/** A token from the future counts as none, and who runs the servers is told: their pages would be asked to sign in again and again. */
async function readToken({ tokens, log }: Context, token: string): Promise<TokenClaims | undefined> {
  try {
    return await tokens.verify(token);
  } catch (error) {
    if (!(error instanceof ClockError)) throw error;
    log.warn(
      { aheadSeconds: error.aheadSeconds },
      'an access token was signed in the future: the clocks of the servers differ, set them right',
    );
    return undefined;
  }
}
