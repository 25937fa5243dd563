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
  return carriedBy(address, carriers) ?? address;
}

interface Carrier {
  prefix: RegExp;
  at: number;
  isInverted?: true;
}

/** Where IPv4 stands in a translated or tunnelled address, as a part of eight; whose it is says the IPv4 alone. */
const carriers: Carrier[] = [
  // Mapped, translated (SIIT), compatible, NAT64, and NAT64 of one's own.
  { prefix: /^0:0:0:0:0:ffff:/, at: 6 },
  { prefix: /^0:0:0:0:ffff:0:/, at: 6 },
  { prefix: /^0:0:0:0:0:0:(?!0:[01]$)/, at: 6 },
  { prefix: /^64:ff9b:0:0:0:0:/, at: 6 },
  { prefix: /^64:ff9b:1:/, at: 6 },
  // 6to4; Teredo, which inverts it.
  { prefix: /^2002:/, at: 1 },
  { prefix: /^2001:0:/, at: 6, isInverted: true },
];
/** ISATAP: whoever has a /64 writes any IPv4 there, so it says where a call would go and not whose it is. */
const isatap: Carrier = { prefix: /^(?:[^:]+:){4}(?:200|0):5efe:/, at: 6 };

/** The IPv4 address to which a call to an IPv6 one may be taken, in whatever form: RFC 4291, 6052, 3056, 4380 and 5214. */
export const insideOf = (address: string): string | undefined => carriedBy(address, [...carriers, isatap]);

function carriedBy(address: string, known: Carrier[]): string | undefined {
  const parts = expand(address);
  const plain = parts.join(':');
  const carrier = known.find(({ prefix }) => prefix.test(plain));
  if (!carrier) return undefined;
  const bytes = parts.slice(carrier.at, carrier.at + 2).flatMap((part) => {
    const value = Number.parseInt(part, 16) ^ (carrier.isInverted ? 0xffff : 0);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

/** Whom a limit counts: one household has a whole /64 on IPv6, so it is counted as one address. */
export function addressKey(text: string | undefined): string {
  const address = canonicalAddress(text);
  return isIPv6(address) ? `${expand(address).slice(0, 4).join(':')}::/64` : address;
}

/** The eight parts, without zeros before them; IPv4 at the end becomes two. */
function expand(address: string): string[] {
  const dotted = address.slice(address.lastIndexOf(':') + 1);
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  const whole = dotted.includes('.')
    ? `${address.slice(0, -dotted.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
    : address;
  const [head = '', tail = ''] = whole.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  return [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
}

/** Whether an address is one of the proxies, however it is spelled. */
export function proxiesOf(list: string[]): (address: string, hop: number) => boolean {
  const isProxy = proxyAddress.compile(list);
  return (address, hop) => isProxy(canonicalAddress(address), hop);
}
