import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { richMessages, type RichMessage } from '../../../shared/contracts/rich-messages.ts';
import type { RichDraft } from '../../../shared/rich-message.ts';
import { richTemplates } from '../../../shared/rich-templates.ts';
import { showRouted } from '../../testing/routed.tsx';
import ToastArea from '../../ui/toast-area.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { emptyCard, emptyEdit, toEdit } from './draft.ts';
import { RichEditor } from './editor.tsx';
import { useRichMessage } from './rich-messages.queries.ts';

beforeEach(() => signIn(anOwner));

const template = (id: string): RichDraft => richTemplates('en').find((each) => each.id === id)!.draft;
const channel = { uuid: crypto.randomUUID(), name: 'Hinata Coffee' };
const at = (second: number) => new Date(Date.parse('2026-11-01T09:00:00.000Z') + second * 1000).toISOString();

/** The page of a message that is stored on a server that keeps what it is sent. */
async function anEditor(draft: RichDraft) {
  let saves = 0;
  const begun: string[] = [];
  let message: RichMessage = {
    uuid: crypto.randomUUID(),
    name: 'Mine',
    kind: draft.kind,
    draft,
    createdAt: at(0),
    updatedAt: at(0),
  };
  const keep = (next: Partial<RichMessage>) => {
    saves += 1;
    message = { ...message, ...next, updatedAt: at(saves) };
  };
  serve(richMessages.get, () => ({ data: message }));
  serve(richMessages.update, ({ body }) => {
    const { seen, ...changes } = Object(body);
    if (seen !== undefined && seen !== message.updatedAt)
      return refusal(409, { code: 'conflict', message: 'Somebody was faster.' });
    keep(changes);
    return { data: message };
  });
  function Page() {
    const read = useRichMessage(message.uuid);
    if (!read.data) return null;
    return (
      <RichEditor
        channel={channel}
        message={read.data}
        begin={{ name: '', edit: emptyEdit('cards', 'en') }}
        broadcast={{ isBusy: false, begin: (name) => begun.push(name) }}
        onCreated={() => {}}
        onLeft={() => {}}
      />
    );
  }
  const shown = await showRouted(
    <>
      <Page />
      <ToastArea />
    </>,
  );
  await screen.findByRole('complementary', { name: 'Preview', hidden: true });
  return { ...shown, keep, begun, stored: () => message };
}

