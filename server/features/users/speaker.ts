import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { Role } from '../../../shared/roles.ts';
import type { Caller } from '../../infra/http.ts';

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
export interface Guest extends Anyone {
  kind: 'guest';
  guest: string;
  channel: ChannelKind;
  channelId: string;
  /** By which of their identities they came. */
  identity: string;
  /** A maker who tries what visitors get: the draft answers, and nobody of the team hears of it. */
  isPreview: boolean;
}

/** Whoever speaks with a bot. */
export type Speaker = Member | KeyHolder | Guest;

export function speakerOf({ workspace, locale, username, avatar, user, role, key }: Caller): Member | KeyHolder {
  const common = { workspace, locale, name: username, avatar, user, role };
  return key ? { ...common, kind: 'key', key: key.uuid, bots: key.bots } : { ...common, kind: 'member' };
}
