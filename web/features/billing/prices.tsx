import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreditPrice } from '../../../shared/contracts/usage.ts';
import { formatShort } from '../../lib/amounts.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { Section } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './billing.module.css';
import { isFree, usePrices } from './billing.queries.ts';

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
          <p className={`${classes['hint']} ${classes['about']}`}>
            {t(data.every(isFree) ? 'prices.hintFree' : 'prices.hint')}{' '}
            <Link to="/Token" search={{ tab: 'models' }}>
              {t('prices.toKeys')}
            </Link>
          </p>
          {found.length === 0 ? <p className={classes['hint']}>{t('prices.none', { q })}</p> : <List prices={found} />}
        </>
      )}
    </Section>
  );
}

type Column = 'in' | 'out' | 'cached' | 'asOf';

function List({ prices }: { prices: CreditPrice[] }) {
  const { t } = useTranslation('billing');
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const paid = prices.filter((price) => !isFree(price));
  const columns: Column[] = [
    ...(paid.some(({ tokens }) => tokens) ? (['in', 'out'] as const) : []),
    ...(!isPhone && paid.some(({ tokens }) => tokens) ? (['cached'] as const) : []),
    ...(!isPhone && paid.some(({ pricedAt }) => pricedAt) ? (['asOf'] as const) : []),
  ];
  return (
    <table className={table['list']}>
      <thead>
        <tr>
          <th>{t('prices.model')}</th>
          {columns.map((column) => (
            <th key={column} data-number className={classes[column]}>
              {t(`prices.${column}`)}
            </th>
          ))}
          {columns.length === 0 && <th data-number>{t('prices.price')}</th>}
        </tr>
      </thead>
      <tbody>
        {prices.map((price) => (
          <Row key={price.uuid} price={price} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ price, columns }: { price: CreditPrice; columns: Column[] }) {
  const { t } = useTranslation('billing');
  const { name, avatar, key, tokens, image, pricedAt } = price;
  const shown = modelName(name);
  const isWithout = isFree(price);
  const inOne = isWithout
    ? t(key === 'workspace' ? 'prices.ownKey' : 'prices.free')
    : !tokens && (image === null ? '—' : t('prices.image', { credits: formatRate(image) }));
  return (
    <tr className={classes['price']}>
      <td>
        <span className={classes['model']}>
          <img src={avatar.url} alt="" width={20} height={20} />
          <span title={shown}>{shown}</span>
        </span>
        {!isWithout && tokens?.long && (
          <small title={t('prices.longHint', { above: formatNumber(tokens.long.above) })}>
            {t('prices.long', { above: formatShort(tokens.long.above) })}
          </small>
        )}
      </td>
      {inOne !== false && (
        <td colSpan={Math.max(1, columns.filter((column) => column !== 'asOf').length)} data-number>
          {inOne}
        </td>
      )}
      {columns.map((column) =>
        column === 'asOf' ? (
          <td key={column} data-number className={table['quiet']}>
            {!isWithout && pricedAt ? formatDay(pricedAt) : ''}
          </td>
        ) : (
          inOne === false &&
          tokens && (
            <td key={column} data-number>
              {formatRate(tokens[column])}
              {tokens.long && <small>{formatRate(tokens.long[column])}</small>}
            </td>
          )
        ),
      )}
    </tr>
  );
}

const formatRate = (credits: number) =>
  new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 6 }).format(credits);
