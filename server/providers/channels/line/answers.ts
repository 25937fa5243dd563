import { z } from 'zod';
import { sentMessages } from './wire.ts';

/* What LINE answers, as far as we read it. What it adds is let pass: https://developers.line.biz/en/reference/messaging-api/ */

const optional = z.string().optional().catch(undefined);
const count = z.number().nullable().catch(null);

export const BotInfo = z.object({
  /** What webhooks call their destination. */
  userId: z.string(),
  basicId: z.string(),
  displayName: z.string(),
  pictureUrl: optional,
  chatMode: z.string(),
  markAsReadMode: z.string(),
});
export const Webhook = z.object({
  endpoint: z.string(),
  /** What "Use webhook" is in the console. */
  active: z.boolean(),
});
export const WebhookTest = z.object({
  success: z.boolean().catch(false),
  /** At most 0 where there was no answer. */
  statusCode: z.number(),
  /** OK, COULD_NOT_CONNECT, REQUEST_TIMEOUT, ERROR_STATUS_CODE or UNCLASSIFIED. */
  reason: z.string(),
  detail: z.string(),
});
/** `value` is the messages of a month where the type is `limited`. */
export const Quota = z.object({ type: z.string(), value: z.number().optional() });
export const Consumption = z.object({ totalUsage: z.number() });
export const Profile = z.object({
  userId: z.string(),
  displayName: z.string(),
  pictureUrl: optional,
  statusMessage: optional,
  /** A BCP 47 tag; only of those who have agreed to it. */
  language: optional,
});
export const Group = z.object({ groupId: z.string(), groupName: z.string(), pictureUrl: optional });
export const Transcoding = z.object({ status: z.enum(['processing', 'succeeded', 'failed']) });
/** What has been sent is sent, whatever else is said of it. */
export const Sent = z.object({ sentMessages }).catch({ sentMessages: [] });
export const Followers = z.object({
  userIds: z.array(z.string()),
  /** Where the next page begins, for a day; none on the last. */
  next: optional,
});
export const LinkToken = z.object({ linkToken: z.string() });

const bounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const menu = {
  size: z.object({ width: z.number(), height: z.number() }),
  selected: z.boolean(),
  name: z.string(),
  chatBarText: z.string(),
  areas: z.array(z.object({ bounds, action: z.looseObject({ type: z.string() }) })),
};
export type LineMenu = z.output<z.ZodObject<typeof menu>>;
export const Menu = z.object({ richMenuId: z.string(), ...menu });
export const MenuId = z.object({ richMenuId: z.string() });
export const Menus = z.object({ richmenus: z.array(Menu) });
export const BatchProgress = z.object({
  phase: z.enum(['ongoing', 'succeeded', 'failed']),
  acceptedTime: z.string(),
  completedTime: optional,
});
export const Aliases = z.object({
  aliases: z.array(z.object({ richMenuAliasId: z.string(), richMenuId: z.string() })),
});

/* Figures are null below twenty people, and once they are too old. */
const overview = {
  uniqueImpression: count,
  uniqueClick: count,
  uniqueMediaPlayed: count,
  uniqueMediaPlayed100Percent: count,
};
const interactions = {
  messages: z.array(z.object({ seq: z.number(), impression: count, mediaPlayed: count })).catch([]),
  clicks: z
    .array(
      z.object({ seq: z.number(), url: z.string(), click: count, uniqueClick: count, uniqueClickOfRequest: count }),
    )
    .catch([]),
};
export const MessageEvent = z.object({
  overview: z.object({ requestId: optional, timestamp: count, delivered: count, ...overview }),
  ...interactions,
});
export const UnitsUsed = z.object({ numOfCustomAggregationUnits: z.number() });
export const UnitStatistics = z.object({ overview: z.object(overview), ...interactions });
export const FollowersInsight = z.object({
  /** `ready`, `unready` or `out_of_service`. */
  status: z.string(),
  followers: count,
  targetedReaches: count,
  blocks: count,
});
const metrics = z.object({ count: z.number(), uniqueUsers: z.number() });
const days = z.array(z.object({ date: z.string(), count: z.number(), uniqueUsers: z.number() }));
const menuInsight = <T extends z.ZodType>(figures: T) =>
  z.object({
    richMenuId: z.string(),
    metricsFrom: z.string().nullish(),
    metricsTo: z.string().nullish(),
    impression: z.object({ metrics: figures }).optional(),
    clicks: z.array(z.object({ bounds, metrics: figures })).optional(),
  });
export const MenuSummary = menuInsight(metrics);
export const MenuDaily = menuInsight(days);
