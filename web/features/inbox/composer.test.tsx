import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { inbox, type InboxThread } from '../../../shared/contracts/inbox.ts';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { Composer } from './composer.tsx';
import { useUploads } from './use-uploads.ts';

type Props = Parameters<typeof Composer>[0];

const aThread = (more: Partial<InboxThread> = {}): InboxThread => ({
  uuid: crypto.randomUUID(),
  guest: { uuid: crypto.randomUUID(), name: 'Sora', named: true, avatar: null },
  bot: { uuid: crypto.randomUUID(), name: 'Guide', avatar: null, mark: 1 },
  channel: 'web',
  channelName: 'Shop',
  status: 'waiting',
  assignee: null,
  reason: null,
  waitingSince: null,
  snoozedUntil: null,
  typed: false,
  unread: 0,
  lastSeq: 4,
  last: null,
  found: null,
  tags: [],
  language: 'en',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
  ...more,
});

const moments = { createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const twoReplies = [
  { uuid: 'c1', shortcut: 'sorry', title: 'Missing item', text: 'Dear {{name}}, we are sorry.', ...moments },
  { uuid: 'c2', shortcut: 'hours', title: 'When we open', text: 'At nine.', ...moments },
];

const rich = { Preview: () => null, Dialog: () => null, reach: { onPointerEnter() {}, onFocus() {} } };

function aComposer(thread = aThread(), canned = twoReplies, quoted?: Props['quoted']) {
  const onUnquote = vi.fn();
  const onSend = vi.fn<Props['onSend']>();
  serve(inbox.canned, () => ({ data: canned }));
  serve(inbox.staff, () => ({ data: [{ uuid: 'u1', name: 'taro', avatar: null }] }));
  function Page() {
    return (
      <Composer
        ref={null}
        thread={thread}
        rich={rich}
        uploads={useUploads()}
        quoted={quoted}
        onUnquote={onUnquote}
        onSend={onSend}
        onCitation={() => {}}
      />
    );
  }
  return { ...show(<Page />), onSend, onUnquote };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Sora/ });

test('Enter sends a reply, makes a line with Shift, and chooses characters while Japanese is composed', async () => {
  const { user, onSend } = aComposer();
  await user.type(field(), 'one{Shift>}{Enter}{/Shift}two');
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
  expect(onSend).not.toHaveBeenCalled();
  await user.type(field(), '{Enter}');
  expect(onSend).toHaveBeenCalledWith({ kind: 'reply', text: 'one\ntwo', files: [] });
  expect(field().value).toBe('');
});

test.each([
  ['line', 'text/csv', true],
  ['line', 'video/quicktime', true],
  ['line', 'video/mp4', false],
  ['line', 'audio/mpeg', false],
  ['line', 'image/webp', false],
  ['web', 'text/csv', false],
] as const)('on %s, it is said before sending whether %s goes as a link: %s', async (channel, mime, isSaid) => {
  serve(inbox.attach, () => ({ data: [{ uuid: crypto.randomUUID(), name: 'a.bin', mime, bytes: 3 }] }));
  const { user } = aComposer(aThread({ channel }));
  await user.upload(screen.getByLabelText('Attach files', { selector: 'input' }), new File(['abc'], 'a.bin'));
  await waitFor(() => expect(screen.queryByText('Uploading')).toBeNull());
  expect(screen.queryByText('Goes as a link on LINE') !== null).toBe(isSaid);
});

test('a slash offers canned replies by shortcut and by title; arrows choose, Escape closes, Enter writes', async () => {
  const { user, onSend } = aComposer();
  await user.type(field(), 'Hello /');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
  await user.keyboard('when');
  expect(screen.getAllByRole('option')).toHaveLength(1);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('option')).toBeNull();
  await user.clear(field());
  await user.type(field(), '/{ArrowDown}{ArrowDown}');
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('/sorry');
  await user.keyboard('{Enter}');
  expect(field().value).toBe('Dear Sora, we are sorry.');
  expect(onSend).not.toHaveBeenCalled();
});

const greeting = {
  ...moments,
  uuid: 'c3',
  shortcut: 'hello',
  title: 'Hello',
  text: 'Hello {{ name }}! I am {{staff}}. Welcome to {{ shop }}. We open at nine.',
};

test.each([
  [
    'knows all of them',
    { name: '$& {{staff}}', named: true },
    'Hana',
    'Sakura',
    'Hello $& {{staff}}! I am Hana. Welcome to Sakura. We open at nine.',
  ],
  ['knows none of them', { name: 'sora@example.com', named: false }, '', '', 'Hello! We open at nine.'],
  [
    'was never asked',
    { name: 'guest-12AB', named: false },
    null,
    'Sakura',
    'Hello! Welcome to Sakura. We open at nine.',
  ],
])('a canned reply has the names of whoever %s', async (_, guest, displayName, shop, said) => {
  signIn({ ...anOwner, displayName, workspaces: anOwner.workspaces.map((each) => ({ ...each, shop })) });
  const { user } = aComposer(aThread({ guest: { uuid: crypto.randomUUID(), avatar: null, ...guest } }), [greeting]);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Reply to/ });
  await user.type(box, '/hello');
  await screen.findByRole('option');
  await user.keyboard('{Enter}');
  expect(box.value).toBe(said);
});

test('who answers is asked once for the name that customers see', async () => {
  signIn({ ...anOwner, displayName: null });
  const calls = serve(accounts.update, ({ body }) => ({ data: { ...anOwner, ...(body as object) } }));
  const { user, unmount } = aComposer();
  expect(screen.queryByRole('textbox', { name: 'Your name for customers' })).toBeNull();
  await user.click(field());
  await user.type(screen.getByRole('textbox', { name: 'Your name for customers' }), 'Hana{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Your name for customers' })).toBeNull());
  unmount();
  signIn({ ...anOwner, displayName: null });
  const other = aComposer();
  await other.user.click(field());
  await other.user.click(screen.getByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Not now' })).toBeNull());
  expect(calls.map(({ body }) => body)).toEqual([{ displayName: 'Hana' }, { displayName: '' }]);
});

