import { Link } from '@tanstack/react-router';
import type { CreditPrice } from '../../../shared/contracts/usage.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { useMay } from '../../lib/session.ts';
import classes from './billing.module.css';
import { creditsOf, formatAbout, isFree, useBotsOf, usePrices } from './billing.queries.ts';

/** What an answer costs, told by the model that most bots answer with for credits, else by the one in the middle. */
export function UsualCost() {
  const { t } = useTranslation('billing');
  const { data } = usePrices();
  const botsOf = useBotsOf();
  const mayManage = useMay('manage');
  if (!data || !botsOf) return null;
  const costs = data.flatMap(costOf).toSorted((one, other) => one.credits - other.credits);
  const [most] = costs.toSorted((one, other) => botsOf(other.uuid).answering - botsOf(one.uuid).answering);
  const told = most && botsOf(most.uuid).answering > 0 ? most : costs[Math.floor((costs.length - 1) / 2)];
  return (
    <p className={`${classes['hint']} ${classes['about']}`}>
      {told
        ? t('prices.cost', { model: modelName(told.name), credits: formatAbout(told.credits) })
        : data.every(isFree) && t('prices.hintFree')}
      {gap()}
      {mayManage && (
        <Link to="/Token" search={{ tab: 'prices' }}>
          {t('prices.title')}
        </Link>
      )}
    </p>
  );
}

const costOf = ({ uuid, name, key, tokens }: CreditPrice) => {
  const credits = key === 'operator' && tokens ? creditsOf(tokens) : 0;
  return credits > 0 ? [{ uuid, name, credits }] : [];
};
