import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ModelKey, ModelProviderInfo } from '../../../shared/contracts/services.ts';
import { ApiError } from '../../lib/api.ts';
import { show } from '../../testing/show.tsx';
import { ModelKeyForm } from './key-form.tsx';

type Props = Parameters<typeof ModelKeyForm>[0];

const provider: ModelProviderInfo = {
  name: 'openai-compatible',
  title: 'A server of your own',
  kind: 'server',
  line: '',
  avatar: { url: '/p.svg' },
  keyUrl: 'https://example.com/keys',
  settings: {
    properties: {
      baseUrl: { title: 'Base URL', format: 'uri', maxLength: 500 },
      apiKey: { title: 'API key', secret: true, maxLength: 500 },
      region: { title: 'Region' },
      models: { title: 'Models' },
    },
    required: ['baseUrl'],
  },
};

const saved: ModelKey = {
  uuid: crypto.randomUUID(),
  provider: 'openai-compatible',
  name: 'Office',
  baseUrl: 'https://old.example.com/v1',
  hint: 'wxyz',
  state: 'ready',
  message: null,
  models: 3,
  named: '',
  checkedAt: '2026-05-01T10:00:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};

function aForm(changes: Partial<Props> = {}) {
  const onSubmit = vi.fn<Props['onSubmit']>();
  return {
    onSubmit,
    ...show(
      <ModelKeyForm provider={provider} submit="Save" isBusy={false} error={null} onSubmit={onSubmit} {...changes} />,
    ),
  };
}

const address = () => screen.getByRole('textbox', { name: 'Base URL' });
const secret = () => screen.getByLabelText<HTMLInputElement>('API key', { selector: 'input', exact: false });
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

test('the form asks for what the provider needs, and sends only what was filled in', async () => {
  const { user, onSubmit } = aForm();
  expect(screen.getByRole('textbox', { name: 'Region' })).toBeTruthy();
  await user.click(save());
  expect(onSubmit).not.toHaveBeenCalled();
  expect(address()).toHaveProperty('validity.valueMissing', true);
  await user.type(address(), ' https://llm.example.com/v1 ');
  await user.click(save());
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ name: '', baseUrl: 'https://llm.example.com/v1' });
});

test('a key is not shown while it is typed, until that is asked for', async () => {
  const { user } = aForm();
  await user.type(secret(), 'sk-1234');
  expect(secret().type).toBe('password');
  await user.click(screen.getByRole('button', { name: 'Show or hide the key' }));
  expect(secret().type).toBe('text');
});

test('where to get a key is one press away, in a new tab', () => {
  aForm();
  const link = screen.getByRole('link', { name: /A server of your own/ });
  expect(link.getAttribute('href')).toBe('https://example.com/keys');
  expect(link.getAttribute('target')).toBe('_blank');
});

test('a saved key may stay as it is', async () => {
  const { user, onSubmit } = aForm({ initial: saved });
  expect(secret().placeholder).toBe('Leave empty to keep …wxyz');
  await user.clear(screen.getByRole('textbox', { name: /^Name/ }));
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Desk');
  await user.click(save());
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ name: 'Desk' });
});

test('models named by hand are sent where they were changed, also when none is left', async () => {
  const { user, onSubmit } = aForm({ initial: { ...saved, named: 'one' } });
  const models = screen.getByRole('textbox', { name: /^Models/ });
  expect(models).toHaveProperty('value', 'one');
  await user.type(models, ', two');
  await user.click(save());
  await user.clear(models);
  await user.click(save());
  expect(onSubmit.mock.calls).toEqual([[{ name: 'Office', models: 'one, two' }], [{ name: 'Office', models: '' }]]);
});

test('a new address asks for the key again: the old one is not sent there', async () => {
  const { user, onSubmit } = aForm({ initial: saved });
  await user.clear(address());
  await user.type(address(), 'https://new.example.com/v1');
  expect(screen.getByText(/The old one is not sent there/)).toBeTruthy();
  await user.click(save());
  expect(onSubmit).not.toHaveBeenCalled();
  await user.type(secret(), 'sk-new');
  await user.click(save());
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith({
    name: 'Office',
    baseUrl: 'https://new.example.com/v1',
    apiKey: 'sk-new',
  });
});

test('what the server says of a field stands at the field, anything else is told as an alert', () => {
  const fields = [{ path: 'apiKey', message: 'This key was refused.' }];
  const first = aForm({ error: new ApiError(422, 'validation-failed', 'Please check the fields.', { fields }) });
  expect(screen.getByText('This key was refused.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  first.unmount();
  aForm({ error: new ApiError(502, 'provider-unreachable', 'The provider cannot be reached.') });
  expect(screen.getByRole('alert').textContent).toBe('The provider cannot be reached.');
});
