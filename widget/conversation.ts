/** What one visitor sees of their conversation, and everything they can do with it. Draws nothing. */
import type { Attachment } from '../shared/contracts/conversations.ts';
import { visitors, type VisitorEvent, type VisitorMessage, type VisitorThread } from '../shared/contracts/visitors.ts';
import { ApiError, createApi, type Api } from './api.ts';
import type { Language } from './language.ts';
import type { Listening, Live } from './live.ts';
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

export type Source = VisitorMessage['citations'][number];

export interface State {
  /** Changes where somebody else is at the page: nothing that is half done goes on. */
  person: number;
  isReady: boolean;
  /** Why there is no conversation to show. */
  problem: ApiError | undefined;
  isOffline: boolean;
  needsForm: boolean;
  /** Whether the team could write to them elsewhere. */
  hasEmail: boolean;
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
  /** When the page last said that its visitor has signed out. */
  resetAt(): number;
  connect(listening: Listening): Promise<Live>;
  /** Whether the visitor has it before their eyes. */
  isSeen(): boolean;
  /** A whole message of somebody else has come. */
  onMessage(message: VisitorMessage): void;
}

interface Kept {
  token?: string | undefined;
  /** Whom the site vouched for, by its own id; empty for somebody whom nobody knows. */
  by: string;
  /** The sign-out that was heeded last. */
  resetAt: number;
  /** Who the server says it is, and their conversation: what another tab has begun is shown here, too. */
  guest?: string;
  thread?: string;
}

interface Outbox {
  by: string;
  pending: Pending[];
  /** What is half written. */
  draft?: string;
}

const firstWaitMs = 1000;
const longestWaitMs = 30_000;

/** What a page shows before anything was said. */
const empty = {
  thread: null,
  messages: [],
  hasMore: false,
  failures: {},
  typing: '',
  isAnew: false,
  seen: 0,
  newFrom: 0,
};
const blank = {
  ...empty,
  isReady: false,
  problem: undefined,
  needsForm: false,
  hasEmail: true,
  pending: [],
};

export type Conversation = ReturnType<typeof createConversation>;

