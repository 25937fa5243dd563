import { sql } from 'kysely';
import { AppError } from '../../../shared/errors.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { Role } from '../../../shared/roles.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import { escapeHtml } from '../../infra/http.ts';
import type { Position } from '../../infra/page.ts';
import type { MailTable } from './mail.tables.ts';

import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { translate } from '../../infra/translate.ts';
import type { Letter } from '../../providers/mail/mailer.ts';
import type { Context } from '../../feature.ts';

type KindWith<Part extends string> =
  KeyIn<'mail'> extends infer Key ? (Key extends `${infer Kind}.${Part}` ? Kind : never) : never;
type LinkedKind = KindWith<'button'>;
type PlainKind = Exclude<KindWith<'subject'>, LinkedKind>;

export type MailRow = MailTable;

/** A mail of a kind that has texts; one with a link has a text for its button too. */
type Outgoing = {
  to: string;
  locale: Locale;
  /** The conversation that it tells of: erased, it takes the mail with it. */
  thread?: string;
  values?: Record<string, string | number> & { role?: Role };
} & ({ kind: LinkedKind; link: string } | { kind: PlainKind; link?: undefined });

export const sendMailKind = jobKind<{ mail: string }>({
  name: 'mail.send',
  lane: 'mail',
  timeoutMs: 3 * 60_000,
  // Enough for a mail server that is down for about a day.
  maxAttempts: 40,
  maxPauseMs: 45 * 60_000,
});
const day = 86_400_000;

/** What puts a mail on its way, in a process that sends none too. */
export type Outbox = Pick<Context, 'sealer'> & { queue: Pick<Context['queue'], 'add'> };

/** Whether mails reach people; otherwise they are kept for the operator to hand over. */
export const sendsMail = (context: Pick<Context, 'mailer'>): boolean => context.mailer.mode === 'smtp';

