import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import {
  lineCampaigns,
  type Broadcast,
  type BroadcastRecipient,
  type BroadcastResult,
} from '../../../shared/contracts/line-campaigns.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { ContentField, ContentPreview } from '../rich-messages/content-field.tsx';
import { filledBubbles } from '../rich-messages/bubbles.ts';
import { BroadcastRun } from './broadcast-run.tsx';

beforeEach(() => signIn(anOwner));

const at = '2026-11-23T01:00:00.000Z';
const channel = '0198c0de-0000-7000-8000-00000000000c';
const broadcast: Broadcast = {
  uuid: '0198c0de-0000-7000-8000-00000000000d',
  channel,
  name: 'Autumn menu',
  content: [{ type: 'text', text: 'Hello {{name}}, our chestnut cake is back.' }],
  audience: { kind: 'all', without: [] },
  time: null,
  taps: 'all',
  tapTag: null,
  timezone: 'Asia/Tokyo',
  state: 'done',
  reason: null,
  detail: '',
  dueAt: at,
  startedAt: at,
  endedAt: at,
  recipients: 50,
  sent: 48,
  failed: 2,
  skipped: 0,
  tapped: 9,
  createdAt: at,
  updatedAt: at,
  named: [],
};
const link: BroadcastResult['links'][number] = {
  uuid: '0198c0de-0000-7000-8000-00000000000e',
  url: 'https://kotae.example/l/abc',
  target: 'https://shop.example/autumn',
  taps: 9,
  people: null,
  days: [],
  createdAt: at,
  updatedAt: at,
};
const parts = { Field: ContentField, Preview: ContentPreview, filled: filledBubbles };

const open = (changes: Partial<Broadcast>) =>
  showRouted(
    <BroadcastRun
      channel={{ uuid: channel, name: 'Hinata Coffee', active: true }}
      broadcast={{ ...broadcast, ...changes }}
      parts={parts}
    />,
  );
const unready: BroadcastResult['insight'] = { state: 'unready', opened: null, clicked: null };
const tell = (changes: Partial<BroadcastResult>) =>
  serve(lineCampaigns.broadcastResult, () => ({ data: { links: [link], insight: unready, replies: 0, ...changes } }));
/** What is read under a figure's name. */
const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement?.textContent;

const someone = (name: string, changes: Partial<BroadcastRecipient> = {}): BroadcastRecipient => ({
  guest: { uuid: `0198c0de-0000-7000-8000-0000000000${name.length}f`, name },
  thread: null,
  state: 'sent',
  repliedAt: null,
  ...changes,
});
const list = (...data: BroadcastRecipient[]) =>
  serve(lineCampaigns.recipients, () => ({ data, meta: { nextCursor: null } }));

test('what became of a sent broadcast is told in four figures', async () => {
  list();
  tell({ insight: { state: 'ready', opened: 24, clicked: 7 }, replies: 6 });
  await open({});
  await waitFor(() => expect(figure('Opened')).toBe('Opened2450% of those who got it'));
  expect(figure('Delivered')).toBe('Delivered48of 50 friends · 2 not delivered');
  expect(figure('Link clicks')).toBe('Link clicks9By 7 people, says LINE');
  expect(figure('Replies')).toBe('Replies613% within 7 days');
  screen.getByRole('link', { name: 'See replies in the inbox' });
  screen.getByText('shop.example/autumn');
});

test('what nobody counted is no figure, and a line says why', async () => {
  list();
  tell({ links: [] });
  await open({ recipients: 5, sent: 5, failed: 0, taps: 'off' });
  await screen.findByText('Opens: available once 20 people have received it');
  screen.getByText('Clicks were not tracked');
  expect(screen.queryByText('Opened')).toBeNull();
  expect(screen.queryByText('Link clicks')).toBeNull();
  expect(figure('Replies')).toBe('Replies0Within 7 days');
});

test('who got it leads to what they wrote back, and is told apart by how it went', async () => {
  tell({});
  const asked = list(someone('Mei', { thread: link.uuid, repliedAt: at }), someone('Sora', { state: 'failed' }));
  const { user: person } = await open({});
  expect((await screen.findByRole('link', { name: /^Mei/ })).getAttribute('href')).toBe(`/Friend?thread=${link.uuid}`);
  within(screen.getByRole('row', { name: /Sora/ })).getAllByText('Not delivered');
  await person.click(screen.getByRole('button', { name: 'Not delivered 2' }));
  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get('state')).toBe('failed'));
});

test('whoever got a broadcast is written to again at a press', async () => {
  list();
  tell({});
  const made = serve(lineCampaigns.createBroadcast, () => ({ data: broadcast }));
  const { user: person } = await open({});
  await person.click(screen.getByRole('button', { name: 'Write to the same people' }));
  await waitFor(() => expect(made).toHaveLength(1));
  expect(made[0]?.body).toEqual({
    channel,
    name: 'Autumn menu (follow-up)',
    audience: { kind: 'did', did: { what: 'sent', broadcast: broadcast.uuid } },
  });
});

test('one that is scheduled tells when it goes out, to how many, and what that takes', async () => {
  serve(lineCampaigns.previewBroadcast, () => ({
    data: {
      recipients: 5,
      quota: { limit: 200, used: 12, left: 188 },
      problems: [],
      messages: [],
      personal: false,
      tester: null,
    },
  }));
  const dueAt = new Date(Date.now() + 3.5 * 3_600_000).toISOString();
  await open({ state: 'scheduled', dueAt, startedAt: null, endedAt: null, recipients: null, sent: 0, failed: 0 });
  await waitFor(() => expect(figure('Messages it uses')).toBe('Messages it uses512 of 200 used so far this month'));
  expect(figure('Goes out')).toMatch(/^Goes outin 3 hours/);
  expect(figure('Recipients')).toMatch(/^Recipients5/);
  screen.getByRole('button', { name: 'Unschedule' });
});

test('one that went to everyone lists those who are known, also while LINE has not told how many there are', async () => {
  tell({});
  serve(lineCampaigns.recipients, () => ({ data: [someone('Mei')], meta: { nextCursor: null } }));
  await open({ audience: { kind: 'everyone' }, recipients: null, sent: 0, failed: 0 });
  expect(await screen.findByText('Mei')).toBeTruthy();
});
