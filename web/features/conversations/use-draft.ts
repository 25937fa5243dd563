import { useEffect, useState } from 'react';
import { useUser } from '../../lib/session.ts';

/** What was begun to be written, for each thread, as long as the tab lives. A draft moves along when its new thread gets a name. */
export function useDraft({
  bot,
  thread,
  isNaming,
}: {
  bot: string;
  thread: string | undefined;
  isNaming: boolean;
}): [string, (text: string) => void] {
  const user = useUser()?.uuid ?? '';
  const keyOf = (of: string | undefined) => `draft:${user}:${bot}:${of ?? 'new'}`;
  const key = keyOf(thread);
  const [draft, setDraft] = useState(() => ({ key, text: sessionStorage.getItem(key) ?? '' }));
  if (draft.key !== key)
    setDraft({
      key,
      text: isNaming && draft.key === keyOf(undefined) ? draft.text : (sessionStorage.getItem(key) ?? ''),
    });
  useEffect(() => {
    if (draft.text) sessionStorage.setItem(draft.key, draft.text);
    else sessionStorage.removeItem(draft.key);
  }, [draft]);
  return [draft.text, (text) => setDraft({ key, text })];
}
