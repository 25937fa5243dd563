import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { documents } from '../../../shared/contracts/knowledge.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { PairsForm } from './pairs-form.tsx';

const base = '0198c0de-0000-7000-8000-0000000000ba';
const field = (name: string) => screen.getByRole<HTMLTextAreaElement>('textbox', { name });
const isFocused = (name: string) => waitFor(() => expect(document.activeElement).toBe(field(name)));

async function showForm() {
  const onAdded = vi.fn();
  const sent = serve(documents.add, () => Response.json({ data: [{ uuid: base }] }, { status: 202 }));
  return { ...(await showRouted(<PairsForm base={base} onAdded={onAdded} />)), onAdded, sent };
}

test('Enter goes from field to field and begins rows, and only what was filled in is sent', async () => {
  const { user, sent, onAdded } = await showForm();
  await user.click(field('Question 1'));
  await user.keyboard('When do you open?{Enter}');
  await isFocused('Answer 1');
  await user.keyboard('At nine,{Shift>}{Enter}{/Shift}but not on Monday.{Enter}');
  await isFocused('Question 2');
  await user.keyboard('Where are you?{Enter}');
  await isFocused('Answer 2');
  await user.keyboard('Behind the house.{Enter}');
  await isFocused('Question 3');
  await user.click(screen.getByRole('button', { name: 'Add 2 answers' }));
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce());
  expect(sent.map(({ body }) => body)).toEqual([
    {
      source: 'qa',
      name: 'Questions and answers',
      pairs: [
        { question: 'When do you open?', answer: 'At nine,\nbut not on Monday.' },
        { question: 'Where are you?', answer: 'Behind the house.' },
      ],
    },
  ]);
});

test('two columns of a spreadsheet become rows, and other text stays in its field', async () => {
  const { user } = await showForm();
  await user.click(field('Question 1'));
  await user.paste('When?\tAt nine.\nWhere?\t"Behind the ""blue"" house."\n');
  await isFocused('Answer 2');
  expect(field('Question 1').value).toBe('When?');
  expect(field('Answer 2').value).toBe('Behind the "blue" house.');
  expect(screen.queryByRole('textbox', { name: 'Question 3' })).toBeNull();
  await user.paste(' Upstairs.');
  expect(field('Answer 2').value).toBe('Behind the "blue" house. Upstairs.');
});

test('a question without its answer is pointed at, and nothing is sent', async () => {
  const { user, sent } = await showForm();
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('Write a question and its answer.');
  await isFocused('Question 1');
  await user.keyboard('When?');
  await user.click(screen.getByRole('button', { name: 'Save answer' }));
  await isFocused('Answer 1');
  expect(sent).toEqual([]);
});

test('a refusal leaves the rows as they are', async () => {
  const { user, onAdded } = await showForm();
  serve(documents.add, () => refusal(409, { code: 'limit-reached', message: 'There is no room for more.' }));
  await user.click(field('Question 1'));
  await user.paste('When?\tAt nine.');
  await user.click(screen.getByRole('button', { name: 'Save answer' }));
  expect((await screen.findByRole('alert')).textContent).toBe('There is no room for more.');
  expect(field('Answer 1').value).toBe('At nine.');
  expect(onAdded).not.toHaveBeenCalled();
});

test('a question that was asked waits with its answer focused, and names the document', async () => {
  const onAdded = vi.fn();
  const sent = serve(documents.add, () => Response.json({ data: [{ uuid: base }] }, { status: 202 }));
  const { user } = await showRouted(<PairsForm base={base} asked="Do you repair bicycles?" onAdded={onAdded} />);
  await isFocused('Answer');
  await user.keyboard('Yes, on weekdays.');
  await user.click(screen.getByRole('button', { name: 'Save answer' }));
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce());
  const pairs = [{ question: 'Do you repair bicycles?', answer: 'Yes, on weekdays.' }];
  expect(sent.map(({ body }) => body)).toEqual([{ source: 'qa', name: 'Do you repair bicycles?', pairs }]);
});
