import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '../../../shared/contracts/accounts.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineCampaigns } from '../../../shared/contracts/line-campaigns.ts';
import {
  lineChannels,
  lineProblems,
  usualLine,
  type LineChannel,
  type FoundAddress,
} from '../../../shared/contracts/line-channels.ts';
import { lineMenus, type RichMenu } from '../../../shared/contracts/line-menus.ts';
import { modelKeys, type Transcriber } from '../../../shared/contracts/services.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { resetSession, setUser } from '../../lib/session.ts';
import { aChannel as aWebsite } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { ChannelList } from './channel-list.tsx';
import { useLineChannel } from './line-channels.queries.ts';
import NextSteps from './next-steps.tsx';
import { Overview } from './overview.tsx';
import { filledBubbles } from '../rich-messages/bubbles.ts';
import { ContentField, ContentPreview } from '../rich-messages/content-field.tsx';
import { Settings } from './settings.tsx';

const content = { Field: ContentField, Preview: ContentPreview, filled: filledBubbles };
const at = '2026-11-23T01:00:00.000Z';
const url = 'https://kotae.example/webhook/line/key';

const user = (role: User['workspaces'][number]['role']): User => ({
  uuid: crypto.randomUUID(),
  username: 'hanako',
  displayName: null,
  email: 'hanako@example.com',
  emailVerified: true,
  pendingEmail: null,
  locale: 'en',
  timezone: 'Asia/Tokyo',
  avatar: null,
  providers: ['local'],
  twoFactor: false,
  suspendedAt: null,
  operator: false,
  workspaces: [{ uuid: crypto.randomUUID(), name: 'Shop', shop: 'Shop', avatar: null, role, personal: true }],
  createdAt: at,
  updatedAt: at,
});

function signIn(role: User['workspaces'][number]['role']) {
  document.cookie = 'jwt=token; path=/';
  setUser(user(role));
}
beforeEach(() => signIn('owner'));
afterEach(resetSession);

const aMenu = (changes: Partial<RichMenu>): RichMenu => ({
  uuid: '0198c0de-0000-7000-8000-00000000000e',
  channel: '0198c0de-0000-7000-8000-00000000000c',
  menu: { name: 'Everyday', chatBarText: 'Menu', selected: true, size: { width: 2500, height: 1686 }, areas: [] },
  problems: [],
  image: null,
  place: 0,
  default: true,
  tags: [],
  people: [],
  from: null,
  to: null,
  state: 'draft',
  reason: null,
  detail: '',
  published: null,
  alias: 'everyday',
  createdAt: at,
  updatedAt: at,
  ...changes,
});

const passed = { at, success: true, reason: 'OK', detail: '200', status: 200 };
const aChannel = (changes: Partial<LineChannel> = {}): LineChannel => ({
  uuid: '0198c0de-0000-7000-8000-00000000000c',
  name: 'Hinata Coffee',
  connection: '0198c0de-0000-7000-8000-00000000000d',
  bot: null,
  active: true,
  channelId: '2000012345',
  conversations: 0,
  conversationsPerDay: [0, 0, 0, 0, 0, 0, 0],
  unaided: 0,
  basicId: '@hinata',
  avatar: null,
  chatMode: 'bot',
  webhook: { url, registered: url, active: true, test: passed, checkedAt: at },
  quota: { limit: 200, used: 61, forecast: 80, at },
  settings: usualLine,
  problems: [],
  refused: 0,
  lastEventAt: at,
  createdAt: at,
  updatedAt: at,
  ...changes,
});

const problem = (name: LineChannel['problems'][number]) => ({ problems: [name] });

