import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { visitors, type VisitorEvent, type VisitorMessage, type VisitorThread } from '../shared/contracts/visitors.ts';
import { createConversation, hasAnswered, isSilent, unreadOf } from './conversation.ts';
import type { Listening } from './live.ts';
import type { Identified } from './messages.ts';
import { keepFor, onDenied, takeBack } from './store.ts';

interface Call {
  path: string;
  token: string | undefined;
  body: Record<string, unknown>;
}

interface Visit {
  token: string;
  guest: string;
  thread: VisitorThread | null;
  messages: VisitorMessage[];
}

const thread = (uuid: string, more: Partial<VisitorThread> = {}): VisitorThread => ({
  uuid,
  status: 'bot',
  staff: null,
  lastSeq: 0,
  seen: 0,
  running: false,
  ...more,
});

const message = (seq: number, text: string, more: Partial<VisitorMessage> = {}): VisitorMessage => ({
  uuid: `${text}-${seq}`,
  seq,
  role: 'assistant',
  text,
  files: [],
  suggestions: [],
  status: 'done',
  createdAt: '2026-11-23T00:00:00.000Z',
  key: null,
  citations: [],
  author: null,
  rating: null,
  ...more,
});

const visitOf = (who: string, text = `for ${who}`): Visit => ({
  token: `kv_${who}`,
  guest: who,
  thread: thread(`thread of ${who}`),
  messages: [message(5, text)],
});

/** The vendor's side of the wire: it answers late, cuts streams, and says things that nobody asked for any more. */
function aServer() {
  const calls: Call[] = [];
  const streams: { send(event: VisitorEvent): void; end(): void; isCut(): boolean }[] = [];
  const sockets: { on: Listening; isClosed: boolean }[] = [];
  const byToken = new Map<string, Visit>();
  const server = {
    calls,
    streams,
    sockets,
    byToken,
    /** Whom a visit begins for. */
    visit: (body: Record<string, unknown>): Visit | number => {
      const known = byToken.get(String(body['token']));
      return known ?? visitOf('anon');
    },
    add(visit: Visit): Visit {
      byToken.set(visit.token, visit);
      return visit;
    },
    drop: (token: string) => void byToken.delete(token),
    /** Holds back what a call would be answered. */
    hold: undefined as ((call: Call) => Promise<void> | undefined) | undefined,
    to: (path: string) => calls.filter((call) => call.path === path),
    connect: async (on: Listening) => {
      const socket = { on, isClosed: false };
      sockets.push(socket);
      return { type: () => {}, see: () => {}, close: () => void (socket.isClosed = true) };
    },
  };
  const json = (status: number, data: object) => new Response(JSON.stringify(data), { status });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const path = address.split('?')[0] ?? '';
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '');
    const call: Call = { path, token, body: init.body ? JSON.parse(String(init.body)) : {} };
    calls.push(call);
    await server.hold?.(call);
    init.signal?.throwIfAborted();
    if (path === visitors.begin.path) {
      const found = server.visit(call.body);
      if (typeof found === 'number') return json(found, { error: { code: 'not-allowed', message: 'No.' } });
      const { token: given, guest, ...page } = server.add(found);
      return json(200, {
        data: {
          ...page,
          hasMore: false,
          token: given,
          guest: { uuid: guest, name: '', needsForm: false, hasEmail: false },
        },
      });
    }
    const own = token === undefined ? undefined : byToken.get(token);
    if (!own) return json(401, { error: { code: 'visitor-unknown', message: 'Unknown.' } });
    if (path === visitors.send.path || path === visitors.resume.path) {
      let isCut = false;
      const body = new ReadableStream<Uint8Array>({
        start(to) {
          init.signal?.addEventListener('abort', () => ((isCut = true), to.error(new Error('aborted'))));
          streams.push({
            // A proxy that buffers hands on what it has, whoever listens.
            send: (event) => isCut || to.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)),
            end: () => isCut || to.close(),
            isCut: () => isCut,
          });
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    if (path === visitors.restart.path) Object.assign(own, { thread: null, messages: [] });
    const after = Number(new URL(address, 'http://localhost').searchParams.get('after') ?? -1);
    return json(200, {
      data: { thread: own.thread, messages: own.messages.filter(({ seq }) => seq > after), hasMore: false },
    });
  });
  return server;
}

