import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import {
  connections,
  usualConnection,
  type Connection,
  type KeywordRule,
} from '../../../shared/contracts/connections.ts';
import { conversations, type Message } from '../../../shared/contracts/conversations.ts';
import { aBot, aConnection } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { useConnection } from './connections.queries.ts';

/** On a desk, where every part is open, or on a phone. */
const isOnDesk = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: isWide }));
beforeEach(() => void isOnDesk(true));

const rule: KeywordRule = {
  phrases: ['refund'],
  match: 'contains',
  when: 'always',
  schedule: null,
  reply: '',
  rich: null,
  handOff: true,
  tag: '',
};

const said: Message = {
  uuid: aBot().uuid,
  seq: 2,
  role: 'assistant',
  parent: null,
  siblings: [],
  text: '',
  reasoning: '',
  tools: [],
  files: [],
  citations: [],
  suggestions: [],
  status: 'done',
  finish: 'stop',
  error: null,
  feedback: null,
  usage: null,
  createdAt: aBot().createdAt,
  updatedAt: aBot().updatedAt,
};

/** The page as it stands on a server that keeps what it is sent. */
async function aForm(changes: Partial<Connection> = {}) {
  let stored = aConnection(changes);
  serve(bots.dropdown, () => ({ data: [] }));
  serve(connections.get, () => ({ data: stored }));
  const sent = serve(connections.update, ({ body }) => {
    const { active, bot, seen, ...settings } = Object(body);
    if (seen !== undefined && seen !== stored.updatedAt)
      return refusal(409, { code: 'conflict', message: 'Somebody was faster.' });
    stored = {
      ...stored,
      ...(active !== undefined && { active }),
      ...(bot === null && { bot }),
      settings: { ...stored.settings, ...settings },
      updatedAt: new Date(Date.parse(stored.updatedAt) + 1000).toISOString(),
    };
    return { data: stored };
  });
  /** Somebody else saves it. */
  const meanwhile = (settings: Partial<Connection['settings']>) => {
    stored = {
      ...stored,
      settings: { ...stored.settings, ...settings },
      updatedAt: new Date(Date.parse(stored.updatedAt) + 1000).toISOString(),
    };
  };
  /** What was asked to be changed, without from what. */
  const asked = () => sent.map(({ body }) => ({ ...Object(body), seen: undefined }));
  function Page() {
    const connection = useConnection(stored.uuid);
    return connection.data ? (
      <ConnectionForm connection={connection.data} RichField={() => null} AnswerText={({ text }) => text} />
    ) : null;
  }
  const shown = await showRouted(<Page />);
  await screen.findByRole('switch', { name: /^Answer on / });
  return { ...shown, sent, asked, meanwhile, stored: () => stored.settings };
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save', hidden: true });

const noOtherHolidays = { closed: [], japaneseHolidays: false };

test('only what was changed is sent, and can be discarded before', async () => {
  const { user, asked } = await aForm();
  expect(save().disabled).toBe(true);
  await user.click(screen.getByRole('switch', { name: /^Answer on / }));
  await user.click(screen.getByRole('switch', { name: /^“Talk to a person”/ }));
  screen.getByText('2 changes');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Answer on / }).checked).toBe(true);
  await user.click(screen.getByRole('switch', { name: /^“Talk to a person”/ }));
  await user.click(save());
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(asked()).toEqual([{ handoff: { offered: false, returnMinutes: 720, whileAway: 'wait' } }]);
});

test('of two who change a connection, the second is told, and takes nothing back that they did not touch', async () => {
  const { user, asked, meanwhile, stored } = await aForm();
  await user.click(screen.getByRole('switch', { name: /^“Talk to a person”/ }));
  meanwhile({ awayText: 'Back on Monday' });
  await user.click(save());
  await screen.findByText(/^Somebody else has saved this connection in the meantime/);
  expect(stored().handoff.offered).toBe(true);
  await user.click(save());
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(asked()).toHaveLength(2);
  expect(stored()).toMatchObject({ awayText: 'Back on Monday', handoff: { offered: false } });
});