test.each([
  [{}, 'Working'],
  [{}, 'People only'],
  [{}, '@hinata'],
  [{}, '61 / 200'],
  [{ quota: null, lastEventAt: null }, 'Nothing received yet'],
  [{ active: false, ...problem('inactive') }, 'Off'],
  [problem('inactive'), '“Use webhook” is off'],
  [problem('elsewhere'), 'Events go elsewhere'],
  [
    { ...problem('elsewhere'), webhook: { url, registered: null, active: null, test: null, checkedAt: at } },
    'No address registered',
  ],
  [{ problems: ['quota', 'secret'] }, 'Secret not accepted'],
] satisfies [Partial<LineChannel>, string][])('of %o a row says “%s”', async (changes, said) => {
  const other = aChannel({ uuid: crypto.randomUUID(), name: 'Online shop' });
  serve(lineChannels.list, () => ({ data: [aChannel(changes), other], meta: { nextCursor: null } }));
  await showRouted(<ChannelList onConnect={vi.fn()} />);
  const row = (await screen.findByRole('link', { name: /^Hinata Coffee/ })).closest('tr')!;
  expect(within(row).getAllByText(said)).not.toEqual([]);
});

test('the only account tells what it does: who answers and waits, and how many friends it has', async () => {
  serve(lineChannels.list, () => ({
    data: [aChannel({ conversations: 4, unaided: 3, conversationsPerDay: [0, 0, 0, 0, 0, 1, 3] })],
    meta: { nextCursor: null },
  }));
  serve(lineCampaigns.reach, () => ({ data: { known: 7, reached: 120, day: null, takeOver: null } }));
  serve(inbox.threads, () => ({ data: [], meta: { nextCursor: null } }));
  serve(lineMenus.list, () => ({ data: [], meta: { nextCursor: null } }));
  serve(lineCampaigns.broadcasts, () => ({ data: [], meta: { nextCursor: null } }));
  await showRouted(<ChannelList onConnect={vi.fn()} />);
  const card = await screen.findByRole('article');
  await within(card).findByText('120');
  expect(within(card).getByRole('link').getAttribute('href')).toBe(`/Line-Channel/${aChannel().uuid}`);
  for (const said of ['Working', 'People only', 'None', '4', '75% by the bot alone', '61 / 200', 'Counted by LINE'])
    within(card).getByText(said);
  const broadcasts = await screen.findByRole('link', { name: /^Send a broadcast/ });
  expect(broadcasts.getAttribute('href')).toMatch(/tab=broadcasts$/);
});

test('what can be done next at the only account is told as far as it has come, and what is done stands last', async () => {
  const channel = aChannel({ settings: { ...usualLine, greeting: [{ type: 'text', text: 'Hello' }] } });
  const menu = aMenu({
    channel: channel.uuid,
    problems: [
      { code: 'line-menu-image', level: 'error' },
      { code: 'line-menu-narrow', level: 'warning' },
    ],
  });
  serve(lineMenus.list, () => ({ data: [menu], meta: { nextCursor: null } }));
  serve(lineCampaigns.broadcasts, () => ({ data: [], meta: { nextCursor: null } }));
  await showRouted(<NextSteps channel={channel} />);
  const links = await screen.findAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    `Finish “${menu.menu.name}”Rich menu: 1 thing left to do`,
    'Send a broadcastWrite to all friends, or to some of them.',
    'Edit the greetingNew friends get yours.',
  ]);
  expect(links[0]?.getAttribute('href')).toBe(`/Line-Channel/${channel.uuid}/Rich-Menu/${menu.uuid}`);
});

test('where there is none yet, owners connect one and learn of the simulator', async () => {
  serve(lineChannels.list, () => ({ data: [], meta: { nextCursor: null } }));
  const onConnect = vi.fn();
  const { user: person } = await showRouted(<ChannelList onConnect={onConnect} />);
  await person.click(await screen.findByRole('button', { name: 'Connect a channel' }));
  expect(onConnect).toHaveBeenCalledOnce();
  screen.getByText('npm run line:simulate');
});

test('who may not connect a channel is told who may', async () => {
  signIn('editor');
  serve(lineChannels.list, () => ({ data: [], meta: { nextCursor: null } }));
  await showRouted(<ChannelList onConnect={vi.fn()} />);
  await screen.findByText('An owner or an admin connects the LINE Official Account.');
  expect(screen.queryByRole('button', { name: 'Connect a channel' })).toBeNull();
});

