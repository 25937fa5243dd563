import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { findConnectionOf, listConnectionsOf } from '../connections/connections.ts';
import { changeGuestThread, whatHappened, type Written } from '../conversations/guest-threads.ts';
import { asSpeaker, findByIdentityId, findIdentity, listKnownOn, listTaggedSince, listTags } from '../guests/guests.ts';
import { threadFor } from '../line-channels/events.ts';
import { listFollowed } from '../line-channels/line-channels.ts';
import { placeOf } from './audience.ts';
import { saidOf, sayTo, targetsIn, type Said } from './content.ts';
import type { StepEnrolmentTable, StepScenarioTable } from './line-campaigns.tables.ts';
import { codesOf, linkUrl, makeCodes, makeLinks } from './links.ts';
import { nextStep, type StoredStep } from './step-times.ts';
import { enrolAll, stepsOf, stopOf, triggerOf, type Begun } from './steps.ts';
import {
  addSent,
  findScenarioRow,
  leaseDue,
  listActiveScenarios,
  listSent,
  pauseScenario,
  updateLeased,
  updateScenario,
} from './steps.store.ts';

/** What was stored a little late is found with the next look. */
const overlapMs = 60_000;
const leaseMs = 60_000;
const atOnce = 50;
const enrolledAtOnce = 500;
/** What is later than this when a channel is on again is not sent any more. */
const lateMs = 86_400_000;

/** Begins scenarios for whom they are meant, and sends the steps that are due. */
export async function goOnWithSteps(context: Context, signal: AbortSignal): Promise<void> {
  const scenarios = await listActiveScenarios(context.db);
  await notePauses(context, scenarios);
  for (const scenario of scenarios) {
    signal.throwIfAborted();
    await beginFor(context, scenario).catch((err: unknown) =>
      context.log.warn({ err, scenario: scenario.uuid }, 'it could not be seen who begins step messages'),
    );
  }
  for (;;) {
    signal.throwIfAborted();
    const now = Date.now();
    const due = await leaseDue(context.db, { now, until: now + leaseMs, limit: atOnce });
    if (due.length === 0) return;
    for (const enrolment of due) {
      signal.throwIfAborted();
      await goOn(context, enrolment).catch((err: unknown) =>
        context.log.warn({ err, enrolment: enrolment.uuid }, 'a step message could not be sent yet'),
      );
    }
  }
}

/** While a channel is off its steps wait; on again, they go on with what is not too late. */
async function notePauses({ db }: Context, scenarios: StepScenarioTable[]): Promise<void> {
  const channels = [...new Set(scenarios.map(({ channel }) => channel))];
  const connections = await listConnectionsOf(db, channels);
  const off = new Set(connections.flatMap(({ active, channel_id }) => (active === 0 ? [channel_id] : [])));
  const now = Date.now();
  for (const scenario of scenarios) {
    const { channel, paused_at: pausedAt, active_since: activeSince } = scenario;
    if (off.has(channel) === (pausedAt !== null)) continue;
    await pauseScenario(
      db,
      scenario,
      off.has(channel)
        ? { paused_at: now, active_since: activeSince }
        : { paused_at: null, active_since: Math.max(activeSince ?? now, now - lateMs) },
    );
  }
}

async function beginFor(context: Context, scenario: StepScenarioTable): Promise<void> {
  const now = Date.now();
  const begun = await listBegun(context, scenario);
  for (let at = 0; at < begun.length; at += enrolledAtOnce)
    await context.db.transaction().execute((trx) => enrolAll(trx, scenario.uuid, begun.slice(at, at + enrolledAtOnce)));
  await updateScenario(context.db, scenario.uuid, { looked_at: now });
}

async function listBegun({ db }: Context, scenario: StepScenarioTable): Promise<Begun[]> {
  const active = scenario.active_since ?? Infinity;
  const since = Math.max(active, scenario.looked_at - overlapMs);
  const trigger = triggerOf(scenario);
  if (trigger.on === 'hand') return [];
  if (trigger.on === 'tag') return listTaggedSince(db, placeOf(scenario), trigger.tag, since);
  const followed = await listFollowed(db, { channel: scenario.channel, since });
  const begun: Begun[] = [];
  for (let from = 0; from < followed.length; from += enrolledAtOnce) {
    const some = followed.slice(from, from + enrolledAtOnce);
    const known = await listKnownOn(db, scenario.channel, { externals: some.map(({ external }) => external) });
    const identityOf = new Map(known.map(({ external, identity }) => [external, identity]));
    for (const { external, at } of some) {
      const identity = external.startsWith('U') ? identityOf.get(external) : undefined;
      // Heard of once it was on, it counts, whatever LINE's clock says.
      if (identity !== undefined) begun.push({ identity, at: Math.max(at, active) });
    }
  }
  return begun;
}

