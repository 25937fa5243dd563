import type { Db } from '../../infra/db.ts';

interface Of {
  identities: string[];
  limit: number;
}

export const listReceivedBroadcasts = async (db: Db, { identities, limit }: Of) =>
  (
    await db
      .selectFrom('broadcast_recipient')
      .innerJoin('broadcast', 'broadcast.uuid', 'broadcast_recipient.broadcast')
      .select(['broadcast.uuid', 'broadcast.channel', 'broadcast.name', 'broadcast.plan', 'broadcast.started_at'])
      .select(['broadcast.created_at', 'broadcast.updated_at'])
      .where('broadcast_recipient.identity', 'in', identities)
      .where('broadcast_recipient.state', '=', 'sent')
      .orderBy('broadcast.started_at', 'desc')
      .limit(limit)
      .execute()
  ).map(({ started_at, ...row }) => ({ ...row, at: started_at ?? 0 }));

export const listReceivedSteps = (db: Db, { identities, limit }: Of) =>
  db
    .selectFrom('step_sent')
    .innerJoin('step_enrolment', 'step_enrolment.uuid', 'step_sent.enrolment')
    .innerJoin('step_scenario', 'step_scenario.uuid', 'step_enrolment.scenario')
    .select([
      'step_scenario.uuid',
      'step_scenario.channel',
      'step_scenario.name',
      'step_scenario.steps',
      'step_scenario.created_at',
      'step_scenario.updated_at',
      'step_sent.step',
      'step_sent.created_at as at',
    ])
    .where('step_enrolment.identity', 'in', identities)
    .orderBy('step_sent.created_at', 'desc')
    .limit(limit)
    .execute();
