import { useEffect, useState } from 'react';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { ApiError, call } from '../../lib/api.ts';

export type Invitation = ReplyOf<typeof workspaces.showInvitation>['data'];

type State =
  { status: 'loading' | 'none' } | { status: 'open'; invitation: Invitation } | { status: 'failed'; error: ApiError };

export function useInvitation(code: string | undefined): State & { retry(): void } {
  const [state, setState] = useState<State>({ status: code === undefined ? 'none' : 'loading' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (code === undefined) return;
    const controller = new AbortController();
    call(workspaces.showInvitation, { body: { code }, signal: controller.signal, anywhere: true }).then(
      ({ data }) => {
        sessionStorage.setItem(keyOf(code), data.workspace.uuid);
        setState({ status: 'open', invitation: data });
      },
      (error: unknown) => error instanceof ApiError && setState({ status: 'failed', error }),
    );
    return () => controller.abort();
  }, [code, tries]);
  return { ...state, retry: () => setTries(tries + 1) };
}

const keyOf = (code: string) => `invitation:${code}`;

/** Who registers with an invitation has accepted it by that: this tab still knows to where. */
export const workspaceInvitedTo = (code: string) => sessionStorage.getItem(keyOf(code)) ?? undefined;
