import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  url: string;
  /** What was taken, oldest first, with whom it was handed over for. */
  mails: (Email & { envelope: { from: string; to: string[] } })[];
  /** Answers every mail with "come back later" until it is set back. */
  isBusy: boolean;
  close(): Promise<void>;
}

/** A real SMTP server on a port of its own. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = [];
  const state = { isBusy: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (state.isBusy) return done(Object.assign(new Error('4.3.2 come back later'), { responseCode: 451 }));
        const { mailFrom, rcptTo } = session.envelope;
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          mails.push({
            ...mail,
            envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((to) => to.address) },
          });
          done();
        });
      });
    },
  });
  // What a client breaks off is its own affair.
  server.on('error', () => {});
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port)); // a TCP server's address is one
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    get isBusy() {
      return state.isBusy;
    },
    set isBusy(next) {
      state.isBusy = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
