import { describe, expect, test } from 'vitest';
import { emptyConfig, type BotConfig } from '../../../shared/contracts/bots.ts';
import texts from '../../../shared/locales/en/bots-editor.json' with { type: 'json' };
import { differencesOf } from './differences.ts';

const names = { service: (uuid: string) => `service ${uuid}`, knowledge: (uuid: string) => `base ${uuid}` };
const between = (before: Partial<BotConfig>, after: Partial<BotConfig>) =>
  differencesOf({ ...emptyConfig, ...before }, { ...emptyConfig, ...after }, names);

describe('the differences between two states of a bot', () => {
  test('there are none between equals', () => expect(between({ starters: ['a'] }, { starters: ['a'] })).toEqual([]));

  test('a text is told with both of its wordings', () => {
    expect(between({ instructions: 'Be kind.' }, { instructions: 'Be brief.' })).toEqual([
      { field: 'instructions', kind: 'text', before: 'Be kind.', after: 'Be brief.' },
    ]);
  });

  test('services and bases are called by their names', () => {
    expect(
      between(
        { service: 'a', fallback: null, knowledges: ['x', 'y'] },
        { service: 'b', fallback: 'a', knowledges: ['y', 'z'] },
      ),
    ).toEqual([
      { field: 'service', kind: 'value', before: 'service a', after: 'service b' },
      { field: 'fallback', kind: 'value', before: null, after: 'service a' },
      { field: 'knowledges', kind: 'list', added: ['base z'], removed: ['base x'], changed: [], isMoved: false },
    ]);
  });

  test('of a list, what came, what went, what is different and what only moved', () => {
    expect(between({ starters: ['a', 'b'] }, { starters: ['b', 'a'] })).toEqual([
      { field: 'starters', kind: 'list', added: [], removed: [], changed: [], isMoved: true },
    ]);
    expect(
      between(
        {
          variables: [
            { name: 'shop', value: 'A' },
            { name: 'old', value: '' },
          ],
        },
        {
          variables: [
            { name: 'shop', value: 'B' },
            { name: 'new', value: '' },
          ],
        },
      ),
    ).toEqual([
      { field: 'variables', kind: 'list', added: ['new'], removed: ['old'], changed: ['shop'], isMoved: false },
    ]);
  });

  test('switches, numbers and what is as usual', () => {
    expect(
      between(
        { parameters: { ...emptyConfig.parameters, temperature: 0.5 } },
        { handoff: { ...emptyConfig.handoff, enabled: true } },
      ),
    ).toEqual([
      { field: 'temperature', kind: 'value', before: 0.5, after: null },
      { field: 'enabled', kind: 'value', before: false, after: true },
    ]);
  });

  test('nothing of a config goes untold', () => {
    const other = (value: unknown): unknown => {
      if (Array.isArray(value)) return ['x'];
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, other(each)]));
      return typeof value === 'boolean' ? !value : 'x';
    };
    // A border: a value of another type differs, too.
    const changed = {
      ...(other(emptyConfig) as BotConfig),
      variables: [{ name: 'x', value: '' }],
      tools: [
        {
          name: 'x',
          description: '',
          method: 'GET' as const,
          url: 'https://example.com',
          headers: [],
          parameters: [],
          approved: false,
        },
      ],
    };
    const leaves = (value: unknown): number =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0)
        : 1;
    const told = between({}, changed);
    expect(told).toHaveLength(leaves(emptyConfig));
    expect(Object.keys(texts.field)).toEqual(expect.arrayContaining(told.map(({ field }) => field)));
  });
});
