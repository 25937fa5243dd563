import { useQueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bots, type Bot } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { resetSession } from '../../lib/session.ts';
import { aBot } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { PublishDialog } from './publish-dialog.tsx';

beforeEach(() => signIn(anOwner));
afterEach(resetSession);

const nothing = () => null;

/** Says what the bot is now, and has it read again. */
function Who({ bot }: { bot: Bot }) {
  const client = useQueryClient();
  return (
    <button type="button" onClick={() => void client.invalidateQueries()}>
      {bot.visibility}
    </button>
  );
}

test('who may use a bot is chosen from what is kept, also after it was changed there', async () => {
  const bot = { ...aBot(), changed: false };
  let visibility: Bot['visibility'] = 'private';
  serve(bots.get, () => ({ data: { ...bot, visibility } }));
  serve(connections.list, () => ({ data: [], meta: { nextCursor: null } }));
  const parts = { states: { web: nothing, line: nothing }, Who };
  const { user } = await showRouted(<PublishDialog bot={bot} state="saved" parts={parts} onClose={() => {}} />);
  await user.click(await screen.findByRole('button', { name: 'Change' }));
  visibility = 'link';
  await user.click(screen.getByRole('button', { name: 'private' }));
  expect(await screen.findByRole('button', { name: 'link' })).toBeTruthy();
});

/** The page around the dialog may hear that the bot is live before the dialog does. */
function Page() {
  const [isLive, setIsLive] = useState(false);
  const bot = { ...aBot(), changed: !isLive };
  const parts = { states: { web: nothing, line: nothing }, Who };
  return (
    <>
      <button type="button" onClick={() => setIsLive(true)}>
        Heard
      </button>
      <PublishDialog bot={bot} state="saved" parts={parts} onClose={() => {}} />
    </>
  );
}

test('a bot that is live since the dialog was opened is said to be, whoever heard of it first', async () => {
  serve(bots.get, () => ({ data: aBot() }));
  serve(connections.list, () => ({ data: [], meta: { nextCursor: null } }));
  const { user } = await showRouted(<Page />);
  await screen.findByRole('dialog', { name: 'Publish the bot' });
  await user.click(screen.getByText('Heard'));
  expect(await screen.findByRole('dialog', { name: 'The bot is live' })).toBeTruthy();
});
