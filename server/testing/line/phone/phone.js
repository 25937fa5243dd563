/* A phone on a page: whose it is, what they see, and what they do with it. */
import { drawMessage, placed, stickers } from './draw.js';
import { face, h, icon, picture } from './element.js';
import { currentLanguage, setLanguage, t } from './texts.js';

const side = document.querySelector('#side');
const phone = document.querySelector('#phone');

let state;
/** Who holds the phone and which chat is open: a group's id, or nothing for the chat with the bot. */
const view = {
  person: localStorage.getItem('person') ?? '',
  group: '',
  isMenuOpen: undefined,
  tray: '',
  draft: '',
  recorder: undefined,
  drawnChat: '',
  timer: undefined,
};
const seen = JSON.parse(localStorage.getItem('seen') ?? '{}');

const me = () => state.people.find(({ id }) => id === view.person);
const openGroup = () => state.groups.find(({ id }) => id === view.group);
const chatId = () => view.group || view.person;
const entries = (id) => state.chats[id] ?? [];

async function refresh() {
  const reply = await fetch('/phone/state');
  state = await reply.json();
  if (!me()) view.person = state.people[0]?.id ?? '';
  if (view.group && !openGroup()) view.group = '';
  draw();
}

/** Does something as the person, and says so when the bot's server did not take it. */
async function act(deed, { bytes, query = {} } = {}) {
  const params = new URLSearchParams({ as: view.person, ...(view.group && { in: view.group }), ...query });
  const reply = await fetch(`/phone/${bytes ? 'media' : 'do'}?${params}`, {
    method: 'POST',
    body: bytes ?? JSON.stringify(deed),
  });
  const outcome = await reply.json();
  if (outcome.error) toast(outcome.error);
  else if (outcome.reason === 'NOT_SENT') toast(t('notSent'));
  else if (outcome.status === 0) toast(`${t('silent')}: ${outcome.detail}`);
  else if (outcome.status && outcome.reason !== 'OK') toast(`${t('refused')}: ${outcome.status}`);
}

function toast(text) {
  const element = h('div', { class: 'toast' }, text);
  document.querySelector('#toasts').append(element);
  setTimeout(() => element.remove(), 5_000);
}

function draw() {
  document.documentElement.lang = currentLanguage();
  document.title = t('title');
  markSeen();
  drawSide();
  drawPhone();
}

function markSeen() {
  const key = `${view.person} ${chatId()}`;
  seen[key] = entries(chatId()).at(-1)?.at ?? 0;
  localStorage.setItem('seen', JSON.stringify(seen));
  localStorage.setItem('person', view.person);
}

const unread = (person, chat) =>
  entries(chat).filter(({ at, from }) => from === state.bot.userId && at > (seen[`${person} ${chat}`] ?? 0)).length;

function badge(count) {
  return count > 0 ? h('span', { class: 'badge', 'aria-label': `${count}${t('unread')}` }, count) : undefined;
}

