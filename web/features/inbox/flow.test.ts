import { describe, expect, test } from 'vitest';
import type { InboxMessage } from '../../../shared/contracts/inbox.ts';
import { firstUnread, inTurns, knownUntil, messagesIn, withMessage } from './flow.ts';

const aMessage = (seq: number, more: Partial<InboxMessage> = {}): InboxMessage => ({
  uuid: `m${seq}`,
  seq,
  role: 'user',
  text: `number ${seq}`,
  files: [],
  citations: [],
  status: 'done',
  feedback: null,
  createdAt: new Date(Date.UTC(2026, 10, 23, 1) + seq * 1000).toISOString(),
  updatedAt: new Date(Date.UTC(2026, 10, 23, 1) + seq * 1000).toISOString(),
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
});

const page = (from: number, to: number, hasMore = false) => ({
  data: Array.from({ length: to - from + 1 }, (_, at) => aMessage(from + at)),
  meta: { hasMore },
});
const seqs = (pages: ReturnType<typeof page>[]) => messagesIn(pages).map(({ seq }) => seq);

describe('what the socket brings', () => {
  const pages = [page(4, 6), page(1, 3)];

  test('stands after what is there', () => {
    expect(seqs(withMessage(pages, aMessage(7)))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('stands at its number when it comes late', () => {
    const later = withMessage(pages, aMessage(8));
    expect(seqs(withMessage(later, aMessage(7)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('comes twice and is there once, as it was last', () => {
    const twice = withMessage(pages, aMessage(2, { text: 'changed' }));
    expect(seqs(twice)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(messagesIn(twice)[1]?.text).toBe('changed');
  });
});

test('after a time without a network is asked from the first message on whose end was not seen', () => {
  expect(knownUntil([])).toBe(0);
  expect(knownUntil([aMessage(1), aMessage(2)])).toBe(2);
  expect(knownUntil([aMessage(1), aMessage(2, { status: 'streaming' }), aMessage(3)])).toBe(1);
  expect(knownUntil([aMessage(1), aMessage(2, { delivery: 'sent' }), aMessage(3, { delivery: 'delivered' })])).toBe(1);
  expect(knownUntil([aMessage(1, { delivery: 'failed' })])).toBe(1);
});

describe('turns', () => {
  const at = (iso: string) => ({ createdAt: iso });

  test('of one speaker within minutes have one face and one time', () => {
    const shown = inTurns([aMessage(1), aMessage(2), aMessage(3, { role: 'assistant' }), aMessage(4)], 'UTC');
    expect(shown.map(({ goesOn }) => goesOn)).toEqual([false, true, false, false]);
    expect(shown.map(({ hasTime }) => hasTime)).toEqual([false, true, true, true]);
  });

  test('of two members are two', () => {
    const by = (uuid: string) => ({ role: 'staff' as const, author: { uuid, name: uuid, avatar: null } });
    expect(inTurns([aMessage(1, by('a')), aMessage(2, by('b'))], 'UTC').map(({ goesOn }) => goesOn)).toEqual([
      false,
      false,
    ]);
  });

  test('of two of a group are two', () => {
    const shown = inTurns(
      [aMessage(1, { sender: { name: 'Sora' } }), aMessage(2, { sender: { name: 'Alex' } })],
      'UTC',
    );
    expect(shown.map(({ goesOn }) => goesOn)).toEqual([false, false]);
  });

  test('begin anew after a while, with a note and with a new day of the reader', () => {
    const shown = inTurns(
      [
        aMessage(1, at('2026-11-23T14:58:00Z')),
        aMessage(2, at('2026-11-23T14:59:00Z')),
        aMessage(3, at('2026-11-23T15:01:00Z')),
        aMessage(4, at('2026-11-23T15:30:00Z')),
        aMessage(5, { ...at('2026-11-23T15:30:30Z'), role: 'staff', internal: true }),
        aMessage(6, { ...at('2026-11-23T15:31:00Z'), role: 'staff', internal: true }),
      ],
      'Asia/Tokyo',
    );
    expect(shown.map(({ day }) => day)).toEqual([
      '2026-11-23',
      undefined,
      '2026-11-24',
      undefined,
      undefined,
      undefined,
    ]);
    expect(shown.map(({ goesOn }) => goesOn)).toEqual([false, true, false, false, false, false]);
  });
});

test('what is new begins with the first of the visitor’s messages that nobody has read, and nowhere when all are read', () => {
  const messages = [aMessage(1), aMessage(2, { role: 'assistant' }), aMessage(3), aMessage(4, { role: 'staff' })];
  expect([0, 1, 2, 3].map((unread) => firstUnread(messages, unread))).toEqual([undefined, 'm3', 'm1', undefined]);
});
