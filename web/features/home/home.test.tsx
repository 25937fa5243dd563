import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Home } from '../../../shared/contracts/home.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { showRouted } from '../../testing/routed.tsx';
import { NeedsYou } from './needs-you.tsx';
import { OpenQuestions } from './open-questions.tsx';

const at = '2026-11-01T09:00:00.000Z';
const bot = { uuid: '0198c0de-0000-7000-8000-0000000000b0', name: 'Shop guide', avatar: null, mark: 7 };

const aHome = (changes: Partial<Home> = {}): Home => ({
  steps: { bot: true, knowledge: true, document: true, question: true, published: true, model: true },
  counts: { bots: 1, knowledges: 1, documents: 2, questions: 60 },
  questionsPerDay: [{ day: '2026-11-01', count: 12, cited: 9 }],
  failedDocuments: [],
  inbox: { waiting: 0, mine: 0, mentions: [] },
  unanswered: { open: 0, disliked: 0, latest: [] },
  credits: { balance: 100 * microPerCredit, usedInWeek: 0 },
  topUpStopped: false,
  busyDocuments: 0,
  recentBots: [],
  ...changes,
});

const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

test('what waits for a person leads to where it is done', async () => {
  const home = aHome({
    inbox: { waiting: 3, mine: 1, mentions: [{ thread: bot.uuid, by: 'hanako', text: '@taro please look' }] },
    unanswered: { open: 21, disliked: 2, latest: [] },
    credits: { balance: 86 * microPerCredit, usedInWeek: 147 * microPerCredit },
  });
  await showRouted(<NeedsYou home={home} canEdit />);
  const section = screen.getByRole('heading', { name: 'Needs attention' }).closest('section')!;
  within(section).getByText('5');
  expect(leadsTo('Open inbox: 3 conversations are waiting for a person')).toBe('/Friend?view=waiting');
  expect(leadsTo('Open inbox: One conversation is yours')).toBe('/Friend?view=mine');
  expect(leadsTo('View: hanako mentioned you')).toBe(`/Friend?thread=${bot.uuid}`);
  within(section).getByText('@taro please look');
  expect(leadsTo('View: 2 answers were rated unhelpful')).toBe('/Unanswered?reason=disliked');
  expect(leadsTo('View: Credits last about 4 more days')).toBe('/Token');
  within(section).getByText('86 left');
});

test.each([
  ['nothing waits', aHome()],
  ['one may not see it', aHome({ inbox: null, unanswered: null })],
  ['credits last', aHome({ credits: { balance: 700 * microPerCredit, usedInWeek: 70 * microPerCredit } })],
])('where %s, there is nothing of it', async (_, home) => {
  await showRouted(<NeedsYou home={home} canEdit />);
  expect(screen.queryByRole('heading')).toBeNull();
});

test('an automatic top-up that has turned itself off leads to where it is set up again', async () => {
  await showRouted(<NeedsYou home={aHome({ topUpStopped: true })} canEdit />);
  expect(leadsTo('View: The automatic top-up was turned off')).toBe('/Token?tab=purchases');
});

test('credits that are used up are said as that', async () => {
  await showRouted(<NeedsYou home={aHome({ credits: { balance: 0, usedInWeek: microPerCredit } })} canEdit />);
  screen.getByText('Credits are used up');
});

test('questions that no document answers open where they are answered', async () => {
  const uuid = '0198c0de-0000-7000-8000-0000000000aa';
  const question = 'Do you have oat milk?';
  const latest = [
    {
      uuid,
      question,
      reason: 'refused',
      count: 7,
      status: 'open',
      bot,
      firstAt: at,
      lastAt: at,
      createdAt: at,
      updatedAt: at,
    } as const,
  ];
  await showRouted(<OpenQuestions open={21} disliked={0} latest={latest} />);
  screen.getByText('21');
  const row = screen.getByRole('link', { name: /oat milk/ });
  expect(row.getAttribute('href')).toBe(`/Unanswered?question=${uuid}`);
  within(row).getByText('asked 7 times');
  expect(leadsTo('See all')).toBe('/Unanswered');
});
