import { notifications } from '@mantine/notifications';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { inboxNews } from '../../../shared/contracts/inbox.ts';
import { unanswered, type Unanswered, type UnansweredDetail } from '../../../shared/contracts/unanswered.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve, show } from '../../testing/show.tsx';
import ToastArea from '../../ui/toast-area.tsx';
import type { Filter } from './unanswered.queries.ts';
import { UnansweredQuestions } from './unanswered.tsx';

const at = '2026-11-01T09:00:00.000Z';
const base = { uuid: '0198c0de-0000-7000-8000-0000000000ba', name: 'Shop' };

const aQuestion = (changes: Partial<Unanswered> = {}): Unanswered => ({
  uuid: crypto.randomUUID(),
  question: 'Do you sell gift wrap?',
  reason: 'refused',
  count: 3,
  status: 'open',
  bot: { uuid: '0198c0de-0000-7000-8000-0000000000b0', name: 'Shop guide', avatar: null, mark: 7 },
  firstAt: at,
  lastAt: at,
  createdAt: at,
  updatedAt: at,
  ...changes,
});

const as = (question: Unanswered, status: Unanswered['status']): Unanswered => ({ ...question, status });

const detailOf = (question: Unanswered): UnansweredDetail => ({
  ...question,
  asked: [
    {
      thread: crypto.randomUUID(),
      message: crypto.randomUUID(),
      question: 'Is there gift wrap?',
      comment: 'I asked for paper.',
      guest: 'Mika',
      channel: 'shop.example',
      at,
    },
  ],
  askers: 2,
  answer: null,
  nearest: [],
  knowledges: [base],
});

const AnswerText = ({ text }: { text: string }) => <p>{text}</p>;

function Shown({ start }: { start: string | undefined }) {
  const [filter, setFilter] = useState<Filter>({ status: 'open', reason: undefined, bot: undefined, q: undefined });
  const [question, setQuestion] = useState(start);
  return (
    <UnansweredQuestions
      filter={filter}
      question={question}
      AnswerText={AnswerText}
      onFilter={(changes) => setFilter({ ...filter, ...changes })}
      onOpen={setQuestion}
      onCitation={() => {}}
    />
  );
}

async function showQuestions(questions: Unanswered[], start?: Unanswered) {
  const stored = { open: questions };
  serve(bots.dropdown, () => ({ data: [] }));
  serve(inboxNews.counts, () => ({
    data: {
      views: { all: 0, unassigned: 0, mine: 0, waiting: 0, bot: 0, snoozed: 0, resolved: 0 },
      unread: 0,
      unanswered: stored.open.length,
      mentions: [],
      tags: [],
    },
  }));
  const lists = serve(unanswered.list, ({ url }) => ({
    data: url.searchParams.get('status') === 'open' ? stored.open : [],
    meta: { nextCursor: null },
  }));
  serve(unanswered.get, ({ url }) => {
    const found = questions.find(({ uuid }) => url.pathname.endsWith(uuid));
    return found ? { data: detailOf(found) } : refusal(404, { code: 'unanswered-not-found', message: 'Gone.' });
  });
  return { ...(await showRouted(<Shown start={start?.uuid} />)), stored, lists };
}

const [wrap, hours] = [aQuestion(), aQuestion({ question: 'Are you open at night?', reason: 'disliked', count: 1 })];

// A toast outlives the test that it is of.
afterEach(() => act(() => notifications.clean()));

test('an answer is saved, tried at once, shown as the bot gives it, and followed by the next question', async () => {
  const { user, stored } = await showQuestions([wrap, hours], wrap);
  const sent = serve(unanswered.answer, () => {
    stored.open = [hours];
    return {
      data: {
        unanswered: as(wrap, 'answered'),
        retried: {
          text: 'Yes, for two hundred yen.',
          refused: false,
          citations: [
            {
              number: 1,
              document: { uuid: crypto.randomUUID(), name: 'Questions and answers.csv', mime: 'text/csv' },
              knowledge: base.uuid,
              embedding: crypto.randomUUID(),
              page: null,
              headings: [],
              quote: 'Yes, for two hundred yen.',
            },
          ],
        },
        told: 2,
      },
    };
  });
  const panel = await screen.findByRole('dialog', { name: 'Question' });
  const field = await within(panel).findByLabelText<HTMLTextAreaElement>('Answer');
  within(panel).getByText('About the answer: I asked for paper.');
  expect(within(panel).getByRole('link', { name: /^Mika/ }).getAttribute('href')).toContain('/Friend?thread=');
  await user.click(within(panel).getByRole('checkbox', { name: 'Send it to the 2 people who asked' }));
  await user.type(field, 'Yes, for two hundred yen.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await within(panel).findByText('The bot answers now');
  expect(sent.map(({ body }) => body)).toEqual([
    { knowledge: base.uuid, question: wrap.question, answer: 'Yes, for two hundred yen.', tell: true },
  ]);
  within(panel).getByText('Yes, for two hundred yen.');
  within(panel).getByRole('link', { name: /Questions and answers\.csv/ });
  within(panel).getByText('Sent to 2 conversations.');
  await waitFor(() => expect(screen.queryByRole('link', { name: wrap.question })).toBeNull());
  const next = within(panel).getByRole('button', { name: 'Next question' });
  expect(document.activeElement).toBe(next);
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { name: hours.question });
});

