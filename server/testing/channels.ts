import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import { bots } from '../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { visitors, VisitorEvent, type VisitorMessage, type VisitorPage } from '../../shared/contracts/visitors.ts';
import { webChannels, type WebChannel } from '../../shared/contracts/web-channels.ts';
import type { ReplyOf } from '../../shared/route.ts';
import { eventually, type Person, type TestApp } from './app.ts';

/** A published bot that knows one text. */
export async function aPublishedBot(
  person: Person,
  text = 'The shop opens at nine and closes at six.',
): Promise<string> {
  const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const [document] = (
    await person.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'Shop.md', text: `# Opening hours\n\n${text}` },
    })
  ).body.data;
  await eventually('it is read', async () => {
    const params = { knowledge: base, document: document?.uuid ?? '' };
    return (await person.call(documents.get, { params })).body.data.status === 'indexed';
  });
  const { uuid } = (await person.call(bots.create, { body: { name: 'Shop', knowledges: [base] } })).body.data;
  await person.call(bots.publish, { params: { uuid }, body: { note: '' } });
  return uuid;
}

export async function aChannel(
  person: Person,
  bot: string | null,
  settings: Partial<WebChannel['settings']> = {},
): Promise<WebChannel> {
  const { data } = (
    await person.call(webChannels.create, { body: { name: 'shop.example', bot, domains: ['shop.example'] } })
  ).body;
  return Object.keys(settings).length === 0
    ? data
    : (await person.call(webChannels.update, { params: { uuid: data.uuid }, body: settings })).body.data;
}

type Begun = ReplyOf<typeof visitors.begin>['data'];

/** Somebody with a widget open. */
export interface TestVisitor extends Begun {
  headers: { authorization: string };
  call: Person['call'];
  fetch: Person['fetch'];
  /** Writes, and gives everything that is told until it is over. */
  write(text: string, more?: { key?: string; files?: string[] }): Promise<VisitorEvent[]>;
  say(text: string): Promise<VisitorMessage>;
  page(): Promise<VisitorPage>;
}

export async function aVisitor(
  { anyone }: TestApp,
  channel: string,
  more: { token?: string; locale?: 'en' | 'ja' } = {},
): Promise<TestVisitor> {
  const reply = await anyone.call(visitors.begin, { body: { channel, ...more } });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.error));
  const begun = reply.body.data;
  const headers = { authorization: `Bearer ${begun.token}` };
  const fetching: Person['fetch'] = (path, init = {}) =>
    anyone.fetch(path, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } });
  const write: TestVisitor['write'] = async (text, { key = randomUUID(), files } = {}) => {
    const response = await fetching('/api/visitor/message', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(more.locale && { 'accept-language': more.locale }) },
      body: JSON.stringify({ key, text, ...(files && { files }) }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return eventsOf(await response.text());
  };
  return {
    ...begun,
    headers,
    fetch: fetching,
    call: (route, sent = {}) => anyone.call(route, { ...sent, headers: { ...headers, ...sent.headers } }),
    write,
    async say(text) {
      const last = (await write(text)).at(-1);
      if (last?.type !== 'done' && last?.type !== 'message') throw new Error(JSON.stringify(last));
      return last.message;
    },
    page: async () => (await anyone.call(visitors.messages, { headers })).body.data,
  };
}

const eventsOf = (text: string): VisitorEvent[] =>
  text
    .split('\n\n')
    .flatMap((part) => (part.startsWith('data: ') ? [VisitorEvent.parse(JSON.parse(part.slice(6)))] : []));

/** A live connection, as a page has one. */
export async function connect(url: string, token: string): Promise<Socket> {
  const socket = io(url, { path: '/socket.io', transports: ['websocket'], auth: { token }, reconnection: false });
  await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));
  return socket;
}
