import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { lineCampaigns, type StepEnrolment, type StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { Enrolments } from './enrolments.tsx';

beforeEach(() => signIn(anOwner));

const now = '2026-11-01T09:00:00.000Z';
const step = {
  uuid: crypto.randomUUID(),
  content: [],
  taps: false,
  tapTag: null,
  sent: 0,
  stopped: 0,
  waiting: 0,
  tapped: 0,
};
const scenario: StepScenario = {
  uuid: crypto.randomUUID(),
  channel: crypto.randomUUID(),
  name: 'Welcome',
  active: true,
  trigger: { on: 'follow' },
  stop: { tag: null, writes: false, staff: false },
  again: false,
  timezone: 'Asia/Tokyo',
  steps: [{ ...step, time: { kind: 'days', days: 3, at: '09:00' } }],
  people: { active: 2, done: 0, stopped: 0 },
  nextAt: '2026-11-04T00:00:00.000Z',
  createdAt: now,
  updatedAt: now,
};
const aPerson = (name: string): StepEnrolment => ({
  uuid: crypto.randomUUID(),
  scenario: { uuid: scenario.uuid, name: scenario.name },
  guest: { uuid: crypto.randomUUID(), name },
  thread: null,
  state: 'active',
  reason: null,
  sent: 1,
  step: step.uuid,
  nextAt: '2026-11-04T00:00:00.000Z',
  startedAt: now,
  createdAt: now,
  updatedAt: now,
});

async function people(given: Partial<StepScenario> = {}) {
  let all = [aPerson('Hana'), aPerson('Sora')];
  const asked = serve(lineCampaigns.enrolments, ({ url }) => ({
    data: all.filter(
      ({ guest, state }) =>
        guest.name.toLowerCase().includes(url.searchParams.get('q') ?? '') &&
        (url.searchParams.get('state') ?? state) === state,
    ),
    meta: { nextCursor: null },
  }));
  serve(lineCampaigns.stopEnrolment, ({ url }) => {
    all = all.map((each) =>
      url.pathname.endsWith(each.uuid) ? { ...each, state: 'stopped', reason: 'hand', nextAt: null } : each,
    );
    return { data: all.find((each) => url.pathname.endsWith(each.uuid))! };
  });
  const shown = await showRouted(<Enrolments scenario={{ ...scenario, ...given }} isWaiting={false} />);
  await screen.findByRole('row', { name: /Hana/ });
  return { ...shown, asked };
}

test('each is shown with what comes next, is found by name, and can be stopped after a question', async () => {
  const { user } = await people();
  const hana = () => screen.getByRole('row', { name: /Hana/ });
  expect(hana().textContent).toContain('1. Day 3, 09:00');
  await user.type(screen.getByRole('searchbox', { name: 'Search people' }), 'sora');
  await waitFor(() => expect(screen.queryByRole('row', { name: /Hana/ })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await user.click(await screen.findByRole('button', { name: 'End it for Hana' }));
  const question = await screen.findByRole('dialog', { name: 'End it for Hana?' });
  await user.click(within(question).getByRole('button', { name: 'End it' }));
  await waitFor(() => expect(hana().textContent).toContain('Ended by hand'));
  expect(screen.queryByRole('button', { name: 'End it for Hana' })).toBeNull();
});

test('somebody who has been through it is not added again, and it says why', async () => {
  const friend = { uuid: crypto.randomUUID(), name: 'Mei' };
  serve(lineCampaigns.friends, () => ({ data: [friend], meta: { nextCursor: null } }));
  serve(lineCampaigns.enrol, () => refusal(409, { code: 'conflict', message: 'It was changed.' }));
  const { user } = await people();
  await user.click(screen.getByRole('button', { name: 'Add a person' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add a person' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Person' }));
  await user.click(await screen.findByRole('option', { name: 'Mei' }));
  await user.click(within(dialog).getByRole('button', { name: 'Add' }));
  await within(dialog).findByText('They have been through it, and the series is for each person once.');
});

test('while the series is off nobody can be added, and everybody waits', async () => {
  await people({ active: false });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add a person' }).disabled).toBe(true);
  expect(screen.getByRole('row', { name: /Hana/ }).textContent).toContain('Waits');
});
