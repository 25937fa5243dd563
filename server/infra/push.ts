import {
  createCipheriv,
  createECDH,
  hkdfSync,
  randomBytes,
  createPublicKey,
  type ECDH,
  type JsonWebKey,
} from 'node:crypto';
import { importJWK, SignJWT, type JWK } from 'jose';
import type { Db } from './db.ts';
import type { Sealer } from './sealed.ts';
import { installationKey } from './tokens.ts';

/** Where a browser takes messages, as it gives it (W3C Push API): keys in base64url. */
export interface PushTarget {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface PushKeys {
  /** The public key that a browser subscribes for: an uncompressed point of P-256 (65 bytes) in base64url. */
  publicKey: string;
  /** The `Authorization` of a message to an endpoint: a token of ES256 for its origin, good for 12 hours (RFC 8292). `contact` is an address of whoever sends, `https:` or `mailto:`. */
  authorize(endpoint: string, contact: string): Promise<string>;
}

const recordSize = 4096;
/** What fits into one record beside its header, tag and end (RFC 8291 §4). */
export const maxPushBytes = recordSize - 103;

/** Whether a browser's keys are a point of P-256 and a secret of 16 bytes, without which nothing can be sent to it. */
export function areKeys({ p256dh, auth }: PushTarget['keys']): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    createPublicKey({ key: jwkOf(point) as JsonWebKey, format: 'jwk' }); // the members of a public key of an EC curve
    return true;
  } catch {
    return false;
  }
}

const jwkOf = (point: Buffer): JWK => ({
  kty: 'EC',
  crv: 'P-256',
  x: point.subarray(1, 33).toString('base64url'),
  y: point.subarray(33).toString('base64url'),
});

/**
 * A message that only the browser can read: `aes128gcm` in one record (RFC 8188), with a key agreed on over P-256 (RFC 8291).
 * At most `maxPushBytes`. `own` and `salt` are new for each message; tests give those of the standard's example.
 */
export function encryptPush(
  message: Buffer,
  { keys }: Pick<PushTarget, 'keys'>,
  { own = newPair(), salt = randomBytes(16) }: { own?: ECDH; salt?: Buffer } = {},
): Buffer {
  if (message.length > maxPushBytes) throw new RangeError('push-too-large');
  const theirs = Buffer.from(keys.p256dh, 'base64url');
  const ours = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const shared = hkdf(own.computeSecret(theirs), Buffer.from(keys.auth, 'base64url'), info, 32);
  const key = hkdf(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 is the end of the last record.
  const sealed = Buffer.concat([cipher.update(message), cipher.update(Buffer.of(2)), cipher.final()]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(recordSize);
  sizes.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, sizes, ours, sealed, cipher.getAuthTag()]);
}

function newPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

const tokenSeconds = 12 * 3600;

/** Every process of an installation shares one pair of keys; it is made at the first start and kept sealed in the database. */
export async function openPushKeys(db: Db, sealer: Sealer): Promise<PushKeys> {
  const jwk = await installationKey(db, sealer, 'push-key');
  const privateKey = await importJWK(jwk, 'ES256');
  const publicKey = Buffer.concat([
    Buffer.of(4),
    Buffer.from(jwk.x ?? '', 'base64url'),
    Buffer.from(jwk.y ?? '', 'base64url'),
  ]).toString('base64url');
  return {
    publicKey,
    async authorize(endpoint, contact) {
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setAudience(new URL(endpoint).origin)
        .setSubject(contact)
        .setExpirationTime(`${tokenSeconds}s`)
        .sign(privateKey);
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}
