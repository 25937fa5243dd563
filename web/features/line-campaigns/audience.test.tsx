import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import {
  lineCampaigns,
  takeOverReasons,
  type Broadcast,
  type LineAudience,
  type LineReach,
} from '../../../shared/contracts/line-campaigns.ts';
import { show, refusal, serve } from '../../testing/show.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { TakeOver } from './take-over.tsx';

const at = '2026-11-23T01:00:00.000Z';
const channel = '0198c0de-0000-7000-8000-00000000000c';
const broadcast: Broadcast = {
  uuid: '0198c0de-0000-7000-8000-00000000000d',
  channel,
  name: 'Spring',
  content: [],
  audience: { kind: 'everyone' },
  time: null,
  taps: 'off',
  tapTag: null,
  timezone: 'Asia/Tokyo',
  state: 'draft',
  reason: null,
  detail: '',
  dueAt: null,
  startedAt: null,
  endedAt: null,
  recipients: null,
  sent: 0,
  failed: 0,
  skipped: 0,
  tapped: 0,
  createdAt: at,
  updatedAt: at,
  named: [],
};

function Fields({ onChange }: { onChange(audience: LineAudience): void }) {
  const [value, setValue] = useState<LineAudience>(broadcast.audience);
  const change = (next: LineAudience) => (setValue(next), onChange(next));
  return <AudienceFields broadcast={broadcast} value={value} error={() => undefined} onChange={change} />;
}

test('all friends at LINE are counted by LINE, and those whom Kotae knows can be told apart', async () => {
  serve(lineCampaigns.countAudience, ({ body }) => {
    const { audience } = lineCampaigns.countAudience.body.parse(body);
    return { data: { recipients: audience.kind === 'everyone' ? 5010 : 1 } };
  });
  const onChange = vi.fn();
  const { user: person } = show(<Fields onChange={onChange} />);
  await screen.findByText('Up to 5,010 friends');
  expect(screen.queryByRole('combobox', { name: 'Exclude people with these tags' })).toBeNull();
  await person.click(screen.getByRole('combobox', { name: 'Who gets it' }));
  await person.click(screen.getByRole('option', { name: 'Known friends' }));
  expect(onChange).toHaveBeenLastCalledWith({ kind: 'all', without: [] });
  await screen.findByText('1 friend now');
  screen.getByRole('combobox', { name: 'Exclude people with these tags' });
  await person.click(screen.getByRole('combobox', { name: 'Who gets it' }));
  await person.click(screen.getByRole('option', { name: 'Everyone (via LINE)' }));
  expect(onChange).toHaveBeenLastCalledWith({ kind: 'everyone' });
});

test('while LINE has not told how many there are, that is said', async () => {
  serve(lineCampaigns.countAudience, () => ({ data: { recipients: null } }));
  show(<Fields onChange={vi.fn()} />);
  await screen.findByText(/^LINE has not reported the number of friends yet\./);
});

const running = { state: 'running', reason: null, found: 1000, added: 1200, startedAt: at, endedAt: null } as const;
const reach = (changes: Partial<LineReach> = {}): LineReach => ({
  known: 120,
  reached: 5010,
  day: '2026-11-22',
  takeOver: null,
  ...changes,
});

test('friends are taken over once at a time, and it is seen how far that is', async () => {
  let now = reach();
  serve(lineCampaigns.reach, () => ({ data: now }));
  const begun = serve(lineCampaigns.takeOver, () => ({ data: (now = reach({ takeOver: running })) }));
  const { user: person } = show(<TakeOver channel={channel} />);
  await screen.findByText(/^Kotae knows 120 of about 5,010 LINE friends\./);
  await person.click(screen.getByRole('button', { name: 'Import friends' }));
  await screen.findByText('Importing friends: 1,200 new so far.');
  expect(screen.queryByRole('button', { name: 'Import friends' })).toBeNull();
  expect(begun).toHaveLength(1);
  now = reach({ known: 5010, takeOver: { ...running, state: 'done', endedAt: at } });
  await screen.findByText(/^Imported on .*: 1,000 checked, 1,200 new\.$/, {}, { timeout: 4_000 });
  expect(screen.queryByRole('button', { name: 'Import friends' })).toBeNull();
});

test('who begins it while somebody else has is told so, and sees theirs', async () => {
  let now = reach();
  serve(lineCampaigns.reach, () => ({ data: now }));
  serve(lineCampaigns.takeOver, () => {
    now = reach({ takeOver: running });
    return refusal(409, { code: 'conflict', message: 'Somebody else was faster.' });
  });
  const { user: person } = show(<TakeOver channel={channel} />);
  await person.click(await screen.findByRole('button', { name: 'Import friends' }));
  await screen.findByText('Importing friends: 1,200 new so far.');
});

test.each(takeOverReasons)(
  'where it failed for “%s” it says what that means, and can be begun again',
  async (reason) => {
    const takeOver = { ...running, state: 'failed' as const, reason, endedAt: at };
    serve(lineCampaigns.reach, () => ({ data: reach({ takeOver }) }));
    show(<TakeOver channel={channel} />);
    expect((await screen.findByRole('status')).textContent).toMatch(/\w+\. ?\S*/);
    screen.getByRole('button', { name: 'Import friends' });
  },
);
