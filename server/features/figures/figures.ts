import type { Compared, Figures } from '../../../shared/contracts/figures.ts';
import type { Context } from '../../feature.ts';
import { dayNamer, listDays, quarterMs } from '../../infra/days.ts';
import { mayConverse, type Caller } from '../../infra/http.ts';
import { listConnections } from '../connections/connections.ts';
import {
  countChanged,
  countWaits,
  listAsked,
  listComments,
  sumByQuarter,
  type FiguresFilter,
  type Wait,
} from '../conversations/figures.ts';
import { listStaff } from '../inbox/inbox.ts';
import { findUser } from '../users/users.ts';
import { longest, mostAsked } from './questions.ts';

const dayMs = 86_400_000;
const mostSampled = 1000;
const sample = { limit: mostSampled, length: longest };
const mostChoices = 100;
const mostComments = 20;

export async function getFigures(
  context: Context,
  caller: Caller,
  { days: length, ...narrowed }: { days: string } & Pick<FiguresFilter, 'bot' | 'channel' | 'member'>,
): Promise<Figures> {
  const { db, engine } = context;
  const mayRead = mayConverse(caller);
  await countChanged(db, engine);
  const timezone = (await findUser(db, caller.user))?.timezone ?? 'UTC';
  const nameOf = dayNamer(timezone);
  const count = Number(length);
  const today = nameOf(Date.now());
  const first = new Date(Date.parse(today) - (2 * count - 1) * dayMs).toISOString().slice(0, 10);
  const every = listDays(timezone, first, today);
  const days = every.slice(count);
  const [begin, middle, end] = [every[0]?.since ?? 0, days[0]?.since ?? 0, days.at(-1)?.before ?? 0];
  const filter = { workspace: caller.workspace, ...narrowed };
  const before: FiguresFilter = { ...filter, since: begin, before: middle };
  const now: FiguresFilter = { ...filter, since: middle, before: end };
  const both = { ...filter, since: begin, before: end };
  const waits = async (column: 'answer_ms' | 'person_ms') => {
    const counted = await countWaits(db, column, { ...both, middle });
    const at = (part: number): Compared => ({
      now: quantile(counted, 'now', part),
      before: quantile(counted, 'before', part),
    });
    return { median: at(0.5), slow: at(0.95) };
  };
  const [quarters, firstAnswer, firstPerson, asked, askedBefore, comments, choices] = await Promise.all([
    sumByQuarter(db, both),
    waits('answer_ms'),
    waits('person_ms'),
    mayRead ? listAsked(db, now, sample) : [],
    mayRead ? listAsked(db, before, sample) : [],
    mayRead ? listComments(db, now, mostComments) : null,
    listChoices(context, caller),
  ]);

  const [present, past] = [nothing(), nothing()];
  const byDay = new Map(days.map(({ day }) => [day, { day, conversations: 0, unaided: 0, staffed: 0 }]));
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const hourOf = hourNamer(timezone);
  for (const { quarter, ...sums } of quarters) {
    const at = quarter * quarterMs;
    const into = at >= middle ? present : past;
    for (const key of measures) into[key] += sums[key];
    if (into === past) continue;
    const day = byDay.get(nameOf(at));
    if (day) {
      day.conversations += sums.conversations;
      day.unaided += sums.unaided;
      day.staffed += sums.staffed;
    }
    const { weekday, hour } = hourOf(at);
    const row = hours[weekday] ?? [];
    row[hour] = (row[hour] ?? 0) + sums.conversations;
  }
  const compare = (of: (sums: Sums) => number | null): Compared => ({ now: of(present), before: of(past) });
  return {
    conversations: compare(({ conversations }) => conversations),
    unaided: compare(({ unaided, conversations }) => share(unaided, conversations)),
    firstAnswer,
    firstPerson,
    unanswered: compare(({ refused }) => refused),
    satisfaction: compare(({ ups, downs }) => share(ups, ups + downs)),
    ups: present.ups,
    downs: present.downs,
    cost: compare(({ cost }) => cost),
    days: [...byDay.values()],
    hours,
    questions: mayRead ? await mostAsked(asked, askedBefore) : null,
    sampled: mostSampled,
    comments,
    choices,
  };
}

const measures = ['conversations', 'unaided', 'refused', 'ups', 'downs', 'cost'] as const;
type Sums = Record<(typeof measures)[number], number>;
const nothing = (): Sums => ({ conversations: 0, unaided: 0, refused: 0, ups: 0, downs: 0, cost: 0 });

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** The smallest wait that at least this share of all waits does not exceed. */
function quantile(waits: Wait[], span: 'now' | 'before', part: number): number | null {
  let left = Math.ceil(waits.reduce((sum, wait) => sum + wait[span], 0) * part);
  for (const wait of waits) {
    left -= wait[span];
    if (wait[span] > 0 && left <= 0) return wait.ms;
  }
  return null;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Where a quarter of an hour lies in the week of a time zone. */
function hourNamer(timezone: string): (at: number) => { weekday: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return { weekday: weekdays.indexOf(parts.get('weekday') ?? ''), hour: Number(parts.get('hour')) };
  };
}

/** What stands on the channels of the workspace now, and who may have answered there. */
async function listChoices(context: Context, caller: Caller): Promise<Figures['choices']> {
  const [{ data }, staff] = await Promise.all([
    listConnections(context, caller, { limit: mostChoices }),
    listStaff(context, caller.workspace),
  ]);
  const bots = new Map(data.flatMap(({ bot }) => (bot ? [[bot.uuid, bot.name] as const] : [])));
  return {
    bots: [...bots].map(([uuid, name]) => ({ uuid, name })),
    channels: data.map(({ channelId, name }) => ({ uuid: channelId, name })),
    members: staff.map(({ uuid, name }) => ({ uuid, name })),
  };
}
