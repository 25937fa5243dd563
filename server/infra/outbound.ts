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

/** Where clouds tell a machine its own keys, and what has no network beyond one wire. Nobody can allow these. */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// Alibaba's, Oracle's and Azure's; those of AWS, Google, Oracle and Scaleway on IPv6.
for (const address of ['100.100.100.200', '192.0.0.192', '168.63.129.16']) forbidden.addAddress(address, 'ipv4');
for (const address of ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42'])
  forbidden.addAddress(address, 'ipv6');

/** True for addresses that are not on the open internet (IANA special-purpose registries; IPv4 inside IPv6 counts as IPv4). */
export const isPrivateAddress = (address: string): boolean => isIn(blocked, address) || isForbidden(address);
const isForbidden = (address: string): boolean => isIn(forbidden, address);

function isIn(list: BlockList, address: string): boolean {
  const plain = address.split('%')[0] ?? address;
  if (!isIPv6(plain)) return list.check(plain, 'ipv4');
  // Another machine may take it to the IPv4 address that it carries.
  const inside = insideOf(new SocketAddress({ address: plain, family: 'ipv6' }).address);
  return list.check(plain, 'ipv6') || (inside !== undefined && list.check(inside, 'ipv4'));
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
  /** What a request is refused with whatever its name resolves to; nothing where it is not. */
  refusal(url: string): Promise<AppError | undefined>;
  /** The same that may also call the host and port of an address. */
  with(url: string): Outbound;
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
async function openAgent(lookup: LookupFunction): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  return new Agent({ connections: 512, connect: buildConnector({ lookup }) });
}

/**
 * `listed` are `host:port` that the operator configured. `isAllowed` says the same of others, and is asked each time that
 * something would be refused without it.
 */
export function createOutbound(
  listed: string[],
  isAllowed: (host: string) => Promise<boolean> = () => Promise.resolve(false),
): Outbound {
  const hosts = new Set(listed);
  // Apart, so that a connection that was made while it was allowed is not used afterwards.
  let toPublic: Promise<Agent> | undefined;
  let toAllowed: Promise<Agent> | undefined;
  const openPublic = () => (toPublic ??= openAgent(lookupPublic));
  const openAllowed = () => (toAllowed ??= openAgent(lookupAllowed));
  const isListed = (url: URL) => hosts.has(hostOf(url)) || hosts.has(`${withoutBrackets(url.hostname)}:${portOf(url)}`);
  /** How an address is called, or the refusal of one that is not, whatever its name resolves to. */
  const wayTo = async (address: string): Promise<{ url: URL; open: () => Promise<Agent> }> => {
    const url = parseUrl(address);
    const host = withoutBrackets(url.hostname);
    if (isIP(host) && isForbidden(host)) throw refused('forbidden');
    if (isListed(url)) return { url, open: openAllowed };
    // A name is checked when it is resolved, at the connection.
    const reason = !ports.has(url.port) ? 'port' : isIP(host) && isPrivateAddress(host) ? 'private' : undefined;
    if (!reason) return { url, open: openPublic };
    if (!(await isAllowed(hostOf(url)))) throw refused(reason);
    return { url, open: openAllowed };
  };
  return {
    async refusal(address) {
      try {
        await wayTo(address);
        return undefined;
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    },
    with: (address) => createOutbound([...listed, hostOf(new URL(address))], isAllowed),
    async request(address, { method = 'GET', headers = {}, body, signal, timeoutMs = 30_000 } = {}) {
      const { url, open } = await wayTo(address);
      const ask = async (agent: Promise<Agent>) =>
        (await agent).request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers,
          body: body ?? null,
          signal: signal ?? null,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
      const answer = await ask(open()).catch(async (error: unknown) => {
        if (!leadsInside(error) || !(await isAllowed(hostOf(url)))) throw error;
        return ask(openAllowed());
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

/**
 * The `host:port` under which an operator allows an address. Throws `AppError('address-not-allowed')` for one that nobody can
 * allow, also where a name leads there now.
 */
export async function hostToAllow(address: string): Promise<string> {
  const url = parseUrl(address);
  const host = withoutBrackets(url.hostname);
  const found = isIP(host) ? [host] : await resolveAll(host);
  if (found.some(isForbidden)) throw refused('forbidden');
  return hostOf(url);
}

const resolveAll = (name: string) =>
  new Promise<string[]>((done) => {
    // One that nobody has yet may have its address in a minute, and is checked again then.
    resolve(name, { all: true }, (error, found) => done(error ? [] : found.map(({ address }) => address)));
  });

/** The refusal as an error of the form's field that the address was typed into. */
export const wrongAddress = (path: string, { details }: AppError): AppError =>
  new AppError('validation-failed', { fields: [{ path, code: 'address-not-allowed', reason: details['reason'] }] });

class LeadsInside extends Error {}

/** Whether a name was refused because it leads to an address of our own network, which nobody but an operator may learn. */
export const leadsInside = (error: unknown): boolean => error instanceof AppError && error.cause instanceof LeadsInside;

/** Gives addresses that were checked to the connection, which goes to one of them even if the name resolves differently a moment later. */
const lookupWith =
  (check: (address: string) => Error | undefined): LookupFunction =>
  (name, options, answer) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const cause = error ?? addresses.map(({ address }) => check(address)).find(Boolean);
      // All are told alike, or anybody could ask which names our network has.
      if (cause || !first) answer(new AppError('address-not-allowed', { reason: 'name' }, { cause }), '');
      else if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
const lookupAllowed = lookupWith((address) => (isForbidden(address) ? refused('forbidden') : undefined));
const lookupPublic = lookupWith((address) =>
  isForbidden(address) ? refused('forbidden') : isPrivateAddress(address) ? new LeadsInside() : undefined,
);

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');
const hostOf = (url: URL) => `${url.hostname}:${portOf(url)}`;

function parseUrl(address: string): URL {
  if (/[\u0000-\u0020\\\u007f]/.test(address) || !URL.canParse(address)) throw refused('form');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme');
  if (url.username || url.password) throw refused('credentials');
  return url;
}

const refused = (reason: string) => new AppError('address-not-allowed', { reason });
