import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Config } from './config.ts';

type Names = Pick<Config, 'HOST' | 'BASE_URL' | 'API_BASE_URL' | 'ALLOWED_ORIGINS' | 'ALLOWED_HOSTS'>;

/**
 * Which names this server answers to. A foreign page may let its own name lead to a private address, and would then be of the same
 * origin as we are (DNS rebinding): so a name counts only where its page cannot be foreign.
 */
export function createHostCheck(config: Names): (host: string | undefined) => boolean {
  const known = new Set([
    ...config.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    ...[...config.ALLOWED_ORIGINS, config.BASE_URL, config.API_BASE_URL].flatMap((url) =>
      url ? new URL(url).hostname : [],
    ),
  ]);
  // A fresh one is for this machine alone. Whoever opens it to others or names its address may have a proxy that calls it by what
  // only this network knows: an address, or a name without a dot.
  const isForThisMachine = isLoopback(config.HOST) && config.BASE_URL === undefined;
  return (host) => {
    // Only programs send none.
    if (host === undefined) return true;
    if (!URL.canParse(`http://${host}`)) return false;
    const { hostname: name } = new URL(`http://${host}`);
    if (isLoopback(name) || known.has(name)) return true;
    return !isForThisMachine && (isAddress(name) || !name.includes('.') || name === hostname().toLowerCase());
  };
}

export const isLoopback = (name: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(name);
const isAddress = (name: string) => isIP(name.replace(/^\[|\]$/g, '')) > 0;
