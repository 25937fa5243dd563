import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreditPrice } from '../../../shared/contracts/usage.ts';
import { formatShort, usualTokens } from '../../lib/amounts.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { Section } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './billing.module.css';
import { creditsOf, formatAbout, isFree, usePrices } from './billing.queries.ts';

/** With this many one looks for a name. */
const manyModels = 12;

/** What each model costs that answers here, in credits. */
export function Prices() {
  const { t } = useTranslation('billing');
  const { data, error, refetch } = usePrices();
  const [q, setQ] = useState('');
  const [length, setLength] = useState<'usual' | 'long'>('usual');
  const long = (data ?? []).filter((price) => !isFree(price)).flatMap(({ tokens }) => tokens?.long?.above ?? []);
  const wanted = q.normalize('NFKC').trim().toLocaleLowerCase();
  const found = data?.filter(({ name }) => name.normalize('NFKC').toLocaleLowerCase().includes(wanted)) ?? [];
  return (
    <Section
      title={t('prices.heading')}
      end={
        <>
          {long.length > 0 && (
            <Segments
              label={t('prices.lengths')}
              value={length}
              options={[
                { value: 'usual', label: t('prices.standard') },
                { value: 'long', label: t('prices.above', { above: formatShort(Math.min(...long)) }) },
              ]}
              onChange={setLength}
            />
          )}
          {data && data.length >= manyModels && (
            <TextInput
              size="xs"
              className={classes['search'] ?? ''}
              aria-label={t('prices.search')}
              placeholder={t('prices.search')}
              leftSection={<IconSearch size={14} />}
              value={q}
              onChange={(event) => setQ(event.currentTarget.value)}
            />
          )}
        </>
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
          {found.length === 0 ? (
            <p className={classes['hint']}>{t('prices.none', { q })}</p>
          ) : (
            <List prices={found} isLong={length === 'long'} />
          )}
          <p className={`${classes['hint']} ${classes['about']}`}>
            {t(data.every(isFree) ? 'prices.hintFree' : 'prices.hint')}{' '}
            <Link to="/Token" search={{ tab: 'models' }}>
              {t('prices.toKeys')}
            </Link>
          </p>
        </>
      )}
    </Section>
  );
}

type Column = 'in' | 'out' | 'cached' | 'answer' | 'asOf';

function List({ prices, isLong }: { prices: CreditPrice[]; isLong: boolean }) {
  const { t } = useTranslation('billing');
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const paid = prices.filter((price) => !isFree(price));
  const hasTokens = paid.some(({ tokens }) => tokens);
  const columns: Column[] = [
    ...(hasTokens ? (['answer'] as const) : []),
    ...(hasTokens && !isPhone ? (['in', 'out', 'cached'] as const) : []),
    ...(!isPhone && paid.some(({ pricedAt }) => pricedAt) ? (['asOf'] as const) : []),
  ];
  return (
    <>
      {hasTokens && (
        <p className={`${classes['hint']} ${classes['about']}`}>
          {isLong
            ? t('prices.longNote')
            : t('prices.usualAnswer', { in: formatNumber(usualTokens.in), out: formatNumber(usualTokens.out) })}
        </p>
      )}
      <table className={table['list']}>
        <thead>
          <tr>
            <th>{t('prices.model')}</th>
            {!hasTokens && <th data-number>{t('prices.price')}</th>}
            {columns.map((column) => (
              <th key={column} data-number className={classes[column]}>
                {t(`prices.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <Row key={price.uuid} price={price} columns={columns} isPhone={isPhone} isLong={isLong} />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface RowProps {
  price: CreditPrice;
  columns: Column[];
  /** What it costs stands below the name. */
  isPhone: boolean | undefined;
  /** Of prompts over the length from which they cost more. */
  isLong: boolean;
}

function Row({ price, columns, isPhone, isLong }: RowProps) {
  const { t } = useTranslation('billing');
  const { name, avatar, key, tokens, image, pricedAt } = price;
  const shown = modelName(name);
  const isWithout = isFree(price);
  const rates = (isLong && tokens?.long) || tokens;
  const inOne = isWithout
    ? t(key === 'workspace' ? 'prices.ownKey' : 'prices.free')
    : !tokens && (image === null ? '–' : t('prices.image', { credits: formatRate(image) }));
  const cellOf = (column: Column) => {
    if (column === 'asOf') return !isWithout && pricedAt ? formatDay(pricedAt) : '–';
    if (inOne !== false) return column === 'answer' ? inOne : '–';
    if (!tokens || !rates) return '–';
    if (column !== 'answer') return formatRate(rates[column]);
    return isLong ? '–' : formatAbout(creditsOf(tokens));
  };
  return (
    <tr className={classes['price']}>
      <td>
        <span className={classes['model']}>
          <img src={avatar.url} alt="" width={20} height={20} />
          <span title={shown}>{shown}</span>
          {image !== null && <small>{t('prices.images')}</small>}
        </span>
        {isPhone && rates && !isWithout && <Rates rates={rates} />}
      </td>
      {!columns.includes('answer') && <td data-number>{inOne}</td>}
      {columns.map((column) => (
        <td
          key={column}
          data-number
          className={column === 'asOf' || (inOne !== false && column !== 'answer') ? table['quiet'] : undefined}
        >
          {cellOf(column)}
        </td>
      ))}
    </tr>
  );
}

/** Below a name, so that they stand under each other from model to model. */
function Rates({ rates }: { rates: Record<'in' | 'out' | 'cached', number> }) {
  const { t } = useTranslation('billing');
  return (
    <small className={classes['rates']}>
      {(['in', 'out', 'cached'] as const).map((each) => (
        <span key={each}>
          {t(`prices.${each}`)} {formatRate(rates[each])}
        </span>
      ))}
    </small>
  );
}

const formatRate = (credits: number) =>
  new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 6 }).format(credits);
