import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';

export interface GoogleAccount {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  picture?: string;
}

export interface OpenIdPeer {
  issuer: string;
  /** Who is signed in at the provider. */
  account: GoogleAccount;
  close(): Promise<void>;
}

const client = { id: 'kotae-test', secret: 'a-secret-of-the-test-client-000001' };
export const openIdSettings = (issuer: string) => ({
  GOOGLE_CLIENT_ID: client.id,
  GOOGLE_CLIENT_SECRET: client.secret,
  GOOGLE_ISSUER: issuer,
});

/** A real OpenID provider. Whoever comes is signed in as `account` at once; `callback` says where they may be sent back. */
export async function startOpenIdProvider(account: GoogleAccount, callback: () => string): Promise<OpenIdPeer> {
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    provider ??= build();
    void answer(provider, request, response);
  });
  const issuer = await listen(server);
  const peer: OpenIdPeer = { issuer, account, close: () => close(server) };

  function build(): Provider {
    return new Provider(issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [callback()],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the test'] },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...peer.account, sub }) }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    });
  }

  async function answer(own: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return void own.callback()(request, response);
    const details = await own.interactionDetails(request, response);
    const grant = new own.Grant({ accountId: peer.account.sub, clientId: client.id });
    grant.addOIDCScope('openid email profile');
    const result =
      details.prompt.name === 'consent'
        ? { consent: { grantId: await grant.save() } }
        : { login: { accountId: peer.account.sub } };
    await own.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }
  return peer;
}

export interface HostileProvider extends OpenIdPeer {
  /** Changes the claims, or the header, of the next id tokens. */
  spoil: { claims?: JWTPayload; alg?: 'none'; status?: number };
  /** Makes the code that a browser would come back with. */
  codeFor(nonce: string): string;
}

/** An OpenID provider that says whatever it is told to: wrong nonce, wrong audience, another's signature. */
export async function startHostileProvider(account: GoogleAccount): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => void reply(request, response));
  const issuer = await listen(server);
  const peer: HostileProvider = {
    issuer,
    account,
    spoil: {},
    codeFor(nonce) {
      const code = `code-${nonces.size}`;
      nonces.set(code, nonce);
      return code;
    },
    close: () => close(server),
  };

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/.well-known/openid-configuration') {
      return void json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: false,
      });
    }
    if (request.url === '/jwks') return void json({ keys: [jwk] });
    if (peer.spoil.status) return void json({ error: 'server_error' }, peer.spoil.status);
    let body = '';
    for await (const part of request) body += part;
    const code = new URLSearchParams(body).get('code') ?? '';
    const nonce = nonces.get(code);
    if (nonce === undefined) return void json({ error: 'invalid_grant' }, 400);
    nonces.delete(code);
    const now = Math.floor(Date.now() / 1000);
    const claims: JWTPayload = {
      iss: issuer,
      aud: client.id,
      iat: now,
      exp: now + 300,
      nonce,
      ...peer.account,
      ...peer.spoil.claims,
    };
    const token =
      peer.spoil.alg === 'none'
        ? `${part({ alg: 'none' })}.${part(claims)}.`
        : await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
    json({ access_token: 'x', token_type: 'Bearer', expires_in: 300, id_token: token });
  }
  return peer;
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)); // a TCP server's address is one
  });

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Goes to an address as a browser would: keeps cookies for each host, follows redirects until `isThere`, and answers where it stands. */
export async function follow(
  start: string,
  isThere: (url: URL) => boolean,
  cookies = new Map<string, Map<string, string>>(),
): Promise<{ url: URL; cookies: Map<string, Map<string, string>> }> {
  let url = new URL(start);
  for (let step = 0; step < 12; step++) {
    if (isThere(url)) return { url, cookies };
    const jar = cookies.get(url.host) ?? new Map<string, string>();
    cookies.set(url.host, jar);
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookieHeader(jar) } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (!location) throw new Error(`${url.href} answered ${response.status} and led nowhere`);
    url = new URL(location, url);
  }
  throw new Error('too many redirects');
}

export const cookieHeader = (jar: Map<string, string> | undefined) =>
  [...(jar ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
