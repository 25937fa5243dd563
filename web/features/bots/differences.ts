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

const textFields = ['instructions', 'greeting', 'refusal'] as const;
const none: string[] = [];

/** What differs between two states of a bot, in the order of the editor. A config from before a field came to be has that field's empty value. */
export function differencesOf(older: BotConfig, newer: BotConfig, names: Names): Difference[] {
  const one = { ...emptyConfig, ...older };
  const other = { ...emptyConfig, ...newer };
  const text = (field: Field, before: string, after: string): Difference[] =>
    before === after ? [] : [{ field, kind: 'text', before, after }];
  const value = (field: Field, before: Value, after: Value): Difference[] =>
    before === after ? [] : [{ field, kind: 'value', before, after }];
  const list = (field: Field, before: string[], after: string[]): Difference[] =>
    things(
      field,
      before.map((each) => [each, each]),
      after.map((each) => [each, each]),
    );
  const service = (uuid: string | null) => uuid && names.service(uuid);
  const [instructions, greeting, refusal] = textFields.map((field) => text(field, one[field], other[field]));
  return [
    ...(instructions ?? []),
    ...things(
      'variables',
      one.variables.map(({ name, value }) => [name, value]),
      other.variables.map(({ name, value }) => [name, value]),
    ),
    ...value('service', service(one.service), service(other.service)),
    ...value('fallback', service(one.fallback), service(other.fallback)),
    ...(['temperature', 'topP', 'maxTokens', 'reasoning'] as const).flatMap((field) =>
      value(field, one.parameters[field], other.parameters[field]),
    ),
    ...things(
      'knowledges',
      one.knowledges.map((uuid) => [names.knowledge(uuid), uuid]),
      other.knowledges.map((uuid) => [names.knowledge(uuid), uuid]),
    ),
    ...(['passages', 'threshold'] as const).flatMap((field) =>
      value(field, one.retrieval[field], other.retrieval[field]),
    ),
    ...(refusal ?? []),
    ...(greeting ?? []),
    ...list('starters', one.starters, other.starters),
    ...list('followUps', one.followUps, other.followUps),
    ...value('language', one.language, other.language),
    ...value('maxQuestion', one.guardrails.maxQuestion, other.guardrails.maxQuestion),
    ...list('blockedTopics', one.guardrails.blockedTopics, other.guardrails.blockedTopics),
    ...text('blockedReply', one.guardrails.blockedReply, other.guardrails.blockedReply),
    ...value('maskPersonal', one.guardrails.maskPersonal, other.guardrails.maskPersonal),
    ...things(
      'tools',
      one.tools.map((tool) => [tool.name, JSON.stringify(tool)]),
      other.tools.map((tool) => [tool.name, JSON.stringify(tool)]),
    ),
    ...value('enabled', one.handoff.enabled, other.handoff.enabled),
    ...list('phrases', one.handoff.phrases, other.handoff.phrases),
    ...value('afterRefusals', one.handoff.afterRefusals, other.handoff.afterRefusals),
    ...text('reply', one.handoff.reply, other.handoff.reply),
    ...value('color', one.appearance.color, other.appearance.color),
    ...value('showCitations', one.appearance.showCitations, other.appearance.showCitations),
    ...text('placeholder', one.appearance.placeholder, other.appearance.placeholder),
  ];
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
