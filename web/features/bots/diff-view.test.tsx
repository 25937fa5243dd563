import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { emptyConfig, type BotConfig } from '../../../shared/contracts/bots.ts';
import { show } from '../../testing/show.tsx';
import { DiffView } from './diff-view.tsx';

const names = { service: (uuid: string) => `model ${uuid}`, knowledge: (uuid: string) => `base ${uuid}` };

const compare = (before: Partial<BotConfig>, after: Partial<BotConfig>) =>
  show(<DiffView before={{ ...emptyConfig, ...before }} after={{ ...emptyConfig, ...after }} names={names} />);

const section = (name: string) => within(screen.getByRole('region', { name }));
const came = (name: string) =>
  section(name)
    .queryAllByRole('insertion')
    .map(({ textContent }) => textContent);
const went = (name: string) =>
  section(name)
    .queryAllByRole('deletion')
    .map(({ textContent }) => textContent);

test('two states that are the same say so', () => {
  compare({}, {});
  expect(screen.getByText('No differences.')).toBeTruthy();
});

test('a text is compared word by word', () => {
  compare({ instructions: 'Answer in two sentences.' }, { instructions: 'Answer in three sentences.' });
  expect(went('Instructions')).toEqual(['two']);
  expect(came('Instructions')).toEqual(['three']);
});

test('words that were replaced one after another are one phrase', () => {
  compare({ refusal: 'Please write to us.' }, { refusal: 'Please call the shop.' });
  expect([went('When nothing is found'), came('When nothing is found')]).toEqual([['write to us'], ['call the shop']]);
});

test('a Japanese text is compared word by word, too', () => {
  compare({ greeting: '本店は東京です。' }, { greeting: '本店は京都です。' });
  expect([went('Greeting'), came('Greeting')]).toEqual([['東京'], ['京都']]);
});

test('a list tells what came, what went, and what only moved', () => {
  compare({ starters: ['one', 'two'], followUps: ['a', 'b'] }, { starters: ['two', 'three'], followUps: ['b', 'a'] });
  expect(came('Starters')).toEqual(['three']);
  expect(went('Starters')).toEqual(['one']);
  expect(section('Follow-ups').getByText('Reordered')).toBeTruthy();
});

test('values are told in words', () => {
  compare(
    { service: 'a', fallback: null, retrieval: { passages: 6, threshold: 0.4 } },
    { service: 'b', fallback: 'c', retrieval: { passages: 6, threshold: 0.55 }, language: 'ja' },
  );
  expect([went('Model'), came('Model')]).toEqual([['model a'], ['model b']]);
  expect([went('Fallback model'), came('Fallback model')]).toEqual([['None'], ['model c']]);
  expect([went('Answer threshold'), came('Answer threshold')]).toEqual([['40%'], ['55%']]);
  expect([went('Answer language'), came('Answer language')]).toEqual([['Same as the question'], ['Always Japanese']]);
});