let server: ReturnType<typeof aServer>;
let page: { identify: Identified | undefined; resetAt: number };
let listening: { name: string; listen: EventListener }[] = [];
beforeEach(() => {
  localStorage.clear();
  server = aServer();
  page = { identify: undefined, resetAt: 0 };
  // A conversation lasts as long as its frame, and this window is the frame of all.
  const { addEventListener, removeEventListener } = window;
  vi.spyOn(window, 'addEventListener').mockImplementation((name: string, given: unknown) => {
    const listen = given as EventListener; // nothing here listens otherwise
    listening.push({ name, listen });
    addEventListener.call(window, name, listen);
  });
  vi.spyOn(window, 'removeEventListener').mockImplementation((name: string, given: unknown) => {
    const listen = given as EventListener; // nothing here listens otherwise
    listening = listening.filter((each) => each.listen !== listen);
    removeEventListener.call(window, name, listen);
  });
});
afterEach(() => {
  for (const { name, listen } of listening) window.removeEventListener(name, listen);
  localStorage.clear();
});

let channels = 0;
const aPage = (channel = `channel-${++channels}`, more: Partial<Parameters<typeof createConversation>[0]> = {}) => {
  const conversation = createConversation({
    channel,
    bot: undefined,
    language: 'en',
    page: () => 'https://shop.example/',
    identify: () => page.identify,
    resetAt: () => page.resetAt,
    connect: server.connect,
    isSeen: () => true,
    onMessage: () => {},
    ...more,
  });
  const texts = () => conversation.state().messages.map(({ text }) => text);
  return { ...conversation, channel, texts };
};
const identified = (id: string): Identified => ({ id, hash: '0'.repeat(64) });
/** The site vouches for whoever says so; others keep their token. */
const vouching = (body: Record<string, unknown>): Visit => {
  const { id } = (body['identify'] ?? {}) as { id?: string }; // what this page has just sent
  return visitOf(id ?? 'anon');
};
const until = (is: () => void) => vi.waitFor(is, 3000);

async function asAlice() {
  server.visit = vouching;
  page.identify = identified('alice');
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for alice']));
  await until(() => expect(server.sockets).toHaveLength(1));
  return shown;
}

test('whoever is identified on a page that is open hears nothing more of the person before, at once', async () => {
  const shown = await asAlice();
  const [alices] = server.sockets;
  let answer = () => {};
  server.hold = (call) => (call.path === visitors.begin.path ? new Promise((done) => (answer = done)) : undefined);
  page.identify = identified('bob');
  shown.identify();
  expect(shown.texts()).toEqual([]);
  expect(shown.state()).toMatchObject({ thread: null, isReady: false, pending: [] });
  await until(() => expect(alices?.isClosed).toBe(true));
  alices?.on.onMessage({ message: message(6, 'secret'), thread: thread('thread of alice') });
  alices?.on.onThread({ thread: thread('thread of alice', { status: 'staff' }) });
  expect(shown.texts()).toEqual([]);
  server.hold = undefined;
  answer();
  await until(() => expect(shown.texts()).toEqual(['for bob']));
  expect(server.to(visitors.begin.path).at(-1)?.body['token']).toBeUndefined();
  await until(() => expect(server.sockets).toHaveLength(2));
  expect(await server.sockets[1]?.on.token(false)).toBe('kv_bob');
});

test('what could not be sent yet is never sent as somebody else, on this page or the next', async () => {
  const shown = await asAlice();
  const { channel } = shown;
  server.hold = (call) => (call.path === visitors.send.path ? Promise.reject(new Error('away')) : undefined);
  shown.send('my account number is 7');
  await until(() => expect(shown.state().isOffline).toBe(true));
  expect(localStorage.getItem(`kotae-visitor-${channel}-outbox`)).toContain('account number');
  page.identify = identified('bob');
  const next = aPage(channel);
  next.start();
  shown.identify();
  server.hold = undefined;
  await until(() => expect([next.texts(), shown.texts()]).toEqual([['for bob'], ['for bob']]));
  expect(next.state().pending).toEqual([]);
  expect(shown.state().pending).toEqual([]);
  next.send('as Bob');
  await until(() => expect(server.streams).toHaveLength(1));
  expect(
    server
      .to(visitors.send.path)
      .filter(({ token }) => token === 'kv_bob')
      .map(({ body }) => body['text']),
  ).toEqual(['as Bob']);
});

