import { beforeEach, describe, expect, test, vi } from 'vitest';

const personal = { uuid: 'w', name: 'hana', shop: 'hana', avatar: null, role: 'owner' as const, personal: true };
const hana = { uuid: 'u', username: 'hana', workspaces: [personal] };
const whole = {
  ...hana,
  email: '',
  emailVerified: false,
  pendingEmail: null,
  locale: 'en' as const,
  timezone: 'UTC',
  providers: [],
  twoFactor: false,
  displayName: null,
  suspendedAt: null,
  operator: false,
  createdAt: '',
  updatedAt: '',
};
const builtIn = { uuid: 's', name: 'Kotae (Built-in)' };

const asked: (string | null)[] = [];

/** The session's store over a server that gives these answers. */
async function aSession(replies: Record<string, unknown>) {
  const kept = new Map<string, string>();
  vi.stubGlobal('document', { cookie: '', documentElement: { lang: '' }, querySelector: () => null });
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal(
    'fetch',
    async (url: string, init: RequestInit) => (
      init.method === 'GET' && asked.push(new Headers(init.headers).get('x-workspace')),
      url in replies ? Response.json(replies[url]) : Response.json({}, { status: 401 })
    ),
  );
  return import('./session.ts');
}

const log = vi.spyOn(console, 'log').mockImplementation(() => {});

beforeEach(() => {
  vi.resetModules();
  asked.length = 0;
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
  session.setUser(whole);
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

test('calls are made in the chosen workspace, and in the personal one again when it is gone', async () => {
  const session = await aSession({ '/api/service': [builtIn], '/api/users/me?populate=avatar': hana });
  const team = { uuid: 't', name: 'team', shop: 'team', avatar: null, role: 'staff' as const, personal: false };
  session.setUser({ ...whole, workspaces: [personal, team] });
  session.chooseWorkspace(team);
  await session.fetchServices();
  // Who one is does not depend on where; the profile says that the team is gone.
  await session.fetchUser();
  await session.fetchServices();
  expect(asked).toEqual(['t', null, 'w']);
});

describe('a language that is chosen', () => {
  const me = '/api/users/me?populate=avatar';
  const localesSent = (calls: RequestInit[]) => calls.map(({ body }) => JSON.parse(String(body)).locale);

  /** Whether the account hears of it before the page is left. */
  async function chosenAndLeft(arrives: boolean) {
    const sent: RequestInit[] = [];
    let account: 'en' | 'ja' = 'en';
    const session = await aSession({});
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (init.method !== 'PUT') return Response.json({ ...whole, locale: account });
      sent.push(init);
      if (!arrives) return new Promise<Response>(() => {});
      account = JSON.parse(String(init.body)).locale;
      return Response.json({ data: { ...whole, locale: account } }, { headers: { 'x-url': url } });
    });
    await (await import('./i18n.ts')).startI18n();
    await session.fetchUser();
    void session.chooseLocale('ja');
    await vi.waitFor(() => expect(localesSent(sent)).toEqual(['ja']));
    // The page is left: the next one is a new program over what the browser has kept.
    vi.resetModules();
    arrives = true;
    const next = await import('./session.ts');
    await next.fetchUser();
    return { next, sent, account: () => account };
  }

  test('reaches the account by the next page when this one is left at once', async () => {
    const { next, account } = await chosenAndLeft(false);
    await vi.waitFor(() => expect([account(), next.getUser()?.locale]).toEqual(['ja', 'ja']));
    expect(localStorage.getItem('user-locale-unsaved')).toBeNull();
  });

  test('is sent once when the account heard of it', async () => {
    const { next, sent } = await chosenAndLeft(true);
    await next.fetchUser();
    expect(localesSent(sent)).toEqual(['ja']);
  });

  test('is not given to somebody else who signs in here', async () => {
    const session = await aSession({ [me]: { ...whole, uuid: 'another' } });
    localStorage.setItem('user-locale-unsaved', 'u ja');
    await session.fetchUser();
    await Promise.resolve();
    expect(session.getUser()?.locale).toBe('en');
    expect(localStorage.getItem('user-locale-unsaved')).toBe('u ja');
  });
});
