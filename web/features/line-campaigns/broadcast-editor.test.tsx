import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { lineCampaigns, type Broadcast } from '../../../shared/contracts/line-campaigns.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { ContentField, ContentPreview } from '../rich-messages/content-field.tsx';
import { filledBubbles } from '../rich-messages/bubbles.ts';
import { BroadcastEditor } from './broadcast-editor.tsx';
import { useBroadcast } from './line-campaigns.queries.ts';

const at = '2026-11-23T01:00:00.000Z';
const later = '2026-11-23T02:00:00.000Z';
const channel = '0198c0de-0000-7000-8000-00000000000c';
const draft: Broadcast = {
  uuid: '0198c0de-0000-7000-8000-00000000000d',
  channel,
  name: 'Broadcast of Nov 23',
  content: [],
  audience: { kind: 'all', without: [] },
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

beforeEach(() => {
  signIn(anOwner);
  serve(lineCampaigns.friends, () => ({ data: [], meta: { nextCursor: null } }));
  serve(lineCampaigns.countAudience, () => ({ data: { recipients: 5 } }));
  serve(lineCampaigns.previewBroadcast, () => ({
    data: { recipients: 5, quota: null, problems: [], messages: [], personal: false, tester: null },
  }));
});

const open = (changes: Partial<Broadcast> = {}) =>
  showRouted(
    <BroadcastEditor
      channel={{ uuid: channel, name: 'Hinata Coffee' }}
      broadcast={{ ...draft, ...changes }}
      parts={{ Field: ContentField, Preview: ContentPreview, filled: filledBubbles }}
    />,
  );

test('a draft leads to what is missing when it is to be sent, is written at a press, and is called by its first words', async () => {
  const saved = serve(lineCampaigns.changeBroadcast, () => ({ data: draft }));
  const { user: person } = await open();
  await person.click(screen.getByRole('button', { name: 'Send' }));
  expect(screen.getByRole('alert').textContent).toBe('Choose what to send.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Text' })));
  await person.click(screen.getByRole('button', { name: 'Text' }));
  const field = screen.getByRole('textbox', { name: 'Bubble 1' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  await person.paste('Hello {{name}}\nOur chestnut cake is back.');
  expect(screen.queryByText('Choose what to send.')).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.body).toMatchObject({ name: 'Hello {name}' });
});

test('a draft is renamed at once, and what else was changed stays', async () => {
  const saved = serve(lineCampaigns.changeBroadcast, () => ({ data: { ...draft, name: 'Cake', updatedAt: later } }));
  const { user: person } = await open();
  await person.click(screen.getByRole('button', { name: 'Text' }));
  await person.click(screen.getByRole('button', { name: 'Rename' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await person.clear(field);
  await person.type(field, 'Cake');
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saved[0]?.body).toEqual({ name: 'Cake', seen: at });
  screen.getByRole('textbox', { name: 'Bubble 1' });
  await person.type(screen.getByRole('textbox', { name: 'Bubble 1' }), 'Hello');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved[1]?.body).toMatchObject({ name: 'Cake', seen: later }));
});

test('once saved nothing is unsaved, the name it was given is whole, and what others save is followed', async () => {
  let stored = draft;
  const sent = serve(lineCampaigns.changeBroadcast, ({ body }) => {
    stored = { ...stored, ...Object(body), updatedAt: later };
    return { data: stored };
  });
  serve(lineCampaigns.broadcast, () => ({ data: stored }));
  function Page() {
    const { data, refetch } = useBroadcast(draft.uuid);
    return data ? (
      <>
        <button type="button" onClick={() => void refetch()}>
          Look again
        </button>
        <BroadcastEditor
          channel={{ uuid: channel, name: 'Hinata Coffee' }}
          broadcast={data}
          parts={{ Field: ContentField, Preview: ContentPreview, filled: filledBubbles }}
        />
      </>
    ) : null;
  }
  const { user: person } = await showRouted(<Page />);
  await person.click(await screen.findByRole('button', { name: 'Text' }));
  const field = screen.getByRole('textbox', { name: 'Bubble 1' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  await person.paste(`${'a'.repeat(38)}😀 and more words`);
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: `${'a'.repeat(38)}…` });
  expect(String(Object(sent[0]?.body).name).isWellFormed()).toBe(true);
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true));
  stored = { ...stored, name: 'By another', updatedAt: '2026-11-23T03:00:00.000Z' };
  await person.click(screen.getByRole('button', { name: 'Look again' }));
  await screen.findByRole('heading', { name: 'By another' });
});

test('a draft that was begun in another language is called by its first words, too', async () => {
  const saved = serve(lineCampaigns.changeBroadcast, () => ({ data: draft }));
  const { user: person } = await open({ name: '11月23日の配信' });
  await person.click(screen.getByRole('button', { name: 'Text' }));
  await person.paste('Our chestnut cake is back.');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved[0]?.body).toMatchObject({ name: 'Our chestnut cake is back.' }));
});
