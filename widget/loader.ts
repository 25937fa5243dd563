/** `/embed.js`: paints the launcher at once, and brings the chat when it is opened. Nothing here trusts the page around it. */
import * as en from '../shared/locales/en/widget.json';
import * as ja from '../shared/locales/ja/widget.json';
import type { EmbedSetting } from '../shared/contracts/visitors.ts';
import { inkOn } from './contrast.ts';
import { chooseLanguage } from './language.ts';
import type { FromFrame, Identified, OfFrame, ToFrame } from './messages.ts';

type Listen = (detail?: unknown) => void;

interface Api {
  open(): void;
  close(): void;
  toggle(): void;
  identify(who?: Identified): void;
  /** The visitor has signed out: what is known of them here is forgotten. */
  reset(): void;
  /** Returns what ends the listening. */
  on(event: string, listen: Listen): () => void;
  destroy(): void;
}

declare global {
  interface Window {
    /** Before the script has come, what is to be called then. */
    Kotae?: Partial<Api> & { queue?: [name: keyof Api, ...given: unknown[]][] };
  }
}

/** What a page of the same site left for this one. */
interface Kept extends OfFrame {
  setting?: Pick<EmbedSetting, 'look' | 'icon' | 'texts' | 'bot' | 'autoOpenSeconds'>;
  /** The visitor was here before. */
  isKnown?: boolean;
  /** Of this tab alone: it stood open. */
  open?: number;
}

type Look = Partial<
  Pick<EmbedSetting['look'], 'position' | 'offsetX' | 'offsetY' | 'width' | 'height' | 'color' | 'colorDark' | 'scheme'>
>;

const bubble = 'm4 20 1-5a8 8 0 1 1 4 4z';
const cross = 'm6 6 12 12M6 18 18 6';

// Of each file of texts only these are brought along.
const words = {
  en: [en['title'], en['unavailable']],
  ja: [ja['title'], ja['unavailable']],
} as const;

const phone = '(max-width:480px)';
const isPhone = () => matchMedia(phone).matches;

const complain = (why: string) => console.error('Kotae:', why);