test('words of somebody whom nobody knew stay theirs when the site says who it is', async () => {
  server.visit = vouching;
  const shown = aPage();
  server.hold = (call) => (call.path === visitors.send.path ? Promise.reject(new Error('away')) : undefined);
  shown.start();
  await until(() => expect(shown.state().isReady).toBe(true));
  shown.send('before I signed in');
  await until(() => expect(shown.state().isOffline).toBe(true));
  server.hold = undefined;
  page.identify = identified('alice');
  shown.identify();
  await until(() =>
    expect(server.to(visitors.send.path).at(-1)).toMatchObject({
      token: 'kv_alice',
      body: { text: 'before I signed in' },
    }),
  );
});

test('whom a site cannot prove goes on as nobody, not as whoever was there before', async () => {
  const { channel } = await asAlice();
  server.visit = (body) => (body['identify'] ? 403 : body['token'] ? visitOf('alice') : visitOf('anon'));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  page.identify = identified('bob');
  const next = aPage(channel);
  next.start();
  await until(() => expect(next.texts()).toEqual(['for anon']));
});

test('whoever is identified while a visit is being begun is not forgotten', async () => {
  server.visit = vouching;
  const shown = aPage();
  let answer = () => {};
  server.hold = () => new Promise((done) => (answer = done));
  shown.start();
  await until(() => expect(server.calls).toHaveLength(1));
  page.identify = identified('alice');
  shown.identify();
  server.hold = undefined;
  answer();
  await until(() => expect(shown.texts()).toEqual(['for alice']));
});

test('after a sign-out the next person is nobody, in every tab, and where the chat was not even loaded', async () => {
  const shown = await asAlice();
  const { channel } = shown;
  const tab = aPage(channel);
  tab.start();
  await until(() => expect(tab.texts()).toEqual(['for alice']));
  shown.send('never mind');
  page = { identify: undefined, resetAt: 1000 };
  shown.identify();
  expect(shown.texts()).toEqual([]);
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/alice|never mind/);
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  // A browser tells the other tabs.
  window.dispatchEvent(new StorageEvent('storage', { key: `kotae-visitor-${channel}` }));
  await until(() => expect(tab.texts()).toEqual(['for anon']));
  expect(
    server
      .to(visitors.begin.path)
      .slice(2)
      .some(({ body }) => body['token'] === 'kv_alice'),
  ).toBe(false);

  page = { identify: identified('alice'), resetAt: 1000 };
  shown.identify();
  await until(() => expect(shown.texts()).toEqual(['for alice']));
  // The page signs out without the frame, and says so when the frame comes.
  page = { identify: undefined, resetAt: 2000 };
  const later = aPage(channel);
  later.start();
  await until(() => expect(later.texts()).toEqual(['for anon']));
});

test('tabs that are opened at once are one visitor, and show what one of them begins', async () => {
  let came = 0;
  const go: (() => void)[] = [];
  server.visit = ({ token }) =>
    server.byToken.get(String(token)) ?? { ...visitOf(`visitor ${++came}`), thread: null, messages: [] };
  server.hold = ({ path }) => (path === visitors.begin.path ? new Promise((done) => go.push(done)) : undefined);
  const one = aPage();
  const other = aPage(one.channel);
  one.start();
  other.start();
  await until(() => expect(go).toHaveLength(2));
  server.hold = undefined;
  for (const each of go) each();
  await until(() => expect([one.state().isReady, other.state().isReady]).toEqual([true, true]));
  one.send('Hello');
  await until(() => expect(server.streams).toHaveLength(1));
  const [{ token } = { token: undefined }] = server.to(visitors.send.path);
  const begun = { ...thread('begun'), lastSeq: 1 };
  const [own] = [...server.byToken.values()].filter((each) => each.token === token);
  Object.assign(own!, { thread: begun, messages: [message(1, 'Hello', { role: 'user' })] });
  server.streams[0]?.send({ type: 'thread', thread: begun });
  await until(() => expect(one.state().thread?.uuid).toBe('begun'));
  // A browser tells the other tabs.
  window.dispatchEvent(new StorageEvent('storage', { key: `kotae-visitor-${one.channel}` }));
  await until(() => expect(other.texts()).toEqual(['Hello']));
  // From here on it hears by itself.
  await until(() => expect(server.sockets).toHaveLength(2));
});

