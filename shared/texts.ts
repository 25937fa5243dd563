import type accounts from './locales/en/accounts.json';
import type answers from './locales/en/answers.json';
import type arrivals from './locales/en/arrivals.json';
import type bots from './locales/en/bots.json';
import type common from './locales/en/common.json';
import type conversations from './locales/en/conversations.json';
import type documents from './locales/en/documents.json';
import type editor from './locales/en/editor.json';
import type errors from './locales/en/errors.json';
import type home from './locales/en/home.json';
import type keys from './locales/en/keys.json';
import type knowledge from './locales/en/knowledge.json';
import type mails from './locales/en/mails.json';
import type models from './locales/en/models.json';
import type operator from './locales/en/operator.json';
import type samples from './locales/en/samples.json';
import type search from './locales/en/search.json';
import type security from './locales/en/security.json';
import type team from './locales/en/team.json';

/** The texts as they stand in English, file by file; Japanese has the same keys. */
export interface Texts {
  accounts: typeof accounts;
  answers: typeof answers;
  arrivals: typeof arrivals;
  bots: typeof bots;
  common: typeof common;
  conversations: typeof conversations;
  documents: typeof documents;
  editor: typeof editor;
  errors: typeof errors;
  home: typeof home;
  keys: typeof keys;
  knowledge: typeof knowledge;
  mails: typeof mails;
  models: typeof models;
  operator: typeof operator;
  samples: typeof samples;
  search: typeof search;
  security: typeof security;
  team: typeof team;
}

type PluralOf<K extends string> = K extends `${infer Base}_${'zero' | 'one' | 'other'}` ? Base : K;
type KeysOf<T> = {
  [K in keyof T & string]: T[K] extends string ? PluralOf<K> : `${K}.${KeysOf<T[K]>}`;
}[keyof T & string];

/** A key in one of the files. What takes a count is named without its plural. */
export type KeyIn<N extends keyof Texts> = KeysOf<Texts[N]>;

/** What stands behind `prefix.` in such keys. */
export type Behind<Prefix extends string, Key> = Key extends `${Prefix}.${infer Rest}` ? Rest : never;

/** A file and a key in it, such as `errors:bot-not-found`. */
export type TextKey = { [N in keyof Texts]: `${N}:${KeyIn<N>}` }[keyof Texts];
