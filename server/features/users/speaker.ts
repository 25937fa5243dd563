import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { Role } from '../../../shared/roles.ts';
import type { Caller, Visitor } from '../../infra/http.ts';

interface Anyone {
  workspace: string;
  locale: Locale;
  name: string;
  /** The id of their picture. */
  avatar: string | null;
}

/** A person of the workspace, on our pages. */
export interface Member extends Anyone {
  kind: 'member';
  user: string;
  role: Role;
}

/** A program that acts for a person. */
export interface KeyHolder extends Anyone {
  kind: 'key';
  user: string;
  role: Role;
  key: string;
  /** The bots it may use; null for all. */
  bots: string[] | null;
}

/** A visitor who came through a channel. */
export type Guest = Visitor;

/** Whoever speaks with a bot. */
export type Speaker = Member | KeyHolder | Guest;

export function speakerOf({ workspace, locale, username, avatar, user, role, key }: Caller): Member | KeyHolder {
  const common = { workspace, locale, name: username, avatar, user, role };
  return key ? { ...common, kind: 'key', key: key.uuid, bots: key.bots } : { ...common, kind: 'member' };
}

/** Whoever comes: a bot is shown to them as to every visitor. */
export const anyGuest = (channel: Pick<Guest, 'channelId' | 'workspace' | 'isPreview'>): Guest => ({
  kind: 'guest',
  guest: '',
  locale: 'en',
  language: null,
  name: '',
  avatar: null,
  channel: 'web',
  identity: '',
  ...channel,
});
