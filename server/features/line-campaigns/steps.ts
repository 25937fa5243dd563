import type { StepEnrolment, StepScenario, StepStop, StepTrigger } from '../../../shared/contracts/line-campaigns.ts';
import { AppError } from '../../../shared/errors.ts';
import { isUnfinished } from '../../../shared/line-content.ts';
import type { Context } from '../../feature.ts';
import { lockName, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf, page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { listLatestThreads } from '../conversations/guest-threads.ts';
import { guestName, identitiesNamed, listFaces, listKnownOn, listReachableOf } from '../guests/guests.ts';
import { mustFindOwn } from '../line-channels/line-channels.ts';
import { mustKnowBubbles } from '../rich-messages/rich-messages.ts';
import { placeOf } from './audience.ts';
import { zoneOf } from './drafts.ts';
import type { StepEnrolmentTable, StepScenarioTable } from './line-campaigns.tables.ts';
import { sumTaps, updateLinksOf } from './links.store.ts';
import { dueAt, type StoredStep } from './step-times.ts';
import {
  countSent,
  countSentOf,
  countStates,
  deleteScenario,
  endEnrolment,
  findEnrolmentRow,
  findScenarioRow,
  insertEnrolment,
  insertScenario,
  listEnrolmentRows,
  listEnrolmentsOf,
  listScenarioRows,
  lookAnew,
  updateScenario,
} from './steps.store.ts';
import { sendTest } from './trying.ts';

type Whose = Pick<Caller, 'workspace'>;

interface Listed {
  channel: string;
  q?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export async function listScenarios(context: Context, caller: Whose, query: Listed) {
  await mustFindOwn(context, caller, query.channel);
  const rows = await listScenarioRows(context.db, { ...query, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: await showScenarios(context.db, shown.rows), meta: { nextCursor: shown.nextCursor } };
}

export async function getScenario(context: Context, caller: Whose, uuid: string): Promise<StepScenario> {
  const [scenario] = await showScenarios(context.db, [await mustFindScenario(context.db, caller, uuid)]);
  if (!scenario) throw new AppError('scenario-not-found');
  return scenario;
}

async function mustFindScenario(db: Db | Trx, { workspace }: Whose, uuid: string): Promise<StepScenarioTable> {
  const row = await findScenarioRow(db, uuid);
  if (row?.workspace !== workspace) throw new AppError('scenario-not-found');
  return row;
}

export const stepsOf = ({ steps }: Pick<StepScenarioTable, 'steps'>): StoredStep[] => JSON.parse(steps);
export const triggerOf = ({ on_trigger }: Pick<StepScenarioTable, 'on_trigger'>): StepTrigger => JSON.parse(on_trigger);
export const stopOf = ({ stop }: Pick<StepScenarioTable, 'stop'>): StepStop => JSON.parse(stop);

const maxScenarios = 100;

export async function createScenario(
  context: Context,
  caller: Caller,
  { channel, name }: { channel: string; name: string },
): Promise<StepScenario> {
  const { connection } = await mustFindOwn(context, caller, channel);
  const now = Date.now();
  const uuid = newId();
  await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, `steps of ${channel}`);
    const known = await listScenarioRows(trx, { channel, limit: maxScenarios, after: undefined });
    if (known.length >= maxScenarios) throw new AppError('too-many', { limit: maxScenarios });
    await insertScenario(trx, {
      uuid,
      workspace: caller.workspace,
      channel,
      name,
      active_since: null,
      paused_at: null,
      looked_at: now,
      on_trigger: JSON.stringify({ on: 'follow' } satisfies StepTrigger),
      stop: JSON.stringify({ tag: null, writes: false, staff: false } satisfies StepStop),
      again: 0,
      timezone: zoneOf(connection),
      steps: '[]',
      created_at: now,
      updated_at: now,
    });
  });
  return getScenario(context, caller, uuid);
}

interface Changes {
  name?: string | undefined;
  active?: boolean | undefined;
  trigger?: StepTrigger | undefined;
  stop?: StepStop | undefined;
  again?: boolean | undefined;
  timezone?: string | undefined;
  steps?: (Omit<StoredStep, 'uuid' | 'since'> & { uuid?: string | undefined })[] | undefined;
  seen?: string | undefined;
}