test('a tab whose visitor another tab has replaced goes on as that one', async () => {
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  server.add(visitOf('next'));
  keepFor(`kotae-visitor-${shown.channel}`, { token: 'kv_next', by: '', guest: 'next', resetAt: 0 });
  window.dispatchEvent(new StorageEvent('storage', { key: `kotae-visitor-${shown.channel}` }));
  await until(() => expect(shown.texts()).toEqual(['for next']));
});

test('two customers whom two tabs name keep their own conversation each', async () => {
  const alice = await asAlice();
  page.identify = identified('bob');
  const bob = aPage(alice.channel, { identify: () => identified('bob') });
  bob.start();
  await until(() => expect(bob.texts()).toEqual(['for bob']));
  page.identify = identified('alice');
  const before = server.calls.length;
  window.dispatchEvent(new StorageEvent('storage', { key: `kotae-visitor-${alice.channel}` }));
  expect([alice.texts(), bob.texts(), server.calls.length]).toEqual([['for alice'], ['for bob'], before]);
});

test('words that are half written are there on the next page, and gone with whoever wrote them', async () => {
  const shown = await asAlice();
  const { channel } = shown;
  shown.keepDraft('Do you have a ta');
  expect(aPage(channel).draft()).toBe('Do you have a ta');
  page = { identify: undefined, resetAt: 1000 };
  shown.identify();
  expect(shown.draft()).toBe('');
  expect(JSON.stringify({ ...localStorage })).not.toContain('Do you have');
});

test('what is written while a new conversation begins is its first question', async () => {
  const own = server.add(visitOf('anon'));
  server.visit = () => own;
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  let go = () => {};
  server.hold = ({ path }) =>
    path === visitors.restart.path ? new Promise<void>((resume) => (go = resume)) : undefined;
  const begun = shown.restart();
  shown.send('first question');
  await until(() => expect(server.to(visitors.restart.path)).toHaveLength(1));
  expect(server.to(visitors.send.path)).toHaveLength(0);
  go();
  await begun;
  await until(() => expect(server.to(visitors.send.path).map(({ body }) => body['text'])).toEqual(['first question']));
  expect(shown.state().pending.map(({ text }) => text)).toEqual(['first question']);
});

test('a new conversation that is asked for twice is begun once, with all that was written meanwhile', async () => {
  const own = server.add(visitOf('anon'));
  server.visit = () => own;
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  let go = () => {};
  server.hold = ({ path }) =>
    path === visitors.restart.path ? new Promise<void>((resume) => (go = resume)) : undefined;
  const begun = shown.restart();
  shown.send('first question');
  const again = shown.restart();
  await until(() => expect(server.to(visitors.restart.path)).toHaveLength(1));
  go();
  await Promise.all([begun, again]);
  await until(() => expect(server.to(visitors.send.path).map(({ body }) => body['text'])).toEqual(['first question']));
  expect(server.to(visitors.restart.path)).toHaveLength(1);
});

test('a conversation that somebody left is not begun anew as the next person', async () => {
  for (const who of ['alice', 'bob']) server.add(visitOf(who));
  server.visit = ({ identify }) => visitOf(identify ? String(Object(identify).id) : 'anon');
  page.identify = identified('alice');
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for alice']));
  let go = () => {};
  server.hold = ({ path }) =>
    path === visitors.restart.path ? new Promise<void>((resume) => (go = resume)) : undefined;
  const begun = shown.restart();
  await until(() => expect(server.to(visitors.restart.path)).toHaveLength(1));
  page.identify = identified('bob');
  shown.identify();
  await until(() => expect(shown.texts()).toEqual(['for bob']));
  go();
  await begun;
  expect(server.to(visitors.restart.path).map(({ token }) => token)).toEqual(['kv_alice']);
  expect(shown.texts()).toEqual(['for bob']);
});

test('where no new conversation could be begun, what was written meanwhile is sent all the same', async () => {
  const own = server.add(visitOf('anon'));
  server.visit = () => own;
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  server.hold = ({ path }) =>
    path === visitors.restart.path ? Promise.reject(new TypeError('no network')) : undefined;
  const begun = expect(shown.restart()).rejects.toThrow();
  shown.send('first question');
  await begun;
  await until(() => expect(server.to(visitors.send.path)).toHaveLength(1));
});

