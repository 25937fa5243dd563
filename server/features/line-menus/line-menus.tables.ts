import type { menuReasons, menuStates } from '../../../shared/contracts/line-menus.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface RichMenuTable extends Entity {
  workspace: string;
  channel: string;
  place: number;
  draft: Json;
  /** A file, which is never changed: another picture is another file. */
  image: string | null;
  image_size: Json | null;
  /** How its picture was drawn here. */
  design: Json | null;
  is_default: Flag;
  tags: Json;
  from_at: number | null;
  to_at: number | null;
  /** What is to be on LINE, in LINE's words; null for nothing. */
  target: Json | null;
  target_image: string | null;
  target_hash: string | null;
  /** What is on LINE. */
  line_id: string | null;
  live_hash: string | null;
  published_at: number | null;
  /** The version that is being made: what LINE was asked for, until it has answered, and how LINE calls it. */
  creating: Json | null;
  making: string | null;
  making_hash: string | null;
  /** To which version the alias leads, and which one LINE was told is everybody's. */
  alias_id: string | null;
  default_id: string | null;
  /** Earlier versions that LINE still has: a list of `Previous`. */
  previous: Json;
  state: (typeof menuStates)[number];
  reason: (typeof menuReasons)[number] | null;
  detail: string;
  /** It goes once LINE has nothing of it any more. */
  removing: Flag;
}

export interface Previous {
  id: string;
  /** The request by which its people get the new version. */
  batch?: string;
  /** Nobody has it any more. */
  moved?: true;
}

/** Whom a menu is for by name. */
export interface RichMenuPersonTable {
  menu: string;
  identity: string;
}

/** Whom LINE was told to show a menu. */
export interface RichMenuLinkTable {
  identity: string;
  channel: string;
  menu: string;
  line_id: string;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    rich_menu: RichMenuTable;
    rich_menu_person: RichMenuPersonTable;
    rich_menu_link: RichMenuLinkTable;
  }
}
