import { AppError } from '../../../shared/errors.ts';
import type { EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { limit, type Limit } from '../../infra/limits.ts';
import { translate } from '../../infra/translate.ts';
import { findGuest } from '../guests/guests.ts';
import type { Guest } from '../users/speaker.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { mustFindChannel, settingsOf } from './web-channels.ts';
import { findChannelRow } from './web-channels.store.ts';

const day = 86_400;

/** What a channel allows by itself; the makers of each choose their own numbers. */
export const visitorLimits = {
  perMinute: limit('visitor-messages', 10, 60, 'messages of a visitor, where its channel says nothing else'),
  perDay: limit('visitor-day', 200, day, 'messages of a visitor in a day, where its channel says nothing else'),
  addressPerDay: limit('visitor-address-day', 2000, day, 'messages from one address to a channel in a day'),
};

/** Limits are counted by their object, so each number has one. */
const made = new Map<string, Limit>();
function limitOf(usual: Limit, max: number): Limit {
  const name = `${usual.name} ${max}`;
  const known = made.get(name) ?? { ...usual, max };
  made.set(name, known);
  return known;
}

/** Throws `visitor-blocked`, `form-needed` or, in the words of the channel, `visitor-limit`. Returns the channel's settings. */
export async function mayWrite(context: Context, guest: Guest, ip: string): Promise<EmbedSettings> {
  const { settings } = await mustFindChannel(context, guest);
  const row = await findGuest(context.db, guest.workspace, guest.guest);
  if (!row) throw new AppError('visitor-unknown');
  if (row.blocked_at !== null) throw new AppError('visitor-blocked');
  if (settings.form.enabled && row.answered_at === null) throw new AppError('form-needed');
  if (guest.isPreview) return settings;
  const { visitorPerMinute, visitorPerDay, addressPerDay } = settings.limits;
  const text = settings.texts[guest.locale].limit || translate(guest.locale, 'web-channels-server:limit');
  const counted = async () => {
    await context.limits.take(limitOf(visitorLimits.perMinute, visitorPerMinute), guest.guest);
    await context.limits.take(limitOf(visitorLimits.perDay, visitorPerDay), guest.guest);
    await context.limits.take(
      limitOf(visitorLimits.addressPerDay, addressPerDay),
      `${guest.channelId} ${addressKey(ip)}`,
    );
  };
  await counted().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const retry = error.retryAfterSeconds;
    throw new AppError(
      'visitor-limit',
      { text, seconds: error.details['seconds'] },
      { ...(retry !== undefined && { retryAfterSeconds: retry }) },
    );
  });
  return settings;
}

/** What the bot's answers on a channel may cost in a day; people answer beyond it. */
export async function dailyCap(context: Context, guest: Guest): Promise<number | null> {
  if (guest.channel !== 'web') return null;
  const [row] = await findChannelRow(context.db, { uuid: guest.channelId });
  const creditsPerDay = row ? settingsOf(row).limits.creditsPerDay : null;
  return creditsPerDay === null ? null : creditsPerDay * microPerCredit;
}
