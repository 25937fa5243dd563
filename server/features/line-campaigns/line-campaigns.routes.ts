import { lineCampaigns } from '../../../shared/contracts/line-campaigns.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { mustFindOwn } from '../line-channels/line-channels.ts';
import {
  cancelBroadcast,
  changeBroadcast,
  copyBroadcast,
  countRecipientsOf,
  createBroadcast,
  getBroadcast,
  listBroadcasts,
  listFriends,
  previewBroadcast,
  removeBroadcast,
  resumeBroadcast,
  sendBroadcast,
  testBroadcast,
} from './broadcasts.ts';
import { linkRoutes, listLinks } from './links.ts';
import { getReach } from './reach.ts';
import { listReceived } from './received.ts';
import { broadcastResult, listRecipients } from './result.ts';
import {
  changeScenario,
  createScenario,
  enrol,
  getScenario,
  listEnrolments,
  listScenarios,
  removeScenario,
  stopEnrolment,
  testScenario,
} from './steps.ts';
import { takeOverFriends } from './take-over.ts';
import { testerOf } from './trying.ts';

export function lineCampaignRoutes(app: Http, context: Context): void {
  linkRoutes(app, context);
  handle(app, lineCampaigns.broadcasts, ({ caller, query }) => listBroadcasts(context, caller, query));
  handle(app, lineCampaigns.createBroadcast, async ({ caller, body }) => ({
    data: await createBroadcast(context, caller, body),
  }));
  handle(app, lineCampaigns.broadcast, async ({ caller, params }) => ({
    data: await getBroadcast(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.changeBroadcast, async ({ caller, params, body }) => ({
    data: await changeBroadcast(context, caller, params.uuid, body),
  }));
  handle(app, lineCampaigns.copyBroadcast, async ({ caller, params, body }) => ({
    data: await copyBroadcast(context, caller, params.uuid, body.name),
  }));
  handle(app, lineCampaigns.removeBroadcast, async ({ caller, params }) => {
    await removeBroadcast(context, caller, params.uuid);
    return done;
  });
  handle(app, lineCampaigns.friends, ({ caller, query }) => listFriends(context, caller, query));
  handle(app, lineCampaigns.countAudience, async ({ caller, body }) => ({
    data: await countRecipientsOf(context, caller, body),
  }));
  handle(app, lineCampaigns.reach, async ({ caller, query }) => ({
    data: await getReach(context, caller, query.channel),
  }));
  handle(app, lineCampaigns.takeOver, async ({ caller, body }) => ({
    data: await takeOverFriends(context, caller, body.channel),
  }));
  handle(app, lineCampaigns.received, async ({ caller, query }) => ({
    data: await listReceived(context, caller, query.guest),
  }));
  handle(app, lineCampaigns.previewBroadcast, async ({ caller, params }) => ({
    data: await previewBroadcast(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.testBroadcast, async ({ caller, params, body }) => {
    await testBroadcast(context, caller, params.uuid, body.guest);
    return done;
  });
  handle(app, lineCampaigns.sendBroadcast, async ({ caller, params, body }) => ({
    data: await sendBroadcast(context, caller, params.uuid, body.seen),
  }));
  handle(app, lineCampaigns.cancelBroadcast, async ({ caller, params }) => ({
    data: await cancelBroadcast(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.resumeBroadcast, async ({ caller, params }) => ({
    data: await resumeBroadcast(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.broadcastResult, async ({ caller, params }) => ({
    data: await broadcastResult(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.recipients, ({ caller, params, query }) =>
    listRecipients(context, caller, params.uuid, query),
  );
  handle(app, lineCampaigns.scenarios, ({ caller, query }) => listScenarios(context, caller, query));
  handle(app, lineCampaigns.createScenario, async ({ caller, body }) => ({
    data: await createScenario(context, caller, body),
  }));
  handle(app, lineCampaigns.scenario, async ({ caller, params }) => ({
    data: await getScenario(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.changeScenario, async ({ caller, params, body }) => ({
    data: await changeScenario(context, caller, params.uuid, body),
  }));
  handle(app, lineCampaigns.removeScenario, async ({ caller, params }) => {
    await removeScenario(context, caller, params.uuid);
    return done;
  });
  handle(app, lineCampaigns.tester, async ({ caller, query }) => {
    await mustFindOwn(context, caller, query.channel);
    return { data: { tester: await testerOf(context, caller, query.channel) } };
  });
  handle(app, lineCampaigns.testScenario, async ({ caller, params, body }) => {
    await testScenario(context, caller, params.uuid, body);
    return done;
  });
  handle(app, lineCampaigns.enrol, async ({ caller, params, body }) => ({
    data: await enrol(context, caller, params.uuid, body.guest),
  }));
  handle(app, lineCampaigns.enrolments, ({ caller, query }) => listEnrolments(context, caller, query));
  handle(app, lineCampaigns.stopEnrolment, async ({ caller, params }) => ({
    data: await stopEnrolment(context, caller, params.uuid),
  }));
  handle(app, lineCampaigns.links, ({ caller, query }) => listLinks(context, caller, query));
}
