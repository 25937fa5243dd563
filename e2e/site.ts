import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accounts } from '../shared/contracts/accounts.ts';
import { bots } from '../shared/contracts/bots.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { webChannels } from '../shared/contracts/web-channels.ts';
import type { BodyIn } from '../shared/route.ts';
import { callApi } from './api.ts';

export interface Shop {
  jwt: string;
  bot: string;
  channel: string;
}

const opening = `# Opening hours

The terrace is open on Sundays from 9:00 to 16:00. Dogs on a lead are welcome on the terrace and at the two tables by the door.

# Gift cards

Gift cards are sold at the counter and are valid for two years.
`;
const openingJa = `# 営業時間

テラスは日曜日の9時から16時まで営業しています。リード付きの犬は、テラス席と入口近くの2卓にお連れいただけます。

# ギフトカード

ギフトカードは店頭で販売しており、2年間有効です。
`;

let people = 0;

/** A shop whose bot knows its hours, with a website on which the widget may be shown. */
export async function openShop(
  url: string,
  settings: BodyIn<typeof webChannels.update> = {},
  domains = ['127.0.0.1'],
): Promise<Shop> {
  const name = `shop${++people}`;
  const account = await callApi(url, accounts.register, {
    body: { username: name, email: `${name}@example.com`, password: 'correct horse battery', locale: 'en' },
  });
  if (!('jwt' in account)) throw new Error('the account has to be confirmed by mail');
  const { jwt } = account;
  return { jwt, ...(await furnishShop(url, jwt, { settings, domains })) };
}

const greetings = {
  en: {
    greeting: 'Welcome to Hinata Coffee. Ask about opening hours, tables, the menu or gift cards.',
    starters: ['When is the terrace open?', 'How long are gift cards valid?'],
    followUps: ['Can I bring my dog?'],
  },
  ja: {
    greeting: 'ひなた珈琲へようこそ。営業時間、お席、ギフトカードなど、何でもお尋ねください。',
    starters: ['テラスの営業時間は？', 'ギフトカードの有効期限は？'],
    followUps: ['犬を連れて行けますか？'],
  },
};

/** The shop's documents, its bot and its website. */
export async function furnishShop(
  url: string,
  jwt: string,
  {
    name = 'Hinata Coffee',
    locale = 'en',
    settings = {},
    domains = ['127.0.0.1'],
  }: { name?: string; locale?: 'en' | 'ja'; settings?: BodyIn<typeof webChannels.update>; domains?: string[] } = {},
): Promise<Omit<Shop, 'jwt'>> {
  const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'House rules' } })).data.uuid;
  for (const [title, text] of [
    ['House rules.md', opening],
    ['店舗案内.md', openingJa],
  ]) {
    const body = { source: 'text' as const, name: title ?? '', text: text ?? '' };
    const [document] = (await callApi(url, documents.add, { jwt, params: { knowledge: base }, body })).data;
    const at = { knowledge: base, document: document?.uuid ?? '' };
    while ((await callApi(url, documents.get, { jwt, params: at })).data.status !== 'indexed')
      await new Promise((done) => setTimeout(done, 50));
  }
  const body = { name, knowledges: [base], ...greetings[locale] };
  const bot = (await callApi(url, bots.create, { jwt, body })).data.uuid;
  await callApi(url, bots.publish, { jwt, params: { uuid: bot }, body: { note: '' } });
  const channel = (await callApi(url, webChannels.create, { jwt, body: { name: 'Shop', bot, domains } })).data.uuid;
  await callApi(url, webChannels.update, { jwt, params: { uuid: channel }, body: settings });
  return { bot, channel };
}

/** Pages of somebody else's site, by their paths. */
export interface Site {
  /** Its origin, by the host that is named. */
  at(host: string): string;
  close(): void;
}

export async function openSite(
  pages: Record<string, { html: string; headers?: Record<string, string> }>,
): Promise<Site> {
  const server: Server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://site').pathname];
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.html ?? '');
  });
  await new Promise<void>((done) => server.listen(0, done));
  // A border: a server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  return { at: (host) => `http://${host}:${port}`, close: () => void server.close() };
}
