import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { Channel } from './channel.ts';
import { line } from './line/line.ts';
import { web } from './web/web.ts';

export const channels: Record<ChannelKind, Channel> = { web, line };