test('a note has no slash and no files, but mentions; the reply waits as it was begun', async () => {
  const { user, onSend } = aComposer();
  await user.type(field(), 'Half a reply');
  fireEvent.keyDown(field(), { key: 'N', shiftKey: true, ctrlKey: true });
  expect(field().value).toBe('');
  expect(screen.queryByLabelText('Attach files')).toBeNull();
  await user.type(field(), '/sorry @ta');
  await waitFor(() => expect(screen.getByRole('option').textContent).toContain('@taro'));
  await user.keyboard('{Enter}done{Enter}');
  expect(onSend).toHaveBeenCalledWith({ kind: 'note', text: '/sorry @taro done', files: [] });
  await user.click(screen.getByRole('button', { name: 'Reply' }));
  expect(field().value).toBe('Half a reply');
});

test('what was begun in a conversation is there when one comes back to it', async () => {
  const thread = aThread();
  const { user, unmount } = aComposer(thread);
  await user.type(field(), 'Half a reply');
  unmount();
  const other = aComposer();
  expect(field().value).toBe('');
  other.unmount();
  aComposer(thread);
  expect(field().value).toBe('Half a reply');
});

test('into a conversation that somebody else has, nothing is sent unasked', async () => {
  const taro = { uuid: 'u1', name: 'taro', avatar: null };
  const { user, onSend } = aComposer(aThread({ status: 'staff', assignee: taro }));
  await user.type(field(), 'Me too{Enter}');
  expect(onSend).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Send anyway' }));
  expect(onSend).toHaveBeenCalledOnce();
});

test('a suggested reply is only written when it is used, without the marks of its sources', async () => {
  const { user, onSend } = aComposer();
  serve(inbox.draft, () => ({ data: { text: 'We open at nine. [1]', citations: [], refused: false } }));
  await user.click(screen.getByRole('button', { name: 'Suggest from documents' }));
  const use = await screen.findByRole('button', { name: 'Use as reply' });
  expect(field().value).toBe('');
  await user.click(use);
  expect(field().value).toBe('We open at nine.');
  expect(onSend).not.toHaveBeenCalled();
});

test('where the documents have no answer, that is said, and nothing is there to send', async () => {
  const { user } = aComposer();
  serve(inbox.draft, () => ({ data: { text: 'I could not find anything.', citations: [], refused: true } }));
  await user.click(screen.getByRole('button', { name: 'Suggest from documents' }));
  await screen.findByText('The documents have no answer to what is open here.');
  expect(screen.queryByRole('button', { name: 'Use as reply' })).toBeNull();
  expect(screen.queryByText('I could not find anything.')).toBeNull();
});

test('without a canned reply a slash says so, and leads to where the first is written', async () => {
  const { user } = aComposer(aThread(), []);
  await user.type(field(), '/');
  await screen.findByText('No canned replies yet');
  await user.click(screen.getByRole('button', { name: 'Add a reply' }));
  await screen.findByRole('dialog', { name: 'Canned replies' });
});

test('what a canned reply leaves open is not sent unseen', async () => {
  const { user, onSend } = aComposer();
  await user.type(field(), 'Your order {{{{order}} is here.{Enter}');
  await screen.findByRole('dialog', { name: '{{order}} is not filled in' });
  expect(onSend).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(field().value).toBe('Your order {{order}} is here.');
  await user.type(field(), '{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Send anyway' }));
  expect(onSend).toHaveBeenCalledOnce();
});

test('a canned reply is told at once what it cannot fill in', async () => {
  const { user } = aComposer();
  await user.click(screen.getByRole('button', { name: 'Canned replies' }));
  await user.click(await screen.findByRole('button', { name: 'Add a reply' }));
  await user.type(screen.getByRole('textbox', { name: 'Reply' }), 'Dear {{{{ name }}, {{{{order}}');
  expect((await screen.findByText(/is not known/)).textContent).toContain('{{order}} is not known');
});

test('who joins while the page is open can be named', async () => {
  const { user } = aComposer();
  const names = ['taro'];
  serve(inbox.staff, () => ({ data: names.map((name) => ({ uuid: name, name, avatar: null })) }));
  await user.click(screen.getByRole('button', { name: 'Note' }));
  const note = screen.getByRole('textbox', { name: /Sora/ });
  await user.type(note, '@');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  names.push('tama');
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await user.type(note, '{Backspace}@');
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
});

test('why no reply could be suggested is told where it was asked for, and it can be tried again', async () => {
  const { user } = aComposer();
  const calls = serve(inbox.draft, () => refusal(409, { code: 'no-model', message: 'The bot has no model.' }));
  await user.click(screen.getByRole('button', { name: 'Suggest from documents' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The bot has no model.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(calls).toHaveLength(2));
});

test('an answer to one message says to which, a note does not', async () => {
  const { user, onSend, onUnquote } = aComposer(aThread({ channel: 'line' }), twoReplies, {
    uuid: 'm1',
    text: 'On Sundays, too?',
  });
  expect(screen.getByText('On Sundays, too?')).toBeDefined();
  await user.type(field(), 'Yes{Enter}');
  expect(onSend).toHaveBeenCalledWith({ kind: 'reply', text: 'Yes', files: [], quotes: 'm1' });
  expect(onUnquote).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Note' }));
  expect(screen.queryByText('On Sundays, too?')).toBeNull();
});
