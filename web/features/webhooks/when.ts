import { dayHere, dayOf, formatDay, formatTimeOfDay } from '../../lib/format.ts';

/** A time of today; before or after, with its day. */
export const shortMoment = (iso: string, timeOf = formatTimeOfDay): string =>
  dayOf(iso) === dayHere() ? timeOf(iso) : `${formatDay(dayOf(iso))} ${formatTimeOfDay(iso)}`;