/** One that is new, with what the server says of it. */
async function aNewOne(draft: RichDraft, fault: { path: string; message: string }, name = 'New') {
  const sent = serve(richMessages.create, () =>
    refusal(422, { code: 'validation-failed', message: 'Please check the fields.', fields: [fault] }),
  );
  const shown = await showRouted(
    <RichEditor
      channel={channel}
      message={undefined}
      begin={{ name, edit: toEdit(draft) }}
      onCreated={() => {}}
      onLeft={() => {}}
    />,
  );
  return { ...shown, sent };
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save', hidden: true });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const preview = () => screen.getByRole('complementary', { name: 'Preview', hidden: true });

test('a coupon is filled in as a form, drawn as it is typed, and opened as that form again', async () => {
  const { user, stored } = await anEditor(template('sale'));
  expect(field('Discount').value).toBe('10% off');
  fireEvent.change(field('Discount'), { target: { value: 'Free coffee' } });
  await user.click(screen.getByRole('button', { name: 'Choose a date' }));
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2030-01-31' } });
  await user.click(screen.getByRole('button', { name: 'Enter a code' }));
  await user.type(field('Code'), 'BEANS');
  await user.click(screen.getByRole('button', { name: '日本語' }));
  for (const said of ['Free coffee', '2030年1月31日', 'BEANS', 'コードをコピー'])
    expect(preview().textContent).toContain(said);
  await user.click(save());
  await waitFor(() =>
    expect(stored().draft).toMatchObject({
      kind: 'coupon',
      language: 'ja',
      discount: 'Free coffee',
      until: '2030-01-31',
      redeem: { by: 'code', code: 'BEANS' },
    }),
  );
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(field('Code').value).toBe('BEANS');
});

test('a template says which links are still to be filled in and leads to the first, and the card that lacks one is opened', async () => {
  const { user } = await aNewOne(template('arrival'), {
    path: 'draft.cards.2.buttons.0.action.uri',
    message: 'Use a complete address.',
  });
  screen.getByText('4 actions are still to be filled in.');
  await user.click(
    within(screen.getByRole('group', { name: 'Card 1' })).getByRole('button', { name: /To be filled in$/ }),
  );
  fireEvent.change(within(screen.getByRole('group', { name: 'Card 1' })).getByLabelText('Link'), {
    target: { value: 'https://a.jp' },
  });
  await user.click(screen.getByRole('button', { name: '3 actions are still to be filled in.' }));
  const next = await within(await screen.findByRole('group', { name: 'Card 2' })).findByLabelText('Link');
  await waitFor(() => expect(document.activeElement).toBe(next));
  await user.click(save());
  const wrong = await within(await screen.findByRole('group', { name: 'Card 3' })).findByLabelText('Link');
  await waitFor(() => expect(wrong.getAttribute('aria-invalid')).toBe('true'));
  await screen.findByText('Please check the fields.');
});

test('a picture stays with its card when another is looked at, moved or written while it is on its way', async () => {
  const card = (title: string) => ({ ...structuredClone(emptyCard), title });
  const { user, stored } = await anEditor({
    kind: 'cards',
    alt: 'Cakes',
    ratio: 'wide',
    color: '#0a6b3d',
    cards: [card('One'), card('Two'), card('Three')],
    more: null,
  });
  const picture = { uuid: crypto.randomUUID(), height: 700 };
  let arrive = () => {};
  serve(richMessages.uploadImage, () => new Promise((done) => (arrive = () => done({ data: picture }))));
  const one = within(screen.getByRole('group', { name: 'Card 1' }));
  await user.upload(
    one.getByLabelText('Picture', { selector: 'input' }),
    new File(['x'], 'a.png', { type: 'image/png' }),
  );
  await user.click(screen.getByRole('button', { name: 'Card 3 Three' }));
  fireEvent.change(within(screen.getByRole('group', { name: 'Card 3' })).getByRole('textbox', { name: 'Title' }), {
    target: { value: 'Third' },
  });
  for (const card of ['Card 3', 'Card 2']) {
    await user.click(screen.getByRole('button', { name: new RegExp(`${card}$`) }));
    await user.click(await screen.findByRole('menuitem', { name: 'Move left' }));
  }
  arrive();
  await waitFor(() => expect(document.querySelector(`img[src*="${picture.uuid}"]`)).not.toBeNull());
  await user.click(save());
  await waitFor(() =>
    expect(stored().draft).toMatchObject({
      cards: [
        { title: 'Third', picture: null },
        { title: 'One', picture },
        { title: 'Two', picture: null },
      ],
    }),
  );
});

test('a host alone becomes an address when a card or a coupon is saved, also where its field still has the focus', async () => {
  const button = { type: 'uri' as const, label: 'View', uri: 'shop.example' };
  const whole = { ...button, uri: 'https://shop.example' };
  const { user, stored } = await anEditor({
    kind: 'cards',
    alt: 'Cakes',
    ratio: 'wide',
    color: '#0a6b3d',
    cards: [{ ...structuredClone(emptyCard), title: 'Cake', buttons: [{ style: 'primary', action: button }] }],
    more: button,
  });
  fireEvent.change(field('Title'), { target: { value: 'Cheesecake' } });
  await user.click(save());
  await waitFor(() => expect(stored().draft).toMatchObject({ cards: [{ buttons: [{ action: whole }] }], more: whole }));
});

test('a broadcast says what is stored; what was changed is saved before', async () => {
  const { user, begun, stored } = await anEditor(template('sale'));
  const use = screen.getByRole('button', { name: 'Use in a broadcast' });
  await user.click(use);
  expect(begun).toEqual(['Mine']);
  fireEvent.change(field('Discount'), { target: { value: 'Free coffee' } });
  await user.click(use);
  await waitFor(() => expect(begun).toEqual(['Mine', 'Mine']));
  expect(stored().draft).toMatchObject({ discount: 'Free coffee' });
});

test('another name is saved at once, beside what is not saved yet; the foot says which it is', async () => {
  const { user, stored } = await anEditor(template('sale'));
  screen.getByText('Saved');
  fireEvent.change(field('Discount'), { target: { value: 'Free coffee' } });
  screen.getByText('Unsaved changes');
  await user.click(screen.getByRole('button', { name: 'Rename' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename' }));
  const name = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('Mine');
  fireEvent.change(name, { target: { value: 'Renamed' } });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'Renamed' });
  expect(stored()).toMatchObject({ name: 'Renamed', draft: { discount: '10% off' } });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(field('Discount').value).toBe('Free coffee');
  await user.click(save());
  await screen.findByText('Saved');
  expect(stored()).toMatchObject({ name: 'Renamed', draft: { discount: 'Free coffee' } });
});

test('on a phone the kind, and that all is saved, stand under the name, and the bar that saves comes with a change', async () => {
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: query.startsWith('(max-width') }),
  );
  const { user, begun } = await anEditor(template('sale'));
  const head = screen.getByRole('heading', { name: 'Mine' });
  expect(head.textContent).toBe('MineCoupon · Saved');
  within(head).getByRole('button', { name: 'Rename' });
  expect(screen.getAllByText(/Saved/)).toHaveLength(1);
  fireEvent.change(field('Discount'), { target: { value: 'Free coffee' } });
  expect(head.textContent).toBe('MineCoupon');
  screen.getByText('Unsaved changes');
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.click(save());
  await waitFor(() => expect(head.textContent).toBe('MineCoupon · Saved'));
  await user.click(screen.getByRole('button', { name: 'More for this message' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Use in a broadcast' }));
  expect(begun).toEqual(['Mine']);
});

test('a new one without a name is asked for it when it is saved, with what it says as a proposal', async () => {
  const { user, sent } = await aNewOne(template('sale'), { path: 'draft.title', message: 'Enter a title.' }, '');
  screen.getByText('Not saved yet');
  await user.click(save());
  const dialog = within(await screen.findByRole('dialog', { name: 'Name this message' }));
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('10% off');
  expect(sent).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ name: '10% off' }));
  await screen.findByRole('heading', { name: '10% off' });
});

