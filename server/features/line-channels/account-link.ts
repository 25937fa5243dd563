import { samePhrase, type AccountLink, type LineSettings } from '../../../shared/contracts/line-channels.ts';
import type { RichSnapshot } from '../../../shared/line-content.ts';
import { toLineMessage } from '../../../shared/rich-line.ts';
import type { Context } from '../../feature.ts';
import { lockName, newId } from '../../infra/db.ts';
import { hashSecret } from '../../infra/sealed.ts';
import { translate } from '../../infra/translate.ts';
import type { Line } from '../../providers/channels/line/api.ts';
import type { LineSource } from '../../providers/channels/line/events.ts';
import { linkToSite, readNonce, unlinkFromSites } from '../web-channels/sites.ts';
import { findSecret } from '../web-channels/web-channels.ts';
import { findByNonce, updateEvent } from './line-channels.store.ts';
import type { LineChannelTable } from './line-channels.tables.ts';

/* Friends link their account at the shop: https://developers.line.biz/en/docs/messaging-api/linking-accounts/ */

/** What somebody wants who writes exactly one of the two phrases, or taps what says it. */
export interface LinkWish {
  setting: AccountLink;
  what: 'link' | 'unlink';
}

export function wishIn({ accountLink: setting }: LineSettings, said: string): LinkWish | undefined {
  if (!setting) return undefined;
  const phrase = samePhrase(said);
  if (phrase === samePhrase(setting.link)) return { setting, what: 'link' };
  return phrase === samePhrase(setting.unlink) ? { setting, what: 'unlink' } : undefined;
}

interface Asking {
  source: LineSource;
  identity: string;
  locale: 'en' | 'ja';
  signal: AbortSignal;
}

interface Said {
  text: string;
  rich?: RichSnapshot;
}

/** Does what is wished, as far as it can be done here. Returns what is said to it. */
export async function grant(
  context: Context,
  { workspace }: LineChannelTable,
  line: Line,
  { setting, what }: LinkWish,
  { source, identity, locale, signal }: Asking,
): Promise<Said> {
  const say = (key: 'group' | 'nothing' | 'undone' | 'unavailable') => ({
    text: translate(locale, `line-channels-server:link.${key}`, { phrase: setting[what] }),
  });
  if (source.kind !== 'user') return say('group');
  const { website: channelId } = setting;
  if (what === 'unlink') {
    const was = await context.db.transaction().execute((trx) => unlinkFromSites(context, trx, { workspace, identity }));
    return say(was ? 'undone' : 'nothing');
  }
  if ((await findSecret(context, workspace, channelId)) === undefined) return say('unavailable');
  try {
    return offer(setting.signIn, await line.linkToken(source.chat), locale);
  } catch (err) {
    signal.throwIfAborted();
    context.log.warn({ err }, 'LINE gave no token to link an account with');
    return say('unavailable');
  }
}

function offer(signIn: string, token: string, locale: 'en' | 'ja'): Said {
  const text = translate(locale, 'line-channels-server:link.offer');
  const label = translate(locale, 'line-channels-server:link.button');
  const page = new URL(signIn);
  page.searchParams.set('linkToken', token);
  const line = toLineMessage(
    {
      kind: 'cards',
      alt: text,
      ratio: 'wide',
      color: '#007a0a',
      cards: [
        {
          picture: null,
          title: '',
          text,
          facts: [],
          buttons: [{ style: 'primary', action: { type: 'uri', label, uri: page.href } }],
        },
      ],
      more: null,
    },
    () => '',
  );
  return { text, rich: { uuid: newId(), name: label, kind: 'cards', alt: text, line } };
}

export type Linked = 'linked' | 'link-forged' | 'link-old' | 'link-used' | 'link-off';

/** Somebody has come back from the shop's sign-in page: they are who its nonce proves, which it does once. */
export async function takeLink(
  context: Context,
  { workspace }: LineChannelTable,
  { website: channelId }: AccountLink,
  { event, nonce, at, identity }: { event: string; nonce: string; at: number; identity: string },
): Promise<Linked> {
  const secret = await findSecret(context, workspace, channelId);
  if (secret === undefined) return 'link-off';
  // By LINE's clock: an event that comes late is no older for it.
  const read = readNonce(secret, nonce, at);
  if (typeof read === 'string') return read;
  const hash = hashSecret(nonce);
  return context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, `nonce ${hash}`);
    const used = await findByNonce(trx, hash);
    if (used && used.uuid !== event) return 'link-used';
    await updateEvent(trx, event, { nonce: hash });
    await linkToSite(context, trx, { workspace, channelId, identity }, read.id);
    return 'linked';
  });
}
