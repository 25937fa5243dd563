import { botGroups, bots as contract } from '../../../shared/contracts/bots.ts';
import type { Feature } from '../../feature.ts';
import { botsByKnowledge, createBot, emptyBotTrash, exportBots, publishBot, setSecret } from './bots.ts';
import { botRoutes } from './bots.routes.ts';
import { deleteBots, forgetMaker } from './bots.store.ts';
import { createGroup } from './groups.ts';
import { botGroupRoutes } from './groups.routes.ts';

const audit = [
  'bot.created',
  'bot.imported',
  'bot.duplicated',
  'bot.published',
  'bot.exported',
  'bot.deleted',
  'bot.restored',
  'bot.erased',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Bots, their versions, groups, tools and secrets. */
export const bots: Feature = {
  name: 'bots',
  tables: ['bot', 'bot_version', 'bot_group', 'bot_secret'],
  contracts: [contract, botGroups],
  routes(app, context) {
    botRoutes(app, context);
    botGroupRoutes(app, context);
  },
  notFound: { bot: 'bot-not-found', botgroup: 'botgroup-not-found', version: 'version-not-found' },
  audit,
  pictures: [{ table: 'bot', column: 'avatar' }],
  emptyTrash: emptyBotTrash,
  uses: { knowledge: botsByKnowledge },
  person: { erase: (trx, { user }) => forgetMaker(trx, user) },
  workspace: { erase: async (trx, workspace) => void (await deleteBots(trx, workspace)), export: exportBots },
  async examples(context, caller) {
    const bot = (await createBot(context, caller, { name: 'Bot' })).uuid;
    const published = (await publishBot(context, caller, bot, '')).published;
    const group = (await createGroup(context, caller, { name: 'Group' })).uuid;
    await setSecret(context, caller, bot, { name: 'SECRET', value: 'x', origins: ['example.com'] });
    return { bot, botgroup: group, version: published?.uuid ?? '', secret: 'SECRET', models: bot };
  },
};