function start(): void {
  // Of a module and of a script in a shadow root the page names no element, but the stack names the address.
  // A border: no other kind of script can have brought this.
  const script = document.currentScript as HTMLScriptElement | null;
  const src = script?.src || /http\S+embed\.js[^:]*/.exec(Error().stack!)?.[0];
  const { origin, searchParams } = new URL(src ?? location.origin);
  // Tag managers and editors of pages take attributes away, but leave the address as it is.
  const given: Record<string, string | undefined> = { ...script?.dataset, ...Object.fromEntries(searchParams) };
  const { channel, mode = 'bubble', target = 'body', language: named } = given;
  if (!channel) return complain('embed.js needs ?channel=');
  const isBubble = mode === 'bubble';
  const key = `kotae-${channel}`;
  const kept: Kept = {};
  let isOpen = !isBubble;
  let isThere = false;
  let isFull = false;
  let hostOverflow = '';
  let unread = 0;
  let identify: Identified | undefined;
  let isReady = false;
  let timer = 0;
  const listeners = new Set<[event: string, listen: Listen]>();
  const ending = new AbortController();

  const make = <K extends keyof HTMLElementTagNameMap>(name: K) => document.createElement(name);
  const host = make('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [sheet];
  const button = make('button');
  const badge = make('i');
  const panel = make('div');
  const frame = make('iframe');
  const sorry = make('p');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.append(path);
  button.append(svg, badge);
  panel.append(sorry);
  root.append(panel);
  if (isBubble) root.append(button);
  else frame.loading = 'lazy';

  const language = () => chooseLanguage([named, document.documentElement.lang]);
  const emit = (event: string, detail?: unknown) =>
    listeners.forEach(([name, listen]) => name === event && listen(detail));
  /** With what other tabs have kept since. Some browsers give a page no storage at all, and say so by an exception. */
  const read = (): Kept => {
    try {
      return Object.assign(kept, JSON.parse(localStorage[key] ?? '{}'), { open: +sessionStorage[key] });
    } catch {
      return kept;
    }
  };
  /** Returns what was written, where that was possible. */
  const keep = (more: Kept): string | undefined => {
    Object.assign(read(), more);
    try {
      sessionStorage[key] = +isOpen;
      return (localStorage[key] = JSON.stringify(kept));
    } catch {
      return undefined;
    }
  };
  const tell = (kotae: ToFrame['kotae']) =>
    isThere &&
    frame.contentWindow?.postMessage(
      { kotae, isOpen, page: location.href, identify, kept: read() } satisfies ToFrame,
      origin,
    );

  function draw(): void {
    const { setting } = kept;
    const look: Look = setting?.look ?? {};
    const [title, unavailable] = words[language()];
    sheet.replaceSync(styleOf(look, mode));
    path.setAttribute('d', isOpen ? cross : (setting?.icon ?? bubble));
    frame.title = setting?.texts[language()].title || setting?.bot?.name || title;
    sorry.textContent = unavailable;
    button.ariaLabel = frame.title + (unread ? ` (${unread})` : '');
    button.ariaExpanded = `${isOpen}`;
    badge.textContent = `${unread}`;
    badge.hidden = isOpen || !unread;
    panel.hidden = !isOpen;
    sorry.hidden = true;
    fit();
  }

  /** On a phone the chat fills what the keyboard leaves, and the page behind it stays where it is. */
  function fit(): void {
    const { style } = document.documentElement;
    // A border: a window that is shown has one.
    const view = visualViewport!;
    if (isFull !== (isFull = isBubble && isOpen && isPhone()))
      [style.overflow, hostOverflow] = [isFull ? 'hidden' : hostOverflow, style.overflow];
    panel.style.cssText = isFull && view.scale < 1.1 ? `height:${view.height}px;top:${view.offsetTop}px` : '';
  }

  function load(): void {
    if (frame.src) return;
    // So long may a frame that was loaded take to say that it is there.
    frame.addEventListener('load', () => setTimeout(() => (sorry.hidden = !(frame.hidden = !isThere)), 3000));
    frame.src = `${origin}/Bot/-/chat_embed?channel=${channel}&origin=${location.origin}&mode=${mode}&language=${language()}`;
    panel.append(frame);
  }

  function show(open: boolean, isAsked = true): void {
    if (!isBubble || open === isOpen) return;
    isOpen = open;
    load();
    keep({ isKnown: true });
    draw();
    tell('shown');
    if (isAsked) (open ? frame : button).focus();
    emit(open ? 'open' : 'close');
  }

  // A page that draws its body later, or again, takes the launcher away; one that does so without end is not fought without end.
  const observer = new MutationObserver(() => {
    if (!host.isConnected) timer ||= setTimeout(attach, 50);
  });
  function attach(): void {
    timer = 0;
    // A frame that is put into a page again begins anew.
    isThere = false;
    document.querySelector(target)?.append(host);
  }

  const hear = ({ origin: from, source, data }: MessageEvent<FromFrame | undefined>) => {
    if (from !== origin || source !== frame.contentWindow || !data?.kotae) return;
    const { kotae, detail } = data;
    if (kotae === 'hello') {
      isThere = true;
      sorry.hidden = !(frame.hidden = false);
      tell('init');
      // A frame that was given the focus before its page came has lost it.
      if (root.activeElement === frame) {
        frame.blur();
        frame.focus();
      }
    } else if (kotae === 'close') show(false);
    else if (kotae === 'keep') keep(detail);
    else {
      if (kotae === 'unread') {
        unread = detail;
        draw();
      }
      emit(kotae, detail);
    }
  };

  const api: Api = {
    open: () => show(true),
    close: () => show(false),
    toggle: () => show(!isOpen),
    identify(who?: Identified) {
      identify = who;
      tell('identify');
    },
    reset() {
      keep({ reset: Date.now(), frame: {}, liveUntil: 0 });
      api.identify();
    },
    on(event, listen) {
      const entry: [string, Listen] = [event, listen];
      listeners.add(entry);
      if (event === 'ready' && isReady) listen();
      return () => listeners.delete(entry);
    },
    destroy() {
      isOpen = false;
      fit();
      // Whatever still wants to open it finds it open.
      isOpen = true;
      observer.disconnect();
      clearTimeout(timer);
      ending.abort();
      host.remove();
      delete window.Kotae;
    },
  };

  async function refresh(): Promise<void> {
    // Where the page's policy or the channel's domains let nothing through, it stays as it is.
    const reply = await fetch(`${origin}/api/embed-setting?channel=${channel}`).catch(() => null);
    if (reply?.ok) {
      const setting: EmbedSetting = (await reply.json()).data;
      keep({ setting });
      draw();
      // Who cannot be known again would have it open on every page, and on a phone there would be nothing else.
      if (setting.autoOpenSeconds && !kept.isKnown && !isPhone())
        setTimeout(() => keep({}) && show(true, false), setting.autoOpenSeconds * 1000);
    } else if (reply) {
      complain((await reply.json()).error.message);
      if (reply.status === 404) return api.destroy();
    }
    if (!host.isConnected) complain(`no ${target} here`);
    isReady = true;
    emit('ready');
  }

  const queue = window.Kotae?.queue;
  window.Kotae = api;
  addEventListener('message', hear, ending);
  addEventListener('storage', (event) => event.key === key && tell('init'), ending);
  visualViewport!.addEventListener('resize', fit, ending);
  button.addEventListener('click', api.toggle);
  button.addEventListener('keydown', (event) => event.key === 'Escape' && show(false));
  read();
  draw();
  observer.observe(document, { childList: true, subtree: true });
  attach();
  if (!isBubble) load();
  else if (kept.open && kept.liveUntil! > Date.now() && !isPhone()) show(true, false);
  else if (kept.liveUntil) setTimeout(load, 1500);
  void refresh();
  // A border: names and what is given come from the page.
  for (const [name, ...given] of queue ?? []) (api[name] as (...given: unknown[]) => void)(...given);
}

/** Rules of the shadow tree that are important stand above all of the page's. */
function styleOf(look: Look, mode: string): string {
  const {
    position: side = 'right',
    offsetX: x = 20,
    offsetY: y = 20,
    width = 380,
    height = 620,
    color = '#007a0a',
    colorDark = '#0b7f17',
    scheme = 'auto',
  } = look;
  const bottom = (more: number) => `bottom:calc(${y + more}px + env(safe-area-inset-bottom,0px));${side}:${x}px;`;
  const paint = (ground: string, sheet: string) => `button{background:${ground};color:${inkOn(ground)}}div{${sheet}}`;
  const light = paint(color, 'background:#fff;color:#141a15');
  const dark = paint(colorDark, 'background:#141916;color:#e9ede6');
  return `:host{all:initial!important;display:block!important;direction:ltr!important;${
    mode === 'inline'
      ? 'position:relative!important;height:100%!important;min-height:420px!important'
      : `position:fixed!important;z-index:2147483647!important;${mode === 'page' ? 'inset:0!important' : ''}`
  }}button{position:fixed;${bottom(0)}width:56px;height:56px;padding:16px;border:0;border-radius:50%;cursor:pointer;box-shadow:0 4px 14px #0004}svg{display:block;stroke:currentColor;stroke-width:2;stroke-linecap:round;fill:none}i{position:absolute;inset:-4px -4px auto auto;border-radius:10px;padding:0 6px;background:#b8331a;color:#fff;font:600 12px/20px system-ui}div,iframe{position:absolute;inset:0;width:100%;height:100%;border:0;overflow:hidden}p{margin:40px;text-align:center;font:14px system-ui}${
    mode === 'bubble'
      ? `div{position:fixed;inset:auto;${bottom(68)}width:min(${width}px,100vw - ${2 * x}px);height:min(${height}px,100vh - ${y + 84}px);border-radius:10px;box-shadow:0 12px 40px #0004}@media ${phone}{div{inset:0;width:auto;height:auto;border-radius:0}div:not([hidden])+button{display:none}}`
      : ''
  }${scheme === 'dark' ? dark : light}${scheme === 'auto' ? `@media (prefers-color-scheme:dark){${dark}}` : ''}`;
}

// A page that has it twice has it once.
if (!window.Kotae || window.Kotae.queue) start();
