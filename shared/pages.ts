import type { Access } from './roles.ts';

/**
 * From what stands here come routes, menu, palette and the server's 404. A page's name is that of its file in `web/pages`, and of
 * the label that menu and palette have for it, `common:page.<name>`.
 */
interface Entry {
  /** As the router writes it: `$id` stands for any one part. */
  path: string;
  /** The page whose file draws it, too. */
  file?: string;
  /** What one must be or may do, where being signed in is not enough; others are told so in its place. */
  access?: Access;
  /** The file that draws it for who is not signed in, where it is for everybody. */
  open?: string;
  /** Whoever is signed in goes on to where they wanted. */
  isForGuests?: true;
  /** Which group of the menu it stands in. */
  menu?: 'top' | 'build' | 'connect' | 'manage';
  /** The palette finds it by its label. */
  isFound?: true;
  /** Its picture in menu and palette, by the name that Tabler gives it. */
  icon?: `Icon${string}`;
  /** What is read of the text behind `?`; on a card, everything. */
  search?: readonly string[];
  /** Files of texts that are asked for together with its code; others come when it is drawn. */
  texts?: readonly string[];
  /** It is as high as the window, and what is in it scrolls. */
  fillsWindow?: true;
  /** The menu stays as wide as on other pages where there is room, and on a phone until something of the page is opened. */
  keepsMenu?: true;
}

/** Behind the sign-in, beside the menu; who comes without is sent to sign in and back. */
const app = {
  home: { path: '/', menu: 'top', isFound: true, icon: 'IconHome' },
  friend: {
    path: '/Friend',
    access: 'converse',
    menu: 'top',
    isFound: true,
    icon: 'IconInbox',
    search: ['view', 'thread', 'q', 'channel', 'bot', 'tag', 'person', 'document', 'chunk'],
    texts: ['inbox'],
    fillsWindow: true,
    keepsMenu: true,
  },
  bots: { path: '/Bot', menu: 'build', isFound: true, icon: 'IconMessageChatbot', search: ['new'] },
  knowledges: { path: '/Knowledge', menu: 'build', isFound: true, icon: 'IconBooks' },
  documents: { path: '/Document', menu: 'build', isFound: true, icon: 'IconFiles' },
  images: { path: '/Image-Generate', menu: 'build', isFound: true, icon: 'IconPhoto', search: ['image'] },
  explore: {
    path: '/ExploreBot',
    open: 'explore',
    menu: 'build',
    isFound: true,
    icon: 'IconCompass',
    search: ['q', 'category', 'language', 'copying'],
    texts: ['explore'],
  },
  'image-preview': { path: '/Image-Generate/PreviewModal', file: 'images', search: ['image'] },
  unanswered: {
    path: '/Unanswered',
    access: 'edit',
    menu: 'build',
    isFound: true,
    icon: 'IconHelp',
    search: ['status', 'reason', 'bot', 'q', 'question'],
    fillsWindow: true,
    keepsMenu: true,
  },
  connections: {
    path: '/Bot-Connect',
    access: 'edit',
    menu: 'connect',
    isFound: true,
    icon: 'IconPlugConnected',
  },
  'web-channels': {
    path: '/Web-Channel',
    access: 'edit',
    menu: 'connect',
    isFound: true,
    icon: 'IconWorld',
    search: ['bot'],
  },
  'line-channels': {
    path: '/Line-Channel',
    access: 'edit',
    menu: 'connect',
    isFound: true,
    icon: 'IconMessageCircle',
    search: ['bot'],
  },
  webhooks: {
    path: '/Webhook',
    access: 'manage',
    menu: 'connect',
    isFound: true,
    icon: 'IconShare2',
    search: ['id'],
  },
  figures: { path: '/Figures', menu: 'manage', isFound: true, icon: 'IconChartBar' },
  team: { path: '/Team', menu: 'manage', icon: 'IconUsers', search: ['new'] },
  token: { path: '/Token', menu: 'manage', icon: 'IconCoins', search: ['tab'] },
  operator: { path: '/Operator', access: 'operator', menu: 'manage', icon: 'IconServerCog', search: ['tab'] },
  trash: { path: '/Trash', access: 'edit', menu: 'manage', isFound: true, icon: 'IconTrash' },
  account: { path: '/Account', search: ['tab'] },
  bot: {
    path: '/Bot/$id',
    access: 'edit',
    search: ['thread', 'document', 'chunk'],
    fillsWindow: true,
  },
  'bot-chat': {
    path: '/Bot/$id/Chat',
    open: 'public-bot',
    search: ['thread', 'document', 'chunk'],
    texts: ['conversations', 'bots'],
    fillsWindow: true,
  },
  'bot-embed': { path: '/Bot/$id/chat_embed', access: 'edit', fillsWindow: true },
  'knowledge-add': { path: '/Knowledge/Add', access: 'edit', isFound: true, icon: 'IconPlus' },
  knowledge: { path: '/Knowledge/$id/documents', search: ['tab', 'q'], texts: ['websites'] },
  'document-create': {
    path: '/Knowledge/$id/documents/Create',
    texts: ['websites'],
    search: ['question'],
    access: 'edit',
  },
  payment: { path: '/payment/3d-secure', open: 'payment', search: ['payment'] },
  'payment-success': { path: '/payment/success', file: 'payment', open: 'payment', search: ['payment'] },
  'payment-failed': { path: '/payment/failed', file: 'payment', open: 'payment', search: ['payment'] },
  connection: { path: '/Bot-Connect/$id', access: 'edit' },
  // Not `tab`: one form has all of them, and nobody leaves it between them.
  'web-channel': { path: '/Web-Channel/$id', access: 'edit', search: ['part'] },
  'line-channel': {
    path: '/Line-Channel/$id',
    access: 'edit',
    search: ['tab', 'type', 'state', 'event'],
  },
  'line-broadcast': {
    path: '/Line-Channel/$id/Broadcast/$broadcast',
    access: 'edit',
    texts: ['line-campaigns'],
  },
  'line-steps': {
    path: '/Line-Channel/$id/Steps/$scenario',
    access: 'edit',
    search: ['tab'],
    texts: ['line-campaigns'],
  },
  'line-message': { path: '/Line-Channel/$id/Message/$message', access: 'edit', search: ['from'] },
  'line-menu': {
    path: '/Line-Channel/$id/Rich-Menu/$menu',
    access: 'edit',
    search: ['part', 'area'],
    texts: ['line-menus'],
  },
  document: { path: '/Knowledge/$id/documents/$documentId', search: ['page', 'chunk'] },
  website: { path: '/Knowledge/$id/websites/$website', search: ['tab'], texts: ['websites', 'knowledge'] },
} as const satisfies Record<string, Entry>;

