import { createRoot } from 'react-dom/client';
import { visitors, type EmbedSetting } from '../shared/contracts/visitors.ts';
import { Chat } from './chat.tsx';
import { WidgetContext } from './context.ts';
import { createConversation, unreadOf, type State } from './conversation.ts';
import { createHost } from './host.ts';
import { chooseLanguage } from './language.ts';
import { applyLook } from './look.ts';
import { isSoundOn, playSound } from './sound.ts';
import { loadTexts, sayIn } from './texts.ts';
import './chat.css';

const query = new URLSearchParams(location.search);
const named = query.get('channel') ?? undefined;
const bot = named ? undefined : /^\/Bot\/([^/]+)\//.exec(location.pathname)?.[1];
const mode = query.get('mode');
const language = chooseLanguage([query.get('language')]);
// What only makers need comes to makers only.
const headers = query.has('preview') || bot ? async () => (await import('./maker.ts')).makerHeaders() : undefined;
document.documentElement.lang = language;

const host = createHost(query.get('origin'));
let setting: EmbedSetting;
let toldUnread = 0;
let toldLiveUntil = -1;
/** How long a conversation that just goes on stands open on the next page by itself. */
const goesOnMs = 600_000;

function liveUntilOf({ thread, messages }: State): number {
  if (!thread || thread.status === 'resolved') return 0;
  const last = messages.findLast(({ role }) => role === 'user');
  // A person who has taken it may answer at any time, until the last moment that a date can name.
  return thread.status === 'staff' ? 8.64e15 : Date.parse(last?.createdAt ?? '1970') + goesOnMs;
}

/** Without a setting: whether the server has refused it. */
async function readSetting(): Promise<EmbedSetting | 'refused' | undefined> {
  const search = new URLSearchParams(named ? { channel: named } : { bot: bot ?? '' });
  const response = await fetch(`${visitors.setting.path}?${search}`, { headers: (await headers?.()) ?? {} });
  if (response.ok) return (await response.json()).data;
  return response.status === 404 ? 'refused' : undefined;
}

async function start(): Promise<void> {
  const reading = Promise.all([loadTexts(language), readSetting().catch(() => undefined)]);
  // What the page has kept for this frame comes with its greeting.
  await host.greeted;
  // Whoever is no maker of a bot meets it on the channel of its public page.
  const own = bot ? (await reading)[1] : undefined;
  if (own === 'refused') return (await import('./refused.ts')).refuse(language);
  const channel = named ?? (typeof own === 'object' ? (own.channel ?? undefined) : undefined);
  const isPreview = query.has('preview') || !channel;
  const isSeen = () => host.now().isOpen && document.visibilityState === 'visible';
  const follow = isPreview ? (await import('./maker.ts')).followSetting : undefined;
  const conversation = createConversation({
    channel,
    bot,
    language,
    makerHeaders: isPreview ? headers : undefined,
    page: () => host.now().page,
    identify: () => host.now().identify,
    resetAt: () => host.now().resetAt,
    connect: async (listening) => (await import('./live.ts')).connect(listening),
    isSeen,
    onMessage({ role, text }) {
      host.tell({ kotae: 'message', detail: { role, text } });
      if (isSoundOn(setting.shown.sound) && !(isSeen() && document.hasFocus())) void playSound();
    },
  });
  conversation.subscribe(() => {
    const state = conversation.state();
    const unread = unreadOf(state);
    const liveUntil = state.isReady ? liveUntilOf(state) : toldLiveUntil;
    if (unread !== toldUnread) host.tell({ kotae: 'unread', detail: (toldUnread = unread) });
    if (liveUntil !== toldLiveUntil) host.tell({ kotae: 'keep', detail: { liveUntil: (toldLiveUntil = liveUntil) } });
  });
  conversation.start();
  const [texts, read] = await reading;
  const place = document.getElementById('root')!;
  if (typeof read !== 'object') return void (place.textContent = texts.failed);
  const root = createRoot(place);
  const draw = (given: EmbedSetting) => {
    setting = given;
    applyLook(setting.look);
    const words = setting.texts[language];
    document.title = words.title || setting.bot?.name || texts.title;
    root.render(
      <WidgetContext
        value={{
          conversation,
          host,
          setting,
          language,
          say: sayIn(texts, words),
          isBubble: mode === 'bubble' && window.parent !== window,
        }}
      >
        <Chat />
      </WidgetContext>,
    );
  };
  draw(read);
  document.addEventListener('visibilitychange', conversation.see);
  host.on((kind) => {
    if (kind === 'identify') conversation.identify();
    else if (kind === 'init') conversation.heed();
    else if (host.now().isOpen) conversation.see();
    else conversation.forgetNew();
  });
  follow?.(draw);
}

void start();