test.each(lineProblems)('the problem “%s” is a sentence with what mends it', async (name) => {
  const failed = { ...passed, success: false, reason: 'REQUEST_TIMEOUT' };
  const channel = aChannel({
    ...problem(name),
    webhook: { url, registered: null, active: false, test: failed, checkedAt: at },
  });
  await showRouted(<Overview channel={channel} onSettings={vi.fn()} />);
  const health = screen.getByRole('heading', { name: 'Health' }).closest('section')!;
  const row = within(health).getByRole('listitem');
  expect(row.textContent).toMatch(/\. ?\S/);
  expect([...within(row).queryAllByRole('button'), ...within(row).queryAllByRole('link')]).toHaveLength(1);
  if (name === 'unreachable') expect(row.textContent).toContain('There was no answer within two seconds.');
});

test.each([
  [{ limit: 200, used: 200 }, 'Open the account manager'],
  [{ limit: 200, used: 180 }, 'Settings'],
  [{ limit: null, used: 180 }, 'Settings'],
])('where %o stops what costs, the way leads to whose limit it is', async (quota, label) => {
  const channel = aChannel({
    ...problem('quota'),
    quota: { ...quota, forecast: null, at },
    settings: { ...usualLine, stopAt: 180 },
  });
  await showRouted(<Overview channel={channel} onSettings={vi.fn()} />);
  const health = screen.getByRole('heading', { name: 'Health' }).closest('section')!;
  within(within(health).getByRole('listitem')).getByText(label);
});

test('an address without https is none for LINE, and the page leads to one that is', async () => {
  const plain = 'http://localhost:3210/webhook/line/key';
  const webhook = { url: plain, registered: null, active: null, test: null, checkedAt: null };
  const asked = serve(lineChannels.tryAddress, ({ body }) => {
    const { address } = lineChannels.tryAddress.body.parse(body);
    const fault: FoundAddress['fault'] = address.includes('//a.') ? 'other' : null;
    return { data: { address, fault, status: null } };
  });
  const { user } = await showRouted(<Overview channel={aChannel({ webhook })} onSettings={vi.fn()} />);
  const guide = within(screen.getByRole('region', { name: /LINE cannot reach/ }));
  guide.getByDisplayValue('cloudflared tunnel --url http://localhost:3210');
  await user.click(guide.getByRole('button', { name: 'ngrok' }));
  guide.getByDisplayValue('ngrok http 3210');
  const field = guide.getByRole('textbox', { name: /address/ });
  await user.type(field, 'https://a.trycloudflare.com{Enter}');
  await guide.findByText(/Something else answers/);
  await user.clear(field);
  await user.type(field, 'https://b.trycloudflare.com{Enter}');
  await guide.findByDisplayValue('BASE_URL=https://b.trycloudflare.com npm start');
  expect(asked.map(({ body }) => body)).toEqual([
    { address: 'https://a.trycloudflare.com' },
    { address: 'https://b.trycloudflare.com' },
  ]);
});

/** The settings on a server that keeps what it is sent. */
async function theSettings(
  websites = [aWebsite({ hasSecret: true })],
  more: Partial<LineChannel['settings']> = {},
  transcribers: Transcriber[] = [],
) {
  serve(webChannels.list, () => ({ data: websites, meta: { nextCursor: null } }));
  let channel = aChannel({ settings: { ...usualLine, greeting: [{ type: 'text', text: 'Hello' }], ...more } });
  serve(lineChannels.get, () => ({ data: channel }));
  serve(modelKeys.transcribers, () => ({ data: transcribers }));
  const sent = serve(lineChannels.update, ({ body }) => {
    const { seen, name = channel.name, secret: _, ...settings } = Object(body);
    if (seen !== undefined && seen !== channel.updatedAt)
      return refusal(409, { code: 'conflict', message: 'Somebody was faster.' });
    meanwhile(settings, name);
    return { data: channel };
  });
  const meanwhile = (settings: Partial<LineChannel['settings']>, name = channel.name) => {
    const updatedAt = new Date(Date.parse(channel.updatedAt) + 1000).toISOString();
    channel = { ...channel, name, settings: { ...channel.settings, ...settings }, updatedAt };
  };
  function Page() {
    const { data } = useLineChannel(channel.uuid);
    return data ? <Settings channel={data} content={content} /> : null;
  }
  const shown = await showRouted(<Page />);
  await screen.findByRole('textbox', { name: 'Bubble 1' });
  return { ...shown, sent, meanwhile };
}
const save = () => screen.getByRole('button', { name: 'Save' });