test('a thumb stays pressed when what was read before it comes later', async () => {
  const own = server.add(visitOf('anon'));
  server.visit = () => own;
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  const answer = shown.state().messages[0]!;
  await shown.rate(answer, 'down');
  server.sockets[0]?.on.onMessage({ message: answer, thread: shown.state().thread! });
  expect(shown.state().messages[0]?.rating).toBe('down');
  await shown.rate(answer, null);
  server.sockets[0]?.on.onMessage({ message: { ...answer, rating: 'down' }, thread: shown.state().thread! });
  expect(shown.state().messages[0]?.rating).toBeNull();
});

test('a stream that ends late brings nothing back of a conversation that was left', async () => {
  const own = server.add(visitOf('anon'));
  server.visit = () => own;
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.state().isReady).toBe(true));
  shown.send('old question');
  await until(() => expect(server.streams).toHaveLength(1));
  const [old] = server.streams;
  old?.send({ type: 'thread', thread: thread('thread of anon') });
  old?.send({ type: 'message', message: message(9, '', { uuid: 'old answer', status: 'streaming' }) });
  await until(() => expect(shown.state().messages).toHaveLength(2));
  await shown.restart();
  expect(old?.isCut()).toBe(true);
  old?.send({ type: 'done', message: message(9, 'old answer', { uuid: 'old answer' }) });
  shown.send('new question');
  await until(() => expect(server.streams).toHaveLength(2));
  const [, fresh] = server.streams;
  fresh?.send({ type: 'thread', thread: thread('new thread') });
  fresh?.send({
    type: 'message',
    message: message(1, 'new question', {
      role: 'user',
      key: String(server.to(visitors.send.path).at(-1)?.body['key']),
    }),
  });
  Object.assign(own, {
    thread: thread('new thread'),
    messages: [message(1, 'new question', { role: 'user' }), message(2, 'new answer')],
  });
  fresh?.end();
  server.sockets[0]?.on.onMissed();
  await until(() => expect(shown.texts()).toEqual(['new question', 'new answer']));
});

test('news of another conversation is not mixed in: the page turns to the one that the server says is open', async () => {
  const own = server.add(visitOf('anon', 'open'));
  server.visit = () => own;
  const shown = aPage();
  shown.start();
  await until(() => expect(server.sockets).toHaveLength(1));
  const [socket] = server.sockets;
  socket?.on.onMessage({ message: message(3, 'of one that was left'), thread: thread('left') });
  socket?.on.onThread({ thread: thread('left', { status: 'resolved' }) });
  await until(() => expect(server.to(visitors.messages.path)).toHaveLength(2));
  await new Promise((done) => setTimeout(done, 20));
  expect(shown.texts()).toEqual(['open']);
  expect(shown.state().thread?.uuid).toBe('thread of anon');
  // In another tab they began anew, where the numbers begin anew, too.
  Object.assign(own, { thread: thread('begun elsewhere'), messages: [message(1, 'elsewhere')] });
  socket?.on.onMessage({ message: message(1, 'elsewhere'), thread: thread('begun elsewhere') });
  await until(() => expect(shown.texts()).toEqual(['elsewhere']));
  expect(shown.state().thread?.uuid).toBe('begun elsewhere');
});

test('whoever was forgotten begins anew, with what they were about to say', async () => {
  let visits = 0;
  server.visit = () => visitOf(`anon-${++visits}`);
  const shown = aPage();
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon-1']));
  server.drop('kv_anon-1');
  shown.send('still here?');
  await until(() =>
    expect(server.to(visitors.send.path).at(-1)).toMatchObject({ token: 'kv_anon-2', body: { text: 'still here?' } }),
  );
  expect(shown.state().isAnew).toBe(true);
});

test('a maker sees what is asked before it is saved, and fills it in here alone', async () => {
  const tried = createConversation({
    channel: `channel-${++channels}`,
    bot: undefined,
    language: 'en',
    makerHeaders: async () => ({ authorization: 'Bearer maker' }),
    page: () => 'https://shop.example/',
    identify: () => undefined,
    resetAt: () => 0,
    connect: server.connect,
    isSeen: () => true,
    onMessage: () => {},
  });
  tried.start();
  await until(() => expect(tried.state()).toMatchObject({ isReady: true, needsForm: true }));
  await tried.fillForm({ email: 'maker@example.com' });
  expect(tried.state().needsForm).toBe(false);
  expect(server.to(visitors.form.path)).toEqual([]);
  expect(localStorage).toHaveLength(0);
});

