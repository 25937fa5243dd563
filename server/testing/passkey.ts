import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Question {
  challenge: string;
  rpId: string;
  origin: string;
}

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;
const hash = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A new passkey, as a phone or a key holds it: the least that it says when it is made, and when it signs in (WebAuthn Level 3 §6.5, "none"). */
export function makePasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  });
  const clientData = (type: string, { challenge, origin }: Question) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  return {
    /** What a browser sends when the passkey is made. */
    create(question: Question) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // CBOR by hand: a map of kty 2, alg -7, crv 1, x and y (RFC 9053 §7.1.1).
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const data = Buffer.concat([
        hash(question.rpId),
        Buffer.from([present | verified | withKey]),
        Buffer.alloc(4 + 16), // the counter, and the model that stays unnamed
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', question),
        attestationObject: Buffer.concat([
          Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'), // { fmt: 'none', attStmt: {}, authData: …
          Buffer.from([data.length]),
          data,
        ]),
      });
    },
    /** What a browser sends when somebody signs in with it. */
    get(question: Question) {
      const client = clientData('webauthn.get', question);
      const data = Buffer.concat([hash(question.rpId), Buffer.from([present | verified]), Buffer.alloc(4)]);
      return answer({
        clientDataJSON: client,
        authenticatorData: data,
        signature: sign('sha256', Buffer.concat([data, hash(client)]), privateKey),
      });
    },
  };
}
