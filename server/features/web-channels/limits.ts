import { AppError } from '../../../shared/errors.ts';
import { usualEmbed, type EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { limit, type Limit } from '../../infra/limits.ts';
import { translate } from '../../infra/translate.ts';
import { channelOf } from '../answers/answer.ts';
import type { ConnectionRow } from '../connections/connections.ts';
import { findGuest, type GuestTable } from '../guests/guests.ts';
import { isSpent } from '../usage/ledger.ts';
import type { Guest } from '../users/speaker.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { needsForm } from './visitors.ts';
import { mustFindChannel, settingsOf } from './web-channels.ts';
import { findChannelRow } from './web-channels.store.ts';

const day = 86_400;
/** What one message carries. */
const filesOfMessage = 5;

/** What a channel allows by itself; the makers of each choose their own numbers. */
export const visitorLimits = {
  perMinute: limit('visitor-messages', 10, 60, 'messages of a visitor, where its channel says nothing else'),
  perDay: limit('visitor-day', 200, day, 'messages of a visitor in a day, where its channel says nothing else'),
  addressPerDay: limit('visitor-address-day', 2000, day, 'messages from one address to a channel in a day'),
  files: limit('visitor-files', 50, 60, 'files of a visitor: as many as the messages of a minute can carry'),
  filesPerDay: limit('visitor-files-day', 200, day, 'files of a visitor in a day: as many as messages'),
  addressFilesPerDay: limit('visitor-address-files-day', 2000, day, 'files from one address to a channel in a day'),
  acts: limit('visitor-acts', 20, 60, 'ratings and forms of a visitor'),
  pages: limit('visitor-pages', 20, 60, 'PDFs that a visitor loads to see a cited page'),
  persons: limit('visitor-persons', 5, 60, 'how often a visitor asks for a person'),
};

/** Limits are counted by their object, so each number has one. */
const made = new Map<string, Limit>();
function limitOf(usual: Limit, max: number): Limit {
  const name = `${usual.name} ${max}`;
  const known = made.get(name) ?? { ...usual, max };
  made.set(name, known);
  return known;
}

interface Found {
  row: GuestTable;
  /** The bot's public page that the channel is part of. */
  listing: string | null;
  connection: ConnectionRow;
  settings: EmbedSettings;
}

async function find(context: Context, guest: Guest): Promise<Found> {
  const [{ settings, connection, row: channel }, row] = await Promise.all([
    mustFindChannel(context, guest),
    findGuest(context.db, guest.workspace, guest.guest),
  ]);
  if (!row) throw new AppError('visitor-unknown');
  return { row, connection, settings, listing: channel?.listing ?? null };
}

async function mustHaveAnswered(context: Context, { settings, row }: Found): Promise<void> {
  if (await needsForm(context, settings, row)) throw new AppError('form-needed');
}

/** Whoever tries a channel is counted as one, however often they begin, with the usual numbers. */
const countedAs = ({ row: { maker }, settings }: Found, { guest }: Guest) =>
  maker === null ? { who: guest, limits: settings.limits } : { who: maker, limits: usualEmbed.limits };

/** Counts, and tells in the words of the channel that it was too often. */
async function take({ limits }: Context, guest: Guest, { settings }: Found, counts: [Limit, string][]): Promise<void> {
  try {
    for (const [each, who] of counts) await limits.take(each, who);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const retry = error.retryAfterSeconds;
    throw new AppError(
      'visitor-limit',
      { text: wordsOf(guest, settings), seconds: error.details['seconds'] },
      { ...(retry !== undefined && { retryAfterSeconds: retry }) },
    );
  }
}

const wordsOf = ({ locale }: Guest, { texts }: EmbedSettings) =>
  texts[locale].limit || translate(locale, 'web-channels-server:limit');

/** Throws `form-needed` or, in the words of the channel, `visitor-limit`. */
export async function mayWrite(context: Context, guest: Guest, ip: string): Promise<Found> {
  const found = await find(context, guest);
  await mustHaveAnswered(context, found);
  const { who, limits } = countedAs(found, guest);
  await take(context, guest, found, [
    [limitOf(visitorLimits.perMinute, limits.visitorPerMinute), who],
    [limitOf(visitorLimits.perDay, limits.visitorPerDay), who],
    [limitOf(visitorLimits.addressPerDay, limits.addressPerDay), `${guest.channelId} ${addressKey(ip)}`],
  ]);
  if (found.listing !== null) await mustHaveCredits(context, guest);
  return found;
}

/** On a public page nobody waits for people, so what can not be answered is not taken. */
async function mustHaveCredits(context: Context, guest: Guest): Promise<void> {
  const channel = await channelOf(context, guest);
  if (channel && (await isSpent(context.db, channel)))
    throw new AppError('visitor-limit', { text: translate(guest.locale, 'web-channels-server:spent') });
}

/** The same for a file, which a message will carry: it takes none of the messages. */
export async function mayAttach(context: Context, guest: Guest, ip: string): Promise<EmbedSettings> {
  const found = await find(context, guest);
  await mustHaveAnswered(context, found);
  const { who, limits } = countedAs(found, guest);
  await take(context, guest, found, [
    [limitOf(visitorLimits.files, limits.visitorPerMinute * filesOfMessage), who],
    [limitOf(visitorLimits.filesPerDay, limits.visitorPerDay), who],
    [limitOf(visitorLimits.addressFilesPerDay, limits.addressPerDay), `${guest.channelId} ${addressKey(ip)}`],
  ]);
  return found.settings;
}

/** For a document of which a page is shown, whose file may be large. */
export async function maySeePages(context: Context, guest: Guest): Promise<EmbedSettings> {
  const found = await find(context, guest);
  await take(context, guest, found, [[visitorLimits.pages, countedAs(found, guest).who]]);
  return found.settings;
}

/** For what else a visitor does that others notice. */
export async function mayAct(context: Context, guest: Guest): Promise<Found> {
  const found = await find(context, guest);
  await take(context, guest, found, [[visitorLimits.acts, countedAs(found, guest).who]]);
  return found;
}

/** The same limit for whoever writes that they want one: beyond it the bot answers, and nothing is refused. */
export async function mayWishForPerson({ limits }: Context, guest: Guest, found: Found): Promise<boolean> {
  try {
    await limits.take(visitorLimits.persons, countedAs(found, guest).who);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** For asking for a person, which begins a conversation as a message does. */
export async function mayAskForPerson(context: Context, guest: Guest, ip: string): Promise<Found> {
  const found = await find(context, guest);
  await mustHaveAnswered(context, found);
  const { who, limits } = countedAs(found, guest);
  await take(context, guest, found, [
    [visitorLimits.persons, who],
    [limitOf(visitorLimits.perDay, limits.visitorPerDay), who],
    [limitOf(visitorLimits.addressPerDay, limits.addressPerDay), `${guest.channelId} ${addressKey(ip)}`],
  ]);
  return found;
}

/** What the bot's answers on a channel may cost in a day; people answer beyond it. */
export async function dailyCap(context: Context, guest: Guest): Promise<number | null> {
  if (guest.channel !== 'web') return null;
  const [row] = await findChannelRow(context.db, { uuid: guest.channelId });
  const creditsPerDay = row ? settingsOf(row).limits.creditsPerDay : null;
  return creditsPerDay === null ? null : creditsPerDay * microPerCredit;
}
