import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { figures, type Figures } from '../../../shared/contracts/figures.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { FiguresPanel } from './figures-panel.tsx';

const bots = [
  { uuid: crypto.randomUUID(), name: 'Shop' },
  { uuid: crypto.randomUUID(), name: 'Office' },
];
const members = [
  { uuid: crypto.randomUUID(), name: 'hanako' },
  { uuid: crypto.randomUUID(), name: 'taro' },
];
const nothing = { now: null, before: null };
const quiet: Figures = {
  conversations: { now: 0, before: 0 },
  unaided: nothing,
  firstAnswer: { median: nothing, slow: nothing },
  firstPerson: { median: nothing, slow: nothing },
  unanswered: { now: 0, before: 0 },
  satisfaction: nothing,
  ups: 0,
  downs: 0,
  cost: { now: 0, before: 0 },
  days: [{ day: '2026-11-22', conversations: 0, unaided: 0, staffed: 0 }],
  hours: Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0)),
  questions: [],
  sampled: 1000,
  comments: [],
  choices: { bots: [], channels: [], members: [] },
};

test('each figure stands beside what it was before, and the busiest hours are a table', async () => {
  const hours = quiet.hours.map((row, day) => row.map((_, hour) => (day === 1 && hour === 9 ? 7 : 0)));
  const sent = serve(figures.get, () => ({
    data: {
      ...quiet,
      conversations: { now: 12, before: 8 },
      unaided: { now: 0.75, before: null },
      satisfaction: { now: 0.5, before: null },
      ups: 2,
      downs: 2,
      firstPerson: { median: { now: 180_000, before: 3_600_000 }, slow: nothing },
      hours,
      questions: [{ question: 'When do you open?', count: 5, before: 2 }],
      comments: [
        {
          thread: crypto.randomUUID(),
          message: crypto.randomUUID(),
          rating: 'down' as const,
          text: 'And on Sundays?',
          at: '2026-11-20T00:00:00.000Z',
        },
      ],
      choices: { bots, channels: [], members },
    },
  }));
  const { user } = await showRouted(<FiguresPanel />);
  const figure = async (name: string) => (await screen.findByText(name, { selector: 'dt' })).parentElement?.textContent;
  expect(await figure('Conversations')).toBe('Conversations1250%was 8');
  within((await screen.findByText('Conversations', { selector: 'dt' })).parentElement!).getByRole('img', {
    name: 'Up',
  });
  expect(await figure('Answered by the bot alone')).toBe('Answered by the bot alone75%was –');
  expect(await figure('Thumbs up')).toBe('Thumbs up50%was – · 2 up, 2 down');
  expect(await figure('First reply by staff, median')).toContain('3m95%was 1h');
  // Asked by their roles, two hundred cells take seconds.
  const row = (name: string) => screen.getByText(name, { selector: 'tr > *, td > span' }).closest('tr')!;
  expect(row('Mon').cells[0]?.scope).toBe('row');
  expect([...row('Mon').cells].flatMap(({ textContent }, at) => (textContent === '7' ? [at - 1] : []))).toEqual([9]);
  expect([...row('When do you open?').cells].map(({ textContent }) => textContent)).toEqual([
    'When do you open?',
    '5',
    '2',
  ]);
  screen.getByText('And on Sundays?');
  await user.click(screen.getByText('90 days'));
  await waitFor(() => expect(sent.map(({ url }) => url.searchParams.get('days'))).toEqual(['30', '90']));
  await user.click(screen.getByRole('combobox', { name: 'All members' }));
  await user.click(await screen.findByText('taro'));
  await waitFor(() => expect(sent.at(-1)?.url.searchParams.get('member')).toBe(members[1]?.uuid));
});

test('who may not connect anything reads why there are no figures, and who may', async () => {
  signIn({ ...anOwner, workspaces: anOwner.workspaces.map((each) => ({ ...each, role: 'staff' })) });
  serve(figures.get, () => ({ data: quiet }));
  await showRouted(<FiguresPanel />);
  await screen.findByText(/^Nothing is connected yet\. Once an owner, an admin or an editor/);
});

test('where nobody has written yet, it is said what will be here', async () => {
  signIn(anOwner);
  serve(figures.get, () => ({ data: quiet }));
  await showRouted(<FiguresPanel />);
  await screen.findByRole('heading', { name: 'No conversations in the last 30 days' });
  screen.getByText(/^Put a bot on your website/);
  expect(screen.queryByRole('button', { name: 'Save as CSV' })).toBeNull();
});

test('figures and questions lead to what was counted, and a first span says that it has nothing to compare with', async () => {
  signIn(anOwner);
  serve(figures.get, () => ({
    data: {
      ...quiet,
      conversations: { now: 4, before: 0 },
      firstAnswer: { median: { now: 68, before: null }, slow: { now: 1234, before: null } },
      days: [{ day: '2026-11-22', conversations: 4, unaided: 1, staffed: 2 }],
      questions: [{ question: 'When do you open?', count: 2, before: 0 }],
    },
  }));
  await showRouted(<FiguresPanel />);
  await screen.findByText('No conversations in the 30 days before to compare with.');
  expect(screen.queryByText(/^was /)).toBeNull();
  screen.getByText('0.07s');
  screen.getByText('1.2s');
  screen.getByRole('figure', { name: '4 conversations in the last 30 days' });
  const counted = screen.getByRole('table', { name: '4 conversations in the last 30 days' });
  expect(
    within(counted)
      .getAllByRole('columnheader')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(['Answered by the bot alone', 'With staff', 'Unresolved']);
  expect(
    within(counted)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['1', '2', '1']);
  const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(addressOf('Conversations')).toBe('/Friend');
  expect(addressOf('Unanswered questions')).toBe('/Unanswered');
  expect(addressOf('When do you open?')).toContain('/Friend?q=When');
});
