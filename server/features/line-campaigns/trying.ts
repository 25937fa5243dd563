import { randomUUID } from 'node:crypto';
import type { LineBubble } from '../../../shared/line-content.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { guestName, listFaces, listKnownOn, listReachableOf } from '../guests/guests.ts';
import { limit } from '../../infra/limits.ts';
import { lineOf } from '../line-channels/access.ts';
import { asking, mustFindOwn } from '../line-channels/line-channels.ts';
import { leftOf } from '../line-channels/settings.ts';
import { placeOf } from './audience.ts';
import { findTester, putTester } from './broadcasts.store.ts';
import { saidOf, toMessages } from './content.ts';

/** Each is a message that costs. */
export const campaignsAsked = limit('campaigns-asked', 60, 60, 'messages that test broadcasts and steps, by person');

/** Sends it to one friend, one part after the other, as they would get it; its links are those themselves, so that nobody is counted for it. */
export async function sendTest(
  context: Context,
  caller: Caller,
  { channel, guest, parts }: { channel: string; guest: string; parts: LineBubble[][] },
): Promise<void> {
  const { workspace, user } = caller;
  const { row } = await mustFindOwn(context, caller, channel);
  const known = await listKnownOn(context.db, channel, { guests: [guest] });
  const [friend] = await listReachableOf(
    context.db,
    placeOf({ workspace, channel }),
    known.map(({ identity }) => identity),
  );
  if (!friend) throw new AppError('guest-not-found');
  const kept = parts.filter((content) => content.length > 0);
  const left = leftOf(row);
  if (left !== null && left < kept.length) throw new AppError('line-quota', { left, needed: kept.length });
  for (const _ of kept) await context.limits.take(campaignsAsked, caller.user);
  await putTester(context.db, { user, channel, workspace, guest });
  for (const content of kept) {
    const messages = toMessages(await saidOf(context, workspace, content, caller.locale), friend);
    if (messages.length === 0) continue;
    await asking(() => lineOf(context, row).push(friend.external, messages, randomUUID()), context, row);
  }
}

/** To whom the caller last sent a test. */
export async function testerOf({ db }: Context, { user }: Caller, channel: string) {
  const tester = await findTester(db, user, channel);
  const [face] = tester ? await listFaces(db, [tester.guest]) : [];
  return face ? { uuid: face.uuid, name: guestName(face) } : null;
}
