import type accounts from './locales/en/accounts.json';
import type accountsSecurity from './locales/en/accounts-security.json';
import type billing from './locales/en/billing.json';
import type bots from './locales/en/bots.json';
import type botsEditor from './locales/en/bots-editor.json';
import type botsPublish from './locales/en/bots-publish.json';
import type botsList from './locales/en/bots-list.json';
import type common from './locales/en/common.json';
import type connectionsServer from './locales/en/connections-server.json';
import type connections from './locales/en/connections.json';
import type conversations from './locales/en/conversations.json';
import type conversationsPanels from './locales/en/conversations-panels.json';
import type conversationsServer from './locales/en/conversations-server.json';
import type errors from './locales/en/errors.json';
import type home from './locales/en/home.json';
import type figures from './locales/en/figures.json';
import type homeServer from './locales/en/home-server.json';
import type inbox from './locales/en/inbox.json';
import type keys from './locales/en/keys.json';
import type knowledge from './locales/en/knowledge.json';
import type knowledgeTest from './locales/en/knowledge-test.json';
import type knowledgeVersions from './locales/en/knowledge-versions.json';
import type knowledgeServer from './locales/en/knowledge-server.json';
import type labels from './locales/en/labels.json';
import type lostFiles from './locales/en/lost-files.json';
import type lineMenus from './locales/en/line-menus.json';
import type lineCampaigns from './locales/en/line-campaigns.json';
import type lineServer from './locales/en/line-server.json';
import type mail from './locales/en/mail.json';
import type models from './locales/en/models.json';
import type notices from './locales/en/notices.json';
import type noticesServer from './locales/en/notices-server.json';
import type operator from './locales/en/operator.json';
import type richMessages from './locales/en/rich-messages.json';
import type richMessagesServer from './locales/en/rich-messages-server.json';
import type retrieval from './locales/en/retrieval.json';
import type shell from './locales/en/shell.json';
import type trash from './locales/en/trash.json';
import type unanswered from './locales/en/unanswered.json';
import type unansweredServer from './locales/en/unanswered-server.json';
import type lineChannels from './locales/en/line-channels.json';
import type lineChannelsServer from './locales/en/line-channels-server.json';
import type webChannelsServer from './locales/en/web-channels-server.json';
import type widget from './locales/en/widget.json';
import type widgetPage from './locales/en/widget-page.json';
import type widgetRefused from './locales/en/widget-refused.json';
import type webChannels from './locales/en/web-channels.json';
import type webhooks from './locales/en/webhooks.json';
import type websites from './locales/en/websites.json';
import type workspaces from './locales/en/workspaces.json';

/** The texts as they stand in English: a file for each feature, and one more for a part that comes by itself or that only the server says. Japanese has the same keys. A feature's contract may add the feature's own. */
export interface Texts {
  accounts: typeof accounts;
  'accounts-security': typeof accountsSecurity;
  billing: typeof billing;
  bots: typeof bots;
  'bots-editor': typeof botsEditor;
  'bots-publish': typeof botsPublish;
  'bots-list': typeof botsList;
  common: typeof common;
  'connections-server': typeof connectionsServer;
  connections: typeof connections;
  conversations: typeof conversations;
  'conversations-panels': typeof conversationsPanels;
  'conversations-server': typeof conversationsServer;
  errors: typeof errors;
  figures: typeof figures;
  home: typeof home;
  'home-server': typeof homeServer;
  inbox: typeof inbox;
  keys: typeof keys;
  knowledge: typeof knowledge;
  'knowledge-test': typeof knowledgeTest;
  'knowledge-versions': typeof knowledgeVersions;
  'knowledge-server': typeof knowledgeServer;
  'line-menus': typeof lineMenus;
  'line-campaigns': typeof lineCampaigns;
  'line-server': typeof lineServer;
  mail: typeof mail;
  models: typeof models;
  notices: typeof notices;
  'notices-server': typeof noticesServer;
  operator: typeof operator;
  'rich-messages': typeof richMessages;
  'rich-messages-server': typeof richMessagesServer;
  labels: typeof labels;
  'lost-files': typeof lostFiles;
  retrieval: typeof retrieval;
  shell: typeof shell;
  trash: typeof trash;
  unanswered: typeof unanswered;
  'unanswered-server': typeof unansweredServer;
  'line-channels': typeof lineChannels;
  'line-channels-server': typeof lineChannelsServer;
  'web-channels-server': typeof webChannelsServer;
  widget: typeof widget;
  'widget-page': typeof widgetPage;
  'widget-refused': typeof widgetRefused;
  'web-channels': typeof webChannels;
  webhooks: typeof webhooks;
  websites: typeof websites;
  workspaces: typeof workspaces;
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