test('a rule without a phrase is not sent; it says what is missing', async () => {
  const { user, sent, asked } = await aForm();
  await user.click(screen.getByRole('button', { name: 'Add a rule' }));
  await screen.findByRole('combobox', { name: 'Phrases' });
  await user.click(save());
  expect(sent).toEqual([]);
  screen.getByText('Write at least one phrase.');
  await user.type(screen.getByRole('combobox', { name: 'Phrases' }), 'refund{Enter}');
  await user.click(screen.getByRole('switch', { name: 'Hand over to a person' }));
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(asked()).toEqual([{ rules: [rule] }]);
});

test('a rule begins with an example, which is changed as any other and not offered again', async () => {
  const { user, asked } = await aForm();
  const examples = screen.getByRole('group', { name: 'Begin with an example' });
  await user.click(within(examples).getByRole('button', { name: /^Contains “opening hours”/ }));
  const reply = await screen.findByRole('textbox', { name: 'Reply' });
  await user.click(save());
  screen.getByText('This is the example. Write what is true of your shop.');
  expect(asked()).toEqual([]);
  await user.clear(reply);
  await user.type(reply, 'From nine to five.');
  expect(within(examples).getAllByRole('button')).toHaveLength(2);
  await user.click(save());
  await waitFor(() => expect(asked()).toMatchObject([{ rules: [{ reply: 'From nine to five.', handOff: false }] }]));
});

test('a rule begins with a word and what happens; the rest is there for whoever asks, or has it', async () => {
  const { user } = await aForm({ settings: { ...usualConnection, rules: [{ ...rule, match: 'exact' }] } });
  await user.click(screen.getByRole('button', { name: 'Add a rule' }));
  await screen.findByRole('combobox', { name: 'Phrases' });
  expect(screen.queryByRole('button', { name: 'Is exactly' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^More:/ }));
  screen.getByRole('textbox', { name: 'Tag' });
  await user.click(screen.getByRole('button', { name: /^Is exactly “refund”/ }));
  screen.getByRole('button', { name: 'Is exactly' });
});

test('rules are put in order by the arrow keys, and stay in it', async () => {
  const second = { ...rule, phrases: ['hello'] };
  const { user, asked } = await aForm({ settings: { ...usualConnection, rules: [rule, second] } });
  screen.getByRole('button', { name: 'Move rule 2' }).focus();
  await user.keyboard('{ArrowUp}');
  screen.getByText('Now rule 1.');
  await user.click(save());
  await waitFor(() => expect(asked()).toEqual([{ rules: [second, rule] }]));
});

test('hours that end before they begin go on into the next day, which is said', async () => {
  const { user, sent } = await aForm();
  await user.click(await screen.findByRole('button', { name: 'Set hours' }));
  const monday = screen.getByRole('group', { name: 'Monday' });
  const end = within(monday).getByLabelText('Monday, span 1: to');
  fireEvent.change(end, { target: { value: '02:00' } });
  within(monday).getByText('Until the next day');
  fireEvent.change(end, { target: { value: '00:00' } });
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ hours: { week: { 1: [{ from: '09:00', to: '24:00' }] } } });
});

test('a day is copied to all others', async () => {
  const { user, sent } = await aForm();
  await user.click(await screen.findByRole('button', { name: 'Set hours' }));
  await user.click(screen.getByRole('button', { name: 'Add hours on Tuesday' }));
  await user.click(screen.getByRole('button', { name: 'Copy Tuesday to all days' }));
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  const day = [
    { from: '09:00', to: '18:00' },
    { from: '19:00', to: '23:00' },
  ];
  expect(sent[0]?.body).toMatchObject({ hours: { week: Array.from({ length: 7 }, () => day) } });
});

