import { lineMenus as contract } from '../../../shared/contracts/line-menus.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { registerFarewell, takeLeave } from './farewell.ts';
import { createMenu } from './line-menus.ts';
import { lineMenuRoutes, menusAsked } from './line-menus.routes.ts';
import { deleteMenusOf, listMenuChannels } from './line-menus.store.ts';
import { checkAudiences, checkMenus, registerMenus } from './settle.ts';

const audit = ['menu.published', 'menu.removed', 'menu.deleted'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Rich menus of LINE channels: drafts, what is on LINE, and who sees which. */
export const lineMenus: Feature = {
  name: 'line-menus',
  tables: ['rich_menu', 'rich_menu_person', 'rich_menu_link'],
  contracts: [contract],
  routes: lineMenuRoutes,
  notFound: { 'rich-menu': 'menu-not-found', 'rich-menu-line': 'menu-not-found' },
  audit,
  limits: [menusAsked],
  jobs(context) {
    registerMenus(context);
    registerFarewell(context);
  },
  channelGoes: takeLeave,
  recurring: (context) => [
    { name: 'menus.audiences', everyMs: 60_000, run: (signal) => checkAudiences(context, signal) },
    { name: 'menus.check', everyMs: hourMs, run: (signal) => checkMenus(context, signal) },
  ],
  examples: async (context, caller, { 'line-channel': channel = '' }) => {
    const { uuid } = await createMenu(context, caller, { channel, name: 'Menu', layout: 'large-1' });
    return { 'rich-menu': uuid, 'rich-menu-line': uuid };
  },
  pictures: [
    { table: 'rich_menu', column: 'image' },
    { table: 'rich_menu', column: 'target_image' },
  ],
  workspace: {
    async erase(trx, workspace, context) {
      for (const channel of await listMenuChannels(trx, workspace)) await takeLeave(context, trx, channel);
      await deleteMenusOf(trx, workspace);
    },
  },
};
