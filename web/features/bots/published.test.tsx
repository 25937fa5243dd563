import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections, type Connection } from '../../../shared/contracts/connections.ts';
import type { Role } from '../../../shared/roles.ts';
import { resetSession } from '../../lib/session.ts';
import { aBot, aConnection } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { Published } from './published.tsx';

const bot = aBot();
const other = {
  uuid: '0198c0de-0000-7000-8000-0000000000b1',
  name: 'Night desk',
  avatar: null,
  mark: 2,
  published: true,
};
const states = { web: () => <>Installed</>, line: () => <>Working</> };
const site = aConnection({ name: 'hinata.example' });
const aLine = (changes: Partial<Connection> = {}) =>
  aConnection({
    uuid: '0198c0de-0000-7000-8000-0000000000a1',
    channelId: '0198c0de-0000-7000-8000-0000000000a2',
    name: 'Hinata Coffee',
    channel: 'line',
    ...changes,
  });

async function share(data: Connection[], { role = 'owner' }: { role?: Role } = {}) {
  signIn({ ...anOwner, workspaces: anOwner.workspaces.map((each) => ({ ...each, role })) });
  serve(bots.get, () => ({ data: bot }));
  serve(connections.list, () => ({ data, meta: { nextCursor: null } }));
  const onChangeWho = vi.fn();
  const shown = await showRouted(
    <Published bot={bot} visibility={bot.visibility} states={states} onChangeWho={onChangeWho} onClose={() => {}} />,
  );
  await screen.findByText('Only its editors can open it.');
  return { ...shown, onChangeWho, places: await screen.findByRole('region', { name: 'Where it answers' }) };
}

afterEach(resetSession);

test('each channel on which the bot answers has a row that leads to it', async () => {
  await share([site, aLine(), aLine({ uuid: crypto.randomUUID(), name: 'Elsewhere', bot: other })]);
  const link = await screen.findByRole('link', { name: /^hinata\.example/ });
  expect(link.textContent).toContain('Installed');
  expect(link.getAttribute('href')).toBe(`/Web-Channel/${site.channelId}`);
  const account = screen.getByRole('link', { name: /^Hinata Coffee/ });
  expect(account.textContent).toMatch(/Working.*Manage/);
  expect(account.getAttribute('href')).toBe('/Line-Channel/0198c0de-0000-7000-8000-0000000000a2');
  expect(screen.queryByText('Elsewhere')).toBeNull();
  expect(screen.getByRole('link', { name: /^Put it on another website/ })).toBeDefined();
});

test('where it answers nowhere yet, the ways there carry the bot', async () => {
  await share([]);
  const website = await screen.findByRole('link', { name: /^Put it on a website/ });
  expect(website.getAttribute('href')).toBe(`/Web-Channel?bot=${bot.uuid}`);
  const line = screen.getByRole('link', { name: /^Put it on LINE/ });
  expect(line.getAttribute('href')).toBe(`/Line-Channel?bot=${bot.uuid}`);
});

test('an account that another bot answers leads to where its bot is chosen', async () => {
  const { user } = await share([aLine({ bot: other })]);
  await user.click(await screen.findByRole('button', { name: /^Put it on LINE/ }));
  const account = await screen.findByRole('menuitem', { name: /Hinata Coffee/ });
  expect(account.textContent).toContain('Answered by Night desk');
  expect(account.getAttribute('href')).toBe('/Bot-Connect/0198c0de-0000-7000-8000-0000000000a1');
  const more = screen.getByRole('menuitem', { name: 'Connect another account' });
  expect(more.getAttribute('href')).toBe(`/Line-Channel?bot=${bot.uuid}`);
});

test('an editor, who may connect no account, is told who may', async () => {
  await share([], { role: 'editor' });
  await screen.findByText('An owner or an admin connects the account');
  expect(screen.queryByRole('link', { name: /^Put it on LINE/ })).toBeNull();
});

test('staff see where it answers and manage nothing', async () => {
  const { places } = await share([site], { role: 'staff' });
  await within(places).findByText('hinata.example');
  expect(within(places).queryByText('Manage')).toBeNull();
  expect(within(places).queryByRole('link', { name: /Put it on/ })).toBeNull();
});

test('who can open the link is changed from there, and the API call unfolds', async () => {
  const { user, onChangeWho } = await share([]);
  await user.click(screen.getByRole('button', { name: 'Change' }));
  expect(onChangeWho).toHaveBeenCalledOnce();
  const api = screen.getByRole('button', { name: /^API call/ });
  expect(screen.queryByRole('region', { name: 'API call' })).toBeNull();
  await user.click(api);
  expect(screen.getByRole('region', { name: 'API call' }).textContent).toContain(bot.uuid);
});

test('a browser that shares is asked to', async () => {
  const ask = vi.fn(async () => {});
  Object.assign(navigator, { share: ask });
  const { user } = await share([]);
  await user.click(screen.getByRole('button', { name: 'Share…' }));
  expect(ask).toHaveBeenCalledWith({ title: bot.name, url: `${window.location.origin}/Bot/${bot.uuid}/Chat` });
  Reflect.deleteProperty(navigator, 'share');
});
