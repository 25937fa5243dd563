import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { lineCampaigns, type Broadcast, type BroadcastResult } from '../../../shared/contracts/line-campaigns.ts';
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
  serve(lineCampaigns.broadcastResult, () => ({ data: { links: [link], insight: unready, ...changes } }));
/** What is read under a figure's name. */
const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement?.textContent;

test('what became of a sent broadcast is told in three figures', async () => {
  tell({ insight: { state: 'ready', opened: 24, clicked: 7 } });
  await open({});
  await waitFor(() => expect(figure('Opened')).toBe('Opened2450% of those who got it'));
  expect(figure('Delivered')).toBe('Delivered48of 50 friends · 2 not delivered');
  expect(figure('Link clicks')).toBe('Link clicks9By 7 people, says LINE');
  screen.getByText('shop.example/autumn');
});

test('a figure that is not known says why', async () => {
  tell({ links: [] });
  await open({ recipients: 5, sent: 5, failed: 0, taps: 'off' });
  await screen.findByText('LINE reports opens only for 20 or more recipients.');
  screen.getByText('Click tracking was off.');
  expect(screen.queryByText('Opened', { selector: 'dt' })).toBeNull();
});

test('whoever got a broadcast is written to again at a press', async () => {
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
