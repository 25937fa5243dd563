const host = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(:\d{1,5})?$/;
const mostCharacters = 253;

/** The domain in what somebody wrote or pasted, which may be a whole address; nothing where there is none. */
export function domainIn(written: string): string | undefined {
  const text = written.trim().toLowerCase();
  if (!text) return undefined;
  const [, scheme = 'https:', wildcard = '', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*\.)?(.*)$/s.exec(text) ?? [];
  const address = `${scheme === 'http:' ? scheme : 'https:'}//${rest}`;
  if (!URL.canParse(address)) return undefined;
  // Names in other scripts become what browsers send, and the usual port is left out as they do.
  const { hostname, port } = new URL(address);
  const found = `${wildcard}${hostname.replace(/\.$/, '')}${port && `:${port}`}`;
  return host.test(found) && found.length <= mostCharacters ? found : undefined;
}

const isAddress = /^(\*\.|\d+(\.\d+)+(:|$)|localhost(:|$))/;
/** A name below a top level, or below one with two parts, such as co.jp. */
const isWhole = /^[^.]+\.([^.]+|[a-z]{2,3}\.[a-z]{2}(:\d+)?)$/;

/** The same site with or without `www.` before it, which browsers take for another one; nothing where none is usual. */
export function twinOf(domain: string): string | undefined {
  if (isAddress.test(domain)) return undefined;
  if (domain.startsWith('www.')) return domain.slice(4);
  return isWhole.test(domain) ? `www.${domain}` : undefined;
}