async function goOn(context: Context, enrolment: StepEnrolmentTable): Promise<void> {
  const { db } = context;
  const { started_at: startedAt } = enrolment;
  const scenario = await findScenarioRow(db, enrolment.scenario);
  if (!scenario) return;
  const { active_since: since, timezone } = scenario;
  const become = async (changes: Partial<StepEnrolmentTable>) => void (await updateLeased(db, enrolment, changes));
  // It is looked at anew once the scenario is on again.
  if (since === null) return become({ due_at: null });
  const sent = await listSent(db, enrolment.uuid);
  const next = nextStep(stepsOf(scenario), { startedAt, timezone, sent, since });
  if (!next) return become({ state: 'done', step: null, due_at: null });
  const { step, at } = next;
  const reason = await whyStopped(context, scenario, enrolment);
  if (reason !== undefined) return become({ state: 'stopped', reason, step: step.uuid, due_at: null });
  if (at > Date.now()) return become({ step: step.uuid, due_at: at });
  const [connection] = await findConnectionOf(db, { channel: 'line', channelId: scenario.channel });
  // The next look finds that its channel is off.
  if (connection?.active !== 1) return;
  await sendStep(context, scenario, enrolment, step);
}

/** Ended or changed at the last moment: what was about to be sent is undone. */
class TakenError extends Error {}

async function whyStopped(
  { db }: Context,
  scenario: StepScenarioTable,
  { identity, started_at: startedAt }: StepEnrolmentTable,
): Promise<StepEnrolmentTable['reason'] | undefined> {
  const [[guest], known] = [await findByIdentityId(db, { identity }), await findIdentity(db, identity)];
  if (!guest || !known || known.left_at !== null || guest.blocked_at !== null) return 'left';
  const { tag, writes, staff } = stopOf(scenario);
  if (tag !== null && (await listTags(db, [guest.uuid])).get(guest.uuid)?.includes(tag)) return 'tag';
  if (!writes && !staff) return undefined;
  // What they wrote to begin it does not end it.
  const since = startedAt + 1;
  const happened = await whatHappened(db, { guest: guest.uuid, channelId: scenario.channel, since });
  if (writes && happened.wrote) return 'wrote';
  return staff && happened.staff ? 'staff' : undefined;
}

/** Stored in their conversation together with that it is, from where it goes out like everything else there. */
async function sendStep(
  context: Context,
  scenario: StepScenarioTable,
  enrolment: StepEnrolmentTable,
  step: StoredStep,
): Promise<void> {
  const { uuid, identity } = enrolment;
  const [guest] = await findByIdentityId(context.db, { identity });
  if (!guest) return;
  const language = guest.language ?? 'ja';
  const said = await saidOf(context, scenario.workspace, step.content, language);
  const codes = step.taps ? await linksFor(context, scenario, { ...step, said }, identity) : new Map<string, string>();
  const shorten = (target: string) => codes.get(target) ?? target;
  const note = async (trx: Trx) => {
    if (!(await updateLeased(trx, enrolment, { step: null, due_at: Date.now() }))) throw new TakenError();
    await addSent(trx, uuid, step.uuid);
  };
  const rows = sayTo(said, { name: guest.name, shorten }).map((each, at): Written => ({
    ...each,
    role: 'system',
    goesOut: true,
    key: `step:${uuid}:${step.uuid}:${at}`,
    ...(at === 0 && { with: note }),
  }));
  try {
    if (rows.length === 0) return await context.db.transaction().execute(note);
    const thread = await threadFor(context, asSpeaker(guest, language), rows[0]?.text ?? '');
    await changeGuestThread(context, thread, () => ({ rows }));
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
  }
}

/** What stands in for each address, which is theirs alone. */
async function linksFor(
  context: Context,
  { workspace, channel, timezone }: StepScenarioTable,
  { uuid: owner, said, tapTag: tag }: StoredStep & { said: Said[] },
  identity: string,
): Promise<Map<string, string>> {
  return context.db.transaction().execute(async (trx) => {
    const links = await makeLinks(trx, { workspace, channel, owner, tag, timezone }, targetsIn(said));
    await makeCodes(trx, links, [identity]);
    const codes = await codesOf(trx, links, [identity]);
    return new Map(
      links.flatMap(({ uuid, target }) => {
        const code = codes.get(`${identity} ${uuid}`);
        return code === undefined ? [] : [[target, linkUrl(context, code)]];
      }),
    );
  });
}
