import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify, type JWTPayload } from 'jose';
import type { PushTarget } from '../infra/push.ts';

/** What a push service says next: a status, one with a header, or silence. */
type Answer = number | { status: number; headers: Record<string, string> } | 'silence';

export interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface PushService {
  host: string;
  /** Everything that was sent, also what was refused. */
  got: Pushed[];
  /** Answers for one browser, in order; 201 when there are no more. */
  answers: Map<string, Answer[]>;
  /** A browser with keys of its own that subscribed here. */
  aBrowser(): TestBrowser;
  close(): Promise<void>;
}

export interface TestBrowser {
  target: PushTarget;
  path: string;
  got(): Pushed[];
  /** What a message says, read with the keys that only the browser has (RFC 8291). */
  open(message: Pushed): { title: string; body: string; tag: string; url: string; lang: string };
}

/** A push service as browsers have them, which may be down, slow, or not what it says. */
export async function startPushService(): Promise<PushService> {
  const got: Pushed[] = [];
  const answers = new Map<string, Answer[]>();
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      got.push({ path, headers: request.headers, body: Buffer.concat(parts) });
      const next = answers.get(path)?.shift() ?? 201;
      if (next === 'silence') return;
      const { status, headers } = typeof next === 'number' ? { status: next, headers: {} } : next;
      reply.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const host = `127.0.0.1:${port}`;
  return {
    host,
    got,
    answers,
    aBrowser() {
      const pair = createECDH('prime256v1');
      pair.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return {
        path,
        target: { endpoint: `http://${host}${path}`, keys },
        got: () => got.filter((each) => each.path === path),
        open({ body }) {
          const [salt, size] = [body.subarray(0, 16), body.readUInt8(20)];
          const theirs = body.subarray(21, 21 + size);
          const sealed = body.subarray(21 + size);
          const derive = (secret: Buffer, from: Buffer, info: Buffer, bytes: number) =>
            Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
          const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs]);
          const shared = derive(pair.computeSecret(theirs), auth, info, 32);
          const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
          const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
          const decipher = createDecipheriv('aes-128-gcm', key, nonce);
          decipher.setAuthTag(sealed.subarray(-16));
          const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
          return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8'));
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Who a message says it is from, checked as push services do (RFC 8292): signed with the key that the browser subscribed for. */
export async function senderOf({ headers }: Pushed, key: string): Promise<JWTPayload> {
  const [, token = '', named] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (named !== key) throw new Error(`signed with ${named}`);
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256');
  return (await jwtVerify(token, publicKey, { algorithms: ['ES256'] })).payload;
}
