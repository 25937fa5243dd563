import { notices as contract } from '../../../shared/contracts/notices.ts';
import { toJson, type Feature } from '../../feature.ts';
import { openPushKeys, type PushKeys } from '../../infra/push.ts';
import { letterJob, letterKind, letterLimit } from './letter.ts';
import { mentionJob, mentionKind } from './mention.ts';
import { noticeRoutes } from './notices.routes.ts';
import { listSettings } from './notices.store.ts';
import { notify, pushJob, pushKind, pushLimit, registerTold } from './push.ts';
import { noticeRequests, tellPeople, watchLive } from './tell.ts';

declare module '../../feature.ts' {
  interface Services {
    pushKeys(): Promise<PushKeys>;
  }
}

/** Tells members in time that a visitor waits for them: in their browsers, and by mail when nobody is there. */
export const notices: Feature = {
  name: 'notices',
  tables: ['push_subscription', 'notice_setting', 'notice_thread'],
  contracts: [contract],
  routes: noticeRoutes,
  requests: noticeRequests,
  limits: [pushLimit, letterLimit],
  provide({ db, sealer }) {
    let keys: Promise<PushKeys> | undefined;
    return { pushKeys: () => (keys ??= openPushKeys(db, sealer)) };
  },
  prepare: async (context) => void (await context.pushKeys()),
  jobs(context) {
    context.queue.register(pushKind, pushJob(context));
    context.queue.register(letterKind, letterJob(context));
    context.queue.register(mentionKind, mentionJob(context));
    registerTold(context);
  },
  serve: watchLive,
  guestThread: tellPeople,
  notify,
  person: {
    async *export({ db }, user) {
      const [settings] = await listSettings(db, [user]);
      yield { name: 'notices.json', content: toJson(settings) };
    },
  },
};
