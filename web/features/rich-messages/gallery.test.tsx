import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { richMessages, type ListedRich } from '../../../shared/contracts/rich-messages.ts';
import { richTemplates } from '../../../shared/rich-templates.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { RichGallery } from './gallery.tsx';

beforeEach(() => signIn(anOwner));

const now = new Date().toISOString();
const listed = (id: string, uses: number): ListedRich => {
  const { name, draft } = richTemplates('en').find((each) => each.id === id)!;
  return { uuid: crypto.randomUUID(), name, kind: draft.kind, draft, createdAt: now, updatedAt: now, uses };
};

test('a message tells its kind, or how many cards it has, and in how many places it is used', async () => {
  serve(richMessages.list, () => ({
    data: [listed('survey', 0), listed('sale', 2)],
    meta: { nextCursor: null, kinds: ['cards' as const, 'coupon' as const] },
  }));
  await showRouted(<RichGallery channel={crypto.randomUUID()} onBroadcast={vi.fn()} />);
  await screen.findByRole('link', { name: 'Survey' });
  const [survey, sale] = screen.getAllByRole('listitem').map((tile) => within(tile));
  const facts = (tile: typeof survey) => tile?.getByText(/sed/).parentElement?.textContent;
  expect([facts(survey), facts(sale)]).toEqual(['1 card · Not used', 'Coupon · Used in 2 places']);
});
