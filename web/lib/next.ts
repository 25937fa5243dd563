/** Where to go after signing in: a path of ours, never another site, however it is disguised. */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || /^\/[/\\]|[\\\u0000-\u001f]/.test(next)) return '/';
  const url = new URL(next, 'http://kotae.invalid');
  return url.host === 'kotae.invalid' ? url.pathname + url.search + url.hash : '/';
}
