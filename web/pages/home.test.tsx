import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { conversations } from '../../shared/contracts/conversations.ts';
import { home, type Home } from '../../shared/contracts/home.ts';
import { microPerCredit } from '../../shared/contracts/usage.ts';
import { showRouted } from '../testing/routed.tsx';
import { serve } from '../testing/show.tsx';
import HomePage from './home.tsx';

const at = '2026-11-01T09:00:00.000Z';
const bot = { uuid: '0198c0de-0000-7000-8000-0000000000b0', name: 'Shop guide', avatar: null, mark: 7 };

const aHome = (changes: Partial<Home> = {}): Home => ({
  steps: { bot: true, knowledge: true, document: true, question: true, published: true, model: true },
  counts: { bots: 1, knowledges: 1, documents: 2, questions: 60 },
  questionsPerDay: [{ day: '2026-11-01', count: 12, cited: 9 }],
  failedDocuments: [],
  inbox: { waiting: 0, mine: 0 },
  unanswered: { open: 0, disliked: 0, latest: [] },
  credits: { balance: 100 * microPerCredit, usedInWeek: 0 },
  busyDocuments: 0,
  recentBots: [],
  ...changes,
});

async function showHome(data: Home) {
  serve(home.get, () => ({ data }));
  serve(conversations.threads, () => ({ data: [], meta: { nextCursor: null } }));
  return showRouted(<HomePage />);
}

const region = (title: string) => screen.getByRole('heading', { name: title, level: 2 }).closest('section')!;

test('what waits for a person leads to where it is done', async () => {
  const question = '0198c0de-0000-7000-8000-0000000000aa';
  await showHome(
    aHome({
      inbox: { waiting: 3, mine: 1 },
      unanswered: {
        open: 21,
        disliked: 2,
        latest: [
          {
            uuid: question,
            question: 'Do you have oat milk?',
            reason: 'refused',
            count: 7,
            status: 'open',
            bot,
            firstAt: at,
            lastAt: at,
          },
        ],
      },
      credits: { balance: 86 * microPerCredit, usedInWeek: 147 * microPerCredit },
    }),
  );
  await screen.findByText('3 conversations wait for a person');
  const leadsTo = (name: string) => within(region('Needs you')).getByRole('link', { name }).getAttribute('href');
  expect(leadsTo('Open inbox: 3 conversations wait for a person')).toBe('/Friend?view=waiting');
  expect(leadsTo('Open inbox: One conversation is yours')).toBe('/Friend?view=mine');
  expect(leadsTo('View: 2 answers were rated low')).toBe('/Unanswered?reason=disliked');
  expect(leadsTo('View: Credits last about 4 more days')).toBe('/Token');
  expect(within(region('Needs you')).getByText('4')).toBeDefined();
  const open = region('Unanswered');
  within(open).getByText('21');
  const row = within(open).getByRole('link', { name: /oat milk/ });
  expect(row.getAttribute('href')).toBe(`/Unanswered?question=${question}`);
  within(row).getByText('asked 7 times');
});

test('where nothing waits, and for whoever may not see it, there is nothing of it', async () => {
  const { unmount } = await showHome(aHome());
  await screen.findByRole('heading', { name: 'Overview' });
  expect(screen.queryByRole('heading', { name: 'Needs you' })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Unanswered' })).toBeNull();
  within(screen.getByRole('link', { name: /^Credits/ })).getByText('100');
  unmount();
  await showHome(aHome({ inbox: null, unanswered: null }));
  await screen.findByRole('heading', { name: 'Overview' });
  expect(screen.queryByRole('heading', { name: 'Unanswered' })).toBeNull();
});

test('credits that are used up are said as that', async () => {
  await showHome(aHome({ credits: { balance: 0, usedInWeek: microPerCredit } }));
  await screen.findByText('Credits are used up');
});
