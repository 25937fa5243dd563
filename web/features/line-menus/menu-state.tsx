import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { formatShortly } from './format-shortly.ts';
import { stateOf } from './state.ts';

export function MenuState({ menu }: { menu: RichMenu }) {
  const { t } = useTranslation('line-menus');
  const { kind, text } = stateOf(menu);
  return <State kind={kind}>{t(text)}</State>;
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