export async function changeScenario(
  context: Context,
  caller: Caller,
  uuid: string,
  { name, active, trigger, stop, again, timezone, steps, seen }: Changes,
): Promise<StepScenario> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'step_scenario', uuid);
    const row = await mustFindScenario(trx, caller, uuid);
    if (seen !== undefined && Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    const now = Date.now();
    const known = stepsOf(row);
    const next = steps?.map((step): StoredStep => {
      const before = known.find((each) => each.uuid === step.uuid);
      const isSameTime = before && JSON.stringify(before.time) === JSON.stringify(step.time);
      return { ...step, uuid: before?.uuid ?? newId(), since: isSameTime ? before.since : now };
    });
    const isOn = active ?? row.active_since !== null;
    if (isOn) mustBeReady(next ?? known);
    for (const [at, { content }] of (next ?? []).entries())
      await mustKnowBubbles(trx, row.workspace, content, `steps.${at}.content`);
    const isNewTrigger = trigger !== undefined && JSON.stringify(trigger) !== row.on_trigger;
    await updateScenario(trx, uuid, {
      ...(name !== undefined && { name }),
      ...(trigger && { on_trigger: JSON.stringify(trigger) }),
      ...(stop && { stop: JSON.stringify(stop) }),
      ...(again !== undefined && { again: again ? 1 : 0 }),
      ...(timezone !== undefined && { timezone }),
      ...(next && { steps: JSON.stringify(next) }),
      active_since: isOn ? (row.active_since ?? now) : null,
      // What happened before it was on, or before this is what begins it, does not begin it.
      ...((row.active_since === null || isNewTrigger) && { looked_at: now }),
      updated_at: Math.max(now, row.updated_at + 1),
    });
    for (const { uuid: owner, tapTag } of next ?? [])
      if (known.some((step) => step.uuid === owner && step.tapTag !== tapTag))
        await updateLinksOf(trx, { owner, tag: tapTag, timezone: timezone ?? row.timezone });
    await lookAnew(trx, uuid, now);
    if (isOn !== (row.active_since !== null))
      await record(trx, caller, isOn ? 'steps.started' : 'steps.stopped', name ?? row.name);
  });
  return getScenario(context, caller, uuid);
}

/** Throws where a step says nothing, or has a place that is still to be filled in. */
function mustBeReady(steps: StoredStep[]): void {
  const empty =
    steps.length === 0
      ? ['steps']
      : steps.flatMap(({ content }, at) => (content.length === 0 ? [`steps.${at}.content`] : []));
  const blank = steps.flatMap(({ content }, at) =>
    content.flatMap((bubble, number) => (isUnfinished(bubble) ? [`steps.${at}.content.${number}.text`] : [])),
  );
  const fields = [
    ...empty.map((path) => ({ path, code: 'empty' })),
    ...blank.map((path) => ({ path, code: 'blank-left' })),
  ];
  if (fields.length > 0) throw new AppError('validation-failed', { fields });
}

/** Sends one step, or all of them in their order, to one friend. */
export async function testScenario(
  context: Context,
  caller: Caller,
  uuid: string,
  { guest, step }: { guest: string; step?: string | undefined },
): Promise<void> {
  const row = await mustFindScenario(context.db, caller, uuid);
  const now = Date.now();
  const parts = stepsOf(row)
    .filter((each) => each.content.length > 0 && (step === undefined || each.uuid === step))
    .toSorted((one, other) => dueAt(one.time, now, row.timezone) - dueAt(other.time, now, row.timezone))
    .map(({ content }) => content);
  if (parts.length === 0) throw new AppError('validation-failed', { fields: [{ path: 'steps', code: 'empty' }] });
  await sendTest(context, caller, { channel: row.channel, guest, parts });
}

export async function removeScenario(context: Context, caller: Caller, uuid: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'step_scenario', uuid);
    const row = await mustFindScenario(trx, caller, uuid);
    await deleteScenario(trx, uuid);
    await record(trx, caller, 'steps.deleted', row.name);
  });
}

export interface Begun {
  identity: string;
  at: number;
}

/** Begins a scenario for people, once for each: again only where it allows that, and they are through with it. Returns for whom. */
export async function enrolAll(trx: Trx, scenario: string, people: Begun[]): Promise<string[]> {
  await lockRow(trx, 'step_scenario', scenario);
  const row = await findScenarioRow(trx, scenario);
  if (!row || row.active_since === null) return [];
  const before = await listEnrolmentsOf(trx, scenario, [...new Set(people.map(({ identity }) => identity))]);
  const latest = new Map(before.map((each) => [each.identity, each]));
  const begun: string[] = [];
  for (const { identity, at } of people) {
    const own = latest.get(identity);
    if (own && (row.again === 0 || own.state === 'active' || own.started_at >= at)) continue;
    const now = Date.now();
    const enrolment: StepEnrolmentTable = {
      uuid: newId(),
      scenario,
      identity,
      started_at: at,
      state: 'active',
      reason: null,
      step: null,
      due_at: now,
      created_at: now,
      updated_at: now,
    };
    if (!(await insertEnrolment(trx, enrolment))) continue;
    latest.set(identity, enrolment);
    begun.push(enrolment.uuid);
  }
  return begun;
}

/** Throws `conflict` where the scenario is off, or they are on their way already, or may not go again. */
export async function enrol(context: Context, caller: Caller, uuid: string, guest: string): Promise<StepEnrolment> {
  const row = await mustFindScenario(context.db, caller, uuid);
  const known = await listKnownOn(context.db, row.channel, { guests: [guest] });
  const [person] = await listReachableOf(
    context.db,
    placeOf(row),
    known.map(({ identity }) => identity),
  );
  if (!person) throw new AppError('guest-not-found');
  const [begun] = await context.db
    .transaction()
    .execute((trx) => enrolAll(trx, uuid, [{ identity: person.identity, at: Date.now() }]));
  if (begun === undefined) throw new AppError('conflict');
  return getEnrolment(context, caller, begun);
}

