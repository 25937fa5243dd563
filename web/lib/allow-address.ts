import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { operator } from '../../shared/contracts/operator.ts';
import { ApiError, call } from './api.ts';
import { problemOf } from './error-text.ts';
import type { Translate } from './i18n.ts';
import { useMay } from './session.ts';

export const hostsKey = ['operator', 'hosts'] as const;

export function useAllowHost() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (url: string) => call(operator.allowHost, { body: { url } }),
    onSuccess: () => client.invalidateQueries({ queryKey: hostsKey }),
  });
}

/** For an operator where a private address was refused: what allowing it means, and doing so. Nothing for anybody else. */
export function useAllowAddress(isRefused: boolean, url: string) {
  const allow = useAllowHost();
  const isAllowed = allow.isSuccess && allow.variables === url;
  const isOffered = useMay('operator') && isRefused && !isAllowed;
  // Operators' texts are not for the pages of others, and a form does not go away until they are there.
  const { t, ready } = useTranslation(isOffered ? 'operator' : 'common', { useSuspense: false });
  const say: Translate<'operator'> = (key, values) => (values ? t(key, values) : t(key));
  if (!isOffered || !ready) return undefined;
  return {
    text: say('hosts.offer', { host: hostOf(url) }),
    label: say('hosts.allow'),
    isBusy: allow.isPending,
    problem: (allow.error instanceof ApiError && allow.error.fields['url']) || problemOf(allow.error),
    /** A form is sent again then. */
    onAllow: (form: HTMLFormElement | null) => allow.mutate(url, { onSuccess: () => form?.requestSubmit() }),
  };
}

/** What else an address can be refused for, such as a password in it, is not an operator's to allow. */
const allowable = ['port', 'private', 'name'];

/** Whether a call failed for an address that an operator may allow. */
export function isPrivateRefused(error: object | null): boolean {
  if (!(error instanceof ApiError)) return false;
  const fields = Array.isArray(error.details['fields']) ? error.details['fields'] : [];
  return [{ code: error.code, ...error.details }, ...fields].some(
    ({ code, reason }: { code: string; reason?: string }) =>
      code === 'address-not-allowed' && reason !== undefined && allowable.includes(reason),
  );
}

function hostOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
