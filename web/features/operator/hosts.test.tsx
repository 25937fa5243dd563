import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { operator } from '../../../shared/contracts/operator.ts';
import { isPrivateRefused, useAllowAddress } from '../../lib/allow-address.ts';
import { ApiError } from '../../lib/api.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { AddressOffer } from '../../ui/address-offer.tsx';
import { HostsPanel } from './hosts.tsx';

afterEach(() => vi.unstubAllGlobals());

const at = '2026-11-01T09:00:00.000Z';
const host = { uuid: crypto.randomUUID(), host: '127.0.0.1:11434', createdAt: at, updatedAt: at };
const url = 'http://127.0.0.1:11434/v1';
const refused = (reason: string) =>
  new ApiError(400, 'validation-failed', 'Please check.', {
    fields: [{ path: 'baseUrl', code: 'address-not-allowed', reason, message: 'Not called.' }],
  });

function aForm(error: ApiError, isOperator = true) {
  signIn({ ...anOwner, operator: isOperator });
  const onSubmit = vi.fn<() => void>();
  function Form() {
    const offer = useAllowAddress(isPrivateRefused(error), url);
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {offer && <AddressOffer {...offer} />}
      </form>
    );
  }
  return { ...show(<Form />), onSubmit };
}

test('an operator allows the address that a form was refused for, and the form is sent again', async () => {
  const asked = serve(operator.allowHost, () => ({ data: host }));
  const { user, onSubmit } = aForm(refused('port'));
  await screen.findByText(/the program at 127\.0\.0\.1:11434 .* this host and port only/);
  await user.click(screen.getByRole('button', { name: 'Allow this address' }));
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  expect(asked.map(({ body }) => body)).toEqual([{ url }]);
});

test('an address that nobody can allow stays refused, and the form is not sent', async () => {
  const fields = [{ path: 'url', message: 'Nobody can allow this address.' }];
  serve(operator.allowHost, () => refusal(400, { code: 'validation-failed', message: 'Please check.', fields }));
  const { user, onSubmit } = aForm(refused('name'));
  await user.click(await screen.findByRole('button', { name: 'Allow this address' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Nobody can allow this address.');
  expect(onSubmit).not.toHaveBeenCalled();
});

test.each([
  ['somebody who is no operator', refused('port'), false],
  ['an address that nobody can allow', refused('forbidden'), true],
  ['a password in the address', refused('credentials'), true],
  ['another error', new ApiError(502, 'provider-unreachable', 'Not reached.'), true],
])('nothing is offered for %s', async (_, error, isOperator) => {
  const { container } = aForm(error, isOperator);
  // The offer comes a moment later, where there is one.
  await new Promise((done) => setTimeout(done));
  expect(container.querySelector('button')).toBeNull();
});

test('what was allowed can be seen and taken back, and what the environment lists only seen', async () => {
  signIn({ ...anOwner, operator: true });
  serve(operator.hosts, () => ({ data: { allowed: [host], environment: ['10.0.0.5:8080'] } }));
  const taken = serve(operator.forbidHost, () => ({ ok: true }));
  const { user } = show(<HostsPanel />);
  expect((await screen.findByText('10.0.0.5:8080')).closest('li')?.querySelector('button')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take back 127.0.0.1:11434' }));
  await waitFor(() =>
    expect(taken.map(({ url: { pathname } }) => pathname)).toEqual([`/api/operator/host/${host.uuid}`]),
  );
});
