import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { inbox, type InboxMessage, type InboxThread } from '../../../shared/contracts/inbox.ts';
import { serve, show } from '../../testing/show.tsx';
import { Message } from './message.tsx';

const at = '2026-11-23T01:00:00.000Z';

const thread: InboxThread = {
  uuid: '0198c0de-0000-7000-8000-000000000001',
  guest: { uuid: '0198c0de-0000-7000-8000-000000000002', name: 'Sora', named: true, avatar: null },
  bot: null,
  channel: 'line',
  channelName: 'Hinata Coffee',
  status: 'bot',
  assignee: null,
  reason: null,
  waitingSince: null,
  snoozedUntil: null,
  typed: false,
  unread: 0,
  lastSeq: 1,
  last: null,
  found: null,
  tags: [],
  language: 'en',
  createdAt: at,
  updatedAt: at,
};

function aMessage({ calls = false, ...more }: Partial<InboxMessage> & { calls?: boolean }) {
  const onQuote = vi.fn();
  const message: InboxMessage = {
    uuid: '0198c0de-0000-7000-8000-000000000003',
    seq: 1,
    role: 'user',
    text: '',
    files: [],
    citations: [],
    status: 'done',
    feedback: null,
    createdAt: at,
    updatedAt: at,
    author: null,
    internal: false,
    mentions: [],
    happening: null,
    sticker: null,
    location: null,
    rich: null,
    quoted: null,
    sender: null,
    heard: null,
    delivery: null,
    failure: null,
    deliveryError: null,
    ...more,
  };
  const shown = show(
    <Message
      shown={{ message, day: undefined, goesOn: false, hasTime: true }}
      thread={thread}
      calls={calls}
      user={undefined}
      AnswerText={({ text }) => <>{text}</>}
      RichPreview={({ label }) => <img alt={label} />}
      isTranslated={false}
      onTranslate={vi.fn()}
      onCitation={vi.fn()}
      onWhy={undefined}
      onRetry={vi.fn()}
      onQuote={onQuote}
    />,
  );
  return { ...shown, onQuote };
}

test('a sticker is a tile with its words, said once', () => {
  aMessage({ text: 'hello, wave', sticker: { packageId: '1', stickerId: '2', keywords: ['hello', 'wave'] } });
  expect(screen.getAllByText('hello, wave')).toHaveLength(1);
  screen.getByText('Sticker');
});

test('a place has its name and address, and leads to a map', () => {
  aMessage({ text: 'Café', location: { title: 'Café', address: '', latitude: 35.5, longitude: 139.7 } });
  const link = screen.getByRole('link', { name: /Café\s*35\.5, 139\.7/ });
  expect(link).toHaveProperty('target', '_blank');
  expect(link.getAttribute('href')).toContain('mlat=35.5&mlon=139.7');
});

test.each([
  [{ name: 'Alex' }, 'Alex'],
  [{ name: '' }, 'Member of the group'],
])('what %o of a group writes is theirs', (sender, said) => {
  aMessage({ text: 'Where do we meet?', sender });
  screen.getByText(said);
  screen.getByRole('group', { name: new RegExp(`^${said}`) });
});

test.each([
  ['followed', 'Sora added this account'],
  ['unfollowed', 'Sora blocked this account: messages no longer reach them.'],
  ['unsent', 'Message was unsent'],
] as const)('of %s the team is told', (kind, said) => {
  aMessage({ happening: { kind, by: null, reason: null, to: null, until: null } });
  screen.getByText(said);
});

test.each([
  ['asked', true, 'Sora asked for a person. The bot won’t reply here.'],
  ['asked', false, 'Sora asked for a person.'],
  ['no-bot', true, 'No bot answers here. The conversation waits for a person.'],
] as const)(
  'that the bot is silent is told once, of the hand-off for which one waits: %s, %s',
  (reason, calls, said) => {
    aMessage({ calls, happening: { kind: 'handed-off', by: null, reason, to: null, until: null } });
    screen.getByText(said);
  },
);

test('a voice message is played where it stands, and is a file where the browser does not know it', async () => {
  serve(inbox.file, () => new Response(new Uint8Array([1, 2, 3])));
  const uuid = '0198c0de-0000-7000-8000-000000000004';
  aMessage({ files: [{ uuid, name: 'audio.m4a', mime: 'audio/x-m4a', bytes: 3 }] });
  const player = screen.getByLabelText('Play audio.m4a');
  await vi.waitFor(() => expect(player.getAttribute('src')).toMatch(/^blob:/));
  fireEvent.error(player);
  expect(screen.queryByLabelText('Play audio.m4a')).toBeNull();
  expect(screen.getByRole('button', { name: /^audio\.m4a/ }).title).toBe('Download audio.m4a');
});

test('what was said stands under its player, as written down by a machine, and which one', () => {
  serve(inbox.file, () => new Response(new Uint8Array([1, 2, 3])));
  const uuid = '0198c0de-0000-7000-8000-000000000004';
  const files = [{ uuid, name: 'audio.m4a', mime: 'audio/x-m4a', bytes: 3 }];
  aMessage({ text: 'Are you open on Sunday?', heard: 'gpt-transcribe', files });
  const said = screen.getByText('Are you open on Sunday?');
  const player = screen.getByLabelText('Play audio.m4a');
  expect(player.compareDocumentPosition(said)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getByText('Transcribed automatically').title).toBe('Transcribed by gpt-transcribe');
  screen.getByRole('button', { name: 'Translate' });
});

test('what a message refers to stands over it, and it can be answered itself', async () => {
  const quoted = {
    uuid: '0198c0de-0000-7000-8000-000000000009',
    role: 'assistant',
    text: 'From nine to six.',
  } as const;
  const { user, onQuote } = aMessage({ text: 'On Sundays, too?', quoted });
  expect(screen.getByText('From nine to six.').tagName).toBe('BLOCKQUOTE');
  await user.click(screen.getByRole('button', { name: 'Answer this message' }));
  expect(onQuote).toHaveBeenCalledWith(expect.objectContaining({ text: 'On Sundays, too?' }));
});

test('what a visitor wrote about an answer stands under it', () => {
  aMessage({
    role: 'assistant',
    text: 'At nine.',
    feedback: { rating: 'down', reasons: [], text: 'And on Sundays?' },
  });
  screen.getByText('Not helpful');
  screen.getByText('And on Sundays?', { exact: false });
});