test('a week is told in as few lines as it has kinds of days, and its hours are changed there', async () => {
  const day = [{ from: '09:00', to: '18:00' }];
  const hours = {
    timezone: 'Asia/Tokyo',
    week: [[], day, day, day, day, day, []],
    holidays: ['2026-12-31'],
    ...noOtherHolidays,
  };
  const { user } = await aForm({ settings: { ...usualConnection, hours } });
  await screen.findByRole('button', { name: 'Edit hours' });
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent?.replace(/\s/g, ' '))).toEqual([
    'Mon – Fri',
    'Sat, Sun',
  ]);
  screen.getByText('09:00–18:00');
  screen.getByText('Asia/Tokyo · 1 holiday');
  await user.click(await screen.findByRole('button', { name: 'Edit hours' }));
  screen.getByRole('group', { name: 'Monday' });
});

test('beside the form stands what is set in each of its parts', async () => {
  const day = [{ from: '09:00', to: '18:00' }];
  const hours = { timezone: 'Asia/Tokyo', week: [[], day, day, day, day, day, []], holidays: [], ...noOtherHolidays };
  const { user } = await aForm({ settings: { ...usualConnection, hours, rules: [rule] } });
  const contents = screen.getByRole('navigation', { name: 'On this page' });
  const said = () =>
    within(contents)
      .getAllByRole('link')
      .map(({ textContent }) => textContent?.replace(/\s/g, ' '));
  expect(said()).toEqual([
    'Who answersShop',
    'Keyword rules1 rule',
    'Messages that ask nothingStay silent, Call staff',
    'HoursMon – Fri 09:00–18:00',
    'Hand-overVisitors may ask for a person',
  ]);
  await user.click(screen.getByRole('switch', { name: /^Answer on / }));
  await user.click(screen.getByRole('button', { name: 'Always' }));
  expect(said()).toMatchObject({ 0: 'Who answersOff', 3: 'HoursAlways' });
});

test('on a phone a part is folded, says what is set in it, and opens where something is wrong', async () => {
  isOnDesk(false);
  const { user, sent } = await aForm();
  await user.click(screen.getByRole('button', { name: /^Keyword rules\s*None/ }));
  await user.click(screen.getByRole('button', { name: 'Add a rule' }));
  await user.click(screen.getByRole('button', { name: 'Keyword rules' }));
  expect(screen.queryByRole('group', { name: 'Rule 1' })).toBeNull();
  await user.click(save());
  screen.getByRole('group', { name: 'Rule 1' });
  expect(sent).toEqual([]);
});

test('what is said while nobody is there is asked for only where there are hours', async () => {
  const { user } = await aForm();
  await screen.findByRole('button', { name: 'Set hours' });
  expect(screen.queryByRole('textbox', { name: 'When nobody is there' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Set hours' }));
  screen.getByRole('textbox', { name: 'When nobody is there' });
});

test('a holiday is added once, and taken away', async () => {
  const hours = {
    timezone: 'UTC',
    week: Array.from({ length: 7 }, () => []),
    holidays: ['2026-12-31'],
    ...noOtherHolidays,
  };
  const { user, sent } = await aForm({ settings: { ...usualConnection, hours } });
  await user.click(await screen.findByRole('button', { name: 'Edit hours' }));
  const field = screen.getByLabelText('Holidays');
  for (const day of ['2026-01-01', '2026-12-31']) {
    await user.type(field, day);
    await user.click(screen.getByRole('button', { name: 'Add' }));
  }
  await user.click(screen.getByRole('button', { name: 'Remove Thu, Jan 1, 2026' }));
  await user.type(field, '2026-05-05');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await user.click(save());
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ hours: { holidays: ['2026-05-05', '2026-12-31'] } }));
});

