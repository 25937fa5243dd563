import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { CreditPrice } from '../../../shared/contracts/usage.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { Section } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './billing.module.css';
import { usePrices } from './billing.queries.ts';

/** With this many one looks for a name. */
const manyModels = 8;

/** What each model costs that answers here, in credits. */
export function Prices() {
  const { t } = useTranslation('billing');
  const { data, error, refetch } = usePrices();
  const [q, setQ] = useState('');
  const wanted = q.normalize('NFKC').trim().toLocaleLowerCase();
  const found = data?.filter(({ name }) => name.normalize('NFKC').toLocaleLowerCase().includes(wanted)) ?? [];
  return (
    <Section
      title={t('prices.title')}
      count={data && found.length}
      end={
        data &&
        data.length >= manyModels && (
          <TextInput
            size="xs"
            className={classes['search'] ?? ''}
            aria-label={t('prices.search')}
            placeholder={t('prices.search')}
            leftSection={<IconSearch size={14} />}
            value={q}
            onChange={(event) => setQ(event.currentTarget.value)}
          />
        )
      }
    >
      {error && !data ? (
        <ErrorState
          title={t('common:failed.title')}
          text={error.message}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <>
          <p className={`${classes['hint']} ${classes['about']}`}>{t('prices.hint')}</p>
          {found.length === 0 ? (
            <p className={classes['hint']}>{t('prices.none', { q })}</p>
          ) : (
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('prices.model')}</th>
                  <th data-number style={{ width: 84 }}>
                    {t('prices.in')}
                  </th>
                  <th data-number style={{ width: 84 }}>
                    {t('prices.out')}
                  </th>
                  <th data-number data-from="sm" style={{ width: 104 }}>
                    {t('prices.cached')}
                  </th>
                  <th data-number data-from="sm" style={{ width: 132 }}>
                    {t('prices.asOf')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.map((price) => (
                  <Row key={price.uuid} price={price} />
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </Section>
  );
}

function Row({ price }: { price: CreditPrice }) {
  const { t } = useTranslation('billing');
  const { name, avatar, key, tokens, image, pricedAt } = price;
  const shown = modelName(name);
  // Credits are no matter where nobody or somebody else is paid.
  const free = key === 'workspace' ? t('prices.ownKey') : isFree(price) ? t('prices.free') : undefined;
  return (
    <tr className={classes['price']}>
      <td>
        <span className={classes['model']}>
          <img src={avatar.url} alt="" width={20} height={20} />
          <span title={shown}>{shown}</span>
        </span>
        {!free && tokens?.long && (
          <small>
            {t('prices.long', {
              above: formatNumber(tokens.long.above),
              in: formatRate(tokens.long.in),
              out: formatRate(tokens.long.out),
            })}
          </small>
        )}
      </td>
      {free || !tokens ? (
        <td colSpan={2} data-number>
          {free ?? (image === null ? '—' : t('prices.image', { credits: formatRate(image) }))}
        </td>
      ) : (
        <>
          <td data-number>{formatRate(tokens.in)}</td>
          <td data-number>{formatRate(tokens.out)}</td>
        </>
      )}
      <td data-number data-from="sm">
        {!free && tokens ? formatRate(tokens.cached) : ''}
      </td>
      <td data-number data-from="sm" className={table['quiet']}>
        {!free && pricedAt ? formatDay(pricedAt) : ''}
      </td>
    </tr>
  );
}

const isFree = ({ key, tokens, image }: CreditPrice) =>
  key === 'none' || (tokens ? tokens.in + tokens.out === 0 : image === 0);

const formatRate = (credits: number) =>
  new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 6 }).format(credits);