function drawSide() {
  const { channel, webhook, quota, people, groups } = state;
  const shown = people.map(({ id, name, language, hasBlocked, isFriend }) => [
    id,
    name,
    language,
    hasBlocked,
    isFriend,
  ]);
  const counts = people.map(({ id }) => [unread(id, id), groups.map((group) => unread(id, group.id))]);
  const key = JSON.stringify([webhook, quota, shown, groups, counts, view.person, view.group, currentLanguage()]);
  if (side.dataset.shown === key) return;
  side.dataset.shown = key;
  const isConnectOpen = side.querySelector('details')?.open ?? !webhook.endpoint;
  const choose = (person, group) => () => {
    Object.assign(view, { person, group, isMenuOpen: undefined, tray: '' });
    draw();
  };
  const copied = (label, value) =>
    h(
      'div',
      { class: 'copied' },
      h('span', {}, label),
      h('code', {}, value),
      h(
        'button',
        { type: 'button', onclick: () => navigator.clipboard.writeText(value).then(() => toast(t('copied'))) },
        t('copy'),
      ),
    );
  side.replaceChildren(
    h(
      'header',
      {},
      h('h1', {}, t('title')),
      h(
        'select',
        {
          'aria-label': t('language'),
          onchange: (event) => {
            setLanguage(event.target.value);
            draw();
          },
        },
        ['en', 'ja'].map((each) =>
          h('option', { value: each, selected: each === currentLanguage() }, each === 'ja' ? '日本語' : 'English'),
        ),
      ),
    ),
    h('p', { class: 'note' }, t('notLine')),
    h(
      'details',
      { open: isConnectOpen },
      h('summary', {}, t('connect')),
      h('p', {}, t('connectHow')),
      copied(t('channelId'), channel.id),
      copied(t('channelSecret'), channel.secret),
      webhook.endpoint
        ? h('p', {}, `${t('connected')}: `, h('code', {}, webhook.endpoint))
        : h('p', { class: 'note' }, t('waiting')),
      !webhook.isActive && h('p', { class: 'note' }, t('off')),
    ),
    h('h2', {}, t('people')),
    h(
      'ul',
      {},
      people.map(({ id, name, language, hasBlocked, isFriend }) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', 'aria-pressed': String(view.person === id && !view.group), onclick: choose(id, '') },
            avatar(name),
            h('span', {}, name, h('small', {}, ` ${language ?? ''} · ${standing({ hasBlocked, isFriend })}`)),
            badge(unread(id, id)),
          ),
        ),
      ),
    ),
    h('button', { type: 'button', class: 'add', onclick: addPerson }, `＋ ${t('addPerson')}`),
    h('h2', {}, t('groups')),
    h(
      'ul',
      {},
      groups.map(({ id, name, members }) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', 'aria-pressed': String(view.group === id), onclick: choose(view.person, id) },
            h('span', { class: 'avatar' }, icon('group')),
            h('span', {}, name, h('small', {}, ` ${members.length}${t('members')}`)),
            badge(unread(view.person, id)),
          ),
        ),
      ),
    ),
    h('button', { type: 'button', class: 'add', onclick: addGroup }, `＋ ${t('addGroup')}`),
    h(
      'p',
      { class: 'note' },
      `${t('quota')}: ${quota.used}${quota.type === 'limited' ? ` / ${quota.value}` : ` (${t('noLimit')})`}`,
    ),
  );
}

const standing = ({ hasBlocked, isFriend }) => t(hasBlocked ? 'blocked' : isFriend ? 'friend' : 'notFriend');
const avatar = (name) => h('span', { class: 'avatar', 'aria-hidden': 'true' }, [...name][0] ?? '?');

async function addPerson() {
  const given = await ask(t('addPerson'), {
    name: { label: t('name'), value: '' },
    language: { label: t('language'), value: currentLanguage() },
  });
  if (given?.name) await act({ do: 'person', ...given });
}

async function addGroup() {
  const given = await ask(t('addGroup'), { name: { label: t('name'), value: '' } });
  if (given?.name) await act({ do: 'group', ...given });
}

/** What stays as it is while only messages come: a text that is being typed, a voice that is being heard. */
const parts = {
  head: h('header', { class: 'head' }),
  log: h('div', { class: 'log', role: 'log', tabindex: '0' }),
  quick: h('div', { class: 'quick' }),
  tray: h('div'),
  composer: h('div'),
  menu: h('div'),
};
phone.append(parts.head, parts.log, parts.quick, h('footer', {}, parts.tray, parts.composer, parts.menu));

function drawPhone() {
  const person = me();
  if (!person) return;
  drawHead(person);
  drawLog(person);
  drawQuickReplies();
  parts.tray.replaceChildren(...(view.tray === 'stickers' ? [drawStickers()] : []));
  anew(parts.composer, [currentLanguage(), view.group, Boolean(view.recorder)], drawComposer);
  const menu = view.group ? undefined : person.menu;
  const isOpen = Boolean(menu && (view.isMenuOpen ?? menu.selected));
  anew(parts.menu, [menu, isOpen], () => (menu ? drawMenuBar(menu, isOpen) : []));
}