test('holidays may last for days, come each month, and be those of Japan', async () => {
  const hours = { timezone: 'UTC', week: Array.from({ length: 7 }, () => []), holidays: [], ...noOtherHolidays };
  const { user, sent } = await aForm({ settings: { ...usualConnection, hours } });
  await user.click(await screen.findByRole('button', { name: 'Edit hours' }));
  await user.type(screen.getByLabelText('Holidays'), '2027-01-03');
  await user.type(screen.getByLabelText('Last day (optional)'), '2026-12-29');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await user.click(screen.getByRole('button', { name: 'Add each month' }));
  screen.getByText('Third Wednesday');
  await user.click(screen.getByRole('switch', { name: /public holidays/ }));
  await user.type(screen.getByRole('textbox', { name: 'On holidays' }), 'Happy New Year!');
  await user.click(save());
  await waitFor(() =>
    expect(sent[0]?.body).toMatchObject({
      hours: {
        closed: [
          { first: '2026-12-29', last: '2027-01-03' },
          { weekday: 3, nth: 3 },
        ],
        japaneseHolidays: true,
      },
      holidayText: 'Happy New Year!',
    }),
  );
});

test('a bot that visitors get nothing from is told', async () => {
  const bot = aConnection().bot;
  await aForm({ bot: bot && { ...bot, published: false } });
  screen.getByText('This bot is not published, so nobody gets an answer from it.');
  expect(screen.getByRole('link', { name: 'Open the bot' }).getAttribute('href')).toBe(`/Bot/${bot?.uuid}`);
});

test('who leaves with changes is asked', async () => {
  const { user, router } = await aForm();
  await user.click(screen.getByRole('switch', { name: /^Answer on / }));
  void router.navigate({ to: '/Bot' });
  await user.click(await screen.findByRole('button', { name: 'Stay here' }));
  expect(router.state.location.pathname).toBe('/');
  void router.navigate({ to: '/Bot' });
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/Bot'));
});

test('what the server says of a rule stands at that rule, although it is closed', async () => {
  const { user } = await aForm({ settings: { ...usualConnection, rules: [rule, rule] } });
  serve(connections.update, () =>
    refusal(422, {
      code: 'validation-failed',
      message: 'Check the fields.',
      fields: [{ path: 'rules.1.reply', message: 'This reply is too long.' }],
    }),
  );
  await user.click(screen.getByRole('switch', { name: /^Answer on / }));
  await user.click(save());
  within(await screen.findByRole('group', { name: 'Rule 2' })).getByText('This reply is too long.');
});

test('a message is tried: what it would do, and by which rule', async () => {
  const { user } = await aForm();
  const asked = serve(connections.test, () => ({
    data: {
      does: 'reply' as const,
      rule: 1,
      kind: null,
      reply: 'We refund within 14 days.',
      notice: '',
      answersOn: false,
      rich: null,
      bot: 'Shop bot',
    },
  }));
  await user.click(await screen.findByRole('button', { name: 'Try' }));
  screen.getByText('Fill this in.');
  await user.type(screen.getByRole('textbox', { name: 'A visitor writes' }), 'Refund?{Enter}');
  await screen.findByText('We refund within 14 days.');
  screen.getByText('Matched rule 2.');
  expect(asked.map(({ body }) => body)).toMatchObject([{ text: 'Refund?', active: true }]);
});

test('who tries a message that the bot gets reads what it answers, from the version that is published', async () => {
  const bot = aBot();
  const { user } = await aForm();
  serve(connections.test, () => ({
    data: {
      does: 'bot' as const,
      rule: null,
      kind: null,
      reply: '',
      notice: '',
      answersOn: false,
      rich: null,
      bot: 'Shop bot',
    },
  }));
  serve(bots.get, () => ({ data: bot }));
  const asked = serve(conversations.send, () => ({
    data: { thread: { uuid: bot.uuid }, message: { ...said, text: 'Dogs are welcome.' } },
  }));
  await user.type(await screen.findByRole('textbox', { name: 'A visitor writes' }), 'Dogs?{Enter}');
  await screen.findByText('Shop bot answers');
  await screen.findByText('Dogs are welcome.');
  expect(asked.map(({ body }) => body)).toMatchObject([
    { message: { text: 'Dogs?' }, temporary: true, preview: { version: bot.published?.uuid } },
  ]);
});

