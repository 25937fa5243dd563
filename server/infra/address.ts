import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

const unknown = 'unknown';

/**
 * The one spelling under which an address is counted, stored and shown: IPv4 in dotted decimal, also inside IPv6; IPv6 as RFC 5952 has
 * it, without a zone. Proxies write ports and brackets beside it. What is no address is `unknown`.
 */
export function canonicalAddress(text = ''): string {
  if (isIPv4(text)) return text;
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const [plain = ''] = (bracketed ?? beforePort ?? text).split('%');
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return unknown;
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(address) ?? [];
  return mapped ?? address;
}

/** Whom a limit counts: one household has a whole /64 on IPv6, so it is counted as one address. */
export function addressKey(text: string | undefined): string {
  const address = canonicalAddress(text);
  return isIPv6(address) ? `${expand(address).slice(0, 4).join(':')}::/64` : address;
}

function expand(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  return [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
}

/** Whether an address is one of the proxies, however it is spelled. */
export function proxiesOf(list: string[]): (address: string, hop: number) => boolean {
  const isProxy = proxyAddress.compile(list);
  return (address, hop) => isProxy(canonicalAddress(address), hop);
}
