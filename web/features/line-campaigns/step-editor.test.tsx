import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { lineCampaigns, type StepScenario } from '../../../shared/contracts/line-campaigns.ts';
import { richMessages } from '../../../shared/contracts/rich-messages.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { ContentField, ContentPreview } from '../rich-messages/content-field.tsx';
import { filledBubbles } from '../rich-messages/bubbles.ts';
import { useScenario } from './line-campaigns.queries.ts';
import { StepEditor } from './step-editor.tsx';

beforeEach(() => signIn(anOwner));

const at = (second: number) => new Date(Date.parse('2026-11-01T09:00:00.000Z') + second * 1000).toISOString();
const aScenario = (changes: Partial<StepScenario> = {}): StepScenario => ({
  uuid: crypto.randomUUID(),
  channel: crypto.randomUUID(),
  name: 'Welcome',
  active: false,
  trigger: { on: 'follow' },
  stop: { tag: null, writes: false, staff: false },
  again: false,
  timezone: 'Asia/Tokyo',
  steps: [],
  people: { active: 0, done: 0, stopped: 0 },
  nextAt: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...changes,
});
const aStep = (days: number, text: string): StepScenario['steps'][number] => ({
  uuid: crypto.randomUUID(),
  time: { kind: 'days', days, at: '09:00' },
  content: [{ type: 'text', text }],
  taps: false,
  tapTag: null,
  sent: 0,
  stopped: 0,
  waiting: 0,
  tapped: 0,
});

