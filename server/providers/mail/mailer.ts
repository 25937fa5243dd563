import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../infra/config.ts';

export interface Letter {
  /** Names the file of a mail that is kept. */
  uuid: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where the mail leads; a mail that is kept says it on the console. */
  link: string | null;
}

export interface Mailer {
  mode: 'smtp' | 'kept';
  /** Hands the letter to the mail server, or keeps it as a file. Throws while the server does not take it. */
  deliver(letter: Letter): Promise<void>;
  /** Removes the files of mails that were kept; of others there is nothing here. */
  forget(uuids: string[]): Promise<void>;
  /** The same for all that were kept before this moment. */
  forgetBefore(moment: number): Promise<void>;
}

/** `print` tells the operator where a mail leads that was kept. */
export function createMailer(config: Config, print: (line: string) => void): Mailer {
  return config.SMTP_URL
    ? overSmtp(config.SMTP_URL, config.MAIL_FROM)
    : inFolder(join(config.DATA_DIR, 'mail'), config.MAIL_FROM, print);
}

function overSmtp(url: string, from: string): Mailer {
  return {
    mode: 'smtp',
    async deliver(letter) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail(message(letter, from));
      } finally {
        transport.close();
      }
    },
    forget: async () => {},
    forgetBefore: async () => {},
  };
}

function inFolder(folder: string, from: string, print: (line: string) => void): Mailer {
  return {
    mode: 'kept',
    async deliver(letter) {
      const { createTransport } = await import('nodemailer');
      const { message: bytes } = await createTransport({
        streamTransport: true,
        buffer: true,
        disableFileAccess: true,
        disableUrlAccess: true,
      }).sendMail(message(letter, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${letter.uuid}.eml`), bytes, { mode: 0o600, flush: true });
      if (letter.link) print(`Mail for ${letter.to}: ${letter.link}`);
    },
    async forget(uuids) {
      for (const uuid of uuids) await rm(join(folder, `${uuid}.eml`), { force: true });
    },
    async forgetBefore(moment) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => each.endsWith('.eml'))) {
        const path = join(folder, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < moment) await rm(path, { force: true });
      }
    },
  };
}

// An address is given as an object, so that nothing in it is read as a list or a header.
const message = ({ uuid, to, subject, text, html }: Letter, from: string) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  messageId: `<${uuid}@kotae>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
});
