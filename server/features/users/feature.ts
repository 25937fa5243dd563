import { hourMs, type Feature } from '../../feature.ts';
import { deleteExpiredSessions } from './sessions.ts';

/** People and their sessions. */
export const users: Feature = {
  name: 'users',
  tables: ['user', 'session'],
  pictures: (db) => db.selectFrom('user').select('avatar').where('avatar', 'is not', null),
  recurring: ({ db }) => [
    { name: 'sessions.sweep', everyMs: hourMs, run: async () => void (await deleteExpiredSessions(db, Date.now())) },
  ],
};
