import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { ApiError } from '../../lib/api.ts';
import { serve, show } from '../../testing/show.tsx';
import { KeyForm } from './key-form.tsx';

type Props = Parameters<typeof KeyForm>[0];

const shop = {
  uuid: crypto.randomUUID(),
  name: 'Shop',
  avatar: null,
  mark: 7,
  published: true,
  services: [],
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};
const dayMs = 86_400_000;

const key: ApiKey = {
  uuid: crypto.randomUUID(),
  name: 'Order page',
  prefix: 'kt_1234',
  scopes: ['chat', 'edit'],
  bots: null,
  state: 'active',
  createdBy: 'mika',
  expiresAt: '2030-05-01T10:00:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};

function aForm(changes: Partial<Props> = {}) {
  serve(bots.dropdown, () => ({ data: [shop] }));
  const onSubmit = vi.fn<Props['onSubmit']>();
  return {
    onSubmit,
    ...show(
      <KeyForm submit="Create" isBusy={false} error={null} onSubmit={onSubmit} onClose={() => {}} {...changes} />,
    ),
  };
}

const name = () => screen.getByRole('textbox', { name: 'Name' });
const scope = (called: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name: called });
const create = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Create' });

test('a new key may chat with every bot for 90 days, unless something else is chosen', async () => {
  const { user, onSubmit } = aForm();
  await user.type(name(), 'Order page');
  await user.click(create());
  const [values] = onSubmit.mock.calls[0] ?? [];
  expect(values).toMatchObject({ name: 'Order page', scopes: ['chat'], bots: null });
  expect(Date.parse(values?.expiresAt ?? '') / dayMs).toBeCloseTo(Date.now() / dayMs + 90, 1);
});

describe('it is not complete', () => {
  test('without a name', async () => {
    const { user, onSubmit } = aForm();
    await user.type(name(), '  ');
    await user.click(create());
    expect(onSubmit).not.toHaveBeenCalled();
    await waitFor(() => expect(document.activeElement).toBe(name()));
    expect(screen.getByText('Fill this in.')).toBeTruthy();
  });

  test('without a scope, and says so', async () => {
    const { user } = aForm();
    await user.type(name(), 'Order page');
    await user.click(scope(/^Chat with bots/));
    expect(screen.getByText('Choose at least one.')).toBeTruthy();
    expect(create().disabled).toBe(true);
  });

  test('for some bots while none is chosen', async () => {
    const { user, onSubmit } = aForm();
    await user.type(name(), 'Order page');
    await user.click(screen.getByRole('radio', { name: 'Only some bots' }));
    await user.click(create());
    expect(onSubmit).not.toHaveBeenCalled();
    expect(screen.getByText('Fill this in.')).toBeTruthy();
  });

  test('with a last day that is not told', async () => {
    const { user, onSubmit } = aForm();
    await user.type(name(), 'Order page');
    await user.click(screen.getByRole('combobox', { name: 'Expires' }));
    await user.click(await screen.findByRole('option', { name: 'On a date…' }));
    await user.click(create());
    expect(onSubmit).not.toHaveBeenCalled();
    expect(screen.getByText('Fill this in.')).toBeTruthy();
  });
});

test('a key for some bots can only talk to them', async () => {
  const { user, onSubmit } = aForm();
  await user.type(name(), 'Shop window');
  await user.click(scope(/^Edit/));
  await user.click(screen.getByRole('radio', { name: 'Only some bots' }));
  expect(scope(/^Edit/).checked).toBe(false);
  expect(scope(/^Edit/).disabled).toBe(true);
  await user.click(screen.getByRole('combobox', { name: 'Choose the bots' }));
  await user.click(await screen.findByRole('option', { name: 'Shop' }));
  await user.click(create());
  expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({ scopes: ['chat'], bots: [shop.uuid] });
});

test('a last day is meant to its end, where the person is', async () => {
  const { user, onSubmit } = aForm();
  await user.type(name(), 'Order page');
  await user.click(screen.getByRole('combobox', { name: 'Expires' }));
  await user.click(await screen.findByRole('option', { name: 'On a date…' }));
  fireEvent.change(screen.getByLabelText(/^Last day/), { target: { value: '2031-03-04' } });
  await user.click(create());
  expect(new Date(onSubmit.mock.calls[0]?.[0].expiresAt ?? '')).toEqual(new Date(2031, 2, 4, 23, 59, 59));
});

test('a key that never expires is advised against', async () => {
  const { user, onSubmit } = aForm();
  await user.type(name(), 'Order page');
  await user.click(screen.getByRole('combobox', { name: 'Expires' }));
  await user.click(await screen.findByRole('option', { name: 'Never' }));
  expect(screen.getByText(/Prefer a date if you can/)).toBeTruthy();
  await user.click(create());
  expect(onSubmit.mock.calls[0]?.[0].expiresAt).toBeNull();
});

test('a key that is changed keeps its expiry unless that is changed', async () => {
  const { user, onSubmit } = aForm({ initial: key });
  await user.clear(name());
  await user.type(name(), 'Shop page');
  await user.click(create());
  expect(onSubmit.mock.calls[0]?.[0]).toEqual({ name: 'Shop page', scopes: ['chat', 'edit'], bots: null });
});

test('what the server says of a field stands at the field, anything else at the end', () => {
  const fields = [{ path: 'name', message: 'This name is taken.' }];
  aForm({ error: new ApiError(422, 'validation-failed', 'Please check the fields.', { fields }) });
  expect(screen.getByText('This name is taken.')).toBeTruthy();
  expect(screen.queryByText('Please check the fields.')).toBeNull();
});