test('a coupon has no end, the end of this month, or a day of one’s own', async () => {
  const { user } = await anEditor(template('sale'));
  const choices = within(screen.getByRole('group', { name: 'Valid until' }));
  expect(choices.getByRole('button', { pressed: true }).textContent).toBe('No end date');
  await user.click(choices.getByRole('button', { name: 'End of month' }));
  screen.getByText(/^Through .*\.$/);
  expect(screen.queryByLabelText('Last day')).toBeNull();
  await user.click(choices.getByRole('button', { name: 'Choose a date' }));
  screen.getByLabelText('Last day');
});

test('a card without a picture is shown without one, as LINE draws it', async () => {
  await anEditor(template('survey'));
  expect(preview().querySelector('svg')).toBeNull();
});

test('a coupon’s link is completed as well', async () => {
  const { user, stored } = await anEditor(template('sale'));
  await user.click(screen.getByRole('switch', { name: 'Button that opens a link' }));
  fireEvent.change(field('Link'), { target: { value: 'shop.example/sale' } });
  await user.click(save());
  await waitFor(() => expect(stored().draft).toMatchObject({ button: { uri: 'https://shop.example/sale' } }));
});

test('where nothing is written yet, the preview shows what will be there, and nothing of it is sent', async () => {
  const fault = { path: 'draft.alt', message: 'Enter a notification text.' };
  const { user, sent } = await aNewOne(
    { kind: 'cards', alt: '', ratio: 'wide', color: '#0a6b3d', cards: [structuredClone(emptyCard)], more: null },
    fault,
  );
  expect(preview().textContent).toMatch(/Title.*Text/);
  fireEvent.change(field('Title'), { target: { value: 'Cheesecake' } });
  expect(preview().textContent).toContain('Cheesecake');
  expect(preview().textContent).not.toContain('Text');
  await user.click(screen.getByRole('button', { name: 'Add a card' }));
  await user.click(save());
  await waitFor(() =>
    expect(sent.at(-1)?.body).toMatchObject({ draft: { cards: [{ title: 'Cheesecake' }, emptyCard] } }),
  );
});

