import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import classes from './conversations.module.css';

/** Where a key that its provider does not take can be set right, for who may. */
export function SettingsLink({ code, ownKey = true }: { code: string | undefined; ownKey?: boolean | undefined }) {
  const { t } = useTranslation('conversations-panels');
  const [mayManage, isOperator] = [useMay('manage'), useMay('operator')];
  const isOfKey = code === 'provider-key-rejected' || code === 'provider-exhausted' || code === 'balance-empty';
  if (!isOfKey || !(ownKey ? mayManage : isOperator)) return null;
  return ownKey ? (
    <Link className={classes['toSettings']} to="/Token" search={{ tab: 'models' }}>
      {t('toKeys')}
    </Link>
  ) : (
    <Link className={classes['toSettings']} to="/Operator" search={{ tab: 'models' }}>
      {t('toKeys')}
    </Link>
  );
}
