import type { Feature } from '../../feature.ts';
import { deleteMailsTo, mailJob, sweepMails } from './mail.ts';

/** Mails on their way, kept until they are sent. */
export const mail: Feature = {
  name: 'mail',
  tables: ['mail'],
  jobs: (context) => context.queue.register(mailJob(context)),
  sweep: ({ db }) => sweepMails(db),
  person: { erase: async (trx, { email }) => void (await deleteMailsTo(trx, email)) },
};
