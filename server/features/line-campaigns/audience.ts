import type { Broadcast, LineAudience } from '../../../shared/contracts/line-campaigns.ts';
import { AppError } from '../../../shared/errors.ts';
import { momentAt } from '../../../shared/hours.ts';
import type { Db } from '../../infra/db.ts';
import { countReachable, guestName, listFaces, listKnownOn, type Chosen } from '../guests/guests.ts';
import { wroteSince } from '../conversations/guest-threads.ts';
import { findBroadcastRow, reachedBy, tappedIn } from './broadcasts.store.ts';
import type { BroadcastTable } from './line-campaigns.tables.ts';

type Place = Pick<BroadcastTable, 'workspace' | 'channel'>;

export const countAudience = (db: Db, place: Place, audience: LineAudience, timezone: string): Promise<number> =>
  countReachable(db, placeOf(place), chosenBy(db, place, audience, timezone));

export const placeOf = ({ workspace, channel }: Place) => ({ workspace, channelId: channel });

/** An audience in words of those who know people. Days begin as in the zone. */
export function chosenBy(db: Db, { channel }: Place, audience: LineAudience, timezone: string): Chosen {
  if (audience.kind === 'everyone') return {};
  if (audience.kind === 'people') return { guests: audience.people };
  const { without } = audience;
  if (audience.kind === 'tags') return { tags: audience.tags, without };
  if (audience.kind === 'all') return { without };
  const { did } = audience;
  if ('broadcast' in did) {
    const among = did.what === 'sent' ? reachedBy(db, did.broadcast) : tappedIn(db, did.broadcast);
    return { without, identities: { among } };
  }
  const since = momentAt(timezone, did.since, '00:00');
  if (did.what === 'followed') return { without, since };
  return { without, identities: { among: wroteSince(db, channel, since), isNot: did.what === 'silent' } };
}

/** What those are called whom an audience names, and the broadcast that it names. */
export async function namesIn(db: Db, channel: string, audience: LineAudience): Promise<Broadcast['named']> {
  if (audience.kind === 'people') {
    const faces = await listFaces(db, audience.people);
    return faces.map((face) => ({ uuid: face.uuid, name: guestName(face) }));
  }
  if (audience.kind !== 'did' || !('broadcast' in audience.did)) return [];
  const row = await findBroadcastRow(db, audience.did.broadcast);
  return row?.channel === channel ? [{ uuid: row.uuid, name: row.name }] : [];
}

/** Throws where it names somebody, or a broadcast, of elsewhere. */
export async function mustKnowAudience(db: Db, { channel }: Place, audience: LineAudience): Promise<void> {
  const invalid = (path: string) => new AppError('validation-failed', { fields: [{ path, code: 'invalid' }] });
  if (audience.kind === 'people') {
    const known = new Set((await listKnownOn(db, channel, { guests: audience.people })).map(({ guest }) => guest));
    if (audience.people.some((guest) => !known.has(guest))) throw invalid('audience.people');
  }
  if (audience.kind === 'did' && 'broadcast' in audience.did) {
    const row = await findBroadcastRow(db, audience.did.broadcast);
    if (row?.channel !== channel) throw invalid('audience.did.broadcast');
  }
}
