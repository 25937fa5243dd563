import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

/** Somebody who talks with us through a channel. */
export interface GuestTable extends Entity {
  workspace: string;
  /** Empty where nobody told. */
  name: string;
  avatar: string | null;
  language: 'en' | 'ja' | null;
  email: string;
  phone: string;
  note: string;
  fields: Json;
  /** What they are searched by, folded: a line for each thing that is known of them. */
  search: string;
  /** The last page they wrote from. */
  page: string;
  /** A maker who tries the widget. */
  preview: Flag;
  /** Which; nobody where they are gone. */
  maker: string | null;
  /** They have never written anything, and are forgotten after a while. */
  silent: Flag;
  blocked_at: number | null;
  consented_at: number | null;
  /** When they answered what is asked before the first message. */
  answered_at: number | null;
  last_seen_at: number | null;
}

/** How a channel knows a guest; several are one person where they were merged. */
export interface GuestIdentityTable extends Entity {
  guest: string;
  workspace: string;
  channel: ChannelKind;
  channel_id: string;
  /** A device by the hash of its secret, a site's visitor by the site's own id, and so on. */
  external: string;
  name: string;
  /** The channel, or the site, vouches for it. */
  verified: Flag;
  /** Since when nothing reaches them there: they have blocked the account, or taken it out of their group. */
  left_at: number | null;
}

export interface GuestTagTable {
  guest: string;
  workspace: string;
  name: string;
  /** When it was given; 0 where that was not kept. */
  created_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    guest: GuestTable;
    guest_identity: GuestIdentityTable;
    guest_tag: GuestTagTable;
  }
}
