import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inbox } from '../../shared/contracts/inbox.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { lineCampaigns } from '../../shared/contracts/line-campaigns.ts';
import { lineChannels } from '../../shared/contracts/line-channels.ts';
import { unanswered } from '../../shared/contracts/unanswered.ts';
import { visitors } from '../../shared/contracts/visitors.ts';
import { formFields, usualEmbed } from '../../shared/contracts/web-channels.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';
import { everyRoute, features } from '../features.ts';
import { eventually, type Person, type TestApp } from '../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../testing/line-channel.ts';
import type { FakeLine } from '../testing/line/fake-line.ts';
import { sessionIdentity } from './accounts/identity.ts';

/** What a visitor or a friend gave, by what it is. */
const words = new Map<string, string>();
const word = (what: string) => {
  const value = `canary${randomBytes(8).toString('hex')}`;
  words.set(what, value);
  return value;
};

let app: TestApp;
let line: FakeLine;
let owner: Person;
/** Ids of what is in the workspace, by the word before them in a path. */
let things: Record<string, string>;
let asked: { who: string; headers: Record<string, string>; mayConverse: boolean }[];

beforeAll(async () => {
  ({ app, line } = await startWithLine());
  const { context } = app.server;
  owner = await app.aPerson();
  const viewer = await app.aPerson();
  const workspace = owner.user.workspaces[0]?.uuid ?? '';
  const { url } = (await owner.call(workspaces.invite, { body: { role: 'viewer', days: 7 } })).body.data;
  await viewer.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
  const keyOf = async (scope: 'chat' | 'read' | 'converse' | 'edit') => ({
    'x-api-key': (await owner.call(keys.create, { body: { name: scope, scopes: [scope] } })).body.data.key,
  });
  asked = [
    {
      who: 'a viewer',
      headers: { authorization: `Bearer ${viewer.jwt}`, 'x-workspace': workspace },
      mayConverse: false,
    },
    { who: 'a key that reads', headers: await keyOf('read'), mayConverse: false },
    { who: 'a key that edits', headers: await keyOf('edit'), mayConverse: false },
    { who: 'a key that chats', headers: await keyOf('chat'), mayConverse: false },
    { who: 'the owner', headers: { authorization: `Bearer ${owner.jwt}` }, mayConverse: true },
  ];
  things = {};
  const route = { access: 'user', scope: null } as const;
  const caller = await sessionIdentity.find(context, owner.jwt, { route, workspace, address: '127.0.0.1' });
  if (!caller) throw new Error('nobody is signed in');
  for (const feature of features) Object.assign(things, await feature.examples?.(context, caller, things));
  const bot = await aPublishedBot(owner);
  await comeByTheWebsite(bot);
  await comeByLine(bot);
}, 120_000);
afterAll(async () => {
  await app.stop();
  await line.close();
});

async function comeByTheWebsite(bot: string): Promise<void> {
  const { uuid } = await aChannel(owner, bot, {
    shown: { ...usualEmbed.shown, upload: true },
    form: {
      enabled: true,
      fields: formFields.map((field) => ({ field, required: false })),
      consent: false,
    },
  });
  const visitor = await aVisitor(app, uuid);
  await visitor.call(visitors.form, {
    body: {
      name: word('a name'),
      email: `${word('an address')}@example.com`,
      phone: '+81 90 1234 5678',
      consent: true,
    },
  });
  const form = new FormData();
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();
  form.append('file', new Blob([new Uint8Array(png)]), `${word('the name of a file')}.png`);
  const attached = await visitor.fetch('/api/visitor/file', { method: 'POST', body: form });
  const kept = visitors.attach.reply.parse(await attached.json());
  const question = word('a question');
  for (const files of [[], kept.data.map(({ uuid: file }) => file)])
    await visitor.write(`Do you sell ${question} wrapping paper?`, { files });
  const { messages } = await visitor.page();
  const answer = messages.findLast(({ role }) => role === 'assistant');
  await visitor.call(visitors.rate, {
    params: { message: answer?.uuid ?? '' },
    body: { rating: 'down', text: word('a comment') },
  });
  const noted = await eventually('it is noted', async () =>
    (await owner.call(unanswered.list, { query: { bot } })).body.data.find((each) => each.question.includes(question)),
  );
  const { data } = (await owner.call(inbox.threads, { query: { q: question } })).body;
  const guest = data[0]?.guest.uuid ?? '';
  const { db } = app.server.context;
  await owner.call(inbox.updateGuest, {
    params: { uuid: guest },
    body: {
      note: word('a note'),
      tags: [word('a tag')],
      fields: [{ name: word('a name of a field'), value: word('a field') }],
    },
  });
  // What their page and their site say of them.
  await db
    .updateTable('guest')
    .set({ page: `https://shop.example/${word('a page')}`, phone: word('a phone number') })
    .where('uuid', '=', guest)
    .execute();
  things['unanswered'] = noted.uuid;
  things['guest'] = guest;
  things['thread'] = data[0]?.uuid ?? '';
}