export function createConversation(options: Options) {
  const { channel, bot, language, makerHeaders } = options;
  const name = `kotae-visitor-${channel ?? bot}`;
  const outbox = `${name}-outbox`;
  let kept: Kept = { by: '', resetAt: 0 };
  const readAgain = () => {
    if (!makerHeaders) kept = { ...kept, ...readKept<Kept>(name) };
  };
  readAgain();
  /** Whom this page shows; another tab may be further. */
  let { by } = kept;
  const waiting = makerHeaders ? undefined : readKept<Outbox>(outbox);
  const own = waiting?.by === by ? waiting : undefined;
  let draft = own?.draft ?? '';
  let state: State = {
    ...blank,
    person: 0,
    isOffline: !navigator.onLine,
    pending: own?.pending ?? [],
  };
  const listeners = new Set<() => void>();
  const api: Api = createApi({ language, renew: () => begin() });
  let beginning: Promise<void> | undefined;
  let isFlushing = false;
  /** A new conversation is being begun: what is written meanwhile belongs to that. */
  let restarting: Promise<void> | undefined;
  let isFilled = false;
  /** The answer whose words are coming here. */
  let followed: string | undefined;
  let waitMs = firstWaitMs;
  /** One guest's conversation: when it ends, what was asked for it is told nobody any more. */
  let era = new AbortController();
  let live: Promise<Live> | undefined;
  let guest = '';
  /** Up to where the server was told that it was seen. */
  let toldSeen = 0;

  function set(more: Partial<State>): void {
    const { pending } = state;
    state = { ...state, ...more };
    if (pending !== state.pending) keepOutbox();
    for (const listen of listeners) listen();
  }

  function keepOutbox(): void {
    if (!makerHeaders) keepFor(outbox, { by, pending: state.pending, draft } satisfies Outbox);
  }

  function keep(more: Partial<Kept>): void {
    kept = { ...kept, ...more };
    if (!makerHeaders) keepFor(name, kept);
  }

  function endEra(): void {
    era.abort();
    era = new AbortController();
    followed = undefined;
    isFlushing = false;
    toldSeen = 0;
  }

  function hangUp(): void {
    void live?.then(
      ({ close }) => close(),
      () => {},
    );
    live = undefined;
  }

  /** Somebody else is at the page, or nobody: at once, whatever the network does. */
  function leave(): void {
    endEra();
    hangUp();
    beginning = undefined;
    guest = '';
    by = '';
    draft = '';
    api.setToken(undefined);
    set({ ...blank, person: state.person + 1 });
  }

  /** Leaves whoever is no longer there, as the page says, or as it said in another tab. */
  function leaveOthers(): void {
    const before = kept.resetAt;
    readAgain();
    const { resetAt } = kept;
    const id = options.identify()?.id;
    const isAnother = id !== undefined && [by, kept.by].some((each) => each !== '' && each !== id);
    if (isAnother || options.resetAt() > resetAt)
      keep({ token: undefined, by: '', guest: '', thread: '', resetAt: Math.max(resetAt, options.resetAt()) });
    if (isAnother || kept.resetAt > before) leave();
  }

  /** One at a time; whoever finds the token refused waits for the same new one. */
  function begin(): Promise<void> {
    if (beginning) return beginning;
    leaveOthers();
    const mine = visit(era).finally(() => {
      if (beginning === mine) beginning = undefined;
    });
    return (beginning = mine);
  }

  /** The page, or another tab, has said something of the visitor. */
  function comeAgain(): void {
    leaveOthers();
    // A visit that is just being begun knows nothing of it.
    void Promise.resolve(beginning)
      .catch(() => {})
      .then(start);
  }

  async function visit({ signal }: AbortController): Promise<void> {
    const token = kept.token ?? api.token();
    const identify = options.identify();
    const headers = await makerHeaders?.();
    let proved = kept.by;
    const ask = async (who: Identified | undefined) => {
      const reply = await api.call(visitors.begin, {
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
      if (who) proved = who.id;
      return reply;
    };
    const { data } = await ask(identify).catch((error: unknown) => {
      if (!identify || !(error instanceof ApiError) || ![400, 403].includes(error.status)) throw error;
      // The site could not prove it, which is no reason not to answer.
      console.warn('Kotae: identify() was not accepted.', error.message);
      return ask(undefined);
    });
    if (signal.aborted) return;
    // Another tab was faster: both are one visitor.
    if (!token && !identify && !makerHeaders && readKept<Kept>(name)?.token) {
      readAgain();
      return visit(era);
    }
    const isOther = guest !== '' && guest !== data.guest.uuid;
    const isAnew = isOther && state.messages.length > 0 && !identify;
    const isTheirs = by === '' || by === proved;
    if (isOther) {
      endEra();
      hangUp();
    }
    api.setToken(data.token);
    guest = data.guest.uuid;
    toldSeen = 0;
    by = proved;
    keep({ token: data.token, by, guest });
    set({
      isReady: true,
      problem: undefined,
      isAnew,
      // Of a maker the server asks nothing: they see what is not saved yet.
      needsForm: data.guest.needsForm || (makerHeaders !== undefined && !isFilled),
      // Whoever tries it leaves nothing.
      hasEmail: data.guest.hasEmail || makerHeaders !== undefined,
      messages: data.messages,
      hasMore: data.hasMore,
      seen: data.thread?.seen ?? 0,
      newFrom: data.messages.find(({ role, seq }) => role !== 'user' && seq > (data.thread?.seen ?? 0))?.seq ?? 0,
      failures: {},
      pending: isTheirs ? [...state.pending] : [],
    });
    takeThread(data.thread);
    see();
    if (isOther) void flush();
  }

  function takeThread(thread: VisitorThread | null): void {
    set({ thread, ...(thread && { seen: Math.max(state.seen, thread.seen) }) });
    if (!thread) return;
    if (kept.thread !== thread.uuid) keep({ thread: thread.uuid });
    openLive();
    if (thread.running && !followed && !isFlushing) void follow();
  }

  function takeMessage(message: VisitorMessage): void {
    const before = state.messages.find(({ uuid }) => uuid === message.uuid);
    // What was asked for earlier came later.
    if (before && isWhole(before) && !isWhole(message)) return;
    const rest = state.messages.filter(({ uuid }) => uuid !== message.uuid);
    const isNews = message.role !== 'user' && isWhole(message) && !isSilent(message) && !(before && isWhole(before));
    const isSeen = options.isSeen();
    set({
      // What was read before it was rated may come after.
      messages: [...rest, { ...message, rating: (before ?? message).rating }].sort((one, other) => one.seq - other.seq),
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
        // Another page of the visitor's has begun it.
        if (state.thread && state.thread.uuid !== event.thread.uuid) {
          set(empty);
          void catchUp().catch(() => {});
        }
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
      const go = () => {
        clearTimeout(timer);
        window.removeEventListener('online', go);
        done();
      };
      const timer = setTimeout(go, ms);
      window.addEventListener('online', go);
    });
  };

  /** The words of an answer that was already begun, as often as the connection breaks. */
  async function follow(): Promise<void> {
    if (followed) return;
    const { signal } = era;
    followed = 'unknown';
    for (;;) {
      try {
        await api.stream(visitors.resume, { signal }, take);
        break;
      } catch (error) {
        if (!isAway(error)) await wait();
        if (signal.aborted || !isAway(error)) break;
        set({ isOffline: true });
        await wait();
      }
    }
    if (signal.aborted) return;
    // What follows from here on, the socket tells: it is not asked again and again.
    followed = 'unknown';
    await catchUp().catch(() => {});
    if (signal.aborted) return;
    followed = undefined;
    void flush();
  }

  /** What was missed: after the last message, or from the first that is not whole; of another conversation, its end. */
  async function catchUp(): Promise<void> {
    const { signal } = era;
    for (;;) {
      const open = state.messages.find((message) => !isWhole(message) && message.uuid !== followed);
      const after = open ? open.seq - 1 : lastSeq();
      const { data } = await api.call(visitors.messages, { query: state.thread ? { after } : {} });
      if (signal.aborted) return;
      if (state.thread && state.thread.uuid !== data.thread?.uuid) {
        set(empty);
        toldSeen = 0;
        continue;
      }
      const isFirst = !state.thread;
      data.messages.filter(({ uuid }) => uuid !== followed).forEach(takeMessage);
      takeThread(data.thread);
      if (isFirst) set({ hasMore: data.hasMore });
      if (isFirst || !data.hasMore || data.messages.length === 0) break;
    }
    if (state.isOffline) set({ isOffline: false });
    void flush();
  }

  /** Sends what waits, one after another: each is there once, however often it is sent. */
  async function flush(): Promise<void> {
    if (isFlushing || followed || !state.isReady) return;
    const { signal } = era;
    isFlushing = true;
    for (let next; (next = state.pending.find((each) => !restarting && each.state !== 'failed'));) {
      const isDone = await deliver(next, signal).catch((error: unknown) => {
        if (!signal.aborted) isFlushing = false;
        throw error;
      });
      if (!isDone && !signal.aborted) await wait();
      if (signal.aborted) return;
    }
    isFlushing = false;
    if (state.thread?.running) void follow();
  }

  const mark = (key: string, more: Partial<Pending>) =>
    set({ pending: state.pending.map((each) => (each.key === key ? { ...each, ...more } : each)) });
  const isPending = (key: string) => state.pending.some((each) => each.key === key);

  /** Whether there is nothing to wait for before the next. */
  async function deliver({ key, text, files }: Pending, signal: AbortSignal): Promise<boolean> {
    mark(key, { state: 'sending' });
    const body = {
      key,
      page: options.page(),
      ...(text && { text }),
      ...(files.length > 0 && { files: files.map(({ uuid }) => uuid) }),
    };
    try {
      await api.stream(visitors.send, { body, signal }, take);
      if (signal.aborted) return false;
      followed = undefined;
      // A stream that ended before the message was acknowledged was cut by something in between.
      if (isPending(key)) mark(key, { state: 'waiting' });
      return !isPending(key);
    } catch (error) {
      if (signal.aborted) return false;
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
    if (live) return;
    /** Only of the conversation that the page shows; another may have been begun elsewhere. */
    const ifOurs = (thread: VisitorThread, then: () => void) =>
      thread.uuid === state.thread?.uuid ? then() : void catchUp().catch(() => {});
    const mine = options.connect({
      token: async (isRefused) => {
        if (isRefused) await begin();
        return api.token() ?? '';
      },
      onMissed: () => void catchUp().catch(() => {}),
      onMessage: ({ message, thread }) =>
        ifOurs(thread, () => {
          // What comes here by itself comes in pieces.
          if (message.uuid !== followed) takeMessage(message);
          takeThread(thread);
        }),
      onThread: ({ thread }) => ifOurs(thread, () => takeThread(thread)),
      onTyping: ({ name: writer, isTyping }) => set({ typing: isTyping ? writer : '' }),
    });
    live = mine;
    // The next message tries again.
    mine.catch(() => {
      if (live === mine) live = undefined;
    });
  }

  /** What could not be sent yet, or was refused, goes along. */
  async function restart(): Promise<void> {
    const { signal } = era;
    try {
      await api.call(visitors.restart, { signal });
      endEra();
      set(empty);
    } catch (error) {
      // Somebody else is at the page.
      if (!signal.aborted) throw error;
    }
  }

  async function start(): Promise<void> {
    const begun = begin();
    const { signal } = era;
    try {
      await begun;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (signal.aborted) return;
      // Who is already here stays who they are.
      if (!isAway(error)) return state.isReady ? undefined : set({ problem: error });
      set({ isOffline: true });
      await wait();
      return signal.aborted ? undefined : start();
    }
    void flush();
  }

  /** Whoever signs out in one tab is gone from all; what one begins, all show. */
  function heed(): void {
    const { by: whose, guest: who, thread, resetAt = 0 } = readKept<Partial<Kept>>(name) ?? {};
    const isOurs = state.isReady && (by === '' || by === whose);
    if (Math.max(resetAt, options.resetAt()) > kept.resetAt || (isOurs && who && who !== guest)) comeAgain();
    else if (isOurs && thread && thread !== state.thread?.uuid) void catchUp().catch(() => {});
  }
  window.addEventListener('storage', ({ key }) => {
    if (key === name) heed();
  });
  window.addEventListener('offline', () => set({ isOffline: true }));
  window.addEventListener('online', () => {
    set({ isOffline: false });
    void flush();
  });

  return {
    state: () => state,
    subscribe(listen: () => void): () => void {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    start: () => void start(),
    /** Another visitor, nobody, or the same with a name that the page has proved. */
    identify: comeAgain,
    heed,
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
    draft: () => draft,
    keepDraft(text: string): void {
      draft = text;
      keepOutbox();
    },
    discard: (key: string) => set({ pending: state.pending.filter((each) => each.key !== key) }),
    stop: () => api.call(visitors.stop),
    async askForPerson(): Promise<void> {
      const { signal } = era;
      const { data } = await api.call(visitors.person);
      if (signal.aborted) return;
      data.messages.forEach(takeMessage);
      takeThread(data.thread);
    },
    /** Pressed again, it is the same. */
    restart: () =>
      (restarting ??= restart().finally(() => {
        restarting = undefined;
        void flush();
      })),
    async showOlder(): Promise<void> {
      const first = state.messages[0]?.seq;
      if (!first) return;
      const { signal } = era;
      const { data } = await api.call(visitors.messages, { query: { before: first } });
      if (signal.aborted) return;
      set({ messages: [...data.messages, ...state.messages], hasMore: data.hasMore });
    },
    async rate({ uuid, rating: before }: VisitorMessage, rating: 'up' | 'down' | null, text?: string): Promise<void> {
      change(uuid, () => ({ rating }));
      await api
        .call(visitors.rate, { params: { message: uuid }, body: { rating, ...(text && { text }) } })
        .catch((error: unknown) => {
          change(uuid, () => ({ rating: before }));
          // Words that were not taken are still in their field.
          if (text) throw error;
        });
    },
    async leaveEmail(email: string): Promise<void> {
      await api.call(visitors.form, { body: { email } });
    },
    async fillForm(form: { name?: string; email?: string; phone?: string; consent?: boolean }): Promise<void> {
      isFilled = true;
      if (!makerHeaders) await api.call(visitors.form, { body: form });
      set({ needsForm: false });
    },
    type: (isTyping: boolean) => void live?.then(({ type }) => type(isTyping)),
    upload: api.upload,
    bytes: api.bytes,
  };
}

/** Messages of others that came while nobody looked. */
export const unreadOf = ({ messages, seen }: State): number =>
  messages.filter((message) => message.role !== 'user' && message.seq > seen && isWhole(message) && !isSilent(message))
    .length;

const isWhole = ({ status }: VisitorMessage) => status !== 'pending' && status !== 'streaming';

/** A bot that said nothing, since it was silenced or may spend no more: what follows says who answers. */
export const isSilent = ({ role, status, text, files }: VisitorMessage): boolean =>
  role === 'assistant' && status === 'done' && text.trim() === '' && files.length === 0;

export const hasAnswered = (message: VisitorMessage): boolean =>
  message.role === 'assistant' && message.status === 'done' && !isSilent(message);

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
