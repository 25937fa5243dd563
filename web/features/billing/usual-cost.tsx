import { Link } from '@tanstack/react-router';
import type { CreditPrice } from '../../../shared/contracts/usage.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { useMay } from '../../lib/session.ts';
import classes from './billing.module.css';
import { creditsOf, formatAbout, isFree, usePrices } from './billing.queries.ts';

/** What an answer costs, told by the model in the middle of those that cost credits. */
export function UsualCost() {
  const { t } = useTranslation('billing');
  const { data } = usePrices();
  const mayManage = useMay('manage');
  if (!data) return null;
  const costs = data.flatMap(costOf).toSorted((one, other) => one.credits - other.credits);
  const middle = costs[Math.floor((costs.length - 1) / 2)];
  return (
    <p className={`${classes['hint']} ${classes['about']}`}>
      {middle
        ? t('prices.usual', { model: modelName(middle.name), credits: formatAbout(middle.credits) })
        : data.every(isFree) && t('prices.hintFree')}{' '}
      {mayManage && (
        <Link to="/Token" search={{ tab: 'prices' }}>
          {t('prices.title')}
        </Link>
      )}
    </p>
  );
}

const costOf = ({ name, key, tokens }: CreditPrice) => {
  const credits = key === 'operator' && tokens ? creditsOf(tokens) : 0;
  return credits > 0 ? [{ name, credits }] : [];
};
