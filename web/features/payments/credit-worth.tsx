import { Link } from '@tanstack/react-router';
import { unitOf } from '../../../shared/money.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { usePackages } from './payments.queries.ts';

/** What one credit costs where credits are sold: from the best package to the dearest. */
export function CreditWorth() {
  const { t } = useTranslation('billing');
  const sold = usePackages().data?.data ?? [];
  const prices = [...new Set(sold.map(({ currency }) => currency))].map((currency) => {
    const each = sold
      .filter((one) => one.currency === currency)
      .map(({ price, credits }) => price / unitOf(currency) / credits);
    const format = new Intl.NumberFormat(currentLocale(), { style: 'currency', currency, maximumSignificantDigits: 3 });
    const [least, most] = [Math.min(...each), Math.max(...each)];
    return format.format(least) === format.format(most) ? format.format(least) : format.formatRange(least, most);
  });
  return (
    prices.length > 0 && (
      <p>
        {t('worth', { price: prices.join(' / ') })}{' '}
        <Link to="/Token" search={{ tab: 'purchases' }}>
          {t('buy')}
        </Link>
      </p>
    )
  );
}
