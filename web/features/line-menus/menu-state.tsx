import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';
import { formatShortly } from './format-shortly.ts';
import { stateOf } from './state.ts';

export function MenuState({ menu }: { menu: RichMenu }) {
  const { t } = useTranslation('line-menus');
  const { kind, text } = stateOf(menu);
  return <State kind={kind}>{t(text)}</State>;
}

/** The same in the few words that a phone has room for below a name. */
export function useShortState(menu: RichMenu): { kind: StateKind; text: string } {
  const { t, has } = useTranslation('line-menus');
  const { kind, text } = stateOf(menu);
  const short = text.replace('state.', 'state.short.');
  return { kind, text: has(short) ? t(short) : t(text) };
}

/** Since when LINE has what it has. */
export function MenuSince({ menu: { published } }: { menu: RichMenu }) {
  const { t } = useTranslation('line-menus');
  return published && <>{t('state.since', { at: formatShortly(published.at) })}</>;
}

/** Why it is not as it should be, and what LINE said of it. */
export function MenuTrouble({ menu: { state, reason, detail } }: { menu: RichMenu }) {
  const { t } = useTranslation('line-menus');
  if (state === 'waiting') return <>{t('state.waitingText')}</>;
  if (!reason || state === 'draft') return null;
  return (
    <>
      {t(`reason.${reason}`)}
      {detail && <> {detail}</>}
    </>
  );
}
