import { beforeEach, expect, test, vi } from 'vitest';

const hana = { uuid: 'u', username: 'hana' };
const builtIn = { uuid: 's', name: 'Kotae (Built-in)' };

/** The session's store over a server that gives these answers. */
async function aSession(replies: Record<string, unknown>) {
  const kept = new Map<string, string>();
  vi.stubGlobal('document', { cookie: '', querySelector: () => null });
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key) });
  vi.stubGlobal('fetch', async (url: string) => (url in replies ? Response.json(replies[url]) : Response.json({}, { status: 401 })));
  return import('./session.ts');
}

const log = vi.spyOn(console, 'log').mockImplementation(() => {});

beforeEach(() => {
  vi.resetModules();
  log.mockClear();
  return () => vi.unstubAllGlobals();
});

test('nobody is there until the profile is', async () => {
  const session = await aSession({ '/api/users/me?populate=avatar': hana });
  expect(session.getUser()).toBeUndefined();
  await session.fetchUser();
  expect(session.getUser()).toEqual(hana);
  expect(log).not.toHaveBeenCalled();
});

test('a profile that cannot be fetched counts as not logged in, and the app goes on', async () => {
  const session = await aSession({});
  await session.fetchUser();
  expect(session.getUser()).toBeUndefined();
  expect(log.mock.calls).toEqual([['not logged in']]);
});

test('a person can be set and reset, and the services go with them', async () => {
  const session = await aSession({ '/api/service': [builtIn] });
  session.setUser({ ...hana, email: '', emailVerified: false, locale: 'en', timezone: 'UTC', operator: false, workspaces: [], createdAt: '', updatedAt: '' });
  await session.fetchServices();
  expect([session.getUser()?.username, session.getServices()]).toEqual(['hana', [builtIn]]);
  session.resetSession();
  expect([session.getUser(), session.getServices()]).toEqual([undefined, []]);
});

test('services that cannot be fetched are logged with the error', async () => {
  const session = await aSession({});
  await session.fetchServices();
  expect(log.mock.calls).toEqual([['Error fetching service:', expect.objectContaining({ status: 401 })]]);
  expect(session.getServices()).toEqual([]);
});
