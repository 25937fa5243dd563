import { emptyConfig, type BotConfig } from '../../../shared/contracts/bots.ts';
import type { Behind, KeyIn } from '../../../shared/texts.ts';

type Field = Behind<'field', KeyIn<'bots-editor'>>;

/** What a difference is called, and how it is shown: a text word by word, a list by what came and went, anything else as it was and is. */
export type Difference =
  | { field: Field; kind: 'text'; before: string; after: string }
  | { field: Field; kind: 'value'; before: Value; after: Value }
  | { field: Field; kind: 'list'; added: string[]; removed: string[]; changed: string[]; isMoved: boolean };

export type Value = string | number | boolean | null;

/** How things are called that a config knows by their ids. */
export interface Names {
  service(uuid: string): string;
  knowledge(uuid: string): string;
}

/** Their texts are chosen, not written: they are shown as they were and are. */
const chosen: Field[] = ['service', 'fallback', 'drawing', 'reasoning', 'language', 'color'];
const none: string[] = [];

type Leaf = Value | (string | { name: string })[];

/** What differs between two states of a bot. A config from before a field came to be has that field's empty value. */
export function differencesOf(older: BotConfig, newer: BotConfig, names: Names): Difference[] {
  const before = new Map(leavesOf({ ...emptyConfig, ...older }));
  return leavesOf({ ...emptyConfig, ...newer }).flatMap(([field, after]) =>
    differenceOf(field, before.get(field) ?? null, after, names),
  );
}

function leavesOf(config: BotConfig): [Field, Leaf][] {
  return Object.entries(config).flatMap(([key, value]) =>
    (typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [[key, value] as const]
    ).map(([field, leaf]): [Field, Leaf] => [
      field as Field, // keys are strings to TypeScript; a test holds every leaf to a label
      leaf,
    ]),
  );
}

function differenceOf(field: Field, before: Leaf, after: Leaf, names: Names): Difference[] {
  if (Array.isArray(before) || Array.isArray(after)) {
    const named = (all: Leaf): Named[] =>
      (Array.isArray(all) ? all : []).map((each) =>
        typeof each !== 'string'
          ? [each.name, JSON.stringify(each)]
          : [field === 'knowledges' ? names.knowledge(each) : each, each],
      );
    return things(field, named(before), named(after));
  }
  if (before === after) return [];
  if (!chosen.includes(field) && typeof before === 'string' && typeof after === 'string')
    return [{ field, kind: 'text', before, after }];
  const shown = (value: Value) =>
    (field === 'service' || field === 'fallback' || field === 'drawing') && typeof value === 'string'
      ? names.service(value)
      : value;
  return [{ field, kind: 'value', before: shown(before), after: shown(after) }];
}

type Named = [name: string, content: string];

/** Things with names: those that came, those that went, and those that are no longer the same. */
function things(field: Field, before: Named[], after: Named[]): Difference[] {
  const old = new Map(before);
  const current = new Map(after);
  const added = after.flatMap(([name]) => (old.has(name) ? none : [name]));
  const removed = before.flatMap(([name]) => (current.has(name) ? none : [name]));
  const changed = after.flatMap(([name, content]) => (old.has(name) && old.get(name) !== content ? [name] : none));
  const kept = (all: Named[], where: Map<string, string>) =>
    all
      .filter(([name]) => where.has(name))
      .map(([name]) => name)
      .join('\n');
  const isMoved = kept(before, current) !== kept(after, old);
  return added.length + removed.length + changed.length > 0 || isMoved
    ? [{ field, kind: 'list', added, removed, changed, isMoved }]
    : [];
}
