import type { Context } from './features/context.ts';
import { clearJob, ingestJob } from './features/knowledge/documents.jobs.ts';

/** Every kind of job. */
export function addJobs(context: Context): void {
  context.queue.register(ingestJob(context));
  context.queue.register(clearJob(context));
}
