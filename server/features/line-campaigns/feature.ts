import { lineCampaigns as contract } from '../../../shared/contracts/line-campaigns.ts';
import type { Feature } from '../../feature.ts';
import { addGuest } from '../guests/guests.ts';
import { createBroadcast } from './broadcasts.ts';
import { deleteBroadcastsOf, deleteTesters, countSentRich } from './broadcasts.store.ts';
import { lineCampaignRoutes } from './line-campaigns.routes.ts';
import { tapsCounted } from './links.ts';
import { deleteLinksOf } from './links.store.ts';
import { campaignsByRich } from './rich-uses.ts';
import { registerBroadcasts } from './sending.ts';
import { goOnWithSteps } from './step-work.ts';
import { changeScenario, createScenario, enrol } from './steps.ts';
import { deleteScenariosOf } from './steps.store.ts';
import { registerTakeOver, rememberErased } from './take-over.ts';
import { campaignsAsked } from './trying.ts';

const audit = [
  'broadcast.scheduled',
  'broadcast.sent',
  'broadcast.resumed',
  'broadcast.cancelled',
  'broadcast.deleted',
  'friends.taken-over',
  'steps.started',
  'steps.stopped',
  'steps.deleted',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** What goes out on LINE without being asked for: broadcasts, step messages, and links that count who follows them. */
export const lineCampaigns: Feature = {
  name: 'line-campaigns',
  tables: [
    'broadcast',
    'broadcast_recipient',
    'broadcast_batch',
    'line_reach',
    'line_take_over',
    'line_erased',
    'line_tester',
    'step_scenario',
    'step_enrolment',
    'step_sent',
    'line_link',
    'line_link_person',
    'line_link_day',
  ],
  contracts: [contract],
  routes: lineCampaignRoutes,
  notFound: {
    broadcast: 'broadcast-not-found',
    'step-scenario': 'scenario-not-found',
    'step-enrolment': 'enrolment-not-found',
  },
  audit,
  richUses: campaignsByRich,
  sent: { 'rich-message': ({ db }, workspace, uuid) => countSentRich(db, workspace, uuid) },
  limits: [campaignsAsked, tapsCounted],
  jobs(context) {
    registerBroadcasts(context);
    registerTakeOver(context);
  },
  recurring: (context) => [{ name: 'line.steps', everyMs: 10_000, run: (signal) => goOnWithSteps(context, signal) }],
  async examples(context, caller, { 'line-channel': channel = '' }) {
    const { uuid: broadcast } = await createBroadcast(context, caller, {
      channel,
      name: 'Spring sale',
      content: [{ type: 'text', text: 'Hello {{name}}' }],
    });
    const { uuid: scenario } = await createScenario(context, caller, { channel, name: 'Welcome' });
    const content = [{ type: 'text' as const, text: 'Welcome' }];
    const time = { kind: 'days' as const, days: 1, at: '09:00' };
    await changeScenario(context, caller, scenario, {
      active: true,
      steps: [{ time, content, taps: false, tapTag: null }],
    });
    const place = { workspace: caller.workspace, channel: 'line' as const, channelId: channel, language: null };
    const { guest } = await context.db
      .transaction()
      .execute((trx) => addGuest(trx, { ...place, external: `U${broadcast.replaceAll('-', '')}`, name: 'Hana' }));
    const enrolment = await enrol(context, caller, scenario, guest.uuid);
    return { broadcast, 'step-scenario': scenario, 'step-enrolment': enrolment.uuid };
  },
  eraseGuest: rememberErased,
  person: { leave: deleteTesters },
  workspace: {
    async erase(trx, workspace) {
      await deleteBroadcastsOf(trx, workspace);
      await deleteScenariosOf(trx, workspace);
      await deleteLinksOf(trx, workspace);
    },
  },
};
