import { useMutation } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { toast } from '../ui/toast.tsx';
import ToastArea from '../ui/toast-area.tsx';
import { ApiError } from './api.ts';
import { errorText } from './error-text.ts';
import { i18n } from './i18n.ts';

const fault = new TypeError("Cannot read properties of undefined (reading 'flatMap')");
const general = 'Something went wrong on our side. Reload the page, or try again in a moment.';

afterEach(() => act(() => i18n.changeLanguage('en')));

function Press({ onSuccess, mutationFn }: { mutationFn(): Promise<unknown>; onSuccess?(): void }) {
  const { mutate } = useMutation({ mutationFn, ...(onSuccess && { onSuccess }) });
  return (
    <>
      <button onClick={() => mutate(undefined, { onError: (error) => toast.error(errorText(error)) })}>Save</button>
      <ToastArea />
    </>
  );
}

test('what the page itself got wrong is told in general, and what it was stands in the console', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken = () => {
    throw fault;
  };
  const { user } = show(<Press mutationFn={() => Promise.resolve()} onSuccess={broken} />);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(general)).toBeTruthy();
  expect(screen.queryByText(/Cannot read/)).toBeNull();
  expect(logged.mock.calls).toEqual([[fault]]);
  await act(() => i18n.changeLanguage('ja'));
  expect(errorText(fault)).toMatch(/サーバー側で問題が発生しました/);
  expect(logged).toHaveBeenCalledOnce();
  logged.mockReset();
});

test('what the server says is told in its words', async () => {
  const refusal = new ApiError(409, 'conflict', 'Somebody else has changed this.');
  const { user } = show(<Press mutationFn={() => Promise.reject(refusal)} />);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Somebody else has changed this.')).toBeTruthy();
});
