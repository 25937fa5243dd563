import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

/** What a browser sends when a new passkey answers the question: the least that a phone or a key says (WebAuthn Level 3 §6.5, "none"). */
export function answerAsPasskey({ challenge, rpId, origin }: { challenge: string; rpId: string; origin: string }) {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  // CBOR by hand: a map of kty 2, alg -7, crv 1, x and y (RFC 9053 §7.1.1).
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const present = 0x01;
  const verified = 0x04;
  const withKey = 0x40;
  const data = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([present | verified | withKey]),
    Buffer.alloc(4 + 16), // the counter, and the model that stays unnamed
    Buffer.from([0, id.length]),
    id,
    key,
  ]);
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'), // { fmt: 'none', attStmt: {}, authData: …
    Buffer.from([data.length]),
    data,
  ]);
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false });
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    },
  };
}
