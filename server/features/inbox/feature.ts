import { inbox as contract, inboxNews } from '../../../shared/contracts/inbox.ts';
import type { Feature } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { receive } from '../connections/receive.ts';
import { addGuest, asSpeaker } from '../guests/guests.ts';
import { createCanned } from './canned.ts';
import { inboxRoutes } from './inbox.routes.ts';
import { inboxRequests, tellPresence, tellPresenceSoon, tellTeam } from './live.ts';
import { forgetMentions } from './mentions.ts';

const audit = ['guest.merged', 'guest.split', 'guest.erased'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Where the team reads and answers what visitors write, on every channel. */
export const inbox: Feature = {
  name: 'inbox',
  tables: ['canned_reply', 'mention'],
  contracts: [contract, inboxNews],
  routes: inboxRoutes,
  notFound: { thread: 'thread-not-found', guest: 'guest-not-found', canned: 'canned-not-found' },
  audit,
  requests: inboxRequests,
  guestThreadHere: tellTeam,
  guestTyping: (context, { uuid }) => tellPresenceSoon(context, uuid),
  leftRoom: tellPresence,
  person: { leave: forgetMentions },
  async examples(context, caller, made) {
    const place = {
      workspace: caller.workspace,
      channel: 'web' as const,
      channelId: made['web-channel'] ?? '',
      external: newId(),
      language: null,
    };
    const { guest, identity } = await context.db.transaction().execute((trx) => addGuest(trx, place));
    const speaker = asSpeaker({ ...guest, identity, channel: 'web', channel_id: place.channelId }, 'en');
    const { thread, following } = await receive(context, speaker, { key: newId(), text: 'When does it open?' });
    await following?.ended;
    const canned = await createCanned(context, caller, { shortcut: 'hello', title: 'Hello', text: 'Hello {{name}}' });
    return { thread: thread.uuid, guest: guest.uuid, canned: canned.uuid };
  },
};
