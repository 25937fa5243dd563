import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { ServiceSelect } from './service-select.tsx';

const options = [
  { value: 'a', name: 'Claude', tag: 'new', tooltip: ['200,000 tokens', 'free'] },
  { value: 'b', name: 'Llama', tag: '', tooltip: [] },
];

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

test('a long list is searched by typing', async () => {
  const many = Array.from({ length: 13 }, (_, at) => ({ value: `m${at}`, name: `Model ${at}`, tag: '', tooltip: [] }));
  const { user } = choose({ options: many, value: 'm0' });
  await user.click(field());
  await user.clear(field());
  await user.type(field(), '12');
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Model 12']);
});
