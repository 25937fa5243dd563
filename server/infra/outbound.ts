import { lookup as resolve } from 'node:dns/promises';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError } from '../../shared/errors.ts';

const blocked = new BlockList();
for (const [net, bits] of [['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4]] as const) blocked.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [['::', 96], ['::1', 128], ['64:ff9b::', 96], ['64:ff9b:1::', 48], ['100::', 64], ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20], ['fc00::', 7], ['fe80::', 10], ['fec0::', 10], ['ff00::', 8]] as const) blocked.addSubnet(net, bits, 'ipv6');

/** True for addresses that are not on the open internet (IANA special-purpose registries; IPv4 inside IPv6 counts as IPv4). */
export function isPrivateAddress(address: string): boolean {
  const plain = address.split('%')[0] ?? address;
  return blocked.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: OutgoingHttpHeaders;
  body?: string;
  signal?: AbortSignal;
  /** Milliseconds until the answer's headers must be there. */
  timeoutMs?: number;
}

export interface Outbound {
  /**
   * Asks an address that a person or a document named. Scheme, port, name and every resolved address are checked, and the
   * connection goes to the address that was checked. Does not follow redirects. Throws `AppError('address-not-allowed')`
   * without connecting; otherwise what the network says.
   */
  request(url: string, options?: OutboundRequest): Promise<IncomingMessage>;
}

/** The body of an answer. Throws `body-too-large` above `most` bytes, whatever the answer announced; the connection is closed then. */
export async function readBytes(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += part.length;
    if (size > most) throw new AppError('body-too-large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const ports = new Set(['', '80', '443', '8080', '8443']);

/** `allowed` are `host:port` that the operator listed, and the addresses the operator configured. */
export function createOutbound(allowed: string[]): Outbound {
  const listed = new Set(allowed);
  const agents = { 'http:': new http.Agent({ keepAlive: true, maxSockets: 512 }), 'https:': new https.Agent({ keepAlive: true, maxSockets: 512 }) };
  return {
    async request(address, { method = 'GET', headers = {}, body, signal, timeoutMs = 30_000 } = {}) {
      const url = parseUrl(address);
      const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const target = `${host}:${url.port || (protocol === 'https:' ? '443' : '80')}`;
      const isListed = listed.has(target);
      if (!isListed && !ports.has(url.port)) throw refused('port');
      const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host, { all: true }).catch((cause: unknown) => Promise.reject(new AppError('address-not-allowed', { reason: 'name' }, { cause })));
      if (!isListed && addresses.some((found) => isPrivateAddress(found.address))) throw refused('private');
      return new Promise((done, fail) => {
        const request = (protocol === 'https:' ? https : http).request(url, {
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
          agent: agents[protocol],
          timeout: timeoutMs,
          ...(signal && { signal }),
          // The name is not asked a second time: a second answer could be another address.
          lookup: (_name, options, answer) => {
            if (options.all) answer(null, addresses);
            else answer(null, addresses[0]?.address ?? '', addresses[0]?.family);
          },
        });
        request.on('response', done);
        request.on('timeout', () => request.destroy(new Error('outbound-timeout')));
        request.on('error', fail);
        request.end(body);
      });
    },
  };
}

function parseUrl(address: string): URL {
  if (/[\u0000-\u0020\\\u007f]/.test(address) || !URL.canParse(address)) throw refused('form');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme');
  if (url.username || url.password) throw refused('credentials');
  return url;
}

const refused = (reason: string) => new AppError('address-not-allowed', { reason });
