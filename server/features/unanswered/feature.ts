import { unanswered as contract } from '../../../shared/contracts/unanswered.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { forgetMessages, noteUnanswered, sweepUnanswered } from './unanswered.ts';
import { unansweredRoutes } from './unanswered.routes.ts';
import { forgetAnswerer, insertRow } from './unanswered.store.ts';

/** What visitors asked and no document answered, and the way to an answer. */
export const unanswered: Feature = {
  name: 'unanswered',
  tables: ['unanswered', 'unanswered_case'],
  contracts: [contract],
  routes: unansweredRoutes,
  notFound: { unanswered: 'unanswered-not-found' },
  guestThread: noteUnanswered,
  eraseMessages: forgetMessages,
  person: { erase: async (trx, { user }) => void (await forgetAnswerer(trx, user)) },
  recurring: (context) => [
    { name: 'unanswered.sweep', everyMs: hourMs, run: (signal) => sweepUnanswered(context, signal) },
  ],
  async examples(context, caller, { bot = '' }) {
    const now = Date.now();
    const row = { uuid: newId(), workspace: caller.workspace, bot, question: 'When?', terms: '[]', count: 1 };
    const made = {
      ...row,
      reason: 'refused',
      status: 'open',
      asked_at: now,
      created_at: now,
      updated_at: now,
    } as const;
    await context.db.transaction().execute((trx) => insertRow(trx, made));
    return { unanswered: made.uuid };
  },
};
