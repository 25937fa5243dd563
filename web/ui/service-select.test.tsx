import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { ServiceSelect } from './service-select.tsx';

const options = [
  { value: 'a', name: 'Claude', tag: 'new', tooltip: ['200,000 tokens', 'free'] },
  { value: 'b', name: 'Llama', tag: '', tooltip: [] },
];
const grouped = [
  { value: 'a', name: 'Sonnet', tag: 'your key', tooltip: ['Sees pictures'], group: 'Anthropic' },
  { value: 'b', name: 'Sonnet', tag: '', tooltip: ['200K context'], group: 'Anthropic' },
  { value: 'c', name: 'Luna', tag: '', tooltip: ['8K context'], group: 'OpenAI' },
  { value: 'd', name: 'Llama', tag: '', tooltip: ['Its key was rejected'], group: 'Not available', isOff: true },
];
const names = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent);

const choose = (changes: Partial<Parameters<typeof ServiceSelect>[0]> = {}) => {
  const onChange = vi.fn<(value: string) => void>();
  return {
    onChange,
    ...show(<ServiceSelect label="Model" options={options} value="b" onChange={onChange} {...changes} />),
  };
};

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Model' });

test('each model is there with its tag and what is worth knowing of it', async () => {
  const { user } = choose();
  expect(field().value).toBe('Llama');
  await user.click(field());
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'Claude (new)200,000 tokens · free',
    'Llama',
  ]);
});

test('another can be chosen, and the chosen one cannot be taken away', async () => {
  const { user, onChange } = choose();
  await user.click(field());
  await user.click(await screen.findByRole('option', { name: 'Llama' }));
  expect(onChange).not.toHaveBeenCalled();
  await user.click(field());
  await user.click(await screen.findByRole('option', { name: /^Claude/ }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith('a');
});

test('models stand under their providers, those that cannot answer last with the reason', async () => {
  const { user } = choose({ options: grouped });
  await user.click(field());
  expect(await names()).toEqual([
    'Sonnet (your key)Sees pictures',
    'Sonnet200K context',
    'Luna8K context',
    'LlamaIts key was rejected',
  ]);
  const text = (await screen.findByRole('listbox')).textContent;
  const places = ['Anthropic', 'OpenAI', 'Not available'].map((group) => text.indexOf(group));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test.each([
  ['a name', 'lun', ['Luna8K context']],
  ['a provider', 'anthropic', ['Sonnet (your key)Sees pictures', 'Sonnet200K context']],
  ['what it can do', 'sees', ['Sonnet (your key)Sees pictures']],
  ['several words', 'sonnet key', ['Sonnet (your key)Sees pictures']],
])('is found by %s', async (_, typed, expected) => {
  const { user } = choose({ options: grouped, value: 'd' });
  await user.click(field());
  await user.clear(field());
  await user.type(field(), typed);
  expect(await names()).toEqual(expected);
});

test('the keyboard alone finds one and takes it', async () => {
  const { user, onChange } = choose({ options: grouped, value: 'd' });
  await user.tab();
  await user.clear(field());
  await user.keyboard('sonnet{ArrowDown}{Enter}');
  expect(onChange).toHaveBeenCalledExactlyOnceWith('b');
});

test('what nobody offers is said to be nowhere', async () => {
  const { user } = choose({ options: grouped, nothingFound: 'No model found' });
  await user.click(field());
  await user.clear(field());
  await user.type(field(), 'xyz');
  expect((await screen.findByText('No model found')).textContent).toBe('No model found');
});