async function comeByLine(bot: string): Promise<void> {
  const channel = await connectLine(owner, line, bot);
  const name = word('a name on LINE');
  const friend = line.user({ name, language: 'en' });
  await friend.follow();
  await friend.say(`Is there ${word('a message on LINE')} soup?`);
  const { thread } = await eventually('they are heard', () => conversationOf(owner, name));
  words.set('an id on LINE', friend.id);
  things['line-channel'] = channel.uuid;
  const [event] = (await owner.call(lineChannels.events, { query: { channel: channel.uuid } })).body.data;
  const [request] = (await owner.call(lineChannels.requests, { query: { channel: channel.uuid } })).body.data;
  things['webhook-event'] = event?.uuid ?? '';
  things['webhook'] = request?.uuid ?? '';
  const scenario = (
    await owner.call(lineCampaigns.createScenario, { body: { channel: channel.uuid, name: 'Welcome' } })
  ).body.data.uuid;
  things['step-scenario'] = scenario;
  await owner.call(lineCampaigns.changeScenario, {
    params: { uuid: scenario },
    body: {
      active: true,
      steps: [
        {
          time: { kind: 'days', days: 1, at: '09:00' },
          content: [{ type: 'text', text: 'Welcome' }],
          taps: false,
          tapTag: null,
        },
      ],
    },
  });
  await owner.call(lineCampaigns.enrol, { params: { uuid: scenario }, body: { guest: thread.guest.uuid } });
}

const nowhere = '00000000-0000-7000-8000-000000000000';
const pathOf = (route: Route) => {
  const parts = route.path.split('/');
  return parts.map((part, at) => (part.startsWith(':') ? (things[parts[at - 1] ?? ''] ?? nowhere) : part)).join('/');
};
const gets = everyRoute.filter(({ method }) => method === 'GET');
/** Values that a query needs, or that show more. */
const queryOf = (route: Route): string => {
  const asks = new URLSearchParams();
  if ('channel' in route.query.shape && !route.query.safeParse({}).success)
    asks.set('channel', things['line-channel'] ?? '');
  return asks.size > 0 ? `?${asks}` : '';
};

async function findWords(headers: Record<string, string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const route of gets) {
    if (route.kind === 'stream') continue;
    const response = await app.anyone.fetch(`${pathOf(route)}${queryOf(route)}`, { headers, redirect: 'manual' });
    const text = await response.text();
    const all = [...response.headers].flat().join(' ') + text;
    const said = [...words].flatMap(([what, value]) => (all.includes(value) ? [what] : []));
    if (said.length > 0) found.set(`${route.method} ${route.path}`, said);
  }
  return found;
}

describe('what visitors wrote and who they are', () => {
  test('is read by whoever may read the inbox', async () => {
    const found = await findWords(asked.find(({ mayConverse }) => mayConverse)?.headers ?? {});
    expect([...new Set([...found.values()].flat())].toSorted()).toEqual([...words.keys()].toSorted());
  }, 60_000);

  test.each(['a viewer', 'a key that reads', 'a key that edits', 'a key that chats'])(
    'is told nowhere to %s',
    async (who) => {
      const found = await findWords(asked.find((each) => each.who === who)?.headers ?? {});
      expect([...found]).toEqual([]);
    },
    60_000,
  );
});
