import { accounts } from '../shared/contracts/accounts.ts';

const readToken = () => /(?:^|;\s*)jwt=([^;]+)/.exec(document.cookie)?.[1];

/** What a maker's page calls with, for a preview of what is not published; renewed by the session's cookie when it is gone. */
export async function makerHeaders(): Promise<Record<string, string>> {
  if (!readToken()) await fetch(accounts.renew.path, { method: accounts.renew.method }).catch(() => undefined);
  return { authorization: `Bearer ${readToken() ?? ''}` };
}
