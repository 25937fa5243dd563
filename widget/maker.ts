import { accounts } from '../shared/contracts/accounts.ts';
import type { EmbedSetting } from '../shared/contracts/visitors.ts';

const readToken = () => /(?:^|;\s*)jwt=([^;]+)/.exec(document.cookie)?.[1];

/** What a maker's page calls with, for a preview of what is not published; renewed by the session's cookie when it is gone. */
export async function makerHeaders(): Promise<Record<string, string>> {
  if (!readToken()) await fetch(accounts.renew.path, { method: accounts.renew.method }).catch(() => undefined);
  return { authorization: `Bearer ${readToken() ?? ''}` };
}

/** The page on which a maker sets the look has what is not saved yet drawn. */
export function followSetting(draw: (setting: EmbedSetting) => void): void {
  window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === window.parent && origin === location.origin && isSetting(data)) draw(data.setting);
  });
  window.parent.postMessage({ kotae: 'drawn' }, location.origin);
}

const isSetting = (data: unknown): data is { setting: EmbedSetting } =>
  typeof data === 'object' &&
  data !== null &&
  'kotae' in data &&
  data.kotae === 'setting' &&
  'setting' in data &&
  typeof data.setting === 'object' &&
  data.setting !== null &&
  'look' in data.setting &&
  'texts' in data.setting;
