import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId, type Db } from './db.ts';

export class SecretsError extends Error {}

export interface Sealer {
  /**
   * Seals a text so that it opens only in the same place. Form: `v1.<key id>.<base64url of iv ‖ tag ‖ ciphertext>`.
   * AES-256-GCM with a random 96-bit IV (NIST SP 800-38D §8.2.2); `place` (table, row, field) is its additional data.
   */
  seal(text: string, place: string): string;
  /** The text that was sealed. Throws `SecretsError` when the key is unknown, the place differs, or a bit has changed. */
  open(sealed: string, place: string): string;
  /** True when the text was sealed with an older key and should be sealed anew. */
  isStale(sealed: string): boolean;
}

const keyId = (key: Buffer) => createHash('sha256').update('kotae-key-id').update(key).digest('hex').slice(0, 8);

export function createSealer(keys: [current: Buffer, ...previous: Buffer[]]): Sealer {
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const current = keys[0];
  const currentId = keyId(current);
  return {
    seal(text, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current, iv);
      cipher.setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${currentId}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, place) {
      const [version, id = '', data = ''] = sealed.split('.');
      const key = byId.get(id);
      if (version !== 'v1' || !key) throw new SecretsError('sealed-with-unknown-key');
      const bytes = Buffer.from(data, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
        decipher.setAAD(Buffer.from(place));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new SecretsError('sealed-text-changed', { cause });
      }
    },
    isStale: (sealed) => sealed.split('.')[1] !== currentId,
  };
}

interface KeySettings {
  DATA_DIR: string;
  MASTER_KEY?: string | undefined;
  PREVIOUS_MASTER_KEYS: string[];
}

function parseKey(text: string, from: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32) throw new SecretsError(`${from} is not a key of 32 bytes in base64.`);
  if (key.every((byte) => byte === key[0])) throw new SecretsError(`${from} is not a random key.`);
  return key;
}

const checkName = 'master-key-check';
const checkText = 'kotae';

/**
 * The installation's sealer. The first start makes a key under `DATA_DIR/secrets` (mode 0600) and leaves a check value
 * in the database, and so does the first start with another key. What a key sealed stays sealed with it, so data refuses to
 * start until every check value can be opened: its secrets would be lost.
 */
export async function openSealer(settings: KeySettings, db: Db): Promise<Sealer> {
  const checks = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'like', `${checkName}%`)
    .execute();
  const sealer = createSealer(readKeys(settings, checks.length > 0));
  try {
    for (const { name, value } of checks) sealer.open(value, name);
  } catch (cause) {
    throw new SecretsError(
      'The master key does not fit this data. Put back the key that the data was made with (MASTER_KEY, or the file secrets/master.key in the data directory), and keep former keys in PREVIOUS_MASTER_KEYS.',
      { cause },
    );
  }
  if (checks.every(({ value }) => sealer.isStale(value))) {
    const name = checks.length === 0 ? checkName : `${checkName}-${newId()}`;
    await db
      .insertInto('installation')
      .values({ name, value: sealer.seal(checkText, name) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Of two processes that start at once, one has left the first.
    return openSealer(settings, db);
  }
  return sealer;
}

function readKeys(settings: KeySettings, hasData: boolean): [Buffer, ...Buffer[]] {
  const previous = settings.PREVIOUS_MASTER_KEYS.map((text) => parseKey(text, 'PREVIOUS_MASTER_KEYS'));
  if (settings.MASTER_KEY) return [parseKey(settings.MASTER_KEY, 'MASTER_KEY'), ...previous];
  const folder = join(settings.DATA_DIR, 'secrets');
  const file = join(folder, 'master.key');
  if (!existsSync(file)) {
    if (hasData)
      throw new SecretsError(
        `The data has no master key any more: ${file} is missing and MASTER_KEY is not set. Put the key back; without it the stored secrets cannot be read.`,
      );
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  }
  chmodSync(file, 0o600);
  return [parseKey(readFileSync(file, 'utf8'), file), ...previous];
}

/** What is stored of a code or key that its owner holds: 256 random bits need no slow hash. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex');
export const newSecret = () => randomBytes(32).toString('base64url');