test('only what was changed is sent, without bubbles that are empty', async () => {
  const { user: person, sent } = await theSettings();
  await person.click(screen.getByRole('button', { name: 'Text' }));
  await person.click(screen.getByRole('button', { name: 'Text' }));
  await person.type(screen.getByRole('textbox', { name: 'Bubble 2' }), 'Dear ');
  await person.click(screen.getByRole('button', { name: 'Insert friend’s name into bubble 2' }));
  expect(screen.getByRole('complementary', { name: 'Preview' }).textContent).toContain('Dear Name');
  await person.click(screen.getByRole('button', { name: 'Never' }));
  await person.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    greeting: [
      { type: 'text', text: 'Hello' },
      { type: 'text', text: 'Dear {{name}}' },
    ],
    groups: 'none',
    seen: at,
  });
  await waitFor(() => expect(save()).toHaveProperty('disabled', true));
});

test('a new secret is sent once and never shown', async () => {
  const { user: person, sent } = await theSettings();
  const field = screen.getByLabelText<HTMLInputElement>('New channel secret');
  expect(field.value).toBe('');
  await person.type(field, '0123456789abcdef0123456789abcdef');
  await person.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ secret: '0123456789abcdef0123456789abcdef', seen: at });
  await waitFor(() => expect(field.value).toBe(''));
});

test('of two who change it at once the second is told, and saves again to keep theirs', async () => {
  const { user: person, sent, meanwhile } = await theSettings();
  await person.click(screen.getByRole('button', { name: 'Every message' }));
  meanwhile({ groups: 'none' });
  await person.click(save());
  await screen.findByText(/Somebody else has saved this channel/);
  await person.click(save());
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toEqual({ groups: 'all' });
});

const shop = { key: '0198c0de-0000-7000-8000-0000000000e1', name: 'OpenAI', models: ['gpt-transcribe', 'whisper-1'] };
const lab = { key: '0198c0de-0000-7000-8000-0000000000e2', name: 'Lab', models: [] };

test('what transcribes voice messages is a key and its best model, or another by its name', async () => {
  const { user: person, sent } = await theSettings(undefined, {}, [shop, lab]);
  const section = within(screen.getByRole('heading', { name: 'Voice messages' }).closest('section')!);
  section.getByText(/asks people to write instead/);
  expect(section.queryByLabelText('Transcription model')).toBeNull();
  await person.click(section.getByRole('combobox', { name: 'Transcribe with' }));
  await person.click(await screen.findByRole('option', { name: 'OpenAI' }));
  section.getByText(/sent to this key’s provider/);
  expect(section.getByRole('combobox', { name: 'Transcription model' })).toHaveProperty('value', 'gpt-transcribe');
  await person.click(section.getByRole('combobox', { name: 'Transcription model' }));
  await person.click(await screen.findByRole('option', { name: 'whisper-1' }));
  await person.click(save());
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ transcription: { key: shop.key, model: 'whisper-1' } }));

  await person.click(section.getByRole('combobox', { name: 'Transcribe with' }));
  await person.click(await screen.findByRole('option', { name: 'Lab' }));
  await person.click(save());
  section.getByText('Fill this in.');
  expect(sent).toHaveLength(1);
  await person.type(section.getByRole('combobox', { name: 'Transcription model' }), 'large-v3');
  await person.click(save());
  await waitFor(() => expect(sent[1]?.body).toMatchObject({ transcription: { key: lab.key, model: 'large-v3' } }));

  await person.click(section.getByRole('combobox', { name: 'Transcribe with' }));
  await person.click(await screen.findByRole('option', { name: 'Don’t transcribe' }));
  await person.click(save());
  await waitFor(() => expect(sent[2]?.body).toMatchObject({ transcription: null }));
});

