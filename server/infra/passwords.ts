import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createLine } from './line.ts';
import { trimEnd } from '../../shared/text.ts';

const derive = promisify(argon2);

// OWASP's password storage cheat sheet: argon2id, 19 MiB, two passes, one lane.
const memory = 19 * 1024;
const passes = 2;
const tagLength = 32;

// Hashing shares libuv's four threads with files and name look-ups, so two run at once, a few wait, and the rest are told to come back.
const inLine = createLine({ atOnce: 2, maxWaiting: 40 });

/** `$argon2id$v=19$m=…,t=…,p=1$salt$tag` (PHC string format). Throws `unavailable` when too many wait already. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await inLine(() =>
    derive('argon2id', { message: password, nonce: salt, parallelism: 1, memory, passes, tagLength }),
  );
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${encode(salt)}$${encode(tag)}`;
}

// Compared with where there is no account, so that the time does not tell.
const nobody = `$argon2id$v=19$m=${memory},t=${passes},p=1$${encode(randomBytes(16))}$${encode(randomBytes(tagLength))}`;

/** Takes as long for an account that does not exist (`undefined`) as for a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, , , costs = '', salt = '', tag = ''] = (stored ?? nobody).split('$');
  const [m = memory, t = passes, p = 1] = costs.split(',').map((cost) => Number(cost.slice(2)));
  const wanted = Buffer.from(tag, 'base64');
  const found = await inLine(() =>
    derive('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      parallelism: p,
      memory: m,
      passes: t,
      tagLength: wanted.length,
    }),
  );
  return timingSafeEqual(found, wanted) && Boolean(stored);
}

function encode(bytes: Buffer): string {
  return trimEnd(bytes.toString('base64'), '=');
}
