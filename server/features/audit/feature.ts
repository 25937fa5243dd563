import { toJson, type Feature } from '../../feature.ts';
import { listAuditOf } from './audit.ts';

/** Who did what: entries that are only ever added. */
export const audit: Feature = {
  name: 'audit',
  tables: ['audit'],
  person: {
    async *export({ db }, user) {
      const entries = (await listAuditOf(db, user)).map((entry) => ({
        ...entry,
        created_at: new Date(entry.created_at).toISOString(),
        details: JSON.parse(entry.details),
      }));
      yield { name: 'activity.json', content: toJson(entries) };
    },
  },
};
