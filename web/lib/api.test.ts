import { beforeEach, describe, expect, test, vi } from 'vitest';
import { accounts } from '../../shared/contracts/accounts.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { documents } from '../../shared/contracts/knowledge.ts';

interface Seen {
  path: string;
  method: string;
  authorization: string | null;
}

/** A browser as far as calls need one, and behind it a server that believes the tokens it is given here. */
async function aBrowser({
  cookie = '',
  knowsSession = false,
  renewal = 200,
}: { cookie?: string; knowsSession?: boolean; renewal?: number } = {}) {
  const kept = new Map(knowsSession ? [['session-known', 'true']] : []);
  const page = { cookie, querySelector: () => null };
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', { addEventListener: () => {} });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  const seen: Seen[] = [];
  const answer = vi.fn<() => Response>(() => Response.json({ ok: true }));
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const authorization = new Headers(init.headers).get('authorization');
    seen.push({ path: url, method: init.method ?? '', authorization });
    if (url === accounts.renew.path) {
      if (renewal !== 200) return refusal(renewal);
      page.cookie = 'jwt=fresh';
      return Response.json({ jwt: 'fresh' });
    }
    return authorization === 'Bearer stale' ? refusal(401) : answer();
  });
  const api = await import('./api.ts');
  return { api, seen, answer, kept, renewals: () => seen.filter(({ path }) => path === accounts.renew.path).length };
}

const refusal = (status: number) =>
  Response.json(
    {
      data: null,
      error: { status, name: 'UnauthorizedError', code: 'not-signed-in', message: 'Please sign in.', details: {} },
    },
    { status, headers: { 'x-request-id': 'r-1' } },
  );

beforeEach(() => {
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

describe('the token', () => {
  test('is sent when its cookie is there', async () => {
    const { api, seen } = await aBrowser({ cookie: 'user-locale=ja; jwt=good' });
    await api.call(accounts.me);
    expect(seen).toEqual([{ path: '/api/users/me', method: 'GET', authorization: 'Bearer good' }]);
  });

  test('is left out, and not asked for, where nobody ever signed in', async () => {
    const { api, seen } = await aBrowser();
    await api.call(accounts.me);
    expect(seen).toEqual([{ path: '/api/users/me', method: 'GET', authorization: null }]);
  });

  test('is renewed before a call when it is gone and the session may live', async () => {
    const { api, seen } = await aBrowser({ knowsSession: true });
    await api.call(accounts.me);
    expect(seen.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/api/auth/renew', null],
      ['/api/users/me', 'Bearer fresh'],
    ]);
  });

  test('is renewed once for all calls that it was refused for, and each is tried again', async () => {
    const { api, seen, renewals } = await aBrowser({ cookie: 'jwt=stale', knowsSession: true });
    await Promise.all([api.call(accounts.me), api.call(accounts.me), api.call(accounts.me)]);
    expect(renewals()).toBe(1);
    expect(seen.slice(-3).map(({ authorization }) => authorization)).toEqual([
      'Bearer fresh',
      'Bearer fresh',
      'Bearer fresh',
    ]);
  });

  test('that another tab has renewed meanwhile is taken as it is', async () => {
    const { api, renewals, answer } = await aBrowser({ cookie: 'jwt=old', knowsSession: true });
    answer.mockImplementationOnce(() => {
      document.cookie = 'jwt=theirs';
      return refusal(401);
    });
    await api.call(accounts.me);
    expect(renewals()).toBe(0);
  });

  test('of a session that has ended is told to the page, and the call fails in words', async () => {
    const { api, kept } = await aBrowser({ cookie: 'jwt=stale', knowsSession: true, renewal: 401 });
    const ended = vi.fn();
    api.whenSessionEnds(ended);
    await expect(api.call(accounts.me)).rejects.toMatchObject({
      status: 401,
      code: 'not-signed-in',
      message: 'Please sign in.',
      requestId: 'r-1',
    });
    expect(ended).toHaveBeenCalledOnce();
    expect(kept.has('session-known')).toBe(false);
  });

  test('that cannot be renewed just now leaves the session alone', async () => {
    const { api, kept } = await aBrowser({ cookie: 'jwt=stale', knowsSession: true, renewal: 503 });
    const ended = vi.fn();
    api.whenSessionEnds(ended);
    await expect(api.call(accounts.me)).rejects.toMatchObject({ code: 'not-signed-in' });
    expect(ended).not.toHaveBeenCalled();
    expect(kept.has('session-known')).toBe(true);
  });
});

describe('a call', () => {
  test('puts each parameter of the path where it belongs', async () => {
    const { api, seen } = await aBrowser();
    await api.call(documents.get, { params: { knowledge: 'a/b', document: 'c' } });
    expect(seen[0]?.path).toBe('/api/user/knowledge/a%2Fb/document/c');
  });

  test('without a network fails as offline', async () => {
    const { api } = await aBrowser();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(api.call(accounts.me)).rejects.toMatchObject({ status: 0, code: 'offline' });
  });

  test('answered by something else than the server fails as unavailable', async () => {
    const { api, answer } = await aBrowser();
    answer.mockReturnValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await expect(api.call(accounts.me)).rejects.toMatchObject({ status: 502, code: 'unavailable' });
  });

  test('names the fields that were refused', async () => {
    const { api, answer } = await aBrowser();
    answer.mockReturnValueOnce(
      Response.json(
        {
          data: null,
          error: {
            status: 400,
            name: 'ValidationError',
            code: 'validation-failed',
            message: 'No.',
            details: { fields: [{ path: 'email', code: 'invalid', message: 'Not an address.' }] },
          },
        },
        { status: 400 },
      ),
    );
    const failure = await api.call(accounts.me).catch((error: unknown) => error);
    expect(failure).toHaveProperty('fields', { email: 'Not an address.' });
  });
});

describe('a stream of events', () => {
  const listen = async (body: ReadableStream<Uint8Array>, signal?: AbortSignal) => {
    const { api, answer } = await aBrowser();
    answer.mockReturnValueOnce(new Response(body));
    const events: unknown[] = [];
    await api.stream(conversations.resume, { params: { thread: 't' }, ...(signal && { signal }) }, (event) =>
      events.push(event),
    );
    return events;
  };
  const inPieces = (text: string, size: number) => {
    const bytes = new TextEncoder().encode(text);
    return new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
  };

  test.each([1, 2, 3, 7, 1000])('is read whole when it comes in pieces of %i bytes', async (size) => {
    const text =
      ': hello\r\n\r\ndata: {"type":"delta","text":"答え"}\r\n\r\ndata: {"type":"delta",\ndata: "text":"です。"}\n\n';
    expect(await listen(inPieces(text, size))).toEqual([
      { type: 'delta', text: '答え' },
      { type: 'delta', text: 'です。' },
    ]);
  });

  test('that breaks fails as offline', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError('network error')),
    });
    await expect(listen(broken)).rejects.toMatchObject({ code: 'offline' });
  });

  test('that the reader ends is not taken for a broken network', async () => {
    const ended = new AbortController();
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        ended.abort();
        controller.error(new TypeError('aborted'));
      },
    });
    await expect(listen(broken, ended.signal)).rejects.toHaveProperty('name', 'AbortError');
  });
});
