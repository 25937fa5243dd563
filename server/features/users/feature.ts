import { hourMs, type Feature } from '../../feature.ts';
import { deleteExpiredSessions } from './sessions.ts';
import { listPeople } from './users.ts';

/** People and their sessions. */
export const users: Feature = {
  name: 'users',
  tables: ['user', 'session'],
  names: {
    member: async ({ db }, _, ids) => (await listPeople(db, ids)).map(({ uuid, username }) => [uuid, username]),
  },
  pictures: (db) => db.selectFrom('user').select('avatar').where('avatar', 'is not', null),
  recurring: ({ db }) => [
    { name: 'sessions.sweep', everyMs: hourMs, run: async () => void (await deleteExpiredSessions(db, Date.now())) },
  ],
};
