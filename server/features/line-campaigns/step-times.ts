import type { StepScenario, StepTime } from '../../../shared/contracts/line-campaigns.ts';
import { dayAfter, momentAt, wallClock } from '../../../shared/hours.ts';

/** A step as it is stored. */
export interface StoredStep extends Pick<
  StepScenario['steps'][number],
  'uuid' | 'time' | 'content' | 'taps' | 'tapTag'
> {
  /** Since when it comes at this time: whose time for it was over by then does not get it late. */
  since: number;
}

const minuteMs = 60_000;

/** When a step is due for whoever began at a moment; on the first day never before that. */
export function dueAt(time: StepTime, startedAt: number, timezone: string): number {
  if (time.kind === 'minutes') return startedAt + time.minutes * minuteMs;
  const day = dayAfter(wallClock(timezone, startedAt).day, time.days);
  return Math.max(startedAt, momentAt(timezone, day, time.at));
}

interface Way {
  startedAt: number;
  timezone: string;
  /** What they have got. */
  sent: string[];
  /** Nothing that was due before this is sent late: the scenario was off. */
  since: number;
}

/** What comes next for somebody, and when; nothing once they have been through. */
export function nextStep(steps: StoredStep[], { startedAt, timezone, sent, since }: Way) {
  const ordered = steps
    .map((step) => ({ step, at: dueAt(step.time, startedAt, timezone) }))
    .toSorted((one, other) => one.at - other.at);
  const last = ordered.findLastIndex(({ step }) => sent.includes(step.uuid));
  return ordered.slice(last + 1).find(({ step, at }) => step.content.length > 0 && at >= Math.max(step.since, since));
}
