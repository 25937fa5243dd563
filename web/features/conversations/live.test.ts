import { describe, expect, test } from 'vitest';
import type { ChatEvent, Message } from '../../../shared/contracts/conversations.ts';
import { change, idle, messagesOf, withNewest, type Live } from './live.ts';

const aMessage = (uuid: string, parent: string | null, more: Partial<Message> = {}): Message => ({
  uuid,
  parent,
  seq: 1,
  role: 'assistant',
  siblings: [uuid],
  text: '',
  reasoning: '',
  tools: [],
  files: [],
  citations: [],
  suggestions: [],
  status: 'streaming',
  finish: null,
  error: null,
  feedback: null,
  usage: null,
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
  ...more,
});
const q1 = aMessage('q1', null, { role: 'user', text: 'One', status: 'done' });
const a1 = aMessage('a1', 'q1', { text: 'First', status: 'done' });
const q2 = aMessage('q2', 'a1', { role: 'user', text: 'Two', status: 'done' });
const a2 = aMessage('a2', 'q2', { text: 'Second', status: 'done' });
const stored = [q1, a1, q2, a2];

const hearing = (live: Live, ...events: ChatEvent[]) =>
  events.reduce((before, event) => change(before, { type: 'told', event }), live);
const shown = (live: Live) => messagesOf(stored, live).map(({ uuid }) => uuid);

describe('what is being said', () => {
  test('a question stands at the end until it is stored, then its answer grows below', () => {
    const sent = change(idle, { type: 'began', asked: { text: 'Three', files: [] } });
    expect(sent).toMatchObject({ phase: 'sent', asked: { text: 'Three' } });
    const live = hearing(
      sent,
      { type: 'message', message: aMessage('q3', 'a2', { role: 'user', text: 'Three' }) },
      { type: 'message', message: aMessage('a3', 'q3') },
      { type: 'reasoning', text: 'Hm' },
      { type: 'delta', text: 'Th' },
      { type: 'delta', text: 'ird' },
      { type: 'tool', tool: { id: 't', name: 'stock', state: 'running', input: '{}', output: '', tookMs: null } },
      { type: 'tool', tool: { id: 't', name: 'stock', state: 'done', input: '{}', output: '7', tookMs: 3 } },
    );
    expect(live).toMatchObject({
      phase: 'writing',
      asked: undefined,
      answer: { text: 'Third', reasoning: 'Hm', tools: [{ state: 'done', output: '7' }] },
    });
    expect(shown(live)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3']);
  });

  test('an answer made again takes the place of the first and of all that followed it', () => {
    const sent = change(idle, { type: 'began', after: 'q1' });
    expect(shown(sent)).toEqual(['q1']);
    expect(shown(hearing(sent, { type: 'message', message: aMessage('b1', 'q1') }))).toEqual(['q1', 'b1']);
  });

  test('the first question in other words begins anew', () => {
    const sent = change(idle, { type: 'began', after: null, asked: { text: 'Other', files: [] } });
    expect(shown(sent)).toEqual([]);
    expect(
      shown(
        hearing(
          sent,
          { type: 'message', message: aMessage('b1', null, { role: 'user' }) },
          { type: 'message', message: aMessage('c1', 'b1') },
        ),
      ),
    ).toEqual(['b1', 'c1']);
  });

  test('an answer that is gone on with stays where it is', () => {
    const live = hearing(
      change(idle, { type: 'began', after: 'q2', answer: a2 }),
      { type: 'message', message: a2 },
      { type: 'delta', text: ' half' },
    );
    expect(shown(live)).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(live.answer?.text).toBe('Second half');
  });

  test('a page that comes back takes the text as it is now, and does not double it', () => {
    const writing = hearing(
      change(idle, { type: 'began' }),
      { type: 'message', message: aMessage('a3', 'q3') },
      { type: 'delta', text: 'Half' },
    );
    const away = change(writing, { type: 'lost' });
    expect(away).toMatchObject({ phase: 'away', answer: { text: 'Half' } });
    expect(
      hearing(
        away,
        { type: 'message', message: aMessage('a3', 'q3', { text: 'Half of' }) },
        { type: 'delta', text: ' it' },
      ),
    ).toMatchObject({ phase: 'writing', answer: { text: 'Half of it' } });
  });

  test('what could not be sent is kept, and what could not be made again leaves everything as it was', () => {
    const failure = { status: 409, code: 'thread-busy', message: 'Busy' };
    expect(
      change(change(idle, { type: 'began', asked: { text: 'Three', files: [] } }), { type: 'failed', failure }),
    ).toMatchObject({ phase: 'idle', asked: { text: 'Three' }, failure });
    expect(shown(change(change(idle, { type: 'began', after: 'q1' }), { type: 'failed', failure }))).toEqual([
      'q1',
      'a1',
      'q2',
      'a2',
    ]);
  });

  test('nothing is heard after its end', () => {
    expect(hearing(idle, { type: 'delta', text: 'late' })).toBe(idle);
  });
});

describe('the newest messages and those that are kept', () => {
  const a = ['q1', 'a1', 'q2', 'a2', 'q3', 'a3'].map((uuid, at, all) => aMessage(uuid, all[at - 1] ?? null));
  const ids = (messages: Message[] | undefined) => messages?.map(({ uuid }) => uuid);

  test.each([
    ['overlap', a.slice(0, 4), a.slice(2), ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']],
    ['touch', a.slice(0, 4), a.slice(4), ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']],
    ['are the same', a, a, ['q1', 'a1', 'q2', 'a2', 'q3', 'a3']],
    [
      'lead to another branch',
      a,
      [a[1], aMessage('b2', 'a1')].filter((each) => each !== undefined),
      ['q1', 'a1', 'b2'],
    ],
    ['begin another branch at the beginning', a, [aMessage('b1', null)], ['b1']],
    ['leave a gap', a.slice(0, 2), a.slice(4), undefined],
  ])('%s', (_, kept, newest, expected) => {
    expect(ids(withNewest(kept, newest))).toEqual(expected);
  });
});
