/** The moment at which clocks in a timezone show this day and time; in the hour that a change of clocks leaves out, the one after it. */
export function momentAt(day: string, time: string, timeZone: string | undefined): Date {
  const shown = Date.parse(`${day}T${time}:00Z`);
  const aheadAt = (at: number) => Date.parse(`${clockAt(at, timeZone)}Z`) - at;
  const first = shown - aheadAt(shown);
  return new Date(shown - aheadAt(first));
}

/** As clocks there show it: 2026-11-23T09:00:00. */
function clockAt(at: number, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at - (((at % 1000) + 1000) % 1000));
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`;
}

export const snoozeChoices = ['hour', 'evening', 'tomorrow', 'week'] as const;

/** Until when each choice puts a conversation away; this evening only while it is still to come. */
export function snoozeTimes(
  now: number,
  timeZone: string | undefined,
): { choice: (typeof snoozeChoices)[number]; until: Date }[] {
  const today = clockAt(now, timeZone).slice(0, 10);
  const dayAfter = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const toMonday = (8 - weekday) % 7 || 7;
  const evening = momentAt(today, '18:00', timeZone);
  return [
    { choice: 'hour', until: new Date(now + 3_600_000) },
    ...(evening.getTime() - now > 3_600_000 ? [{ choice: 'evening' as const, until: evening }] : []),
    { choice: 'tomorrow', until: momentAt(dayAfter(1), '09:00', timeZone) },
    { choice: 'week', until: momentAt(dayAfter(toMonday), '09:00', timeZone) },
  ];
}