test('a button is one line that says what it does, and opens at a press; a new one is open', async () => {
  const { user } = await anEditor(template('survey'));
  expect(screen.queryByRole('textbox', { name: 'Button text' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Very good Sends “Very good”' }));
  expect(field('Button text').value).toBe('Very good');
  await user.click(screen.getByRole('button', { name: 'Remove button 1' }));
  await user.click(screen.getByRole('button', { name: 'Add a button' }));
  expect(field('Button text').value).toBe('');
});

test('the arrows below the preview open the card that they show', async () => {
  const { user } = await anEditor(template('arrival'));
  await user.click(within(preview()).getByRole('button', { name: 'Next card', hidden: true }));
  await screen.findByRole('group', { name: 'Card 2' });
  within(preview()).getByText('Card 2 of 3');
});

test('of two who change a message, the second is told, and loses nothing', async () => {
  const { user, keep, stored } = await anEditor(template('sale'));
  fireEvent.change(field('Discount'), { target: { value: 'Mine' } });
  keep({ name: 'Theirs' });
  await user.click(save());
  await screen.findByText(/^Somebody else has changed this message/);
  expect(stored()).toMatchObject({ name: 'Theirs', draft: { discount: '10% off' } });
  expect(field('Discount').value).toBe('Mine');
  await user.click(save());
  await waitFor(() => expect(stored().draft).toMatchObject({ discount: 'Mine' }));
});

test('what is removed from a picture comes back beside what was written meanwhile, and another action forgets no words', async () => {
  const tap = (text: string) => ({ type: 'message' as const, label: '', text });
  const { user } = await anEditor({
    kind: 'imagemap',
    alt: 'Sale',
    picture: { uuid: crypto.randomUUID(), height: 700 },
    areas: [
      { bounds: { x: 0, y: 0, width: 520, height: 700 }, action: tap('One') },
      { bounds: { x: 520, y: 0, width: 520, height: 700 }, action: tap('Two') },
    ],
  });
  const area = (letter: string) => screen.getByRole('button', { name: `Area ${letter}` });
  await screen.findByRole('button', { name: 'Area B' });
  await user.click(area('B'));
  await user.click(screen.getByRole('button', { name: 'Remove area B' }));
  fireEvent.change(field('Notification text'), { target: { value: 'Winter sale' } });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await user.click(area('B'));
  expect([field('Text').value, field('Notification text').value]).toEqual(['Two', 'Winter sale']);

  const choose = async (kind: string) => {
    await user.click(screen.getByRole('combobox', { name: 'When tapped' }));
    await user.click(await screen.findByRole('option', { name: kind }));
  };
  await choose('Open a link');
  expect(field('Link').value).toBe('');
  fireEvent.change(field('Link'), { target: { value: 'shop.example/sale' } });
  fireEvent.blur(field('Link'));
  expect(field('Link').value).toBe('https://shop.example/sale');
  await choose('Send a text');
  expect(field('Text').value).toBe('Two');

  await user.click(screen.getByRole('button', { name: 'Whole picture' }));
  expect(screen.queryByRole('button', { name: 'Area B' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await user.click(area('B'));
  expect(field('Text').value).toBe('Two');
});

test('the area in which the server finds something is chosen, and its field has the focus', async () => {
  const area = (x: number, uri: string) => ({
    bounds: { x, y: 0, width: 520, height: 700 },
    action: { type: 'uri' as const, label: '', uri },
  });
  const { user } = await aNewOne(
    {
      kind: 'imagemap',
      alt: 'Sale',
      picture: { uuid: crypto.randomUUID(), height: 700 },
      areas: [area(0, 'https://a.jp'), area(520, '://b')],
    },
    { path: 'draft.areas.1.action.uri', message: 'Use a complete address.' },
  );
  await screen.findByRole('button', { name: 'Area B' });
  await user.click(save());
  await screen.findByText('Use a complete address.');
  await waitFor(() => expect(document.activeElement).toBe(field('Link')));
  expect(field('Link').value).toBe('://b');
});

test('a button whose address was wrong stays open while it is mended', async () => {
  const { user } = await aNewOne(template('arrival'), {
    path: 'draft.cards.0.buttons.0.action.uri',
    message: 'Use a complete address.',
  });
  await user.click(save());
  const link = await within(screen.getByRole('group', { name: 'Card 1' })).findByLabelText<HTMLInputElement>('Link');
  await user.type(link, '/autumn');
  expect(link.isConnected).toBe(true);
  expect(link.value).toMatch(/\/autumn$/);
});
