import { errors, SignJWT, exportJWK, generateKeyPair, importJWK, jwtVerify, type JWK } from 'jose';
import type { Db } from './db.ts';
import type { Sealer } from './sealed.ts';

export interface TokenClaims {
  user: string;
  session: string;
}

export interface Tokens {
  /** An access token of 15 minutes for one session: ES256, one audience, one issuer, `typ` at+jwt (RFC 9068). */
  sign(claims: TokenClaims): Promise<string>;
  /** The claims of a good token, or nothing. The session's row still decides whether it counts. Throws `ClockError` for one of ours that was signed in the future. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

/** The token was signed by another process whose clock is more than a minute ahead of ours. */
export class ClockError extends Error {
  readonly aheadSeconds: number;
  constructor(aheadSeconds: number) {
    super('token-from-the-future');
    this.aheadSeconds = aheadSeconds;
  }
}

export const accessTokenSeconds = 15 * 60;
const clockToleranceSeconds = 60;
const issuer = 'kotae';
const audience = 'kotae-api';

// A page sends the same token with every call, so its signature is checked once; its session is looked up each time.
const maxKnown = 10_000;

/** Every process of an installation shares one signing key; it is kept sealed in the database. */
export async function openTokens(db: Db, sealer: Sealer): Promise<Tokens> {
  const jwk = await installationKey(db, sealer, 'signing-key');
  const privateKey = await importJWK(jwk, 'ES256');
  const publicKey = await importJWK({ kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y } as JWK, 'ES256'); // the members of an EC key, without the private one
  const known = new Map<string, TokenClaims & { until: number }>();
  return {
    sign: ({ user, session }) =>
      new SignJWT({ sid: session })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setSubject(user)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${accessTokenSeconds}s`)
        .sign(privateKey),
    async verify(token) {
      const seen = known.get(token);
      if (seen) return seen.until > Date.now() ? seen : undefined;
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          algorithms: ['ES256'],
          issuer,
          audience,
          typ: 'at+jwt',
          requiredClaims: ['exp', 'sub', 'sid'],
          maxTokenAge: accessTokenSeconds,
          clockTolerance: clockToleranceSeconds,
        });
        if (typeof payload.sub !== 'string' || typeof payload['sid'] !== 'string' || typeof payload.exp !== 'number')
          return undefined;
        const claims = {
          user: payload.sub,
          session: payload['sid'],
          until: (payload.exp + clockToleranceSeconds) * 1000,
        };
        if (known.size >= maxKnown) known.clear();
        known.set(token, claims);
        return claims;
      } catch (error) {
        // The signature is checked before the times are.
        if (
          error instanceof errors.JWTClaimValidationFailed &&
          error.claim === 'iat' &&
          error.reason === 'check_failed'
        )
          throw new ClockError(Math.round(Number(error.payload.iat) - Date.now() / 1000));
        return undefined;
      }
    },
  };
}

/** A signing key of the installation, made at the first start and kept sealed; of two processes that start at once, one has left the first. */
export async function installationKey(db: Db, sealer: Sealer, name: string): Promise<JWK> {
  const place = `installation:${name}`;
  const stored = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  if (stored) {
    const jwk: JWK = JSON.parse(sealer.open(stored.value, place));
    if (sealer.isStale(stored.value))
      await db
        .updateTable('installation')
        .set({ value: sealer.seal(JSON.stringify(jwk), place) })
        .where('name', '=', name)
        .execute();
    return jwk;
  }
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  await db
    .insertInto('installation')
    .values({ name, value: sealer.seal(JSON.stringify(jwk), place) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return installationKey(db, sealer, name);
}
