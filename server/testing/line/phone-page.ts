import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Delivered, LineGroup, LineUser } from './fake-line.ts';
import { groupOf, menuOfUser, userOf, type Post } from './phone.ts';
import type { World } from './world.ts';

/* The page that plays a phone: what it shows is asked for here, and what is tapped on it comes here. */

const Action = z.looseObject({ type: z.string() });
const Deed = z.discriminatedUnion('do', [
  z.object({ do: z.literal('say'), text: z.string().min(1).max(10_000), mentionsBot: z.boolean().default(false) }),
  z.object({ do: z.literal('sticker'), packageId: z.string(), stickerId: z.string(), keywords: z.array(z.string()) }),
  z.object({
    do: z.literal('location'),
    title: z.string(),
    address: z.string(),
    latitude: z.number(),
    longitude: z.number(),
  }),
  z.object({ do: z.literal('tap'), action: Action, params: z.record(z.string(), z.string()).optional() }),
  z.object({ do: z.literal('unsend'), id: z.string() }),
  z.object({ do: z.literal('edit'), id: z.string(), text: z.string().min(1) }),
  z.object({ do: z.literal('follow') }),
  z.object({ do: z.literal('block') }),
  z.object({ do: z.literal('invite') }),
  z.object({ do: z.literal('remove') }),
  z.object({ do: z.literal('person'), name: z.string().min(1).max(40), language: z.string() }),
  z.object({ do: z.literal('group'), name: z.string().min(1).max(40) }),
]);
type Deed = z.infer<typeof Deed>;

