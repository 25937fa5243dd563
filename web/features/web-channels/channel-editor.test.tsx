import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { usualEmbed, webChannels, type WebChannel } from '../../../shared/contracts/web-channels.ts';
import { aBot, aChannel, aConnection } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { ChannelEditor } from './channel-editor.tsx';
import { useChannelConnection, useWebChannel } from './web-channels.queries.ts';

/** The page on a server that keeps what it is sent. */
async function anEditor(changes: Partial<WebChannel> = {}) {
  let channel = aChannel(changes);
  let connection = aConnection();
  serve(bots.get, () => ({ data: aBot() }));
  serve(webChannels.get, () => ({ data: channel }));
  serve(connections.get, () => ({ data: connection }));
  const sent = serve(webChannels.update, ({ body }) => {
    const { name = channel.name, seen, ...settings } = Object(body);
    if (seen !== undefined && seen !== channel.updatedAt)
      return refusal(409, { code: 'conflict', message: 'Somebody was faster.' });
    channel = {
      ...channel,
      name,
      settings: { ...channel.settings, ...settings },
      updatedAt: new Date(Date.parse(channel.updatedAt) + 1000).toISOString(),
    };
    return { data: channel };
  });
  const sentThere = serve(connections.update, ({ body }) => {
    connection = { ...connection, settings: { ...connection.settings, ...Object(body) } };
    return { data: connection };
  });
  function Page() {
    const [part, setPart] = useState<string>();
    const read = useWebChannel(channel.uuid);
    const readThere = useChannelConnection(read.data?.connection);
    if (!read.data || !readThere.data) return null;
    return (
      <ChannelEditor
        channel={read.data}
        connection={readThere.data}
        part={part}
        onPart={setPart}
        hoursFields={({ values, onChange }) => (
          <input
            aria-label="away"
            value={values.awayText}
            onChange={(event) => onChange({ awayText: event.currentTarget.value })}
          />
        )}
        areHoursWrong={() => false}
      />
    );
  }
  const shown = await showRouted(<Page />);
  await screen.findByRole('tab', { name: 'Look' });
  /** Somebody else saves it. */
  const meanwhile = (settings: Partial<WebChannel['settings']>) => {
    channel = {
      ...channel,
      settings: { ...channel.settings, ...settings },
      updatedAt: new Date(Date.parse(channel.updatedAt) + 1000).toISOString(),
    };
  };
  /** What was asked to be changed, without from what. */
  const asked = () => sent.map(({ body }) => ({ ...Object(body), seen: undefined }));
  return { ...shown, sent, sentThere, asked, meanwhile, stored: () => channel.settings };
}

/** The widget's own window, and what it is told. */
function theFrame() {
  const told: unknown[] = [];
  const { contentWindow: source } = screen.getByTitle<HTMLIFrameElement>('The widget');
  vi.spyOn(source!, 'postMessage').mockImplementation((message: unknown) => void told.push(message));
  return { told, source };
}

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save', hidden: true });
const open = (name: string) => screen.getByRole('tab', { name: new RegExp(`^${name}`) });

test('a theme sets both colors; the preview has them before they are saved', async () => {
  const { user, sent, asked } = await anEditor();
  const { told } = theFrame();
  await user.click(screen.getByRole('button', { name: 'Indigo' }));
  const look = { color: '#27489c', colorDark: '#5577cf' };
  expect(told.at(-1)).toMatchObject({ kotae: 'setting', setting: { look } });
  expect(sent).toEqual([]);
  screen.getByText('2 changes');
  await user.click(save());
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(asked()).toEqual([{ look: { ...usualEmbed.look, ...look } }]);
});

test('pages of PDFs are shown once a maker has read what that means, and never without citations', async () => {
  const { user, asked } = await anEditor();
  const { told } = theFrame();
  const pages = screen.getByRole<HTMLInputElement>('switch', { name: /^Show the cited PDF page/ });
  expect(pages.checked).toBe(false);
  screen.getByText('Visitors may see the page of a PDF that an answer cites. Their browser loads the whole file.');
  await user.click(pages);
  expect(told.at(-1)).toMatchObject({ setting: { shown: { pages: true } } });
  await user.click(save());
  await waitFor(() => expect(asked()).toEqual([{ shown: { ...usualEmbed.shown, pages: true } }]));
  await user.click(screen.getByRole('switch', { name: 'Citations under an answer' }));
  expect(pages.disabled).toBe(true);
});

