import type { Db } from '../../infra/db.ts';
import { listKnownOn, listTaggedOn } from '../guests/guests.ts';
import { listLinks, listPeople } from './line-menus.store.ts';
import type { Previous, RichMenuLinkTable, RichMenuTable } from './line-menus.tables.ts';

/** LINE has it, it is to stay there, and its time has come and is not over. */
export const isShown = (row: RichMenuTable, now: number): boolean =>
  row.line_id !== null &&
  row.target !== null &&
  (row.from_at === null || row.from_at <= now) &&
  (row.to_at === null || now < row.to_at);

/** What everybody sees who has no menu of their own: while one of a season shows that, wherever the usual one stands. */
export function defaultOf(rows: RichMenuTable[], now: number): RichMenuTable | undefined {
  const shown = rows.filter((row) => row.is_default === 1 && isShown(row, now));
  return shown.find(({ from_at, to_at }) => from_at !== null || to_at !== null) ?? shown[0];
}

/** Whether LINE has to be told whose menu everybody's is. */
export const isDefaultNew = (rows: RichMenuTable[], now: number): boolean => {
  const wanted = defaultOf(rows, now);
  return wanted ? wanted.default_id !== wanted.line_id : rows.some(({ default_id }) => default_id !== null);
};

interface Step {
  menu: RichMenuTable;
  people: { identity: string; external: string }[];
}
export interface Links {
  link: Step[];
  unlink: { identity: string; external: string }[];
}

const atOnce = 500;

/** How what LINE was told of single people differs from what it should know. */
export async function compareLinks(db: Db, channel: string, rows: RichMenuTable[], now: number): Promise<Links> {
  const wanted = await listWanted(db, channel, rows, now);
  const links = new Map((await listLinks(db, channel)).map((each) => [each.identity, each]));
  const steps = new Map<string, Step>();
  for (const [identity, { menu, external }] of wanted) {
    if (isLinked(links.get(identity), menu)) continue;
    const step = steps.get(menu.uuid) ?? { menu, people: [] };
    step.people.push({ identity, external });
    steps.set(menu.uuid, step);
  }
  const gone = [...links.keys()].filter((identity) => !wanted.has(identity));
  const unlink: Links['unlink'] = [];
  for (let at = 0; at < gone.length; at += atOnce)
    unlink.push(...(await listKnownOn(db, channel, { identities: gone.slice(at, at + atOnce) })));
  return { link: [...steps.values()], unlink };
}

/** Whoever has an earlier version gets the new one together with everybody else who has it. */
const isLinked = (link: RichMenuLinkTable | undefined, { uuid, line_id, previous }: RichMenuTable): boolean =>
  link?.menu === uuid && (link.line_id === line_id || previousOf({ previous }).some(({ id }) => id === link.line_id));

export const previousOf = ({ previous }: Pick<RichMenuTable, 'previous'>): Previous[] => JSON.parse(previous);

/** The menu of each person who is to have one of their own: by name before by tag, the first in order before others. */
async function listWanted(db: Db, channel: string, rows: RichMenuTable[], now: number) {
  const shown = rows.filter((row) => isShown(row, now));
  const wanted = new Map<string, { menu: RichMenuTable; external: string }>();
  const want = (menu: RichMenuTable, { identity, external }: { identity: string; external: string }) => {
    // Groups have no menus.
    if (external.startsWith('U') && !wanted.has(identity)) wanted.set(identity, { menu, external });
  };
  const people = await listPeople(
    db,
    shown.map(({ uuid }) => uuid),
  );
  const here = new Map<string, { identity: string; external: string }>();
  for (let at = 0; at < people.length; at += atOnce) {
    const identities = people.slice(at, at + atOnce).map(({ identity }) => identity);
    for (const each of await listKnownOn(db, channel, { identities }))
      if (each.left_at === null) here.set(each.identity, each);
  }
  const named = Map.groupBy(people, ({ menu }) => menu);
  for (const menu of shown)
    for (const { identity } of named.get(menu.uuid) ?? []) {
      const person = here.get(identity);
      if (person) want(menu, person);
    }
  const byTag = shown.map((menu) => ({ menu, tags: tagsOf(menu) })).filter(({ tags }) => tags.length > 0);
  const tags = [...new Set(byTag.flatMap((each) => each.tags))];
  const tagged = tags.length === 0 ? [] : await listTaggedOn(db, channel, tags);
  const withTag = Map.groupBy(tagged, ({ tag }) => tag);
  for (const { menu, tags: own } of byTag)
    for (const tag of own) for (const person of withTag.get(tag) ?? []) want(menu, person);
  return wanted;
}

const tagsOf = ({ tags }: RichMenuTable): string[] => JSON.parse(tags);