/** Draws a part again only when what it shows is another. */
function anew(part, shown, drawn) {
  const key = JSON.stringify(shown);
  if (part.dataset.shown === key) return;
  part.dataset.shown = key;
  part.replaceChildren(...[drawn()].flat());
}

function drawHead(person) {
  const group = openGroup();
  anew(
    parts.head,
    [group, person.name, person.hasBlocked, person.isFriend, state.bot.displayName, currentLanguage()],
    () => {
      const [deed, label] = deedOf(person, group);
      return [
        h(
          'div',
          {},
          h('b', {}, group?.name ?? state.bot.displayName),
          h('small', {}, `${t('as')}: ${person.name}`),
          h('span', { class: 'stamp' }, t('title')),
        ),
        h('button', { type: 'button', onclick: () => act({ do: deed }) }, label),
      ];
    },
  );
}

function deedOf(person, group) {
  if (group) return group.hasBot ? ['remove', t('remove')] : ['invite', t('invite')];
  if (person.hasBlocked) return ['follow', t('unblock')];
  return person.isFriend ? ['block', t('block')] : ['follow', t('follow')];
}

/** Messages that are drawn already stay; the newest is first in the page and last to the eye. */
function drawLog(person) {
  const { log } = parts;
  const rows = entries(chatId()).map((entry) => ({
    key: JSON.stringify([entry, person.id, currentLanguage()]),
    make: () => drawEntry(entry, person),
  }));
  const left = person.loadingUntil - state.now;
  if (rows.length === 0)
    rows.push({ key: `nothing ${currentLanguage()}`, make: () => h('p', { class: 'nothing' }, t('nothing')) });
  if (left > 0 && !view.group) {
    rows.push({ key: 'writing', make: drawDots });
    clearTimeout(view.timer);
    view.timer = setTimeout(refresh, left + 50);
  }
  const known = new Map([...log.children].map((child) => [child.dataset.key, child]));
  const wanted = rows.toReversed().map(({ key, make }) => {
    const element = known.get(key) ?? make();
    element.dataset.key = key;
    return element;
  });
  for (const child of known.values()) if (!wanted.includes(child)) child.remove();
  for (const [at, element] of wanted.entries())
    if (log.children[at] !== element) log.insertBefore(element, log.children[at] ?? null);
  if (view.drawnChat !== chatId()) log.scrollTop = 0;
  view.drawnChat = chatId();
}

const drawDots = () =>
  h(
    'div',
    { class: 'row bot' },
    avatar(state.bot.displayName),
    h('div', { class: 'dots', role: 'status', 'aria-label': t('typing') }, h('i'), h('i'), h('i')),
  );

function drawEntry(entry, person) {
  const isMine = entry.from === person.id;
  const isBot = entry.from === state.bot.userId;
  const who = isBot ? (entry.message.sender?.name ?? state.bot.displayName) : nameOf(entry.from);
  const time = new Date(entry.at).toLocaleTimeString(currentLanguage(), { hour: '2-digit', minute: '2-digit' });
  const mini = (label, onclick) => h('button', { type: 'button', class: 'mini', onclick }, label);
  return h(
    'div',
    { class: `row ${isMine ? 'mine' : isBot ? 'bot' : 'other'}` },
    !isMine && avatar(who),
    h('div', { class: 'said' }, !isMine && h('small', { class: 'who' }, who), drawMessage(entry, tap)),
    h(
      'div',
      { class: 'meta' },
      isMine && entry.isRead && h('small', {}, t('read')),
      entry.isEdited && h('small', {}, t('edited')),
      h('small', {}, time),
      isMine && mini(t('unsend'), () => act({ do: 'unsend', id: entry.id })),
      isMine && view.group && entry.message.type === 'text' && mini(t('edit'), () => edit(entry)),
    ),
  );
}

const nameOf = (id) => state.people.find((person) => person.id === id)?.name ?? '?';

