import type { EmbedSetting } from '../shared/contracts/visitors.ts';
import { contrast, inkOn } from './contrast.ts';

const sheet = new CSSStyleSheet();
const dark = matchMedia('(prefers-color-scheme: dark)');
let shown: EmbedSetting['look'] | undefined;

/** Colors, and the maker's own rules after ours. */
export function applyLook(look: EmbedSetting['look']): void {
  const isFirst = !shown;
  shown = look;
  const isDark = look.scheme === 'dark' || (look.scheme === 'auto' && dark.matches);
  const color = isDark ? look.colorDark : look.color;
  const ground = isDark ? '#141916' : '#ffffff';
  const { style, dataset } = document.documentElement;
  dataset['scheme'] = isDark ? 'dark' : 'light';
  style.setProperty('--brand', color);
  style.setProperty('--on-brand', inkOn(color));
  // A color that cannot be read as text is only a ground.
  style.setProperty('--brand-text', contrast(color, ground) >= 4.5 ? color : 'var(--fallback-text)');
  sheet.replaceSync(look.css);
  if (!isFirst) return;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  dark.addEventListener('change', () => shown && applyLook(shown));
}