test('of two who change a channel, the second is told, and takes nothing back that they did not touch', async () => {
  const { user, asked, meanwhile, stored } = await anEditor();
  await user.click(screen.getByRole('button', { name: 'Indigo' }));
  const shown = { ...usualEmbed.shown, sound: true };
  meanwhile({ shown });
  await user.click(save());
  await screen.findByText(/^Somebody else has saved this channel in the meantime/);
  expect(stored().look.color).toBe(usualEmbed.look.color);
  await user.click(save());
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(asked()).toHaveLength(2);
  expect(stored()).toMatchObject({ look: { color: '#27489c' }, shown });
});

test('a color is told by how it is read, while it is chosen', async () => {
  const { user } = await anEditor();
  const field = screen.getByRole('textbox', { name: 'Light mode' });
  screen.getByText(/^White text on it is readable \(5\.5:1\)\.$/);
  await user.clear(field);
  await user.type(field, '#ffe14d');
  screen.getByText(/^Black text on it is readable \(16\.\d:1\)\.$/);
  screen.getByText(/^Hard to see on the widget \(1\.3:1\)/);
  await user.clear(field);
  await user.type(field, 'green');
  screen.getByText('Write it as #007A0A.');
});

test('frame and page know each other by window and origin', async () => {
  await anEditor();
  const { told, source: itself } = theFrame();
  const say = (kotae: string, { origin = window.location.origin, source = itself }: MessageEventInit = {}) =>
    fireEvent(window, new MessageEvent('message', { data: { kotae }, origin, source }));
  say('drawn', { origin: 'https://elsewhere.example' });
  say('drawn', { source: window });
  expect(told).toEqual([]);
  say('hello');
  say('drawn');
  expect(told).toMatchObject([{ kotae: 'init', isOpen: true }, { kotae: 'setting' }]);
  say('close');
  await screen.findByRole('button', { name: 'Open the widget' });
});

test('texts that are missing in the other language are told once, and lead to the first', async () => {
  const { user } = await anEditor({
    settings: { ...usualEmbed, texts: { ...usualEmbed.texts, en: { ...usualEmbed.texts.en, welcome: 'Hello there' } } },
  });
  await user.click(screen.getByRole('tab', { name: 'Wording' }));
  // In Japanese it is the bot's own greeting, which is English.
  await screen.findByText(/^1 text has no Japanese version yet\./);
  await user.click(screen.getByRole('button', { name: 'Write now' }));
  const welcome = screen.getByRole('textbox', { name: 'Welcome' });
  await waitFor(() => expect(document.activeElement).toBe(welcome));
  await user.keyboard('ようこそ');
  await waitFor(() => expect(screen.queryByText(/in Japanese yet/)).toBeNull());
});

test('texts are kept by language; what is emptied is ours again', async () => {
  const { user, sent, asked } = await anEditor();
  await user.click(open('Wording'));
  await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Hinata Coffee');
  const [language] = screen.getAllByRole('group', { name: 'Language' });
  await user.click(within(language!).getByRole('button', { name: '日本語' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('');
  await user.type(screen.getByRole('textbox', { name: 'Title' }), 'ひなた珈琲');
  await user.click(screen.getByRole('button', { name: 'Add a question' }));
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(asked()[0]).toEqual({
    texts: {
      en: { ...usualEmbed.texts.en, title: 'Hinata Coffee' },
      ja: { ...usualEmbed.texts.ja, title: 'ひなた珈琲' },
    },
  });
});

test('texts lie folded by where they stand, say what was changed, and hold ours as a hint', async () => {
  const { user } = await anEditor();
  await user.click(open('Wording'));
  await user.click(await screen.findByRole('button', { name: 'Conversation' }));
  const field = screen.getByRole('textbox', { name: 'Header: a person answers' });
  expect(field.getAttribute('placeholder')).toBe('{{name}} is answering');
  screen.getByText(/ stand for the real name or number\.$/);
  expect(screen.queryByRole('textbox', { name: 'Thumbs up' })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Answers/ }));
  await user.type(screen.getByRole('textbox', { name: 'Thumbs up' }), 'Great');
  await user.click(screen.getByRole('button', { name: 'Answers 1 changed' }));
  expect(screen.queryByRole('textbox', { name: 'Thumbs up' })).toBeNull();
  screen.getByText('Great');
});

test('an address that is pasted becomes its domain, and its twin is one click away', async () => {
  const { user, asked } = await anEditor();
  await user.click(open('Access'));
  screen.getByText('No domain yet, so the chat does not appear anywhere.');
  const field = screen.getByRole('textbox', { name: 'Domain' });
  await user.click(field);
  await user.paste('https://example.com/beans?page=2');
  expect(screen.getByDisplayValue('example.com')).toBe(field);
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: 'Also www.example.com' }));
  await user.type(field, 'example.com{Enter}');
  screen.getByText('Already in the list.');
  await user.clear(field);
  await user.type(field, 'my shop{Enter}');
  screen.getByText('Enter a domain such as shop.example.com.');
  await user.click(save());
  await waitFor(() => expect(asked()[0]).toEqual({ domains: ['example.com', 'www.example.com'] }));
});