/** The page on a server that keeps what it is sent. */
async function anEditor(changes: Partial<StepScenario> = {}) {
  let scenario = aScenario(changes);
  let saves = 0;
  const keep = (next: Partial<StepScenario>) => {
    saves += 1;
    scenario = { ...scenario, ...next, updatedAt: at(saves) };
  };
  serve(lineCampaigns.scenario, () => ({ data: scenario }));
  const sent = serve(lineCampaigns.changeScenario, ({ body }) => {
    const { seen, steps, ...rest } = Object(body);
    if (seen !== undefined && seen !== scenario.updatedAt)
      return refusal(409, { code: 'conflict', message: 'Somebody was faster.' });
    const blank = rest.active && JSON.stringify(steps).includes('[[');
    if (blank)
      return refusal(422, {
        code: 'validation-failed',
        message: 'Please check the fields.',
        fields: [{ path: 'steps.1.content.0.text', message: 'Replace the text in [[ ]].' }],
      });
    keep({
      ...rest,
      steps: steps.map((step: object) => ({ ...aStep(0, ''), ...step })),
    });
    return { data: scenario };
  });
  function Page() {
    const read = useScenario(scenario.uuid);
    if (!read.data) return null;
    return (
      <StepEditor
        channel={{ name: 'Hinata Coffee', settings: { greeting: ['Hello'] } }}
        scenario={read.data}
        parts={{ Field: ContentField, Preview: ContentPreview, filled: filledBubbles }}
      />
    );
  }
  const shown = await showRouted(<Page />);
  await screen.findByRole('switch', { name: /^Send this series/ });
  return { ...shown, sent, keep, stored: () => scenario };
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save', hidden: true });
const open = (when: string) => screen.getByRole('button', { name: when });
const words = (number: number) =>
  within(screen.getByRole('group', { name: `Message of step ${number}` })).getByRole('textbox');

test('a series begins with a template, whose gaps are to be filled in before it is switched on', async () => {
  const { user, sent, stored } = await anEditor();
  await user.click(screen.getByRole('button', { name: 'Welcome' }));
  // The channel greets by itself.
  expect(screen.getByText(/also get the greeting of this channel/)).toBeTruthy();
  expect(screen.getAllByText('To fill in')).toHaveLength(2);
  await user.click(screen.getByRole('switch', { name: /^Send this series/ }));
  await user.click(save());
  // The step in which something is missing is opened.
  await screen.findByText('Replace the text in [[ ]].');
  expect(screen.getByText('Fix the marked fields, then save again.')).toBeTruthy();
  expect(open('Day 3, 12:00').getAttribute('aria-expanded')).toBe('true');
  const field = words(2) as HTMLTextAreaElement;
  await user.click(screen.getByRole('button', { name: 'link to your best sellers' }));
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('[[link to your best sellers]]');
  for (const number of [2, 3]) {
    if (number === 3) await user.click(open('Day 7, 18:00'));
    const input = words(number) as HTMLTextAreaElement;
    fireEvent.change(input, { target: { value: input.value.replaceAll(/\[\[.*?\]\]/g, 'https://shop.example/') } });
  }
  await user.click(save());
  await waitFor(() => expect(stored().active).toBe(true));
  expect(sent).toHaveLength(2);
});

test('each step shows how it looks, and steps are saved in the order in which they come', async () => {
  const { user, stored } = await anEditor({ steps: [aStep(3, 'Three, {{name}}'), aStep(7, 'Seven')] });
  expect(screen.queryByRole('complementary')).toBeNull();
  await user.click(open('Day 3, 09:00'));
  expect(screen.getByRole('complementary', { name: 'How step 1 looks' }).textContent).toContain('Three, Name');
  fireEvent.change(screen.getByRole('textbox', { name: 'Days' }), { target: { value: '9' } });
  await user.click(save());
  await waitFor(() =>
    expect(stored().steps.map(({ content }) => content)).toMatchObject([
      [{ text: 'Seven' }],
      [{ text: 'Three, {{name}}' }],
    ]),
  );
});

test('a step is tried on a friend once it is saved, or all of them', async () => {
  const steps = [aStep(3, 'Three'), aStep(7, 'Seven')];
  const friend = { uuid: crypto.randomUUID(), name: 'Sora' };
  serve(lineCampaigns.tester, () => ({ data: { tester: friend } }));
  serve(lineCampaigns.friends, () => ({ data: [friend], meta: { nextCursor: null } }));
  const tested = serve(lineCampaigns.testScenario, () => ({ ok: true as const }));
  const { user } = await anEditor({ steps });
  const send = async () => {
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Send test' });
    await waitFor(() => expect(button.disabled).toBe(false));
    await user.click(button);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await user.click(open('Day 7, 09:00'));
  await user.click(screen.getByRole('button', { name: 'Send a test' }));
  await send();
  await user.click(screen.getByRole('button', { name: 'Test the series' }));
  screen.getByText(/^All steps go out at once and count as 2 messages/);
  await send();
  expect(tested.map(({ body }) => body)).toEqual([
    { guest: friend.uuid, step: steps[1]!.uuid },
    { guest: friend.uuid },
  ]);
  fireEvent.change(words(2), { target: { value: 'Changed' } });
  await user.click(screen.getByRole('button', { name: 'Test the series' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send test' }).disabled).toBe(true);
});

test('of two who change a series, the second is told, and loses nothing', async () => {
  const { user, keep, stored } = await anEditor({ steps: [aStep(3, 'Three')] });
  await user.click(open('Day 3, 09:00'));
  fireEvent.change(words(1), { target: { value: 'Mine' } });
  keep({ steps: [aStep(3, 'Theirs')] });
  await user.click(save());
  await screen.findByText(/^Somebody else has changed it meanwhile/);
  expect(stored().steps[0]?.content).toEqual([{ type: 'text', text: 'Theirs' }]);
  expect(words(1)).toHaveProperty('value', 'Mine');
  await user.click(save());
  await waitFor(() => expect(stored().steps[0]?.content).toEqual([{ type: 'text', text: 'Mine' }]));
});

test('what is written while a picture is on its way stays, and so does the picture', async () => {
  const { user, stored } = await anEditor({ steps: [aStep(3, 'Three'), aStep(7, 'Seven')] });
  const picture = { uuid: crypto.randomUUID(), height: 700 };
  let arrive = () => {};
  serve(richMessages.uploadImage, () => new Promise((done) => (arrive = () => done({ data: picture }))));
  await user.click(open('Day 3, 09:00'));
  await user.click(screen.getAllByRole('button', { name: 'Picture' })[0]!);
  const file = document.querySelector<HTMLInputElement>('input[type=file]')!;
  await user.upload(file, new File(['x'], 'shop.png', { type: 'image/png' }));
  // Meanwhile another step is opened and written, and what stands above the picture goes.
  await user.click(open('Day 7, 09:00'));
  fireEvent.change(words(2), { target: { value: 'Seven, anew' } });
  await user.click(open('Day 3, 09:00'));
  await user.click(screen.getByRole('button', { name: 'Remove bubble 1' }));
  arrive();
  await waitFor(() => expect(document.querySelector(`img[src*="${picture.uuid}"]`)).not.toBeNull());
  await user.click(save());
  await waitFor(() =>
    expect(stored().steps.map(({ content }) => content)).toEqual([
      [{ type: 'image', file: picture.uuid }],
      [{ type: 'text', text: 'Seven, anew' }],
    ]),
  );
});
