import type { RichUse } from '../../../shared/contracts/rich-messages.ts';
import type { LineBubble } from '../../../shared/line-content.ts';
import type { Context } from '../../feature.ts';
import { listUnsent } from './broadcasts.store.ts';
import { contentOf } from './drafts.ts';
import { stepsOf } from './steps.ts';
import { listScenariosOf } from './steps.store.ts';

interface Sender {
  use: RichUse;
  content: LineBubble[];
}

/** Which broadcasts that have not begun, and which step messages, will send which rich message. */
export async function campaignsByRich({ db }: Context, workspace: string): Promise<Map<string, RichUse[]>> {
  const senders: Sender[] = [
    ...(await listUnsent(db, workspace)).map((row): Sender => {
      const { uuid, name, channel, state } = row;
      const use = { kind: 'broadcast', uuid, name, channel, state: state === 'draft' ? state : 'scheduled' } as const;
      return { use, content: contentOf(row) };
    }),
    ...(await listScenariosOf(db, workspace)).map((row): Sender => {
      const { uuid, name, channel, active_since } = row;
      const use = { kind: 'steps', uuid, name, channel, state: active_since === null ? 'off' : 'on' } as const;
      return { use, content: stepsOf(row).flatMap(({ content }) => content) };
    }),
  ];
  const users = new Map<string, RichUse[]>();
  for (const { use, content } of senders)
    for (const bubble of content)
      if (bubble.type === 'rich') {
        const known = users.get(bubble.message) ?? [];
        known.push(use);
        users.set(bubble.message, known);
      }
  return users;
}