test('where no key can transcribe the way leads to keys, and one that was deleted is named so', async () => {
  const { unmount } = await theSettings();
  expect((await screen.findByRole('link', { name: 'Add a model key' })).getAttribute('href')).toContain(
    '/Token?tab=models',
  );
  expect(screen.queryByRole('combobox', { name: 'Transcribe with' })).toBeNull();
  unmount();
  await theSettings(undefined, { transcription: { key: shop.key, model: 'gpt-transcribe' } });
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Transcribe with' })).toHaveProperty('value', 'A key that was deleted'),
  );
});

test('editors see the settings and cannot change them', async () => {
  signIn('editor');
  await theSettings();
  screen.getByText('Owners and admins can change these.');
  expect(screen.getByRole('textbox', { name: 'Bubble 1' }).closest('fieldset')).toHaveProperty('disabled', true);
});

const linkSwitch = () => screen.queryByRole('switch', { name: /^Let friends link their account at your shop/ });
/** It waits for the list of websites. */
async function offerLink(person: { click(element: Element): Promise<void> }) {
  await waitFor(() => expect(linkSwitch()).toHaveProperty('disabled', false));
  await person.click(linkSwitch()!);
}

test('friends may link their account once a website and a sign-in page are named', async () => {
  const shop = aWebsite({ uuid: '0198c0de-0000-7000-8000-0000000000aa', name: 'Old shop' });
  const { user: person, sent } = await theSettings([shop, aWebsite({ hasSecret: true })]);
  await offerLink(person);
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Website' }).value).toBe('Online shop'),
  );
  await person.click(save());
  const page = screen.getByRole('textbox', { name: 'Sign-in page of your shop' });
  await waitFor(() => expect(document.activeElement).toBe(page));
  expect(page.getAttribute('aria-invalid')).toBe('true');
  expect(sent).toEqual([]);
  await person.type(page, 'https://shop.example/sign-in');
  const undo = screen.getByRole('textbox', { name: 'Phrase to unlink' });
  await person.clear(undo);
  await person.type(undo, 'Forget me');
  await person.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({
    accountLink: {
      website: aWebsite().uuid,
      signIn: 'https://shop.example/sign-in',
      link: 'Link my account',
      unlink: 'Forget me',
    },
    seen: at,
  });
  await offerLink(person);
  await person.click(save());
  await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ accountLink: null }));
});

test('the code for the shop’s server is there in two languages', async () => {
  const { user: person } = await theSettings();
  await offerLink(person);
  const code = screen.getByRole('region', { name: 'Code for your server' });
  expect(code.textContent).toContain('createHmac');
  await person.click(screen.getByRole('button', { name: 'PHP' }));
  expect(code.textContent).toContain('hash_hmac');
});

test('a website that proves nothing yet is pointed out', async () => {
  const { user: person } = await theSettings([aWebsite()]);
  await offerLink(person);
  const link = await screen.findByRole('link', { name: 'Open “Online shop”' });
  expect(link.getAttribute('href')).toBe(`/Web-Channel/${aWebsite().uuid}`);
  await person.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('combobox', { name: 'Website' })).toBeNull();
});

test('without a website there is nothing to link with', async () => {
  await theSettings([]);
  expect((await screen.findByRole('link', { name: 'Open Websites' })).getAttribute('href')).toBe('/Web-Channel');
  expect(linkSwitch()).toBeNull();
});

test('where the website was deleted, another is asked for', async () => {
  const accountLink = {
    website: aChannel().connection,
    signIn: 'https://shop.example/',
    link: 'Link',
    unlink: 'Unlink',
  };
  await theSettings([aWebsite()], { accountLink });
  await screen.findByText('This website was deleted. Choose another.');
});