/** A card in the middle: the way in, and where links in mails and other people's servers lead. */
const card = {
  login: { path: '/Login', isForGuests: true, search: ['next', 'why'] },
  register: { path: '/Register', isForGuests: true },
  'forgot-password': { path: '/Forgot-Password', isForGuests: true },
  'reset-password': { path: '/Reset-Password' },
  'verify-email': { path: '/Verify-Email' },
  invitation: { path: '/Invitation' },
  'google-callback': { path: '/api/auth/google/callback' },
} as const satisfies Record<string, Entry>;

/** For anyone, with nothing around it. */
const bare = {
  shared: { path: '/Shared/$token' },
  source: { path: '/Source/$message', search: ['key', 'number'] },
} as const satisfies Record<string, Entry>;

export const pages = { app, card, bare };

export type PageIcon = Extract<(typeof app)[keyof typeof app], { icon: string }>['icon'];
export type Page = Entry & { icon?: PageIcon };

type LabelledName = {
  [Name in keyof typeof app]: (typeof app)[Name] extends { menu: string } | { isFound: true } ? Name : never;
}[keyof typeof app];

/** Pages that menu or palette name. A border: `Object.entries` forgets the names. */
export const labelledPages = (Object.entries<Page>(app) as [LabelledName, Page][]).filter(
  ([, { menu, isFound }]) => menu || isFound,
);

let patterns: RegExp[] | undefined;

/** Whether there is a page at a path; the server answers 404 for any other. */
export function isPage(path: string): boolean {
  patterns ??= Object.values<Record<string, Page>>(pages)
    .flatMap((frame) => Object.values(frame))
    .map((page) => new RegExp(`^${page.path.replaceAll(/\$\w+/g, '[^/]+')}$`));
  return patterns.some((pattern) => pattern.test(path));
}
