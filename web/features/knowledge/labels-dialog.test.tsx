import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { documents, knowledge, type Document } from '../../../shared/contracts/knowledge.ts';
import { serve, show } from '../../testing/show.tsx';
import { LabelsDialog } from './labels-dialog.tsx';

const now = '2026-11-01T09:00:00.000Z';
const aDocument = (name: string, more: Partial<Document> = {}): Document => ({
  uuid: crypto.randomUUID(),
  knowledge: crypto.randomUUID(),
  name,
  source: 'file',
  url: null,
  mime: 'text/plain',
  bytes: 20,
  language: 'en',
  pages: null,
  status: 'indexed',
  stage: null,
  progress: 1,
  error: null,
  warnings: [],
  tokens: 5,
  chunkCount: 1,
  enabled: true,
  tags: [],
  fields: [],
  createdAt: now,
  updatedAt: now,
  ...more,
});

function open(all: Document[]) {
  serve(knowledge.labels, () => ({ data: [{ name: null, value: 'Menu', documents: 3 }] }));
  const asked = serve(documents.update, () => ({ data: aDocument('prices.txt') }));
  const onClose = vi.fn();
  const { user } = show(<LabelsDialog documents={all} onClose={onClose} />);
  return { asked, onClose, user };
}

test('a document gets tags and a field; a field without a value is told and nothing is sent', async () => {
  const { asked, onClose, user } = open([aDocument('prices.txt', { tags: ['Menu'] })]);
  await user.type(await screen.findByRole('combobox', { name: 'Tags' }), 'Lunch{Enter}');
  await user.click(screen.getByRole('button', { name: 'Add a field' }));
  await user.type(screen.getByRole('textbox', { name: 'Name of field 1' }), 'Shop');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('A field needs a name and a value.');
  expect(asked).toHaveLength(0);
  await user.type(screen.getByRole('textbox', { name: 'Value of field 1' }), 'Ueno');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(asked.map(({ body }) => body)).toEqual([
    { tags: ['Menu', 'Lunch'], fields: [{ name: 'Shop', value: 'Ueno' }] },
  ]);
});

test('several documents get a tag beside what each has', async () => {
  const fields = [{ name: 'Shop', value: 'Ueno' }];
  const { asked, onClose, user } = open([aDocument('a.txt', { tags: ['Menu'], fields }), aDocument('b.txt')]);
  await user.type(await screen.findByRole('combobox', { name: 'Tags to add' }), 'Lunch{Enter}');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(asked.map(({ body }) => body)).toEqual([
    { tags: ['Menu', 'Lunch'], fields },
    { tags: ['Lunch'], fields: [] },
  ]);
});
