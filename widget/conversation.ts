/** What one visitor sees of their conversation, and everything they can do with it. Draws nothing. */
import type { Attachment } from '../shared/contracts/conversations.ts';
import {
  visitors,
  type VisitorEvent,
  type VisitorMessage,
  type VisitorPage,
  type VisitorThread,
} from '../shared/contracts/visitors.ts';
import { ApiError, createApi, type Api } from './api.ts';
import type { Language } from './language.ts';
import type { Live } from './live.ts';
import type { Identified } from './messages.ts';
import { keepFor, readKept } from './store.ts';

/** Written, and not yet stored by the server. */
export interface Pending {
  key: string;
  text: string;
  files: Attachment[];
  at: string;
  state: 'sending' | 'waiting' | 'failed';
  /** Why it failed, in words; empty where the server had none. */
  problem?: string;
  isLimit?: boolean;
}

export interface State {
  isReady: boolean;
  /** Why there is no conversation to show. */
  problem: ApiError | undefined;
  isOffline: boolean;
  needsForm: boolean;
  thread: VisitorThread | null;
  messages: VisitorMessage[];
  hasMore: boolean;
  pending: Pending[];
  /** Why an answer broke off, by its message. */
  failures: Record<string, string>;
  /** Whoever of the staff is writing. */
  typing: string;
  /** What was here before has expired. */
  isAnew: boolean;
  /** Up to where it was seen. */
  seen: number;
  /** Where what is new begins; 0 for nowhere. */
  newFrom: number;
}

interface Options {
  channel: string | undefined;
  bot: string | undefined;
  language: Language;
  /** Of a maker, for what is not published. */
  makerHeaders?: (() => Promise<Record<string, string>>) | undefined;
  page(): string;
  identify(): Identified | undefined;
  /** Whether the visitor has it before their eyes. */
  isSeen(): boolean;
  /** A whole message of somebody else has come. */
  onMessage(message: VisitorMessage): void;
}

interface Kept {
  token: string;
  guest: string;
}

const firstWaitMs = 1000;
const longestWaitMs = 30_000;

export type Conversation = ReturnType<typeof createConversation>;

