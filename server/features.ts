import type { Feature } from './feature.ts';
import { accounts } from './features/accounts/feature.ts';
import { answers } from './features/answers/feature.ts';
import { audit } from './features/audit/feature.ts';
import { bots } from './features/bots/feature.ts';
import { conversations } from './features/conversations/feature.ts';
import { files } from './features/files/feature.ts';
import { billing } from './features/billing/feature.ts';
import { connections } from './features/connections/feature.ts';
import { explore } from './features/explore/feature.ts';
import { figures } from './features/figures/feature.ts';
import { guests } from './features/guests/feature.ts';
import { images } from './features/images/feature.ts';
import { home } from './features/home/feature.ts';
import { inbox } from './features/inbox/feature.ts';
import { keys } from './features/keys/feature.ts';
import { knowledge } from './features/knowledge/feature.ts';
import { lineCampaigns } from './features/line-campaigns/feature.ts';
import { lineChannels } from './features/line-channels/feature.ts';
import { lineMenus } from './features/line-menus/feature.ts';
import { mail } from './features/mail/feature.ts';
import { models } from './features/models/feature.ts';
import { notices } from './features/notices/feature.ts';
import { openai } from './features/openai/feature.ts';
import { operator } from './features/operator/feature.ts';
import { payments } from './features/payments/feature.ts';
import { richMessages } from './features/rich-messages/feature.ts';
import { settings } from './features/settings/feature.ts';
import { system } from './features/system/feature.ts';
import { trash } from './features/trash/feature.ts';
import { unanswered } from './features/unanswered/feature.ts';
import { usage } from './features/usage/feature.ts';
import { users } from './features/users/feature.ts';
import { webChannels } from './features/web-channels/feature.ts';
import { webhooks } from './features/webhooks/feature.ts';
import { websites } from './features/websites/feature.ts';
import { workspaces } from './features/workspaces/feature.ts';
import { settings as houseSettings } from './infra/config.ts';
import { keyedCalls } from './infra/idempotency.ts';
import { callLimits } from './infra/limits.ts';

/** Every feature. A feature imports only those above it; what one has for those below stands where it declares it. */
export const features: readonly Feature[] = [
  system,
  audit,
  settings,
  mail,
  files,
  users,
  workspaces,
  accounts,
  models,
  usage,
  knowledge,
  websites,
  bots,
  keys,
  guests,
  answers,
  conversations,
  openai,
  images,
  richMessages,
  connections,
  billing,
  payments,
  webChannels,
  explore,
  lineChannels,
  lineMenus,
  lineCampaigns,
  unanswered,
  inbox,
  figures,
  webhooks,
  notices,
  trash,
  home,
  operator,
];

export const everyRoute = features.flatMap(({ contracts = [] }) => contracts.flatMap((group) => Object.values(group)));

export const everyLimit = [...Object.values(callLimits), keyedCalls, ...features.flatMap(({ limits = [] }) => limits)];

/** What `readConfig` reads beside the settings of the house itself. */
export const featureSettings: NonNullable<Feature['settings']> = Object.assign(
  {},
  ...features.map(({ settings: declared }) => declared),
);

/** Every variable of the environment. */
export const everySetting: NonNullable<Feature['settings']> = { ...houseSettings.shape, ...featureSettings };
