/** Why a bot is not shown; comes where one is not. Whoever belongs to its team may see it once they are signed in. */
import type { Language } from './language.ts';

export async function refuse(language: Language): Promise<void> {
  const texts = (
    await (language === 'ja'
      ? import('../shared/locales/ja/widget-refused.json')
      : import('../shared/locales/en/widget-refused.json'))
  ).default;
  // No channel's look applies here, so the device's color scheme does.
  if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.dataset['scheme'] = 'dark';
  const place = document.createElement('p');
  place.style.cssText = 'max-width:30em;margin:20vh auto 0;padding:0 20px;text-align:center';
  const link = document.createElement('a');
  link.href = `/Login?next=${encodeURIComponent(location.pathname)}`;
  link.style.color = 'inherit';
  link.append(texts['signIn']);
  place.append(texts['notOpen'], ' ', link);
  document.getElementById('root')!.append(place);
}