/** Puts a mail into the outbox, in the transaction of the change that it tells of; a job sends it, and retries while the server is down. */
export async function sendMail(
  context: Outbox,
  trx: Trx | Db,
  { tenant, ...mail }: Outgoing & { tenant?: string },
): Promise<void> {
  const { kind, to, locale } = mail;
  const uuid = newId();
  const now = Date.now();
  const body = write(mail);
  await trx
    .insertInto('mail')
    .values({
      uuid,
      kind,
      recipient: to,
      subject: body.subject,
      locale,
      body: context.sealer.seal(JSON.stringify(body), placeOf(uuid)),
      state: 'queued',
      error: null,
      sent_at: null,
      thread: mail.thread ?? null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await context.queue.add(trx, sendMailKind, { mail: uuid }, tenant === undefined ? {} : { tenant });
}

export function sendMailJob(context: Context): JobHandler<{ mail: string }> {
  const { db, mailer } = context;
  const update = (uuid: string, changes: Partial<MailTable>) =>
    db
      .updateTable('mail')
      .set({ ...changes, updated_at: Date.now() })
      .where('uuid', '=', uuid)
      .execute();
  return {
    async run({ mail: uuid }) {
      const mail = await db.selectFrom('mail').selectAll().where('uuid', '=', uuid).executeTakeFirst();
      if (!mail?.body || mail.state === 'sent' || mail.state === 'kept') return;
      try {
        await mailer.deliver({ uuid, to: mail.recipient, ...bodyOf(context, mail.uuid, mail.body) });
      } catch (error) {
        await update(uuid, { error: error instanceof Error ? error.message.slice(0, 500) : String(error) });
        throw error;
      }
      // The text of a sent mail is dropped; one that is kept still has to be handed over.
      await update(
        uuid,
        mailer.mode === 'smtp'
          ? { state: 'sent', body: null, error: null, sent_at: Date.now() }
          : { state: 'kept', error: null, sent_at: Date.now() },
      );
    },
    dead: async ({ mail }) => void (await update(mail, { state: 'failed' })),
  };
}

/** Sends a failed mail again. Throws `mail-not-found`. */
export async function retryMail(context: Context, trx: Trx, uuid: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('mail')
    .set({ state: 'queued', updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .where('state', '=', 'failed')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('mail-not-found');
  await context.queue.add(trx, sendMailKind, { mail: uuid });
}

/** Where a mail that is kept leads, for whoever hands it over; null for any other. */
export function mailLink(
  context: Pick<Context, 'sealer'>,
  mail: Pick<MailTable, 'uuid' | 'state' | 'body'>,
): string | null {
  return mail.state === 'kept' && mail.body ? bodyOf(context, mail.uuid, mail.body).link : null;
}

/** Links have expired by then. */
export async function sweepMails({ db, mailer }: Pick<Context, 'db' | 'mailer'>, now = Date.now()): Promise<void> {
  await mailer.forgetBefore(now - 7 * day);
  await db
    .updateTable('mail')
    .set({ body: null, updated_at: now })
    .where('created_at', '<', now - 7 * day)
    .where('state', '=', 'kept')
    .execute();
  await db
    .deleteFrom('mail')
    .where('created_at', '<', now - 30 * day)
    .execute();
}

type Body = Omit<Letter, 'uuid' | 'to'>;

const placeOf = (uuid: string) => `mail:${uuid}:body`;
/** Written by `sendMail` only. */
const bodyOf = (context: Pick<Context, 'sealer'>, uuid: string, sealed: string): Body =>
  JSON.parse(context.sealer.open(sealed, placeOf(uuid)));

/** A mail in the language of its reader, as text and as HTML that needs nothing from anywhere. */
function write(mail: Outgoing): Body {
  const { kind, locale, values = {} } = mail;
  const words = { ...values, ...(values.role && { role: translate(locale, `mail:role.${values.role}`) }) };
  const subject = translate(locale, `mail:${kind}.subject`, words).replace(/\s+/g, ' ').slice(0, 200);
  const paragraphs = translate(locale, `mail:${kind}.text`, words).split('\n');
  const link = mail.link ?? null;
  const button = mail.link === undefined ? '' : translate(locale, `mail:${mail.kind}.button`, words);
  const footer = translate(locale, 'mail:footer');
  const text = [...paragraphs, ...(link ? [`${button}:\n${link}`] : []), `-- \n${footer}`].join('\n\n');
  const html = `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f7f6;color:#1c211d;font:16px/1.6 Inter,'Hiragino Sans','Noto Sans JP','Yu Gothic UI',Meiryo,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">
<p style="margin:0 0 16px;font-weight:700;color:#067a06">Kotae</p>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('\n')}
${
  link
    ? `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#067a06;color:#fff;text-decoration:none;font-weight:600">${escapeHtml(button)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#5b635c;word-break:break-all">${escapeHtml(link)}</p>`
    : ''
}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #e4e7e4;font-size:13px;color:#5b635c">${escapeHtml(footer)}</p>
</div></body></html>`;
  return { subject, text, html, link };
}

export function listMails(
  db: Db,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<MailTable[]> {
  let query = db.selectFrom('mail').selectAll();
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findMail = (db: Db, uuid: string): Promise<MailTable | undefined> =>
  db.selectFrom('mail').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export async function countMails(db: Db): Promise<{ waiting: number; failed: number }> {
  const { rows } = await sql<{ waiting: number; failed: number }>`select
    (select count(*) from mail where state = 'queued') as waiting,
    (select count(*) from mail where state = 'failed') as failed`.execute(db);
  return { waiting: Number(rows[0]?.waiting ?? 0), failed: Number(rows[0]?.failed ?? 0) };
}

/** Deletes the mails to an address, and what was kept of them. */
export async function deleteMailsTo({ mailer }: Context, trx: Trx, recipient: string): Promise<void> {
  const gone = await trx.deleteFrom('mail').where('recipient', '=', recipient).returning('uuid').execute();
  await mailer.forget(gone.map(({ uuid }) => uuid));
}
