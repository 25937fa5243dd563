import type { ListedBroadcast } from '../../../shared/contracts/line-campaigns.ts';
import { formatMoment } from '../../lib/format.ts';
import { currentLocale } from '../../lib/i18n.ts';
import { getUser } from '../../lib/session.ts';

/** A time on the wall, whichever zone it is of. */
export const readable = (local: string) =>
  new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(`${local}:00Z`),
  );

/** When it goes out, as it was set; with the zone that was named, where it is not the reader's. */
export function dueOf({ time, dueAt }: ListedBroadcast): { moment: string; zone?: string } {
  const here = getUser()?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  return time && time.timezone !== here
    ? { moment: readable(time.local), zone: time.timezone }
    : { moment: formatMoment(dueAt ?? '') };
}
