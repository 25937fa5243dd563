import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bots, emptyConfig, type Bot } from '../../../shared/contracts/bots.ts';
import { serve, show } from '../../testing/show.tsx';
import { useDraft } from './use-draft.ts';

const bot: Bot = {
  uuid: crypto.randomUUID(),
  name: 'Shop',
  description: '',
  avatar: null,
  mark: 7,
  botgroup: null,
  draft: emptyConfig,
  secrets: [],
  published: null,
  changed: true,
  visibility: 'private',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};

function Form() {
  const { values, set, error, faulty, fieldError } = useDraft({
    bot,
    bases: [],
    onSaved: () => {},
    onState: () => {},
  });
  return (
    <>
      {(['name', 'description'] as const).map((field) => (
        <label key={field}>
          {field}
          <input value={values[field]} onChange={(event) => set(field, event.currentTarget.value)} />
          <em>{fieldError(field)}</em>
        </label>
      ))}
      <output>{error?.message}</output>
      <menu>{faulty.join(' ')}</menu>
    </>
  );
}

/** A server that takes no name that is "Taken". */
function aForm() {
  serve(bots.update, ({ body }) => {
    const { name } = Object(body);
    return name === 'Taken'
      ? Response.json(
          {
            error: {
              code: 'validation-failed',
              message: 'Check the fields.',
              details: { fields: [{ path: 'name', code: 'invalid', message: 'This name is used twice.' }] },
            },
          },
          { status: 400 },
        )
      : { data: { ...bot, ...Object(body) } };
  });
  return show(<Form />);
}
const said = () => ['em', 'output', 'menu'].map((each) => document.querySelector(each)?.textContent);

test('the error of a field goes as soon as the field is mended', async () => {
  const { user } = aForm();
  const name = screen.getByLabelText(/^name/);
  await user.clear(name);
  await user.type(name, 'Taken');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['This name is used twice.', 'Check the fields.', 'name']);
  await user.type(name, '!');
  expect(said()[0]).toBe('');
  expect(said()[2]).toBe('');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['', '', '']);
});

test('the error of a field goes when the field says again what is saved', async () => {
  const { user } = aForm();
  const name = screen.getByLabelText(/^name/);
  await user.clear(name);
  await user.type(name, 'Taken');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['This name is used twice.', 'Check the fields.', 'name']);
  await user.clear(name);
  await user.type(name, 'Shop');
  await expect.poll(said, { timeout: 5_000 }).toEqual(['', '', '']);
});

test('the error of one field stays while another is changed', async () => {
  const { user } = aForm();
  const name = screen.getByLabelText(/^name/);
  await user.clear(name);
  await user.type(name, 'Taken');
  await expect.poll(() => said()[0], { timeout: 5_000 }).toBe('This name is used twice.');
  await user.type(screen.getByLabelText(/^description/), 'x');
  expect(said()[0]).toBe('This name is used twice.');
});
