import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listings, type Listing } from '../../../shared/contracts/explore.ts';
import { resetSession } from '../../lib/session.ts';
import { aBot } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { SharingDialog } from './sharing-dialog.tsx';

const at = '2026-11-01T09:00:00.000Z';
const listing: Listing = {
  uuid: '0198c0de-0000-7000-8000-0000000000e1',
  slug: 'shop',
  visibility: 'public',
  category: 'shops',
  languages: ['en'],
  summary: 'Hours of the shop',
  copying: 'none',
  creditsPerDay: 20,
  state: 'listed',
  reason: null,
  tries: 3,
  copies: 0,
  createdAt: at,
  updatedAt: at,
};

beforeEach(() => signIn(anOwner));
afterEach(() => resetSession());

async function open(
  visibility: 'private' | 'workspace' | 'public',
  kept: Listing | null = visibility === 'public' ? listing : null,
) {
  let stored = kept;
  serve(listings.get, () => ({ data: { listing: stored, mode: 'open' as const } }));
  const sent = serve(listings.save, ({ body }) => {
    stored = Object.assign({}, listing, body, { seen: undefined });
    return { data: stored };
  });
  const closed = vi.fn();
  const shown = await showRouted(<SharingDialog bot={{ ...aBot(), visibility }} onClose={closed} />);
  await screen.findByRole('radio', { name: 'Editors only' });
  return { ...shown, sent, closed };
}

test('the limit is what was typed last, and without one nothing is saved', async () => {
  const { user, sent } = await open('public');
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save().disabled).toBe(true);
  const limit = screen.getByLabelText('Daily credit limit');
  await user.clear(limit);
  expect(save().disabled).toBe(true);
  await user.type(limit, '50');
  await user.click(save());
  await waitFor(() => expect(sent.map(({ body }) => body)).toMatchObject([{ creditsPerDay: 50, seen: at }]));
});

test('a link needs no sentence and no category, and what is kept looks unchanged', async () => {
  const { user, sent } = await open('private');
  await user.click(screen.getByRole('radio', { name: 'Anyone with the link' }));
  expect(screen.queryByLabelText('Category')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Share by link' }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toMatchObject([{ summary: 'Shop', seen: null }]));
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('What it does').value).toBe('Shop'));
});

test('what ends is said before it ends', async () => {
  const { user } = await open('public');
  await user.click(screen.getByRole('radio', { name: 'Anyone with the link' }));
  expect(screen.getByRole('status').textContent).toContain('removed from Explore');
  await user.click(screen.getByRole('radio', { name: 'Editors only' }));
  expect(screen.getByRole('status').textContent).toBe(
    'Other members and people outside the workspace will no longer be able to open it.It will be removed from Explore.It keeps answering on your websites and LINE.',
  );
  await user.click(screen.getByRole('radio', { name: 'Your workspace' }));
  expect(screen.getByRole('status').textContent).toMatch(/^People outside the workspace/);
});

test('members who lose a bot are told of, and Cancel asks like Escape', async () => {
  const { user, closed } = await open('workspace');
  await user.click(screen.getByRole('radio', { name: 'Editors only' }));
  expect(screen.getByRole('status').textContent).toMatch(/^Other members will no longer be able to open it\./);
  await user.click(screen.getByRole('radio', { name: 'Anyone with the link' }));
  await user.type(screen.getByRole('textbox', { name: 'What it does' }), 'Seats');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(closed).toHaveBeenCalledOnce();
});

test('a summary that is missing is asked for, and what was written is not lost by Escape', async () => {
  const { user, closed } = await open('public');
  const field = screen.getByRole('textbox', { name: 'What it does' });
  await user.clear(field);
  await user.tab();
  await screen.findByText('Say in a sentence what it does.');
  await user.type(field, 'Seats');
  expect(screen.queryByText('Say in a sentence what it does.')).toBeNull();
  await user.keyboard('{Escape}');
  const asked = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
  await user.click(asked.getByRole('button', { name: 'Stay here' }));
  expect(closed).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(closed).toHaveBeenCalledOnce();
});

test('what somebody else has changed since the fields were filled is not overwritten, however often it is fetched', async () => {
  const { user } = await open('public');
  const later = '2026-11-02T09:00:00.000Z';
  serve(listings.get, () => ({
    data: { listing: { ...listing, summary: 'Theirs', updatedAt: later }, mode: 'open' as const },
  }));
  const sent = serve(listings.save, () => refusal(409, { code: 'conflict', message: 'Somebody else has changed it.' }));
  const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'What it does' });
  await user.type(field(), '!');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Somebody else has changed it.');
  // By then it was fetched again.
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  const mine = { summary: 'Hours of the shop!', seen: at };
  expect(sent.map(({ body }) => body)).toMatchObject([mine, mine]);
  await user.click(screen.getByRole('button', { name: 'Load what is saved now' }));
  expect(field().value).toBe('Theirs');
  await user.type(field(), '!');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent.at(-1)?.body).toMatchObject({ summary: 'Theirs!', seen: later });
});