const files: Record<string, { name: string; type: string }> = {
  '/': { name: 'phone.html', type: 'text/html; charset=utf-8' },
  '/phone/phone.css': { name: 'phone.css', type: 'text/css; charset=utf-8' },
  '/phone/phone.js': { name: 'phone.js', type: 'text/javascript; charset=utf-8' },
  '/phone/element.js': { name: 'element.js', type: 'text/javascript; charset=utf-8' },
  '/phone/draw.js': { name: 'draw.js', type: 'text/javascript; charset=utf-8' },
  '/phone/flex.js': { name: 'flex.js', type: 'text/javascript; charset=utf-8' },
  '/phone/texts.js': { name: 'texts.js', type: 'text/javascript; charset=utf-8' },
};
/** Nothing comes from anywhere else: media of the bot are fetched here. */
const headers = {
  'content-security-policy': "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
const pauseMs = 40;
const maxMediaBytes = 50 * 1024 * 1024;

interface Additions {
  user(options: { name: string; language: string; isFriend?: boolean }): LineUser;
  group(options: { name: string; members: LineUser[] }): LineGroup;
}

export function servePhone(world: World, post: Post, add: Additions) {
  const watchers = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;
  const changed = world.changed;
  world.changed = () => {
    changed();
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const watcher of watchers) watcher.write('data: changed\n\n');
    }, pauseMs);
  };

  const userNamed = (id: string): LineUser => {
    const person = world.people.get(id);
    if (!person) throw new Error('There is no such person.');
    return userOf(world, post, person);
  };
  const groupNamed = (id: string | null): LineGroup | undefined => {
    const place = world.places.get(id ?? '');
    return place && groupOf(post, place, [...place.members].map(userNamed));
  };

  async function act(deed: Deed, user: LineUser, group: LineGroup | undefined): Promise<Delivered | undefined> {
    const where = group ? { in: group } : {};
    switch (deed.do) {
      case 'say': {
        const name = `@${world.bot.displayName}`;
        if (!deed.mentionsBot) return user.say(deed.text, where);
        const text = `${name} ${deed.text}`;
        const mentions = [{ index: 0, length: name.length, isSelf: true, userId: world.bot.userId }];
        return user.say(text, { ...where, mentions });
      }
      case 'sticker':
        return user.sticker({ ...deed, ...where });
      case 'location': {
        const { do: _, ...place } = deed;
        return user.location(place, where);
      }
      case 'tap':
        return user.tap(deed.action, { ...where, ...(deed.params && { params: deed.params }) });
      case 'unsend':
        return user.unsend(deed.id, where);
      case 'edit':
        return user.edit(deed.id, deed.text, where);
      case 'follow':
        return user.follow();
      case 'block':
        return user.block();
      case 'invite':
        return group?.join();
      case 'remove':
        return group?.leave();
      case 'person':
        // Whoever is new adds the account first, as the bot's makers want to see.
        return add.user({ ...deed, isFriend: false }).follow();
      case 'group':
        add.group({ name: deed.name, members: [...world.people.keys()].map(userNamed) });
    }
    return undefined;
  }

  async function media(url: URL, bytes: Buffer, user: LineUser, group: LineGroup | undefined) {
    const type = url.searchParams.get('type') ?? 'application/octet-stream';
    const durationMs = Number(url.searchParams.get('ms') ?? 0);
    const options = { type, ...(durationMs > 0 && { durationMs }), ...(group && { in: group }) };
    if (type.startsWith('image/')) return user.image(bytes, options);
    if (type.startsWith('video/')) return user.video(bytes, options);
    if (type.startsWith('audio/')) return user.voice(bytes, options);
    return user.file(url.searchParams.get('name') ?? 'file', bytes, options);
  }

  function state() {
    return {
      now: world.now(),
      channel: { id: world.channel.id, secret: world.channel.secret },
      bot: world.bot,
      webhook: world.webhook,
      quota: world.quota,
      people: [...world.people.values()].map((person) => ({
        ...person,
        menu: told(menuOfUser(world, person.id)),
        loadingUntil: world.loading.get(person.id) ?? 0,
      })),
      groups: [...world.places.values()].map((place) => ({ ...place, members: [...place.members] })),
      chats: Object.fromEntries(
        [...world.chats].map(([id, entries]) => [
          id,
          entries.map(({ shown, ...entry }) => ({
            ...entry,
            via: shown?.via,
            content: world.contents.get(entry.id)?.type,
          })),
        ]),
      ),
    };
  }

  async function write(request: IncomingMessage, reply: ServerResponse, url: URL): Promise<void> {
    // A page of another origin must not write in somebody's name.
    if (request.headers['sec-fetch-site'] !== 'same-origin') return void reply.writeHead(403).end();
    if (Number(request.headers['content-length'] ?? 0) > maxMediaBytes) return void reply.writeHead(413).end();
    const bytes = await buffer(request);
    const user = userNamed(url.searchParams.get('as') ?? '');
    const group = groupNamed(url.searchParams.get('in'));
    const delivered =
      url.pathname === '/phone/media'
        ? await media(url, bytes, user, group)
        : await act(Deed.parse(JSON.parse(bytes.toString('utf8'))), user, group);
    const outcome = delivered
      ? { status: delivered.status, reason: delivered.reason, detail: delivered.detail, ms: Math.round(delivered.ms) }
      : {};
    world.changed();
    reply.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(outcome));
  }

  /** What a message names, fetched as LINE does, and nothing else. */
  async function fetchMedia(reply: ServerResponse, wanted: string): Promise<void> {
    const said = JSON.stringify([...world.chats.values()]);
    const isNamed = [wanted, wanted.replace(/\/1040$/, '')].some((each) => said.includes(JSON.stringify(each)));
    if (!isNamed) return void reply.writeHead(404, headers).end();
    const got = await fetch(wanted, { signal: AbortSignal.timeout(10_000) });
    const type = got.headers.get('content-type') ?? '';
    if (!got.ok || !isMedia(type)) return void reply.writeHead(502, headers).end();
    const bytes = Buffer.from(await got.arrayBuffer());
    reply.writeHead(200, { ...headers, 'content-type': type }).end(bytes);
  }

  function read(reply: ServerResponse, url: URL): void {
    const [, , kind = '', id = ''] = url.pathname.split('/');
    const file = files[url.pathname];
    if (file) {
      const bytes = readFileSync(join(import.meta.dirname, 'phone', file.name));
      return void reply.writeHead(200, { ...headers, 'content-type': file.type }).end(bytes);
    }
    if (kind === 'state')
      return void reply.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(state()));
    if (kind === 'changes') {
      reply.writeHead(200, { ...headers, 'content-type': 'text/event-stream' }).write(': hello\n\n');
      watchers.add(reply);
      reply.on('close', () => watchers.delete(reply));
      return;
    }
    if (kind === 'fetch')
      return void fetchMedia(reply, url.searchParams.get('url') ?? '').catch(() => reply.writeHead(502, headers).end());
    const found =
      kind === 'menu' ? world.menus.get(id)?.image : kind === 'content' ? world.contents.get(id) : undefined;
    if (!found) return void reply.writeHead(404, headers).end();
    // What a person sent is shown as what it is, or kept: never run as a page.
    const how = isMedia(found.type)
      ? { 'content-type': found.type }
      : { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
    reply.writeHead(200, { ...headers, ...how }).end(found.bytes);
  }

  return {
    serve(request: IncomingMessage, reply: ServerResponse, url: URL): void {
      if (request.method === 'GET') return read(reply, url);
      write(request, reply, url).catch((error: unknown) => {
        reply.writeHead(400, { ...headers, 'content-type': 'application/json' });
        reply.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
      });
    },
  };
}

const isMedia = (type: string): boolean => /^(image\/(png|jpeg|gif|webp)|video\/|audio\/)/.test(type);

function told(menu: ReturnType<typeof menuOfUser>) {
  if (!menu) return undefined;
  const { image: _, ...rest } = menu;
  return rest;
}
