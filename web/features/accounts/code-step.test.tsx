import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accounts, type User } from '../../../shared/contracts/accounts.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import CodeStep from './code-step.tsx';

const user: User = {
  uuid: crypto.randomUUID(),
  username: 'mika',
  displayName: null,
  email: 'mika@example.com',
  emailVerified: true,
  pendingEmail: null,
  locale: 'en',
  timezone: 'Asia/Tokyo',
  providers: ['local'],
  twoFactor: true,
  suspendedAt: null,
  operator: false,
  workspaces: [],
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
};

function aStep({ isRefused = false } = {}) {
  const calls = serve(accounts.secondFactor, () =>
    isRefused
      ? refusal(422, {
          code: 'validation-failed',
          message: 'Please check the fields.',
          fields: [{ path: 'code', message: 'This code is incorrect.' }],
        })
      : { jwt: 'token', user },
  );
  const onDone = vi.fn<(reply: { user: User }) => Promise<void>>(async () => {});
  return { ...show(<CodeStep ticket="t-1" onDone={onDone} onBack={() => {}} />), calls, onDone };
}

const codes = (calls: { body: unknown }[]) => calls.map(({ body }) => body);

test('six digits go off by themselves, once', async () => {
  const { user: person, calls, onDone } = aStep();
  await person.type(screen.getByRole('textbox', { name: '6-digit code' }), '123456');
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(codes(calls)).toEqual([{ ticket: 't-1', code: '123456' }]);
});

test('wide digits in two groups are the same code', async () => {
  const { user: person, calls } = aStep();
  await person.click(screen.getByRole('textbox', { name: '6-digit code' }));
  await person.paste('１２３ ４５６');
  await vi.waitFor(() => expect(codes(calls)).toEqual([{ ticket: 't-1', code: '123456' }]));
});

test('five digits cannot be sent', async () => {
  const { user: person, calls } = aStep();
  await person.type(screen.getByRole('textbox', { name: '6-digit code' }), '12345');
  expect(screen.getByRole('button', { name: 'Sign in' })).toHaveProperty('disabled', true);
  expect(calls).toEqual([]);
});

test('a wrong code says so at its field, until another is typed', async () => {
  const { user: person, calls, onDone } = aStep({ isRefused: true });
  const field = screen.getByRole('textbox', { name: '6-digit code' });
  await person.type(field, '000000');
  expect(await screen.findByText('This code is incorrect.')).toBeTruthy();
  expect(onDone).not.toHaveBeenCalled();
  await person.type(field, ' ');
  expect(calls).toHaveLength(1);
  await person.type(field, '{Backspace}');
  await person.type(field, '{Backspace}');
  expect(screen.queryByText('This code is incorrect.')).toBeNull();
});

test('a backup code is sent as it was written, and only when that is asked for', async () => {
  const { user: person, calls } = aStep();
  await person.click(screen.getByRole('button', { name: 'Use a backup code' }));
  await person.type(screen.getByRole('textbox', { name: 'Backup code' }), ' 123456-abcd ');
  expect(calls).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  await vi.waitFor(() => expect(codes(calls)).toEqual([{ ticket: 't-1', code: '123456-abcd' }]));
});
