import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { identitiesNamed } from '../guests/guests.ts';
import type { StepEnrolmentTable, StepScenarioTable } from './line-campaigns.tables.ts';

export function listScenarioRows(
  db: Db,
  { channel, q, limit, after }: { channel: string; q?: string | undefined; limit: number; after: Position | undefined },
): Promise<StepScenarioTable[]> {
  let query = db.selectFrom('step_scenario').selectAll().where('channel', '=', channel);
  if (q) query = query.where(sql<boolean>`lower(name) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findScenarioRow = (db: Db | Trx, uuid: string) =>
  db.selectFrom('step_scenario').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const listScenariosOf = (db: Db, workspace: string) =>
  db
    .selectFrom('step_scenario')
    .select(['uuid', 'name', 'channel', 'active_since', 'steps'])
    .where('workspace', '=', workspace)
    .execute();

export const listActiveScenarios = (db: Db) =>
  db.selectFrom('step_scenario').selectAll().where('active_since', 'is not', null).orderBy('looked_at').execute();

export const insertScenario = (trx: Trx, row: StepScenarioTable) =>
  trx.insertInto('step_scenario').values(row).execute();

export const updateScenario = (trx: Trx | Db, uuid: string, changes: Partial<StepScenarioTable>) =>
  trx.updateTable('step_scenario').set(changes).where('uuid', '=', uuid).execute();

/** Notes that its channel is off, or on again, unless its switch was turned meanwhile. */
export const pauseScenario = (
  db: Db,
  { uuid, active_since }: StepScenarioTable,
  changes: Pick<StepScenarioTable, 'paused_at' | 'active_since'>,
) =>
  db
    .updateTable('step_scenario')
    .set(changes)
    .where('uuid', '=', uuid)
    .where('active_since', '=', active_since)
    .execute();

export const deleteScenario = (trx: Trx, uuid: string) =>
  trx.deleteFrom('step_scenario').where('uuid', '=', uuid).execute();

export const deleteScenariosOf = (trx: Trx, workspace: string) =>
  trx.deleteFrom('step_scenario').where('workspace', '=', workspace).execute();

export const insertEnrolment = async (trx: Trx, row: StepEnrolmentTable): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('step_enrolment')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** How people have been through a scenario, the latest of each last. */
export const listEnrolmentsOf = (db: Db | Trx, scenario: string, identities: string[]) =>
  identities.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('step_enrolment')
        .selectAll()
        .where('scenario', '=', scenario)
        .where('identity', 'in', identities)
        .orderBy('started_at')
        .execute();

export const findEnrolmentRow = (db: Db | Trx, uuid: string) =>
  db.selectFrom('step_enrolment').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export type Leased = Pick<StepEnrolmentTable, 'uuid' | 'due_at'>;

/** False where it was ended, or is to be looked at anew, since it was leased: nothing is changed then. */
export async function updateLeased(
  trx: Trx | Db,
  { uuid, due_at }: Leased,
  changes: Partial<StepEnrolmentTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('step_enrolment')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .where('state', '=', 'active')
    .where('due_at', '=', due_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const endEnrolment = (db: Db, uuid: string, reason: StepEnrolmentTable['reason']) =>
  db
    .updateTable('step_enrolment')
    .set({ state: 'stopped', reason, due_at: null, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .where('state', '=', 'active')
    .execute();

/** Takes those that are due, for a while: whoever is interrupted leaves them to the next. Those of a channel that is off wait. */
export async function leaseDue(
  db: Db,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<StepEnrolmentTable[]> {
  return db
    .updateTable('step_enrolment')
    .set({ due_at: until })
    .where('uuid', 'in', (due) =>
      due
        .selectFrom('step_enrolment')
        .select('uuid')
        .where('due_at', '<=', now)
        .where('state', '=', 'active')
        .where('scenario', 'not in', (paused) =>
          paused.selectFrom('step_scenario').select('step_scenario.uuid').where('paused_at', 'is not', null),
        )
        .orderBy('due_at')
        .limit(limit),
    )
    .where('due_at', '<=', now)
    .where('state', '=', 'active')
    .returningAll()
    .execute();
}

/** Each is looked at anew, since what is still to come has changed. */
export const lookAnew = (trx: Trx, scenario: string, now: number) =>
  trx
    .updateTable('step_enrolment')
    .set({ due_at: now })
    .where('scenario', '=', scenario)
    .where('state', '=', 'active')
    .execute();

export const addSent = (trx: Trx | Db, enrolment: string, step: string) =>
  trx
    .insertInto('step_sent')
    .values({ enrolment, step, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const listSent = async (db: Db | Trx, enrolment: string): Promise<string[]> =>
  (await db.selectFrom('step_sent').select('step').where('enrolment', '=', enrolment).execute()).map(
    ({ step }) => step,
  );

export const countSentOf = async (db: Db, enrolments: string[]): Promise<Map<string, number>> =>
  enrolments.length === 0
    ? new Map()
    : new Map(
        (
          await db
            .selectFrom('step_sent')
            .select((select) => ['enrolment', select.fn.countAll().as('count')])
            .where('enrolment', 'in', enrolments)
            .groupBy('enrolment')
            .execute()
        ).map(({ enrolment, count }) => [enrolment, Number(count)]),
      );

/** How many have got each step. */
export const countSent = async (db: Db, steps: string[]): Promise<Map<string, number>> =>
  steps.length === 0
    ? new Map()
    : new Map(
        (
          await db
            .selectFrom('step_sent')
            .select((select) => ['step', select.fn.countAll().as('count')])
            .where('step', 'in', steps)
            .groupBy('step')
            .execute()
        ).map(({ step, count }) => [step, Number(count)]),
      );

/** How many are in which state, before which step, and when the first of them is due. */
export const countStates = async (db: Db, scenarios: string[]) =>
  scenarios.length === 0
    ? []
    : (
        await db
          .selectFrom('step_enrolment')
          .select(({ fn }) => ['scenario', 'state', 'step', fn.countAll().as('count'), fn.min('due_at').as('due_at')])
          .where('scenario', 'in', scenarios)
          .groupBy(['scenario', 'state', 'step'])
          .execute()
      ).map((each) => ({
        ...each,
        count: Number(each.count),
        due_at: each.due_at === null ? null : Number(each.due_at),
      }));

export function listEnrolmentRows(
  db: Db,
  {
    channel,
    scenario,
    state,
    identities,
    limit,
    after,
  }: {
    channel: string;
    scenario: string | undefined;
    state: StepEnrolmentTable['state'] | undefined;
    identities: (string[] | ReturnType<typeof identitiesNamed>)[];
    limit: number;
    after: Position | undefined;
  },
) {
  let query = db
    .selectFrom('step_enrolment')
    .innerJoin('step_scenario', 'step_scenario.uuid', 'step_enrolment.scenario')
    .selectAll('step_enrolment')
    .select('step_scenario.name as scenario_name')
    .where('step_scenario.channel', '=', channel);
  if (scenario) query = query.where('step_enrolment.scenario', '=', scenario);
  if (state) query = query.where('step_enrolment.state', '=', state);
  for (const some of identities) query = query.where('step_enrolment.identity', 'in', some);
  if (after)
    query = query.where(
      sql<boolean>`(step_enrolment.created_at, step_enrolment.uuid) < (${Number(after.at)}, ${after.uuid})`,
    );
  return query
    .orderBy('step_enrolment.created_at', 'desc')
    .orderBy('step_enrolment.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}
