import type { BroadcastResult, LineAudience, LineTime } from '../../../shared/contracts/line-campaigns.ts';
import type { LineBubble } from '../../../shared/line-content.ts';
import { settingsOf, type ConnectionRow } from '../connections/connections.ts';
import { hasName } from './content.ts';
import type { BroadcastTable } from './line-campaigns.tables.ts';

/* What the row of a broadcast says. */

export const contentOf = ({ content }: Pick<BroadcastTable, 'content'>): LineBubble[] => JSON.parse(content);
export const audienceOf = ({ audience }: Pick<BroadcastTable, 'audience'>): LineAudience => JSON.parse(audience);
export const timeOf = ({ time }: Pick<BroadcastTable, 'time'>): LineTime | null =>
  time === null ? null : JSON.parse(time);

export type Counted = Pick<BroadcastResult['insight'], 'opened' | 'clicked'>;

/** What LINE has told last of those who got it. */
export const countedIn = ({ insight }: Pick<BroadcastTable, 'insight'>): Counted =>
  insight === null ? { opened: null, clicked: null } : JSON.parse(insight);

/** The zone of the channel's hours; without any, that of the country where LINE is at home. */
export const zoneOf = (connection: ConnectionRow): string => settingsOf(connection).hours?.timezone ?? 'Asia/Tokyo';

/** The zone in which its days are those that are meant. */
export const ownZone = (row: BroadcastTable, zone: string): string => timeOf(row)?.timezone ?? zone;

/** Whether each gets it by itself, since it is not the same for all. */
export const isPersonal = (row: Pick<BroadcastTable, 'content' | 'taps'>): boolean =>
  row.taps === 'person' || hasName(contentOf(row));
