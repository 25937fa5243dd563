import { forgotPasswordJob, forgotPasswordKind } from './features/accounts/passwords.ts';
import { copyPictureJob, copyPictureKind } from './features/accounts/pictures.ts';
import type { Context } from './features/context.ts';
import { clearJob, clearKind, ingestJob } from './features/knowledge/documents.jobs.ts';
import { ingestKind } from './features/knowledge/documents.ts';
import { sendMailJob, sendMailKind } from './features/mail/mail.ts';

/** Every kind of job. */
export function addJobs(context: Context): void {
  const { queue } = context;
  queue.register(forgotPasswordKind, forgotPasswordJob(context));
  queue.register(sendMailKind, sendMailJob(context));
  queue.register(copyPictureKind, copyPictureJob(context));
  queue.register(ingestKind, ingestJob(context));
  queue.register(clearKind, clearJob(context));
}
