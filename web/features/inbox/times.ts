import { clockAt, momentAt } from '../../lib/zoned.ts';

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
