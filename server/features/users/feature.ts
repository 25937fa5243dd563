import { hourMs, type Feature } from '../../feature.ts';
import { forgetAnswers, forgetBodies } from '../../infra/idempotency.ts';
import { deleteExpiredSessions } from './sessions.ts';
import { listPeople } from './users.ts';

/** People and their sessions. */
export const users: Feature = {
  name: 'users',
  tables: ['user', 'session'],
  names: {
    member: async ({ db }, _, ids) => (await listPeople(db, ids)).map(({ uuid, username }) => [uuid, username]),
  },
  // What their calls were answered.
  person: { erase: async (trx, { user }) => void (await forgetAnswers(trx, { owner: user })) },
  workspace: { erase: async (trx, workspace) => void (await forgetAnswers(trx, { workspace })) },
  async eraseGuest(_, trx, ways) {
    for (const owner of new Set(ways.map(({ guest }) => guest))) await forgetAnswers(trx, { owner });
    for (const workspace of new Set(ways.map((way) => way.workspace))) await forgetBodies(trx, workspace);
  },
  pictures: [{ table: 'user', column: 'avatar' }],
  recurring: ({ db }) => [
    { name: 'sessions.sweep', everyMs: hourMs, run: async () => void (await deleteExpiredSessions(db, Date.now())) },
  ],
};
