import { hourMs, type Feature } from '../../feature.ts';
import { deleteMailsTo, sendMailJob, sendMailKind, sweepMails } from './mail.ts';

/** Mails on their way, kept until they are sent. */
export const mail: Feature = {
  name: 'mail',
  tables: ['mail'],
  jobs: (context) => context.queue.register(sendMailKind, sendMailJob(context)),
  recurring: (context) => [{ name: 'mails.sweep', everyMs: hourMs, run: () => sweepMails(context) }],
  person: { erase: (trx, { email }, context) => deleteMailsTo(context, trx, email) },
};