test('where the bot still refuses, that is said with what to try, and the words are there to change', async () => {
  const { user } = await showQuestions([wrap], wrap);
  serve(unanswered.answer, () => ({
    data: {
      unanswered: as(wrap, 'answered'),
      retried: { text: 'I do not know.', refused: true, citations: [] },
      told: 0,
    },
  }));
  await user.type(await screen.findByLabelText('Answer'), 'We do.');
  await user.click(screen.getByRole('button', { name: 'Save and try' }));
  await screen.findByText('Saved, but the bot still finds no answer');
  screen.getByText(/Use words of the question/);
  // What the bot makes of it is seen first, then it may still go to those who asked.
  const told = serve(unanswered.tell, () => ({ data: { told: 2 } }));
  await user.click(screen.getByRole('button', { name: 'Send it to the 2 people who asked' }));
  await screen.findByText('Sent to 2 conversations.');
  expect(told.map(({ body }) => body)).toEqual([{ answer: 'We do.' }]);
  expect(screen.queryByRole('button', { name: 'Send it to the 2 people who asked' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Change the answer' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toBe('We do.');
});

test('nothing is sent without an answer', async () => {
  const { user } = await showQuestions([wrap], wrap);
  const sent = serve(unanswered.answer, () => refusal(500, { code: 'internal', message: 'Not reached.' }));
  await user.click(await screen.findByRole('button', { name: 'Save and try' }));
  await screen.findByText('Fill this in.');
  expect(document.activeElement).toBe(screen.getByLabelText('Answer'));
  expect(sent).toEqual([]);
});

test('a draft comes into the field, and without a model it is said what is missing', async () => {
  const { user } = await showQuestions([wrap], wrap);
  let hasModel = false;
  serve(unanswered.suggest, () =>
    hasModel
      ? { data: { text: 'Yes, for ___ yen.' } }
      : refusal(422, { code: 'model-needed', message: 'This needs a model that can write.' }),
  );
  await user.click(await screen.findByRole('button', { name: 'Draft with a model' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This needs a model that can write.');
  hasModel = true;
  await user.click(screen.getByRole('button', { name: 'Draft with a model' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toBe('Yes, for ___ yen.'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what is written while a draft is on its way comes back with one press, and other fields stay as they are', async () => {
  const { user } = await showQuestions([wrap], wrap);
  show(<ToastArea />);
  const drafting = Promise.withResolvers<void>();
  serve(unanswered.suggest, async () => {
    await drafting.promise;
    return { data: { text: 'Yes, for ___ yen.' } };
  });
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Answer');
  await user.click(screen.getByRole('button', { name: 'Draft with a model' }));
  await user.type(field, 'We do, on the second floor.');
  await user.type(screen.getByRole('textbox', { name: 'Question' }), '!');
  drafting.resolve();
  await waitFor(() => expect(field.value).toBe('Yes, for ___ yen.'));
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' }).value).toBe(`${wrap.question}!`);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(field.value).toBe('We do, on the second floor.');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Question' }).value).toBe(`${wrap.question}!`);
});

test('j and k go through the list', async () => {
  const { user } = await showQuestions([wrap, hours]);
  await screen.findByRole('link', { name: /gift wrap/ });
  await user.keyboard('j');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /gift wrap/ }));
  await user.keyboard('j');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /at night/ }));
  await user.keyboard('k');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /gift wrap/ }));
});

test('an open question is stepped over with j, keeps what was written, and is dismissed on the way', async () => {
  const { user, stored } = await showQuestions([wrap, hours], wrap);
  await user.type(await screen.findByLabelText('Answer'), 'We do.');
  await user.click(screen.getByRole('heading', { name: wrap.question }));
  (document.activeElement as HTMLElement | null)?.blur();
  await user.keyboard('j');
  await screen.findByRole('heading', { name: hours.question });
  await user.keyboard('k');
  await screen.findByRole('heading', { name: wrap.question });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Answer').value).toBe('We do.');
  serve(unanswered.dismiss, () => {
    stored.open = [hours];
    return { data: as(wrap, 'dismissed') };
  });
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await screen.findByRole('heading', { name: hours.question });
});

test('each state of the list that has nothing says what would be there', async () => {
  const { user, lists } = await showQuestions([]);
  await screen.findByRole('heading', { name: 'Nothing is unanswered' });
  await user.click(screen.getByRole('button', { name: 'Dismissed' }));
  await screen.findByRole('heading', { name: 'Nothing dismissed' });
  expect(lists.at(-1)?.url.searchParams.get('status')).toBe('dismissed');
  await user.type(screen.getByRole('searchbox', { name: 'Search questions' }), 'tea');
  await screen.findByText('No question matches these filters.');
  await user.click(screen.getByText('Clear', { selector: 'p button' }));
  await screen.findByRole('heading', { name: 'Nothing dismissed' });
});
