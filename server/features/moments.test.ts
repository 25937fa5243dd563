import { expect, test } from 'vitest';
import type { z } from 'zod';
import { AuditEntry, OperatedUser } from '../../shared/contracts/operator.ts';
import { Bot, BotVersion } from '../../shared/contracts/bots.ts';
import { Connection } from '../../shared/contracts/connections.ts';
import { Thread } from '../../shared/contracts/conversations.ts';
import { GuestProfile, InboxThread } from '../../shared/contracts/inbox.ts';
import { ApiKey } from '../../shared/contracts/keys.ts';
import { Document, Embedding, Knowledge } from '../../shared/contracts/knowledge.ts';
import { LineChannel, LineEvent, LineRequest } from '../../shared/contracts/line-channels.ts';
import { RichMenu } from '../../shared/contracts/line-menus.ts';
import { RichMessage } from '../../shared/contracts/rich-messages.ts';
import { ModelKey } from '../../shared/contracts/services.ts';
import { TokenEntry } from '../../shared/contracts/usage.ts';
import { WebChannel } from '../../shared/contracts/web-channels.ts';
import { OutgoingWebhook } from '../../shared/contracts/webhooks.ts';
import { Invitation, Workspace } from '../../shared/contracts/workspaces.ts';

test.each(
  Object.entries<z.ZodObject>({
    ApiKey,
    AuditEntry,
    Bot,
    BotVersion,
    Connection,
    Document,
    Embedding,
    GuestProfile,
    InboxThread,
    Invitation,
    Knowledge,
    LineChannel,
    LineEvent,
    LineRequest,
    ModelKey,
    OperatedUser,
    OutgoingWebhook,
    RichMenu,
    RichMessage,
    Thread,
    TokenEntry,
    WebChannel,
    Workspace,
  }),
)('%s says when it was made and when it was last changed', (_, { shape }) => {
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(['uuid', 'createdAt', 'updatedAt']));
});
