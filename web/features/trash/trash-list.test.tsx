import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { trash, type TrashItem } from '../../../shared/contracts/trash.ts';
import { serve, show } from '../../testing/show.tsx';
import { TrashList } from './trash-list.tsx';

const now = Date.now();
const iso = (days: number) => new Date(now + days * 86_400_000 - 1000).toISOString();
const aDocument: TrashItem = {
  kind: 'document',
  uuid: crypto.randomUUID(),
  name: 'Delivery terms.md',
  knowledge: { uuid: crypto.randomUUID(), name: 'Suppliers', isDeleted: true },
  deletedBy: null,
  deletedAt: iso(-20),
  erasedAt: iso(10),
  createdAt: iso(-20),
  updatedAt: iso(-20),
};
const list = (data: TrashItem[]) => serve(trash.list, () => ({ data, meta: { nextCursor: null, total: data.length } }));

test('a document whose base is in the trash says so, and both are restored, the base first', async () => {
  list([aDocument]);
  const order: string[] = [];
  serve(knowledge.restore, () => (order.push('base'), Response.json({ data: {} })));
  serve(documents.restore, () => (order.push('document'), Response.json({ data: {} })));
  const { user } = show(<TrashList />);
  expect(await screen.findByText('in Suppliers, which is in the trash too')).toBeTruthy();
  expect(screen.getByText('10 days left')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Restore: Delivery terms.md' }));
  const dialog = await screen.findByRole('dialog', { name: 'Restore “Suppliers” as well?' });
  expect(order).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Restore both' }));
  await expect.poll(() => order).toEqual(['base', 'document']);
});

test('nothing is deleted for good before one has said so twice, and emptying names how much', async () => {
  list([aDocument, { ...aDocument, uuid: crypto.randomUUID(), kind: 'bot', name: 'Desk', knowledge: null }]);
  const erased = serve(trash.eraseDocument, () => ({ ok: true }));
  const emptied = serve(trash.empty, () => ({ ok: true, erased: 2 }));
  const { user } = show(<TrashList />);
  await user.click(await screen.findByRole('button', { name: 'Delete for good: Delivery terms.md' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Delivery terms.md” for good?' });
  expect(erased).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Delete for good' }));
  await expect.poll(() => erased.length).toBe(1);
  await user.click(screen.getByRole('button', { name: 'Empty the trash' }));
  const all = await screen.findByRole('dialog', { name: 'Delete 2 items for good?' });
  expect(emptied).toEqual([]);
  await user.click(within(all).getByRole('button', { name: 'Empty the trash' }));
  await expect.poll(() => emptied.length).toBe(1);
});