test('a bot that could not answer is asked again', async () => {
  const bot = aBot();
  const { user } = await aForm();
  serve(connections.test, () => ({
    data: {
      does: 'bot' as const,
      rule: null,
      kind: null,
      reply: '',
      notice: '',
      answersOn: false,
      rich: null,
      bot: 'Shop bot',
    },
  }));
  serve(bots.get, () => ({ data: bot }));
  serve(conversations.send, () => refusal(502, { code: 'provider-failed', message: 'The model did not answer.' }));
  await user.type(screen.getByRole('textbox', { name: 'A visitor writes' }), 'Dogs?{Enter}');
  await screen.findByText('The model did not answer.');
  serve(conversations.send, () => ({
    data: { thread: { uuid: bot.uuid }, message: { ...said, text: 'Dogs are welcome.' } },
  }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Dogs are welcome.');
});

test('what is not saved yet is tried, too, at a time that may be chosen; what was found before a change is no longer shown', async () => {
  const { user } = await aForm();
  const asked = serve(connections.test, () => ({
    data: {
      does: 'nothing' as const,
      rule: null,
      kind: null,
      reply: '',
      notice: '',
      answersOn: false,
      rich: null,
      bot: null,
    },
  }));
  await user.click(screen.getByRole('switch', { name: /^Answer on / }));
  await user.type(await screen.findByRole('textbox', { name: 'A visitor writes' }), 'Refund?');
  await user.click(screen.getByRole('button', { name: 'Test at another time' }));
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '2026-12-31T22:00' } });
  await user.click(screen.getByRole('button', { name: 'Try' }));
  await screen.findByText('Nothing happens: this connection is off');
  expect(asked.map(({ body }) => body)).toMatchObject([
    { active: false, at: new Date('2026-12-31T22:00').toISOString() },
  ]);
  await user.click(screen.getByRole('switch', { name: /^Answer on / }));
  expect(screen.queryByText('Nothing happens: this connection is off')).toBeNull();
});

test('who does not know what to try presses an example, of which the words of a rule are the first', async () => {
  const { user } = await aForm({ settings: { ...usualConnection, rules: [rule] } });
  const asked = serve(connections.test, () => ({
    data: {
      does: 'handOff' as const,
      rule: 0,
      kind: null,
      reply: '',
      notice: '',
      answersOn: false,
      rich: null,
      bot: null,
    },
  }));
  await user.click(await screen.findByRole('button', { name: 'refund' }));
  await screen.findByText('Handed over to a person');
  expect(asked.map(({ body }) => body)).toMatchObject([{ text: 'refund' }]);
  expect(screen.queryByRole('button', { name: 'When are you open?' })).toBeNull();
});

test('each kind of message that asks nothing says what happens to it, and is tried without words', async () => {
  const { user, asked } = await aForm();
  await user.click(screen.getByRole('combobox', { name: 'Thanks' }));
  await user.click(await screen.findByRole('option', { name: 'Send a reply' }));
  await user.type(screen.getByRole('textbox', { name: 'Reply: Thanks' }), 'Any time!');
  const tried = serve(connections.test, () => ({
    data: {
      does: 'handOff' as const,
      rule: null,
      kind: 'media' as const,
      reply: '',
      notice: 'I have passed this on.',
      answersOn: false,
      rich: null,
      bot: 'Shop bot',
    },
  }));
  await user.click(screen.getByRole('button', { name: 'A photo or file' }));
  await screen.findByText('I have passed this on.');
  screen.getByText('No question: Photos, videos and files.');
  expect(tried.map(({ body }) => body)).toMatchObject([{ kind: 'media', kinds: { thanks: { reply: 'Any time!' } } }]);
  await user.click(save());
  await waitFor(() =>
    expect(asked()).toMatchObject([
      { kinds: { ...usualConnection.kinds, thanks: { does: 'reply', reply: 'Any time!' } } },
    ]),
  );
});
