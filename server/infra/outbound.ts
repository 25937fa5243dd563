import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, isIPv6, SocketAddress, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { AppError } from '../../shared/errors.ts';
import { insideOf } from './address.ts';

const blocked = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  blocked.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['::1', 128],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  blocked.addSubnet(net, bits, 'ipv6');

/** True for addresses that are not on the open internet (IANA special-purpose registries; IPv4 inside IPv6 counts as IPv4). */
export function isPrivateAddress(address: string): boolean {
  const plain = address.split('%')[0] ?? address;
  if (!isIPv6(plain)) return blocked.check(plain, 'ipv4');
  // Another machine may take it to the IPv4 address that it carries.
  const inside = insideOf(new SocketAddress({ address: plain, family: 'ipv6' }).address);
  return blocked.check(plain, 'ipv6') || (inside !== undefined && blocked.check(inside, 'ipv4'));
}

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Milliseconds without a byte: before the answer's headers, and between two parts of its body. */
  timeoutMs?: number;
}

export interface OutboundAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Its content type, the first of several; empty without one. */
  type: string;
  /** A reader that does not read it to the end must destroy it. */
  body: Readable;
}

export interface Outbound {
  /**
   * Asks an address that a person or a document named. Scheme, port, name and every resolved address are checked, and the
   * connection goes to the address that was checked. Does not follow redirects. Throws `AppError('address-not-allowed')`
   * without connecting; otherwise what the network says.
   */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>;
  /** False where a request is refused whatever its name resolves to. */
  allows(url: string): boolean;
}

/** The body of an answer. Throws `body-too-large` above `most` bytes, whatever the answer announced; the connection is closed then. */
export async function readBytes({ body }: OutboundAnswer, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > most) throw new AppError('body-too-large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const ports = new Set(['', '80', '443', '8080', '8443']);

/** Loaded at the first request, because an installation without a model or a tool makes none. */
async function openAgent(listed: Set<string>): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const toListed = buildConnector({});
  const toPublic = buildConnector({ lookup: lookupPublic });
  return new Agent({
    connections: 512,
    connect: (to, done) =>
      (listed.has(`${withoutBrackets(to.hostname)}:${portOf(to)}`) ? toListed : toPublic)(to, done),
  });
}

/** `allowed` are `host:port` that the operator listed, and the addresses the operator configured. */
export function createOutbound(allowed: string[]): Outbound {
  const listed = new Set(allowed);
  let agent: Promise<Agent> | undefined;
  const parseAllowed = (address: string): URL => {
    const url = parseUrl(address);
    const host = withoutBrackets(url.hostname);
    if (listed.has(`${host}:${portOf(url)}`)) return url;
    if (!ports.has(url.port)) throw refused('port');
    // A name is checked when it is resolved, at the connection.
    if (isIP(host) && isPrivateAddress(host)) throw refused('private');
    return url;
  };
  return {
    allows(address) {
      try {
        parseAllowed(address);
        return true;
      } catch {
        return false;
      }
    },
    async request(address, { method = 'GET', headers = {}, body, signal, timeoutMs = 30_000 } = {}) {
      const url = parseAllowed(address);
      const answer = await (
        await (agent ??= openAgent(listed))
      ).request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body: body ?? null,
        signal: signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      // A reader hears of an error from its own read; without a listener, the error of a discarded body would end the process.
      answer.body.on('error', () => {});
      return {
        status: answer.statusCode,
        headers: answer.headers,
        type: [answer.headers['content-type']].flat()[0] ?? '',
        body: answer.body,
      };
    },
  };
}

/** Fails for a name with any private address. The connection goes to an address that was checked, even if the name resolves differently a moment later. */
const lookupPublic: LookupFunction = (name, options, answer) => {
  resolve(name, { ...options, all: true }, (cause, addresses) => {
    const [first] = addresses ?? [];
    // Both are told alike, or anybody could ask which names our network has.
    if (cause || !first || addresses.some((found) => isPrivateAddress(found.address)))
      answer(new AppError('address-not-allowed', { reason: 'name' }, { cause }), '');
    else if (options.all) answer(null, addresses);
    else answer(null, first.address, first.family);
  });
};

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: { port: string; protocol: string }) =>
  port || (protocol === 'https:' ? '443' : '80');

function parseUrl(address: string): URL {
  if (/[\u0000-\u0020\\\u007f]/.test(address) || !URL.canParse(address)) throw refused('form');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme');
  if (url.username || url.password) throw refused('credentials');
  return url;
}

const refused = (reason: string) => new AppError('address-not-allowed', { reason });
