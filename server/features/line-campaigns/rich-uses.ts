import type { LineBubble } from '../../../shared/line-content.ts';
import type { Context, Named } from '../../feature.ts';
import { listUnsent } from './broadcasts.store.ts';
import { contentOf } from './drafts.ts';
import { stepsOf } from './steps.ts';
import { listScenariosOf } from './steps.store.ts';

interface Sender {
  uuid: string;
  name: string;
  content: LineBubble[];
}

/** Which broadcasts that have not begun, and which step messages, will send which rich message. */
export async function campaignsByRich({ db }: Context, workspace: string): Promise<Map<string, Named[]>> {
  const senders: Sender[] = [
    ...(await listUnsent(db, workspace)).map((row) => ({ ...row, content: contentOf(row) })),
    ...(await listScenariosOf(db, workspace)).map((row) => ({
      ...row,
      content: stepsOf(row).flatMap(({ content }) => content),
    })),
  ];
  const users = new Map<string, Named[]>();
  for (const { uuid, name, content } of senders)
    for (const bubble of content)
      if (bubble.type === 'rich') {
        const named = users.get(bubble.message) ?? [];
        named.push({ uuid, name, mark: 0 });
        users.set(bubble.message, named);
      }
  return users;
}