test('what visitors notice of the connection is saved there', async () => {
  const { user, sent, sentThere } = await anEditor();
  await user.click(screen.getByRole('switch', { name: '“Talk to a person”' }));
  await user.click(open('Hours and form'));
  screen.getByText(/^The bot answers around the clock, and your team is shown as always available\./);
  await user.type(screen.getByLabelText('away'), 'Back at nine');
  await user.click(save());
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(sent).toEqual([]);
  expect(sentThere.map(({ body }) => ({ ...Object(body), seen: undefined }))).toEqual([
    { awayText: 'Back at nine', handoff: { offered: false, returnMinutes: 720, whileAway: 'wait' } },
  ]);
});

test('fields of the form are ordered, required and left out', async () => {
  const { user, sent, asked } = await anEditor();
  await user.click(open('Hours and form'));
  await user.click(screen.getByRole('switch', { name: /^Ask before the first message/ }));
  await user.click(screen.getByRole('button', { name: 'Add Phone' }));
  screen.getByRole('button', { name: 'Move Phone' }).focus();
  await user.keyboard('{ArrowUp}{ArrowUp}');
  await user.click(screen.getByRole('checkbox', { name: 'Phone is required' }));
  await user.click(screen.getByRole('button', { name: 'Remove Name' }));
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(asked()[0]).toEqual({
    form: {
      enabled: true,
      consent: false,
      fields: [
        { field: 'phone', required: true },
        { field: 'email', required: true },
      ],
    },
  });
});

test('before a shorter time erases conversations, that is told', async () => {
  const { user } = await anEditor({ settings: { ...usualEmbed, history: { policy: 'last', retentionDays: 90 } } });
  await user.click(open('Hours and form'));
  const field = screen.getByRole('textbox', { name: 'Days' });
  expect(screen.queryByText(/^Saving this erases/)).toBeNull();
  await user.clear(field);
  await user.type(field, '120');
  expect(screen.queryByText(/^Saving this erases/)).toBeNull();
  await user.clear(field);
  await user.type(field, '30');
  screen.getByText(/^Saving this erases every conversation/);
});

test('what the server has against a field is shown where the field is', async () => {
  const { user } = await anEditor();
  serve(webChannels.update, () =>
    refusal(422, {
      code: 'validation-failed',
      message: 'Check the fields.',
      fields: [{ path: 'texts.en.limit', message: 'This text cannot be stored.' }],
    }),
  );
  await user.click(open('Access'));
  await user.type(screen.getByRole('textbox', { name: /^Message when a limit/ }), 'Later');
  await user.click(open('Look'));
  await user.click(save());
  await screen.findByText('This text cannot be stored.');
  expect(open('Access').getAttribute('aria-selected')).toBe('true');
});

test('who leaves with changes is asked, who goes from part to part is not', async () => {
  const { user, router } = await anEditor();
  await user.click(screen.getByRole('button', { name: 'Left' }));
  await user.click(open('Wording'));
  expect(screen.queryByText('Leave without saving?')).toBeNull();
  void router.navigate({ to: '/Bot' });
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/Bot'));
});

test.each([
  [{ active: false }, 'Off'],
  [{ bot: { ...aChannel().bot!, published: false } }, 'Bot not published'],
  [{}, 'Not installed yet'],
  [{ seenAt: new Date(Date.now() - 125_000).toISOString() }, /^Seen \d+ minutes ago$/],
] satisfies [Partial<WebChannel>, string | RegExp][])('its head says how it is: %o', async (changes, state) => {
  await anEditor(changes);
  expect((await screen.findAllByText(state)).length).toBeGreaterThan(0);
});

test('that its bot is not published is a way to the bot', async () => {
  const bot = { ...aChannel().bot!, published: false };
  await anEditor({ bot });
  const links = await screen.findAllByRole('link', { name: 'Bot not published' });
  expect(links.map((each) => each.getAttribute('href'))).toEqual(links.map(() => `/Bot/${bot.uuid}`));
});

test('a channel is deleted after it was told what goes and what stays', async () => {
  const { user, router } = await anEditor();
  const removed = serve(webChannels.remove, () => ({ ok: true }));
  await user.click(screen.getByRole('button', { name: 'Options for Online shop' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Online shop”?' });
  within(dialog).getByText(/Its conversations and people stay in the inbox\.$/);
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(removed).toHaveLength(1));
  await waitFor(() => expect(router.state.location.pathname).toBe('/Web-Channel'));
});
