import type {
  Delivered,
  EventOptions,
  LineAction,
  LineEvent,
  LineGroup,
  LineMessage,
  LineUser,
  MediaOptions,
  PostOptions,
  TextOptions,
} from './fake-line.ts';
import { switchMenu } from './menus.ts';
import { deliver } from './webhook.ts';
import {
  chatOf,
  mustBeEvents,
  newHex,
  newMessageId,
  newToken,
  newUlid,
  type Place,
  type Someone,
  type World,
} from './world.ts';

/* People with phones: what they do becomes events in exactly the official form. */

type Fields = Partial<LineEvent> & { type: string };

/** Sends events, one by one or, while somebody collects them, together. */
export class Post {
  #world: World;
  #collected: { events: LineEvent[]; sent: PromiseWithResolvers<Delivered> } | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  async together(write: () => void, options: PostOptions): Promise<Delivered> {
    const collected = { events: [], sent: Promise.withResolvers<Delivered>() };
    this.#collected = collected;
    try {
      write();
    } finally {
      this.#collected = undefined;
    }
    const delivered = await deliver(this.#world, collected.events, options);
    collected.sent.resolve(delivered);
    return delivered;
  }

  /** An event of somebody, in a group or alone with the bot. */
  async event(fields: Fields, person: Someone | undefined, options: EventOptions): Promise<Delivered> {
    const { replyToken: wanted = newHex(), ...rest } = fields;
    const mode = options.mode ?? 'active';
    const hasToken = !tokenless.includes(fields.type) && mode === 'active' && wanted !== '';
    const event: LineEvent = {
      ...rest,
      timestamp: options.timestamp ?? this.#world.now(),
      mode,
      webhookEventId: options.webhookEventId ?? newUlid(this.#world.now()),
      deliveryContext: { isRedelivery: options.isRedelivery ?? false },
      ...(hasToken && { replyToken: wanted }),
      ...sourceOf(person, options),
    };
    mustBeEvents({ destination: this.#world.bot.userId, events: [event] });
    this.#world.changed();
    if (!this.#collected) return deliver(this.#world, [event], options);
    this.#collected.events.push(event);
    return this.#collected.sent.promise;
  }
}

/** https://developers.line.biz/en/reference/messaging-api/#common-properties: events that nobody can reply to. */
const tokenless = ['unsend', 'unfollow', 'leave', 'memberLeft'];

function sourceOf(person: Someone | undefined, { in: group, isNameless }: EventOptions): Pick<LineEvent, 'source'> {
  const who = person && !isNameless ? { userId: person.id } : {};
  if (group?.kind === 'group') return { source: { type: 'group', groupId: group.id, ...who } };
  if (group?.kind === 'room') return { source: { type: 'room', roomId: group.id, ...who } };
  return person ? { source: { type: 'user', ...who } } : {};
}

export function userOf(world: World, post: Post, person: Someone): LineUser {
  /** A message is on the phone before the bot's server hears of it. */
  const write = (
    content: LineMessage & Record<string, unknown>,
    options: EventOptions,
    keep: { isQuotable?: boolean } = {},
  ): Promise<Delivered> => {
    const chat = options.in?.id ?? person.id;
    if (!options.in && person.hasBlocked) throw new Error(`${person.name} has blocked the bot.`);
    if (options.in && !world.places.get(options.in.id)?.members.has(person.id))
      throw new Error(`${person.name} is not in this group.`);
    const id = newMessageId();
    const quoteToken = newToken();
    const markAsReadToken = newToken();
    if (keep.isQuotable) world.quoteTokens.set(quoteToken, chat);
    world.readTokens.set(markAsReadToken, { chat, messageId: id });
    if (!options.in) person.wroteAt = world.now();
    chatOf(world, chat).push({ id, at: world.now(), from: person.id, message: content, isRead: false });
    const message = { id, ...content, markAsReadToken, ...(keep.isQuotable && { quoteToken }) };
    return post.event({ type: 'message', message }, person, options);
  };

  const media = (
    kind: 'image' | 'video' | 'audio',
    bytes: Buffer,
    options: MediaOptions & { preview?: Buffer },
    more: Record<string, unknown> = {},
  ): Promise<Delivered> => {
    const { external, durationMs, content = 'ready', type = typeOf(kind, bytes) } = options;
    const provider = external ? { type: 'external', ...external } : { type: 'line' };
    const sent = write(
      {
        type: kind,
        contentProvider: provider,
        ...(durationMs !== undefined && { duration: durationMs }),
        ...more,
      },
      options,
      { isQuotable: kind !== 'audio' },
    );
    if (!external) {
      const isMedia = kind !== 'image';
      const preview = options.preview ? { preview: options.preview } : {};
      world.contents.set(lastIdOf(options), { bytes, type, isMedia, state: content, ...preview });
    }
    return sent;
  };
  const lastIdOf = (options: EventOptions) => chatOf(world, options.in?.id ?? person.id).at(-1)?.id ?? '';

  const user: LineUser = {
    id: person.id,
    name: person.name,
    say: (text, options = {}) => write({ type: 'text', text, ...textExtras(options) }, options, { isQuotable: true }),
    sticker: (options = {}) =>
      write(
        {
          type: 'sticker',
          packageId: options.packageId ?? '446',
          stickerId: options.stickerId ?? '1988',
          stickerResourceType: options.resourceType ?? 'STATIC',
          keywords: options.keywords ?? ['hello', 'hi'],
          ...(options.text !== undefined && { text: options.text }),
          ...(options.quotes !== undefined && { quotedMessageId: options.quotes }),
        },
        options,
        { isQuotable: true },
      ),
    image: (bytes, options = {}) => media('image', bytes, options),
    async images(pictures, options = {}) {
      const set = { id: newHex().toUpperCase(), total: pictures.length };
      const order = options.order ?? pictures.map((_, at) => at + 1);
      const sent = order.map((index) => {
        const bytes = pictures[index - 1];
        if (!bytes) throw new Error(`There is no picture ${index}.`);
        return () => media('image', bytes, options, { imageSet: { ...set, index } });
      });
      // One after another, so that the order is what the test says.
      const delivered: Promise<Delivered>[] = [];
      for (const send of sent) delivered.push(send());
      return Promise.all(delivered);
    },
    video: (bytes, options = {}) => media('video', bytes, { durationMs: 5_000, ...options }),
    voice: (bytes, options = {}) => media('audio', bytes, { durationMs: 3_000, ...options }),
    file(name, bytes, options = {}) {
      const sent = write({ type: 'file', fileName: name, fileSize: bytes.length }, options);
      const { content = 'ready', type = 'application/octet-stream' } = options;
      world.contents.set(lastIdOf(options), { bytes, type, isMedia: false, state: content });
      return sent;
    },
    location: (place, options = {}) => write({ type: 'location', ...place }, options),
    async edit(messageId, text, options = {}) {
      if (!options.in) throw new Error('LINE has edit events in groups only.');
      const entry = chatOf(world, options.in.id).find(({ id }) => id === messageId);
      if (entry) Object.assign(entry, { message: { ...entry.message, text }, isEdited: true });
      const quoteToken = newToken();
      world.quoteTokens.set(quoteToken, options.in.id);
      const message = { id: messageId, type: 'text', text, quoteToken, ...textExtras(options) };
      return post.event({ type: 'messageEdited', message }, person, options);
    },
    async unsend(messageId, options = {}) {
      const chat = chatOf(world, options.in?.id ?? person.id);
      const place = chat.findIndex(({ id }) => id === messageId);
      if (place >= 0) chat.splice(place, 1);
      const content = world.contents.get(messageId);
      if (content) content.state = 'gone';
      return post.event({ type: 'unsend', unsend: { messageId } }, person, options);
    },
    async follow({ isUnblocked = person.hasBlocked, ...options } = {}) {
      Object.assign(person, { isFriend: true, hasBlocked: false });
      return post.event({ type: 'follow', follow: { isUnblocked } }, person, options);
    },
    async block(options = {}) {
      person.hasBlocked = true;
      return post.event({ type: 'unfollow' }, person, options);
    },
    blockSilently() {
      person.hasBlocked = true;
    },
    async postback(data, { displayText, params, ...options } = {}) {
      if (displayText)
        chatOf(world, options.in?.id ?? person.id).push({
          id: newMessageId(),
          at: world.now(),
          from: person.id,
          message: { type: 'text', text: displayText },
        });
      return post.event({ type: 'postback', postback: { data, ...(params && { params }) } }, person, options);
    },
    async tap(what, { params, ...options } = {}) {
      const action = typeof what === 'object' ? what : findAction(world, options.in?.id ?? person.id, person.id, what);
      const data = action.data ?? '';
      switch (action.type) {
        case 'message':
          return user.say(action.text ?? '', options);
        case 'postback': {
          const displayText = action['displayText'] ?? action.text;
          const shown = typeof displayText === 'string' ? { displayText } : {};
          return user.postback(data, { ...options, ...shown });
        }
        case 'datetimepicker': {
          const mode = String(action['mode']);
          const chosen = params ?? { [mode]: String(action['initial'] ?? pickedNow(world.now(), mode)) };
          return user.postback(data, { ...options, params: chosen });
        }
        case 'richmenuswitch':
          return user.postback(data, {
            ...options,
            params: switchMenu(world, person.id, String(action['richMenuAliasId'])),
          });
        default:
          return undefined;
      }
    },
    async linkAccount(nonce, { result = 'ok', ...options } = {}) {
      if (result === 'ok') return post.event({ type: 'accountLink', link: { result, nonce } }, person, options);
      // A failed one says neither who it was nor can it be answered.
      return post.event({ type: 'accountLink', link: { result, nonce }, replyToken: '' }, undefined, options);
    },
    watch: (trackingId, options = {}) =>
      post.event({ type: 'videoPlayComplete', videoPlayComplete: { trackingId } }, person, options),
  };
  return user;
}

export function groupOf(post: Post, place: Place, members: LineUser[]): LineGroup {
  const group: LineGroup = {
    id: place.id,
    kind: place.kind,
    members,
    async join(options = {}) {
      place.hasBot = true;
      return post.event({ type: 'join' }, undefined, { ...options, in: group });
    },
    async leave(options = {}) {
      place.hasBot = false;
      return post.event({ type: 'leave' }, undefined, { ...options, in: group });
    },
    async add(user, options = {}) {
      place.members.add(user.id);
      members.push(user);
      const joined = { members: [{ type: 'user', userId: user.id }] };
      return post.event({ type: 'memberJoined', joined }, undefined, { ...options, in: group });
    },
    async remove(user, options = {}) {
      place.members.delete(user.id);
      members.splice(members.indexOf(user), 1);
      const left = { members: [{ type: 'user', userId: user.id }] };
      return post.event({ type: 'memberLeft', left }, undefined, { ...options, in: group });
    },
  };
  return group;
}

function textExtras({ mentions, emojis, quotes }: TextOptions): Record<string, unknown> {
  return {
    ...(emojis && { emojis }),
    ...(quotes !== undefined && { quotedMessageId: quotes }),
    ...(mentions && {
      mention: {
        mentionees: mentions.map(({ isAll, index, length, userId, isSelf }) =>
          isAll
            ? { index, length, type: 'all' }
            : { index, length, type: 'user', ...(userId && { userId }), ...(isSelf !== undefined && { isSelf }) },
        ),
      },
    }),
  };
}

function typeOf(kind: 'image' | 'video' | 'audio', bytes: Buffer): string {
  if (kind === 'image') return bytes.subarray(1, 4).toString('latin1') === 'PNG' ? 'image/png' : 'image/jpeg';
  return kind === 'video' ? 'video/mp4' : 'audio/x-m4a';
}

/** The clock of the phone, as its picker shows it first. */
function pickedNow(now: number, mode: string): string {
  const text = new Date(now).toISOString();
  if (mode === 'date') return text.slice(0, 10);
  return mode === 'time' ? text.slice(11, 16) : text.slice(0, 16);
}

/** Actions that can be tapped, what is nearest to the thumb first. */
function findAction(world: World, chat: string, userId: string, wanted: string | number): LineAction {
  const menu = menuOfUser(world, userId);
  const areas = menu?.areas.map(({ action }) => action) ?? [];
  const found =
    typeof wanted === 'number'
      ? areas[wanted]
      : [
          ...quickRepliesOf(world, chat),
          ...chatOf(world, chat)
            .toReversed()
            .flatMap(({ shown }) => (shown ? actionsIn(shown.message) : [])),
          ...areas,
        ].find(({ label }) => label === wanted);
  if (!found) throw new Error(`Nothing on the phone says "${wanted}".`);
  return found;
}

export function quickRepliesOf(world: World, chat: string): LineAction[] {
  const last = chatOf(world, chat).at(-1);
  return last?.shown ? actionsIn(last.shown.message['quickReply']) : [];
}

export function menuOfUser({ menus, links, defaultMenu }: World, userId: string) {
  return menus.get(links.get(userId) ?? '') ?? menus.get(defaultMenu ?? '');
}

function actionsIn(value: unknown): LineAction[] {
  if (Array.isArray(value)) return value.flatMap(actionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    if (name === 'action' || name === 'defaultAction') return isAction(each) ? [each] : [];
    if (name === 'actions' && Array.isArray(each)) return each.filter(isAction);
    return actionsIn(each);
  });
}

const isAction = (value: unknown): value is LineAction =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
