import { connections as contract } from '../../../shared/contracts/connections.ts';
import type { Feature } from '../../feature.ts';
import { connectionRoutes } from './connections.routes.ts';
import { connectionsByBot, connectionsByRich } from './connections.ts';
import { listConnectionsOf } from './connections.store.ts';
import { deliverKind } from '../conversations/guest-threads.ts';
import { deliverJob } from './deliver.ts';
import { goOnLate, releaseTyped, returnQuiet, wakeSnoozed } from './rounds.ts';

const audit = ['connection.changed'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

const minuteMs = 60_000;

/** Which bot, or which people, answer on which channel. */
export const connections: Feature = {
  name: 'connections',
  tables: ['connection'],
  contracts: [contract],
  routes: connectionRoutes,
  notFound: { connection: 'connection-not-found' },
  audit,
  names: {
    async channel({ db }, workspace, ids) {
      const own = (await listConnectionsOf(db, ids)).filter((each) => each.workspace === workspace);
      return own.map(({ channel_id, name }) => [channel_id, name]);
    },
  },
  uses: { bot: connectionsByBot },
  richUses: connectionsByRich,
  jobs: (context) => context.queue.register(deliverKind, deliverJob(context)),
  recurring: (context) => [
    { name: 'threads.wake', everyMs: minuteMs, run: (signal) => wakeSnoozed(context, signal) },
    { name: 'threads.release', everyMs: minuteMs, run: (signal) => releaseTyped(context, signal) },
    { name: 'threads.return', everyMs: minuteMs, run: (signal) => returnQuiet(context, signal) },
    { name: 'threads.answer', everyMs: minuteMs, run: (signal) => goOnLate(context, signal) },
  ],
};
