import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

function ask(changes: Partial<Parameters<typeof ConfirmDialog>[0]> = {}) {
  const onConfirm = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  const texts = { title: 'Delete it?', text: 'It will be gone.', confirm: 'Delete', cancel: 'Cancel' };
  return {
    onConfirm,
    onClose,
    ...show(<ConfirmDialog opened {...texts} onConfirm={onConfirm} onClose={onClose} {...changes} />),
  };
}

test('the way out has the focus, so that Enter destroys nothing', async () => {
  const { user, onConfirm, onClose } = ask();
  await screen.findByRole('dialog', { name: 'Delete it?' });
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  await user.keyboard('{Enter}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
});

test('it is done when it is confirmed', async () => {
  const { user, onConfirm } = ask();
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('it is not done twice while it is on its way', async () => {
  const { onConfirm } = ask({ loading: true });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(onConfirm).not.toHaveBeenCalled();
});

test('Escape leaves everything as it is', async () => {
  const { user, onConfirm, onClose } = ask();
  await screen.findByRole('dialog', { name: 'Delete it?' });
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
});