export function createConversation(options: Options) {
  const { channel, bot, language, makerHeaders } = options;
  const name = `kotae-visitor-${channel ?? bot}`;
  const outbox = `${name}-outbox`;
  let state: State = {
    isReady: false,
    problem: undefined,
    isOffline: !navigator.onLine,
    needsForm: false,
    thread: null,
    messages: [],
    hasMore: false,
    pending: makerHeaders ? [] : (readKept<Pending[]>(outbox) ?? []),
    failures: {},
    typing: '',
    isAnew: false,
    seen: 0,
    newFrom: 0,
  };
  const listeners = new Set<() => void>();
  const api: Api = createApi({ language, renew: () => begin() });
  let beginning: Promise<void> | undefined;
  let isFlushing = false;
  /** The answer whose words are coming here. */
  let followed: string | undefined;
  let waitMs = firstWaitMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let live: Promise<Live> | undefined;
  let guest = '';
  /** Up to where the server was told that it was seen. */
  let toldSeen = 0;

  function set(more: Partial<State>): void {
    const { pending } = state;
    state = { ...state, ...more };
    if (pending !== state.pending && !makerHeaders) keepFor(outbox, state.pending);
    for (const listen of listeners) listen();
  }

  /** One at a time; whoever finds the token refused waits for the same new one. */
  function begin(): Promise<void> {
    beginning ??= (async () => {
      const kept = makerHeaders ? undefined : readKept<Kept>(name);
      const token = kept?.token ?? api.token();
      const identify = options.identify();
      const headers = await makerHeaders?.();
      const visit = (who: Identified | undefined) =>
        api.call(visitors.begin, {
          body: {
            ...(channel ? { channel } : { bot }),
            locale: language,
            page: options.page(),
            ...(token && { token }),
            ...(who && { identify: who }),
            ...(makerHeaders && { preview: true }),
          },
          ...(headers && { headers }),
          isFirst: true,
        });
      const { data } = await visit(identify).catch((error: unknown) => {
        if (!identify || !(error instanceof ApiError) || ![400, 403].includes(error.status)) throw error;
        // The site could not prove it, which is no reason not to answer.
        console.warn('Kotae: identify() was not accepted.', error.message);
        return visit(undefined);
      });
      const isAnew = guest !== '' && guest !== data.guest.uuid && state.messages.length > 0 && !identify;
      api.setToken(data.token);
      guest = data.guest.uuid;
      toldSeen = 0;
      if (!makerHeaders) keepFor(name, { token: data.token, guest } satisfies Kept);
      set({
        isReady: true,
        problem: undefined,
        isAnew,
        needsForm: data.guest.needsForm,
        messages: data.messages,
        hasMore: data.hasMore,
        seen: data.thread?.seen ?? 0,
        newFrom: data.messages.find(({ role, seq }) => role !== 'user' && seq > (data.thread?.seen ?? 0))?.seq ?? 0,
        failures: {},
      });
      takeThread(data.thread);
      see();
    })().finally(() => (beginning = undefined));
    return beginning;
  }

  function takeThread(thread: VisitorThread | null): void {
    set({ thread, ...(thread && { seen: Math.max(state.seen, thread.seen) }) });
    if (!thread) return;
    openLive();
    if (thread.running && !followed && !isFlushing) void follow();
  }

  function takeMessage(message: VisitorMessage): void {
    const before = state.messages.find(({ uuid }) => uuid === message.uuid);
    const rest = state.messages.filter(({ uuid }) => uuid !== message.uuid);
    const isNews = message.role !== 'user' && isWhole(message) && !(before && isWhole(before));
    const isSeen = options.isSeen();
    set({
      messages: [...rest, message].sort((one, other) => one.seq - other.seq),
      pending: message.key ? state.pending.filter(({ key }) => key !== message.key) : state.pending,
      ...(isNews && { typing: '' }),
      ...(isNews && !isSeen && state.newFrom === 0 && { newFrom: message.seq }),
      ...(isSeen && { seen: Math.max(state.seen, message.seq) }),
    });
    if (isNews) options.onMessage(message);
    tellSeen();
  }

  const lastSeq = () => state.messages.at(-1)?.seq ?? 0;

  /** Somebody looks at it. */
  function see(): void {
    if (!options.isSeen()) return;
    if (lastSeq() > state.seen) set({ seen: lastSeq() });
    tellSeen();
  }

  function tellSeen(): void {
    const { seen, thread } = state;
    if (!thread || seen <= Math.max(thread.seen, toldSeen)) return;
    toldSeen = seen;
    void live?.then(
      (connection) => connection.see(seen),
      () => {},
    );
  }

  function take(event: VisitorEvent): void {
    waitMs = firstWaitMs;
    if (state.isOffline) set({ isOffline: false });
    switch (event.type) {
      case 'thread':
        return takeThread(event.thread);
      case 'message':
        if (!isWhole(event.message)) followed = event.message.uuid;
        return takeMessage(event.message);
      case 'delta':
        return change(followed, ({ text }) => ({ text: text + event.text }));
      case 'citation':
        return change(followed, ({ citations }) => ({
          citations: [...citations.filter(({ number }) => number !== event.citation.number), event.citation],
        }));
      case 'done':
        return takeMessage(event.message);
      case 'error':
        set({ failures: { ...state.failures, [event.message.uuid]: event.error.message } });
        return takeMessage(event.message);
    }
  }

  function change(uuid: string | undefined, more: (message: VisitorMessage) => Partial<VisitorMessage>): void {
    set({ messages: state.messages.map((each) => (each.uuid === uuid ? { ...each, ...more(each) } : each)) });
  }

  const wait = () => {
    const ms = waitMs * (0.5 + Math.random());
    waitMs = Math.min(waitMs * 2, longestWaitMs);
    return new Promise<void>((done) => {
      timer = setTimeout(done, ms);
      window.addEventListener('online', () => done(), { once: true });
    });
  };

  /** The words of an answer that was already begun, as often as the connection breaks. */
  async function follow(): Promise<void> {
    if (followed) return;
    followed = 'unknown';
    try {
      for (;;) {
        try {
          await api.stream(visitors.resume, {}, take);
          break;
        } catch (error) {
          if (!isAway(error)) break;
          set({ isOffline: true });
          await wait();
        }
      }
      // What follows from here on, the socket tells: it is not asked again and again.
      followed = 'unknown';
      await catchUp().catch(() => {});
    } finally {
      followed = undefined;
    }
    void flush();
  }

  /** What was missed: after the last message, or from the first that is not whole. */
  async function catchUp(): Promise<void> {
    for (;;) {
      const open = state.messages.find((message) => !isWhole(message) && message.uuid !== followed);
      const { data } = await api.call(visitors.messages, { query: { after: open ? open.seq - 1 : lastSeq() } });
      data.messages.forEach(takeMessage);
      takeThread(data.thread);
      if (!data.hasMore || data.messages.length === 0) break;
    }
    if (state.isOffline) set({ isOffline: false });
    void flush();
  }

  /** Sends what waits, one after another: each is there once, however often it is sent. */
  async function flush(): Promise<void> {
    if (isFlushing || followed || !state.isReady) return;
    isFlushing = true;
    try {
      for (let next; (next = state.pending.find((each) => each.state !== 'failed'));) {
        if (!(await deliver(next))) await wait();
      }
    } finally {
      isFlushing = false;
    }
    if (state.thread?.running) void follow();
  }

  const mark = (key: string, more: Partial<Pending>) =>
    set({ pending: state.pending.map((each) => (each.key === key ? { ...each, ...more } : each)) });
  const isPending = (key: string) => state.pending.some((each) => each.key === key);

  /** Whether there is nothing to wait for before the next. */
  async function deliver({ key, text, files }: Pending): Promise<boolean> {
    mark(key, { state: 'sending' });
    const body = {
      key,
      page: options.page(),
      ...(text && { text }),
      ...(files.length > 0 && { files: files.map(({ uuid }) => uuid) }),
    };
    try {
      await api.stream(visitors.send, { body }, take);
      followed = undefined;
      // A stream that ended before the message was acknowledged was cut by something in between.
      if (isPending(key)) mark(key, { state: 'waiting' });
      return !isPending(key);
    } catch (error) {
      followed = undefined;
      if (!(error instanceof ApiError)) throw error;
      if (isAway(error)) {
        set({ isOffline: true });
        if (isPending(key)) mark(key, { state: 'waiting' });
        else void follow();
        return !isPending(key);
      }
      mark(key, { state: 'failed', problem: error.message, isLimit: error.status === 429 });
      return true;
    }
  }

  function openLive(): void {
    live ??= import('./live.ts').then(({ connect }) =>
      connect({
        token: async (isRefused) => {
          if (isRefused) await begin();
          return api.token() ?? '';
        },
        onConnect: () => void catchUp().catch(() => {}),
        onMessage({ message, thread }) {
          // What comes here by itself comes in pieces.
          if (message.uuid !== followed) takeMessage(message);
          takeThread(thread);
        },
        onThread: ({ thread }) => takeThread(thread),
        onTyping: ({ name: writer, isTyping }) => set({ typing: isTyping ? writer : '' }),
      }),
    );
    live.catch(() => (live = undefined)); // the next message tries again
  }

  async function start(): Promise<void> {
    try {
      await begin();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isAway(error)) return set({ problem: error });
      set({ isOffline: true });
      await wait();
      return start();
    }
    void flush();
  }

  const takePage = ({ data }: { data: VisitorPage }) => {
    data.messages.forEach(takeMessage);
    takeThread(data.thread);
  };

  window.addEventListener('offline', () => set({ isOffline: true }));
  window.addEventListener('online', () => {
    set({ isOffline: false });
    clearTimeout(timer);
    void flush();
  });

  return {
    state: () => state,
    subscribe(listen: () => void): () => void {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    start: () => void start(),
    /** Another visitor, or the same with a name that the page has proved. */
    identify: () => void begin().catch(() => {}),
    see,
    /** What was new is no longer. */
    forgetNew: () => state.newFrom > 0 && set({ newFrom: 0 }),
    send(text: string, files: Attachment[] = []): void {
      const entry: Pending = { key: newKey(), text, files, at: new Date().toISOString(), state: 'waiting' };
      set({ pending: [...state.pending, entry], newFrom: 0, isAnew: false });
      void flush();
    },
    retry(key: string): void {
      mark(key, { state: 'waiting' });
      void flush();
    },
    discard: (key: string) => set({ pending: state.pending.filter((each) => each.key !== key) }),
    stop: () => api.call(visitors.stop),
    askForPerson: async () => takePage(await api.call(visitors.person)),
    async restart(): Promise<void> {
      await api.call(visitors.restart);
      set({ thread: null, messages: [], pending: [], hasMore: false, isAnew: false, seen: 0, newFrom: 0 });
      toldSeen = 0;
    },
    async showOlder(): Promise<void> {
      const first = state.messages[0]?.seq;
      if (!first) return;
      const { data } = await api.call(visitors.messages, { query: { before: first } });
      set({ messages: [...data.messages, ...state.messages], hasMore: data.hasMore });
    },
    async rate({ uuid, rating: before }: VisitorMessage, rating: 'up' | 'down'): Promise<void> {
      const next = before === rating ? null : rating;
      change(uuid, () => ({ rating: next }));
      await api
        .call(visitors.rate, { params: { message: uuid }, body: { rating: next } })
        .catch(() => change(uuid, () => ({ rating: before })));
    },
    async fillForm(form: { name?: string; email?: string; phone?: string; consent?: boolean }): Promise<void> {
      await api.call(visitors.form, { body: form });
      set({ needsForm: false });
    },
    type: (isTyping: boolean) => void live?.then(({ type }) => type(isTyping)),
    upload: api.upload,
    file: (uuid: string) => api.bytes(visitors.file, { params: { uuid } }),
  };
}

/** Messages of others that came while nobody looked. */
export const unreadOf = ({ messages, seen }: State): number =>
  messages.filter((message) => message.role !== 'user' && message.seq > seen && isWhole(message)).length;

const isWhole = ({ status }: VisitorMessage) => status !== 'pending' && status !== 'streaming';

/** Nobody answered, or nobody who could. */
const isAway = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** Random as `crypto.randomUUID` is, which pages without TLS do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return [...bytes]
    .map((byte, at) => ([4, 6, 8, 10].includes(at) ? '-' : '') + byte.toString(16).padStart(2, '0'))
    .join('');
}