async function edit({ id, message }) {
  const given = await ask(t('edit'), { text: { label: t('write'), value: message.text } });
  if (given?.text) await act({ do: 'edit', id, text: given.text });
}

/** They belong to the last message and go with the next, as on a phone. */
function drawQuickReplies() {
  const items = entries(chatId()).at(-1)?.message.quickReply?.items ?? [];
  parts.quick.hidden = items.length === 0;
  anew(parts.quick, [chatId(), items], () =>
    items.map(({ action, imageUrl }) =>
      h('button', { type: 'button', onclick: () => tap(action) }, imageUrl && picture(imageUrl), action.label),
    ),
  );
}

function drawMenuBar(menu, isOpen) {
  const toggle = () => {
    view.isMenuOpen = !isOpen;
    drawPhone();
  };
  return [
    h(
      'button',
      { type: 'button', class: 'bar', 'aria-expanded': String(isOpen), onclick: toggle },
      `${menu.chatBarText} ${isOpen ? '▾' : '▴'}`,
    ),
    ...(isOpen ? [drawMenu(menu)] : []),
  ];
}

function drawMenu({ richMenuId, size, areas, name }) {
  return h(
    'div',
    { class: 'richmenu', style: { aspectRatio: `${size.width} / ${size.height}` } },
    h('img', { src: `/phone/menu/${richMenuId}`, alt: name }),
    areas.map(({ bounds, action }, at) =>
      h('button', {
        type: 'button',
        class: 'area',
        style: placed(bounds, size),
        'aria-label': action.label ?? action.displayText ?? action.text ?? action.uri ?? `${t('menu')} ${at + 1}`,
        onclick: () => tap(action),
      }),
    ),
  );
}

function drawStickers() {
  return h(
    'div',
    { class: 'stickers' },
    stickers.map(({ look, ...sticker }) =>
      h(
        'button',
        {
          type: 'button',
          'aria-label': sticker.keywords[0],
          onclick: () => {
            view.tray = '';
            drawPhone();
            void act({ do: 'sticker', ...sticker });
          },
        },
        face(look, '40'),
      ),
    ),
  );
}

function drawComposer() {
  const tool = (label, name, onclick) =>
    h('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, onclick }, icon(name));
  const text = h('textarea', {
    id: 'text',
    rows: '1',
    placeholder: t('write'),
    'aria-label': t('write'),
    oninput: () => (view.draft = text.value),
    // Enter that ends a conversion to kanji sends nothing.
    onkeydown: (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) say(event);
    },
  });
  text.value = view.draft;
  const say = (event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (!said) return;
    const mentionsBot = Boolean(document.querySelector('#mention')?.checked);
    view.draft = text.value = '';
    void act({ do: 'say', text: said, mentionsBot });
  };
  const toggleStickers = () => {
    view.tray = view.tray === 'stickers' ? '' : 'stickers';
    drawPhone();
  };
  return h(
    'form',
    { class: 'composer', onsubmit: say },
    view.group && h('label', { class: 'mention-box' }, h('input', { type: 'checkbox', id: 'mention' }), t('mention')),
    h(
      'div',
      { class: 'tools' },
      tool(t('sticker'), 'sticker', toggleStickers),
      tool(t('picture'), 'picture', () => pick('image/*,video/mp4', true)),
      view.recorder ? tool(t('stop'), 'stop', () => view.recorder.stop()) : tool(t('voice'), 'voice', record),
      tool(t('place'), 'place', sendPlace),
      tool(t('file'), 'file', () => pick('')),
    ),
    h(
      'div',
      { class: 'line' },
      text,
      h('button', { type: 'submit', class: 'send', 'aria-label': t('send') }, icon('send')),
    ),
  );
}

/** What a postback puts into the text, for the person to finish. */
function fill(text) {
  view.draft = text;
  const area = document.querySelector('#text');
  area.value = text;
  area.focus();
}

function pick(accept, isMany = false) {
  const input = h('input', { type: 'file', accept: accept || undefined, multiple: isMany });
  input.addEventListener('change', async () => {
    for (const file of input.files)
      await act(undefined, { bytes: file, query: { type: file.type || 'application/octet-stream', name: file.name } });
  });
  input.click();
}

