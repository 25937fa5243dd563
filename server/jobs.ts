import { forgotPasswordJob, forgotPasswordKind } from './features/accounts/passwords.ts';
import { copyPictureJob, copyPictureKind } from './features/accounts/pictures.ts';
import { sweepAccounts } from './features/accounts/tickets.ts';
import { emptyThreadTrash, sweepThreads } from './features/answers/threads.ts';
import { emptyBotTrash } from './features/bots/bots.ts';
import type { Context } from './features/context.ts';
import { clearJob, clearKind, ingestJob } from './features/knowledge/documents.jobs.ts';
import { ingestKind, ingestSmallKind } from './features/knowledge/documents.ts';
import { emptyKnowledgeTrash } from './features/knowledge/knowledge.ts';
import { sendMailJob, sendMailKind, sweepMails } from './features/mail/mail.ts';
import { sweepHolds } from './features/usage/ledger.ts';
import { sweepJobs } from './infra/queue.ts';
import type { Recurring } from './infra/recurring.ts';

/** Every kind of job. */
export function addJobs(context: Context): void {
  const { queue } = context;
  queue.register(forgotPasswordKind, forgotPasswordJob(context));
  queue.register(sendMailKind, sendMailJob(context));
  queue.register(copyPictureKind, copyPictureJob(context));
  queue.register(ingestKind, ingestJob(context));
  queue.register(ingestSmallKind, ingestJob(context));
  queue.register(clearKind, clearJob(context));
}

const hourMs = 3_600_000;

/** What comes again and again, whichever process does it. */
export function addRecurring(recurring: Recurring, context: Context): void {
  const { db } = context;
  recurring.register({ name: 'jobs.sweep', everyMs: hourMs, run: () => sweepJobs(db) });
  recurring.register({ name: 'accounts.sweep', everyMs: hourMs, run: () => sweepAccounts(db) });
  recurring.register({ name: 'mails.sweep', everyMs: hourMs, run: () => sweepMails(db) });
  recurring.register({ name: 'credits.sweep', everyMs: hourMs, run: () => sweepHolds(db) });
  recurring.register({ name: 'threads.sweep', everyMs: hourMs, run: async () => void (await sweepThreads(db)) });
  recurring.register({
    name: 'trash.empty',
    everyMs: hourMs,
    // A bot goes once its conversations are gone.
    async run(signal) {
      await emptyThreadTrash(context, signal);
      await emptyBotTrash(context, signal);
      await emptyKnowledgeTrash(context, signal);
    },
  });
}