export async function listEnrolments(
  context: Context,
  caller: Whose,
  query: Listed & {
    scenario?: string | undefined;
    guest?: string | undefined;
    state?: StepEnrolmentTable['state'] | undefined;
  },
) {
  const { channel, guest, scenario, state, q, limit } = query;
  await mustFindOwn(context, caller, channel);
  const known = guest === undefined ? undefined : await listKnownOn(context.db, channel, { guests: [guest] });
  if (known?.length === 0) return { data: [], meta: { nextCursor: null } };
  const rows = await listEnrolmentRows(context.db, {
    channel,
    scenario,
    state,
    identities: [
      ...(known ? [known.map(({ identity }) => identity)] : []),
      ...(q ? [identitiesNamed(context.db, placeOf({ workspace: caller.workspace, channel }), q)] : []),
    ],
    limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, limit, (row) => row.created_at);
  return { data: await showEnrolments(context.db, channel, shown.rows), meta: { nextCursor: shown.nextCursor } };
}

export async function stopEnrolment(context: Context, caller: Caller, uuid: string): Promise<StepEnrolment> {
  const { state } = await getEnrolment(context, caller, uuid);
  if (state === 'active') await endEnrolment(context.db, uuid, 'hand');
  return getEnrolment(context, caller, uuid);
}

async function getEnrolment(context: Context, caller: Whose, uuid: string): Promise<StepEnrolment> {
  const row = await findEnrolmentRow(context.db, uuid);
  const scenario = row && (await findScenarioRow(context.db, row.scenario));
  if (!row || scenario?.workspace !== caller.workspace) throw new AppError('enrolment-not-found');
  const [shown] = await showEnrolments(context.db, scenario.channel, [{ ...row, scenario_name: scenario.name }]);
  if (!shown) throw new AppError('enrolment-not-found');
  return shown;
}

async function showEnrolments(
  db: Db,
  channel: string,
  rows: (StepEnrolmentTable & { scenario_name: string })[],
): Promise<StepEnrolment[]> {
  const known = await listKnownOn(db, channel, { identities: rows.map(({ identity }) => identity) });
  const guestOf = new Map(known.map(({ identity, guest }) => [identity, guest]));
  const faces = new Map((await listFaces(db, [...new Set(guestOf.values())])).map((face) => [face.uuid, face]));
  const threads = await listLatestThreads(db, channel, [...faces.keys()]);
  const sent = await countSentOf(
    db,
    rows.map(({ uuid }) => uuid),
  );
  return rows.flatMap((row) => {
    const face = faces.get(guestOf.get(row.identity) ?? '');
    return face
      ? [
          {
            uuid: row.uuid,
            scenario: { uuid: row.scenario, name: row.scenario_name },
            guest: { uuid: face.uuid, name: guestName(face) },
            thread: threads.get(face.uuid) ?? null,
            state: row.state,
            reason: row.reason,
            sent: sent.get(row.uuid) ?? 0,
            step: row.step,
            nextAt: momentOf(row.due_at),
            startedAt: new Date(row.started_at).toISOString(),
            ...momentsOf(row),
          },
        ]
      : [];
  });
}

async function showScenarios(db: Db, rows: StepScenarioTable[]): Promise<StepScenario[]> {
  const steps = rows.flatMap((row) => stepsOf(row).map(({ uuid }) => uuid));
  const [sent, taps, states] = [
    await countSent(db, steps),
    await sumTaps(db, steps),
    await countStates(
      db,
      rows.map(({ uuid }) => uuid),
    ),
  ];
  return rows.map((row) => {
    const own = states.filter(({ scenario }) => scenario === row.uuid);
    const count = (state: StepEnrolmentTable['state'], step?: string) =>
      own.reduce(
        (sum, each) => sum + (each.state === state && (step === undefined || each.step === step) ? each.count : 0),
        0,
      );
    return {
      uuid: row.uuid,
      channel: row.channel,
      name: row.name,
      active: row.active_since !== null,
      trigger: triggerOf(row),
      stop: stopOf(row),
      again: row.again === 1,
      timezone: row.timezone,
      steps: stepsOf(row).map((step) => ({
        uuid: step.uuid,
        time: step.time,
        content: step.content,
        taps: step.taps,
        tapTag: step.tapTag,
        sent: sent.get(step.uuid) ?? 0,
        stopped: count('stopped', step.uuid),
        waiting: count('active', step.uuid),
        tapped: taps.get(step.uuid) ?? 0,
      })),
      nextAt: momentOf(
        row.active_since === null || row.paused_at !== null ? null : earliest(own.map(({ due_at }) => due_at)),
      ),
      people: { active: count('active'), done: count('done'), stopped: count('stopped') },
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    };
  });
}

const earliest = (moments: (number | null)[]): number | null =>
  moments.reduce((first, each) => (each !== null && (first === null || each < first) ? each : first), null);
