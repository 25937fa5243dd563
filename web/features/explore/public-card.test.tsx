import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PublicBot, PublicBotPage } from '../../../shared/contracts/explore.ts';
import { explore } from '../../../shared/contracts/explore.ts';
import type { Role } from '../../../shared/roles.ts';
import { resetSession } from '../../lib/session.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { PublicBotFoot, PublicBotHead } from './public-bot.tsx';
import { PublicCard } from './public-card.tsx';

const bot: PublicBot = {
  uuid: '0198c0de-0000-7000-8000-0000000000b1',
  listing: '0198c0de-0000-7000-8000-0000000000e1',
  slug: 'shop',
  name: 'Shop guide',
  summary: 'Hours of the shop',
  avatar: null,
  mark: 3,
  category: 'shops',
  languages: ['en'],
  maker: 'Komorebi',
  copying: 'knowledge',
  tries: 3,
  copies: 0,
  isFeatured: false,
  own: null,
};
const [home] = anOwner.workspaces;

afterEach(() => resetSession());

const signInAs = (role: Role) => signIn({ ...anOwner, workspaces: [{ ...home!, role }] });

test('a bot of one’s own workspace is marked and edited, and not copied', async () => {
  signInAs('owner');
  await showRouted(<PublicCard bot={{ ...bot, own: home!.uuid }} />);
  expect(screen.getByText('Yours')).toBeTruthy();
  expect(screen.queryByText(/Komorebi/)).toBeNull();
  const edit = screen.getByRole('link', { name: 'Edit “Shop guide”' });
  expect(edit.getAttribute('href')).toBe(`/Bot/${bot.uuid}`);
  expect(screen.queryByRole('button')).toBeNull();
});

test('who may not edit there has nothing to press but to try it', async () => {
  signInAs('staff');
  await showRouted(<PublicCard bot={{ ...bot, own: home!.uuid }} />);
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Shop guide']);
  expect(screen.queryByRole('button')).toBeNull();
});

test('one of another workspace of one’s own is marked, and copied from there like those of others', async () => {
  signInAs('owner');
  await showRouted(<PublicCard bot={{ ...bot, own: crypto.randomUUID() }} />);
  expect(screen.getByText('Yours')).toBeTruthy();
  expect(screen.getByText('Komorebi · 3 users')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy with documents: “Shop guide”' })).toBeTruthy();
  expect(screen.getByText('Copyable with its documents')).toBeTruthy();
});

test('the page of a bot offers to share, and below the chat to copy and to report it', async () => {
  const sent = serve(explore.report, () => ({ ok: true as const }));
  const page: PublicBotPage = { ...bot, visibility: 'public', channel: crypto.randomUUID(), greeting: 'Welcome' };
  const { user } = await showRouted(
    <>
      <PublicBotHead bot={page} onMenu={() => {}} />
      <PublicBotFoot bot={page} />
    </>,
  );
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Share',
    '',
    'Make a copy',
    'Report',
  ]);
  expect(screen.getByText('Conversations are kept for 90 days after the last message')).toBeTruthy();
  expect(screen.getByTitle('Copy with documents').textContent).toBe('Make a copy');
  expect(screen.getByText('Hours of the shop')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Report' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'It is advertising' }));
  await user.click(dialog.getByRole('button', { name: 'Report' }));
  await screen.findByText('The operator of this server has been told. Thank you.');
  expect(sent.map(({ body }) => body)).toMatchObject([{ reason: 'spam' }]);
});

test('what the chat begins with is not said above it, too', async () => {
  const page: PublicBotPage = {
    ...bot,
    visibility: 'public',
    channel: crypto.randomUUID(),
    greeting: ' Hours of the shop\n',
  };
  await showRouted(<PublicBotHead bot={page} onMenu={() => {}} />);
  expect(screen.queryByText('Hours of the shop')).toBeNull();
});

test('a card tells its maker where that is another name, what can be copied to who can copy, and what it is about among others', async () => {
  await showRouted(<PublicCard bot={{ ...bot, maker: 'Shop guide' }} isOfMany={false} />);
  expect(screen.getByText('3 users')).toBeTruthy();
  expect(screen.queryByText('Copyable with its documents')).toBeNull();
  expect(screen.queryByText('Shops')).toBeNull();
});
