import { emptyConfig, type Bot } from '../../shared/contracts/bots.ts';
import { usualConnection, type Connection } from '../../shared/contracts/connections.ts';
import { usualEmbed, type WebChannel } from '../../shared/contracts/web-channels.ts';

const at = '2026-11-01T09:00:00.000Z';
const uuid = '0198c0de-0000-7000-8000-00000000000b';

/** For tests. */
export const aBot = (): Bot => ({
  uuid,
  name: 'Shop',
  description: '',
  avatar: null,
  mark: 7,
  botgroup: null,
  draft: { ...emptyConfig, greeting: 'The draft greets.' },
  secrets: [],
  published: { uuid, number: 1, note: '', publishedAt: at },
  changed: false,
  visibility: 'private',
  createdAt: at,
  updatedAt: at,
});

export const aChannel = (changes: Partial<WebChannel> = {}): WebChannel => ({
  uuid: '0198c0de-0000-7000-8000-00000000000c',
  name: 'Online shop',
  connection: '0198c0de-0000-7000-8000-00000000000d',
  bot: { uuid, name: 'Shop', avatar: null, mark: 7, published: true },
  active: true,
  settings: usualEmbed,
  hasSecret: false,
  avatar: null,
  seenAt: null,
  seenOn: null,
  conversations: 0,
  conversationsPerDay: [0, 0, 0, 0, 0, 0, 0],
  unaided: 0,
  createdAt: at,
  updatedAt: at,
  ...changes,
});

export const aConnection = (changes: Partial<Connection> = {}): Connection => ({
  uuid: '0198c0de-0000-7000-8000-00000000000d',
  name: 'Online shop',
  channel: 'web',
  channelId: '0198c0de-0000-7000-8000-00000000000c',
  bot: { uuid, name: 'Shop', avatar: null, mark: 7, published: true },
  active: true,
  settings: usualConnection,
  open: true,
  japaneseHolidays: [],
  createdAt: at,
  updatedAt: at,
  ...changes,
});
