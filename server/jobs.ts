import { forgotPasswordJob } from './features/accounts/passwords.ts';
import { pictureJob } from './features/accounts/pictures.ts';
import type { Context } from './features/context.ts';
import { clearJob, ingestJob } from './features/knowledge/documents.jobs.ts';
import { mailJob } from './features/mail/mail.ts';

/** Every kind of job. */
export function addJobs(context: Context): void {
  context.queue.register(forgotPasswordJob(context));
  context.queue.register(mailJob(context));
  context.queue.register(pictureJob(context));
  context.queue.register(ingestJob(context));
  context.queue.register(clearJob(context));
}
