import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import type { EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import type { Locale } from '../../lib/i18n.ts';

export const parts = ['look', 'texts', 'access', 'visitors'] as const;
export type Part = (typeof parts)[number];

/** What the form holds: the channel's settings, and of its connection's what visitors notice. */
export interface Values {
  settings: EmbedSettings;
  connection: Pick<ConnectionSettings, 'hours' | 'awayText' | 'holidayText' | 'handoff'>;
}

/** What every part of the form works on. */
export interface PartProps {
  settings: EmbedSettings;
  /** Takes whole parts of the settings. */
  set(changes: Partial<EmbedSettings>): void;
  /** Which language the texts are shown in, here and in the preview. */
  locale: Locale;
  onLocale(locale: Locale): void;
  /** Whether the language is chosen above all parts, so that none has a switch of its own. */
  isLocaleAbove: boolean;
  fieldError(path: string): string | undefined;
}

/** Where a fault that the server named by its path is shown. */
export function partOf(path: string): Part {
  const [first = '', , third] = path.split('.');
  if (first === 'texts') return third === 'consent' ? 'visitors' : third === 'limit' ? 'access' : 'texts';
  if (first === 'domains' || first === 'limits') return 'access';
  return ['hours', 'awayText', 'holidayText', 'form', 'history'].includes(first) ? 'visitors' : 'look';
}
