import { useEffect, useState } from 'react';
import type { MenuAction } from '../../../shared/line-menu.ts';

type Rules = typeof import('../../../shared/line-menu.ts');

let known: Rules | undefined;

/** What LINE takes, as the server knows it; it comes after the page, which can be looked at without it. */
export const loadRules = async (): Promise<Rules> => (known ??= await import('../../../shared/line-menu.ts'));

export function useRules(): Rules | undefined {
  const [rules, setRules] = useState(known);
  useEffect(() => {
    let isShown = true;
    // Told by the attempt to save, which needs them.
    loadRules().then(
      (loaded) => isShown && setRules(loaded),
      () => {},
    );
    return () => void (isShown = false);
  }, []);
  return rules;
}

/** What is wrong with an action, by the name of its field. */
export const faultsOf = (action: MenuAction | null): Map<string, string> =>
  (action && known?.checkAction(action)) ?? new Map<string, string>();
