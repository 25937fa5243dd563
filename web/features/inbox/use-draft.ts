import { useEffect, useState } from 'react';
import { useUser } from '../../lib/session.ts';

export interface Draft {
  kind: 'reply' | 'note';
  reply: string;
  note: string;
}

const empty: Draft = { kind: 'reply', reply: '', note: '' };

/** A border: storage holds what this file put there, or nothing of use. */
function read(key: string): Draft {
  try {
    const { kind, reply, note } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>;
    return { kind: kind === 'note' ? 'note' : 'reply', reply: String(reply ?? ''), note: String(note ?? '') };
  } catch {
    return empty;
  }
}

/** What was begun to be written in each conversation, a reply and a note, as long as the tab lives. */
export function useDraft(thread: string): [Draft, (changes: Partial<Draft>) => void] {
  const user = useUser()?.uuid ?? '';
  const key = `inbox-draft:${user}:${thread}`;
  const [draft, setDraft] = useState(() => read(key));
  useEffect(() => {
    if (draft.reply || draft.note || draft.kind === 'note') sessionStorage.setItem(key, JSON.stringify(draft));
    else sessionStorage.removeItem(key);
  }, [key, draft]);
  return [draft, (changes) => setDraft((before) => ({ ...before, ...changes }))];
}
