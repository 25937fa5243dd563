import type { Context } from '../../feature.ts';
import { webUrl } from '../../infra/config.ts';
import { createLine, lineAddress, type Line } from '../../providers/channels/line/api.ts';
import type { LineChannelTable } from './line-channels.tables.ts';

export const lineSettings = {
  LINE_API_URL: webUrl.optional().meta({
    description:
      'Where LINE’s servers are, when it is not https://api.line.me: a stand-in that plays LINE, for trying and tests.',
  }),
};

export const secretPlace = (uuid: string) => `line_channel:${uuid}:secret`;

/** Secrets that were opened: each request of LINE's needs one, and opening it takes a tenth of what the rest of the request does. */
const opened = new Map<string, string>();
const mostOpened = 200;

/** The secret of a channel, with which LINE signs and we ask for tokens. */
export function secretOf({ sealer }: Context, { uuid, secret }: Pick<LineChannelTable, 'uuid' | 'secret'>): string {
  const known = opened.get(secret);
  if (known !== undefined) return known;
  const open = sealer.open(secret, secretPlace(uuid));
  if (opened.size >= mostOpened) opened.clear();
  opened.set(secret, open);
  return open;
}

/** LINE's servers, for a channel that is not stored yet, or whose secret is about to change. */
export const lineWith = (context: Context, access: { channelId: string; secret: string }, signal?: AbortSignal): Line =>
  createLine({
    request: (url, options) => context.outbound.request(url, options),
    address: lineAddress(lineUrl(context)),
    access,
    signal,
  });

/** LINE's servers, as a channel of ours. */
export const lineOf = (context: Context, row: LineChannelTable, signal?: AbortSignal): Line =>
  lineWith(context, { channelId: row.line_id, secret: secretOf(context, row) }, signal);

/** Where LINE's servers are, where the operator has said so. */
export const lineUrl = ({ config }: Context): string | undefined => config.declared['LINE_API_URL'];
