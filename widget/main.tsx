import { createRoot } from 'react-dom/client';
import { visitors, type EmbedSetting } from '../shared/contracts/visitors.ts';
import { Chat } from './chat.tsx';
import { WidgetContext } from './context.ts';
import { createConversation, unreadOf } from './conversation.ts';
import { createHost } from './host.ts';
import { chooseLanguage } from './language.ts';
import { applyLook } from './look.ts';
import { isSoundOn, playSound } from './sound.ts';
import { loadTexts, sayIn } from './texts.ts';
import './chat.css';

const query = new URLSearchParams(location.search);
const channel = query.get('channel') ?? undefined;
const bot = channel ? undefined : /^\/Bot\/([^/]+)\//.exec(location.pathname)?.[1];
const isPreview = query.has('preview') || !channel;
const mode = query.get('mode');
const language = chooseLanguage([query.get('language')]);
// What only makers need comes to makers only.
const headers = isPreview ? async () => (await import('./maker.ts')).makerHeaders() : undefined;
document.documentElement.lang = language;

const host = createHost(query.get('origin'));
let setting: EmbedSetting;
let told = { unread: 0, isLive: false };

const isSeen = () => host.now().isOpen && document.visibilityState === 'visible';
const conversation = createConversation({
  channel,
  bot,
  language,
  makerHeaders: headers,
  page: () => host.now().page,
  identify: () => host.now().identify,
  resetAt: () => host.now().resetAt,
  connect: async (listening) => (await import('./live.ts')).connect(listening),
  isSeen,
  onMessage({ role, text }) {
    host.tell({ kotae: 'message', detail: { role, text } });
    if (isSoundOn(setting.shown.sound) && !(isSeen() && document.hasFocus())) playSound();
  },
});
conversation.subscribe(() => {
  const state = conversation.state();
  const now = { unread: unreadOf(state), isLive: state.thread !== null && state.thread.status !== 'resolved' };
  if (now.unread !== told.unread) host.tell({ kotae: 'unread', detail: now.unread });
  if (now.isLive !== told.isLive) host.tell({ kotae: 'live', detail: now.isLive });
  told = now;
});

async function readSetting(): Promise<EmbedSetting> {
  const search = new URLSearchParams(channel ? { channel } : { bot: bot ?? '' });
  const response = await fetch(`${visitors.setting.path}?${search}`, { headers: (await headers?.()) ?? {} });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()).data;
}

async function start(): Promise<void> {
  void host.greeted.then(() => conversation.start());
  const [texts, read] = await Promise.all([loadTexts(language), readSetting().catch(() => undefined)]);
  const place = document.getElementById('root')!;
  if (!read) return void (place.textContent = texts.failed);
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
    else if (host.now().isOpen) conversation.see();
    else conversation.forgetNew();
  });
  // The page on which a maker sets the look draws what is not saved yet.
  if (isPreview) {
    window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source === window.parent && origin === location.origin && isSetting(data)) draw(data.setting);
    });
    window.parent.postMessage({ kotae: 'drawn' }, location.origin);
  }
}

const isSetting = (data: unknown): data is { setting: EmbedSetting } =>
  typeof data === 'object' &&
  data !== null &&
  'kotae' in data &&
  data.kotae === 'setting' &&
  'setting' in data &&
  typeof data.setting === 'object' &&
  data.setting !== null &&
  'look' in data.setting &&
  'texts' in data.setting;

void start();