test('however long nobody answers, nothing that listens piles up', async () => {
  // It waits no time at all.
  vi.spyOn(Math, 'random').mockReturnValue(-0.499);
  server.hold = () => Promise.reject(new Error('away'));
  const shown = aPage();
  shown.start();
  await until(() => expect(server.calls.length).toBeGreaterThan(5));
  expect(listening.filter(({ name }) => name === 'online').length).toBeLessThanOrEqual(2);
  server.hold = undefined;
  window.dispatchEvent(new Event('online'));
  await until(() => expect(shown.state().isReady).toBe(true));
});

test('a bot that was silenced has said nothing: it is no news, and nothing is there to be rated', async () => {
  const own = server.add({ ...visitOf('anon'), thread: null, messages: [] });
  server.visit = () => own;
  const news: string[] = [];
  const shown = aPage(undefined, { isSeen: () => false, onMessage: ({ role, text }) => news.push(`${role}: ${text}`) });
  shown.start();
  await until(() => expect(shown.state().isReady).toBe(true));
  shown.send('I want a person');
  await until(() => expect(server.streams).toHaveLength(1));
  const answer = message(2, '', { uuid: 'answer', status: 'streaming' });
  server.streams[0]?.send({ type: 'thread', thread: thread('thread of anon') });
  server.streams[0]?.send({ type: 'message', message: answer });
  server.streams[0]?.send({ type: 'done', message: { ...answer, status: 'done' } });
  await until(() => expect(shown.state().messages.at(-1)?.status).toBe('done'));
  await until(() => expect(server.sockets).toHaveLength(1));
  server.sockets[0]?.on.onMessage({
    message: message(3, 'Passed on.', { role: 'system' }),
    thread: thread('thread of anon', { status: 'waiting' }),
  });
  await until(() => expect(news).toEqual(['system: Passed on.']));
  expect(unreadOf(shown.state())).toBe(1);
  expect(shown.state().messages.map((each) => [isSilent(each), hasAnswered(each)])).toEqual([
    [true, false],
    [false, false],
  ]);
});

test('what a frame may not keep the page around it keeps, and gives back', async () => {
  const denied = () => {
    throw new DOMException('', 'SecurityError');
  };
  const { localStorage } = window;
  onTestFinished(() => void vi.stubGlobal('localStorage', localStorage));
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied, clear: () => {} });
  let outside: Record<string, string> = {};
  onDenied((all) => (outside = all));
  onTestFinished(() => onDenied(() => {}));
  server.visit = (body) => (body['identify'] || body['token'] ? visitOf('alice') : visitOf('anon'));
  page.identify = identified('alice');
  const shown = aPage();
  const { channel } = shown;
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for alice']));
  expect(JSON.parse(outside[`kotae-visitor-${channel}`] ?? '')).toMatchObject({ token: 'kv_alice', by: 'alice' });
  server.hold = (call) => (call.path === visitors.send.path ? Promise.reject(new Error('away')) : undefined);
  shown.send('kept');
  await until(() => expect(outside[`kotae-visitor-${channel}-outbox`]).toContain('kept'));

  // The next page has a frame of its own.
  const given = { ...outside };
  for (const key of Object.keys(given)) keepFor(key, null);
  takeBack(given);
  page.identify = undefined;
  const next = aPage(channel);
  expect(next.state().pending.map(({ text }) => text)).toEqual(['kept']);
  next.start();
  await until(() => expect(next.texts()).toEqual(['for alice']));
  expect(server.to(visitors.begin.path).at(-1)?.body['token']).toBe('kv_alice');

  // They sign out: what the page keeps forgets them, too, and another tab that hears of it leaves.
  page.resetAt = 1000;
  next.heed();
  await until(() => expect(next.texts()).toEqual(['for anon']));
  const left = Object.entries(outside).filter(([key]) => key.startsWith(`kotae-visitor-${channel}`));
  expect(left).toHaveLength(2);
  expect(JSON.stringify(left)).not.toMatch(/alice|kept/);
});

test('where a frame keeps its visitor itself, no page says who it is', async () => {
  const { channel } = aPage();
  takeBack({ [`kotae-visitor-${channel}`]: JSON.stringify({ token: 'kv_planted', by: '', resetAt: 0 }) });
  const shown = aPage(channel);
  shown.start();
  await until(() => expect(shown.texts()).toEqual(['for anon']));
  expect(server.to(visitors.begin.path)[0]?.body['token']).toBeUndefined();
});
