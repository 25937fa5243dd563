import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accounts, type User } from '../../../shared/contracts/accounts.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';
import { adoptLocale } from '../../lib/i18n.ts';
import { safeNext } from '../../lib/next.ts';
import { chooseWorkspace, fetchServices, setUser } from '../../lib/session.ts';

type SignedIn = { user: User } | { twoFactor: true; ticket: string };

/** How every way of signing in ends: inside, or at the question for a code. */
export function useEntry() {
  const router = useRouter();
  const [waiting, setWaiting] = useState<{ ticket: string; next: string | undefined }>();

  const signInWith = async (reply: SignedIn, next: string | undefined): Promise<void> => {
    if ('ticket' in reply) return setWaiting({ ticket: reply.ticket, next });
    setUser(reply.user);
    void fetchServices();
    await adoptLocale(reply.user.locale);
    await router.navigate({ href: safeNext(next), replace: true });
  };
  return { waiting, signInWith, back: () => setWaiting(undefined) };
}

/** Who came by an invitation and has nothing of their own yet begins where they were invited. */
export function beginInTeam({ workspaces }: User): void {
  const team = workspaces.find(({ personal }) => !personal);
  if (team) chooseWorkspace(team);
}

type Options = ReplyOf<typeof accounts.options>['data'];

/** How one can come in here; `isKnown` also when the server could not say, since it decides anyway. */
export function useOptions(): { options: Options | undefined; isKnown: boolean } {
  const [state, setState] = useState<{ options: Options | undefined; isKnown: boolean }>({
    options: undefined,
    isKnown: false,
  });
  useEffect(() => {
    const controller = new AbortController();
    call(accounts.options, { signal: controller.signal, anywhere: true }).then(
      ({ data }) => setState({ options: data, isKnown: true }),
      () => !controller.signal.aborted && setState({ options: undefined, isKnown: true }),
    );
    return () => controller.abort();
  }, []);
  return state;
}

export const pathOfInvitation = (code: string) => `/Invitation?${new URLSearchParams({ code })}`;

/** The invitation somebody will come back to, so that they can register with it, too. */
export function invitationIn(next: string | undefined): string | undefined {
  const [path, query] = next?.split('?') ?? [];
  return path === '/Invitation' ? (new URLSearchParams(query).get('code') ?? undefined) : undefined;
}
