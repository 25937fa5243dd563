import { createHash } from 'node:crypto';
import { Menu, toLine, type LineMenuJson } from '../../../shared/line-menu.ts';
import type { RichMenuTable } from './line-menus.tables.ts';

/** LINE allows 32 characters, a to z, digits, - and _: an id without its hyphens. */
export const aliasOf = (menu: string): string => menu.replaceAll('-', '');

/** The menu of ours that an alias would be for. */
export const menuOf = (alias: string): string | undefined =>
  /^[0-9a-f]{32}$/.test(alias) ? alias.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined;

/** What LINE would get of a draft, as LINE writes it where the draft is finished. */
export const jsonOf = ({ draft }: Pick<RichMenuTable, 'draft'>): string => {
  const written: Menu = JSON.parse(draft);
  return JSON.stringify(toLine(Menu.safeParse(written).data ?? written, aliasOf));
};

const hashOf = (json: string, image: string): string => createHash('sha256').update(`${json}\n${image}`).digest('hex');

/** The same for the same menu with the same picture; a picture that is uploaded again is another. */
export const draftHash = (row: Pick<RichMenuTable, 'draft' | 'image'>): string => hashOf(jsonOf(row), row.image ?? '');

/** Menus of ours to which what LINE has, or is to have, leads by tabs. */
export function switchesTo(target: string): string[] {
  const { areas }: LineMenuJson = JSON.parse(target);
  return areas.flatMap(({ action }) =>
    action.type === 'richmenuswitch' ? (menuOf(String(action['richMenuAliasId'])) ?? []) : [],
  );
}
