/** The moment at which clocks in a timezone show this day and time; in the hour that a change of clocks leaves out, the one after it. */
export function momentAt(day: string, time: string, timeZone: string | undefined): Date {
  const shown = Date.parse(`${day}T${time}:00Z`);
  const aheadAt = (at: number) => Date.parse(`${clockAt(at, timeZone)}Z`) - at;
  const first = shown - aheadAt(shown);
  return new Date(shown - aheadAt(first));
}

/** As clocks there show it: 2026-11-23T09:00:00. */
export function clockAt(at: number, timeZone: string | undefined): string {
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
