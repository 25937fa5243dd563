import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ask, LineError, readAnswer, type LineAccess, type LineAddress, type Wire } from './wire.ts';

/**
 * Stateless tokens live for fifteen minutes, and as many as one likes are issued.
 * https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token
 */
const path = '/oauth2/v3/token';
const keptMs = 12 * 60_000;
const maxKept = 1000;
const Issued = z.object({ access_token: z.string().min(1), expires_in: z.number().catch(900) });

interface Kept {
  token: Promise<string>;
  until: number;
}
/** The one used last at the end. */
const kept = new Map<string, Kept>();

/** True where LINE has issued no token: the id or the secret of the channel is wrong. */
export const isWrongSecret = (error: unknown): error is LineError =>
  error instanceof LineError && error.path === path && (error.status === 400 || error.status === 401);

/**
 * The channel's token, asked for once however many need it. `refused` is one that LINE has not taken, so that it is not given
 * again. Throws `LineError` and what the network does.
 */
export function tokenFor(
  wire: Wire,
  { address, access, timeoutMs }: { address: LineAddress; access: LineAccess; timeoutMs: number },
  refused?: string,
): Promise<string> {
  const { channelId, secret } = access;
  const key = createHash('sha256')
    .update(JSON.stringify([address.api, channelId, secret]))
    .digest('hex');
  const known = kept.get(key);
  kept.delete(key);
  if (known && known.until > Date.now()) {
    kept.set(key, known);
    if (refused === undefined) return known.token;
    return known.token.then((token) => {
      if (token !== refused) return token;
      if (kept.get(key) === known) kept.delete(key);
      return tokenFor(wire, { address, access, timeoutMs });
    });
  }
  const made: Kept = { token: issue(), until: Date.now() + keptMs };
  made.token.catch(() => {
    if (kept.get(key) === made) kept.delete(key);
  });
  kept.set(key, made);
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break;
    kept.delete(oldest);
  }
  return made.token;

  // Nobody's signal ends it: others wait for the same one.
  async function issue(): Promise<string> {
    const answer = await ask(wire, {
      method: 'POST',
      host: address.api,
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: channelId,
        client_secret: secret,
      }).toString(),
      timeoutMs,
    });
    const { access_token: token, expires_in: seconds } = await readAnswer(path, answer, Issued);
    made.until = Math.min(made.until, Date.now() + seconds * 800);
    return token;
  }
}