/** Records until it is stopped; where there is no microphone, a file stands in. */
async function record() {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return pick('audio/*');
  }
  const pieces = [];
  const started = Date.now();
  const type = ['audio/mp4', 'audio/webm'].find((each) => MediaRecorder.isTypeSupported(each));
  view.recorder = new MediaRecorder(stream, { mimeType: type });
  view.recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  view.recorder.addEventListener('stop', async () => {
    for (const track of stream.getTracks()) track.stop();
    view.recorder = undefined;
    await act(undefined, { bytes: new Blob(pieces), query: { type, name: 'voice', ms: String(Date.now() - started) } });
  });
  view.recorder.start();
  return drawPhone();
}

async function sendPlace() {
  const given = await ask(t('place'), {
    title: { label: t('placeName'), value: currentLanguage() === 'ja' ? '東京駅' : 'Tokyo Station' },
    address: {
      label: t('address'),
      value: currentLanguage() === 'ja' ? '東京都千代田区丸の内1丁目' : '1-9-1 Marunouchi, Chiyoda-ku, Tokyo',
    },
    latitude: { label: t('latitude'), value: '35.681236' },
    longitude: { label: t('longitude'), value: '139.767125' },
  });
  if (given)
    await act({ do: 'location', ...given, latitude: Number(given.latitude), longitude: Number(given.longitude) });
}

/** What a phone does by itself when something is tapped, and what the bot hears of. */
async function tap(action) {
  switch (action.type) {
    case 'uri':
      if (/^https?:/.test(action.uri)) window.open(action.uri, '_blank', 'noopener,noreferrer');
      return toast(`${t('linked')}: ${action.uri}`);
    case 'clipboard':
      await navigator.clipboard.writeText(action.clipboardText);
      return toast(t('copied'));
    case 'camera':
    case 'cameraRoll':
      return pick('image/*', action.type === 'cameraRoll');
    case 'location':
      return sendPlace();
    case 'datetimepicker': {
      const type = { date: 'date', time: 'time', datetime: 'datetime-local' }[action.mode];
      const given = await ask(action.label ?? t('choose'), {
        [action.mode]: { label: t('choose'), type, value: action.initial, min: action.min, max: action.max },
      });
      return given && act({ do: 'tap', action, params: given });
    }
    default:
      if (action.inputOption === 'closeRichMenu') view.isMenuOpen = false;
      if (action.inputOption === 'openRichMenu') view.isMenuOpen = true;
      if (action.inputOption === 'openKeyboard') view.isMenuOpen = false;
      // The menu that comes next stays open when a tab is tapped.
      if (action.type === 'richmenuswitch') view.isMenuOpen = true;
      await act({ do: 'tap', action });
      if (action.inputOption === 'openKeyboard') fill(action.fillInText ?? '');
      return undefined;
  }
}

/** Asks for some values; nothing when it was cancelled. */
function ask(title, fields) {
  return new Promise((resolve) => {
    const dialog = h(
      'dialog',
      { onclose: () => dialog.remove() },
      h(
        'form',
        {
          method: 'dialog',
          onsubmit: (event) =>
            resolve(event.submitter?.value === 'ok' ? Object.fromEntries(new FormData(event.target)) : undefined),
        },
        h('h2', {}, title),
        Object.entries(fields).map(([name, { label, type = 'text', ...rest }]) =>
          h('label', {}, label, h('input', { name, type, ...rest })),
        ),
        h(
          'div',
          { class: 'pair' },
          h('button', { type: 'submit', value: 'ok' }, t('ok')),
          h('button', { type: 'submit', value: 'cancel', formnovalidate: true }, t('cancel')),
        ),
      ),
    );
    dialog.addEventListener('cancel', () => resolve(undefined));
    document.body.append(dialog);
    dialog.showModal();
  });
}

const changes = new EventSource('/phone/changes');
changes.addEventListener('message', refresh);
changes.addEventListener('open', refresh);
