import { getUser } from '../../lib/session.ts';

/** The time zone of whoever looks, by their account or their browser. */
export const zoneHere = (): string => getUser()?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
