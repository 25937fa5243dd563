import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatShort, usualTokens } from '../../lib/amounts.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { Section } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './billing.module.css';
import { creditsOf, formatAbout, isFree, useBotsOf, usePrices, type PricedModel } from './billing.queries.ts';

/** With this many one looks for a name. */
const manyModels = 12;

interface Props {
  /** What a credit costs in money, where it is sold. */
  worth?: ReactNode;
}

/** What each model costs that answers here, in credits; those that bots answer with come first. */
export function Prices({ worth }: Props) {
  const { t } = useTranslation('billing');
  const { data, error, refetch } = usePrices();
  const botsOf = useBotsOf();
  const [q, setQ] = useState('');
  const wanted = q.normalize('NFKC').trim().toLocaleLowerCase();
  const found = data
    ?.filter(({ name }) => name.normalize('NFKC').toLocaleLowerCase().includes(wanted))
    .map((price) => ({ ...price, bots: botsOf?.(price.uuid) ?? 0 }))
    .toSorted((one, other) => other.bots - one.bots || Number(one.image !== null) - Number(other.image !== null));
  const long = found?.flatMap((price) =>
    !isFree(price) && price.tokens?.long ? { ...price, tokens: price.tokens.long } : [],
  );
  return (
    <div className={classes['prices']}>
      <Section
        title={t('prices.heading')}
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
        ) : !data || !found || !long || !botsOf ? (
          <SkeletonRows />
        ) : (
          <>
            {found.length === 0 ? (
              <p className={classes['hint']}>{t('prices.none', { q })}</p>
            ) : (
              <Table prices={found} note={!data.every(isFree) && worth} />
            )}
            {long.length > 0 && (
              <details className={classes['fold']}>
                <summary>
                  {t('prices.above', { above: formatShort(Math.min(...long.map(({ tokens }) => tokens.above))) })}
                </summary>
                <Table prices={long} isLong />
              </details>
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
    </div>
  );
}

const rates = ['in', 'out', 'cached'] as const;

/** With how many bots answer with it. */
type Shown = PricedModel & { bots: number };

interface TableProps {
  prices: Shown[];
  /** Of prompts so long that they have rates of their own. */
  isLong?: boolean;
  /** Stands above it. */
  note?: ReactNode;
}

function Table({ prices, isLong = false, note }: TableProps) {
  const { t } = useTranslation('billing');
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const paid = prices.filter((price) => !isFree(price));
  const hasTokens = paid.some(({ tokens }) => tokens);
  const dates = paid.flatMap(({ pricedAt }) => pricedAt ?? []).toSorted();
  const [from, until] = [dates[0], dates.at(-1)];
  const hasDates = !isLong && !isPhone && from !== undefined;
  const usual = { in: formatNumber(usualTokens.in), out: formatNumber(usualTokens.out) };
  const Rows = isPhone ? PhoneRows : Row;
  const heads =
    hasTokens &&
    rates.map((rate) => <Head key={rate} name={t(`prices.${rate}`)} unit={!isPhone && t('prices.perMillion')} />);
  return (
    <>
      <div className={`${classes['hint']} ${classes['about']}`}>
        {note}
        {isPhone && hasTokens && <p>{t(isLong ? 'prices.longRates' : 'prices.usualAnswer', usual)}</p>}
      </div>
      <table className={`${table['list']} ${classes['rates']}`}>
        <thead>
          <tr>
            <th colSpan={isPhone && hasTokens ? (isLong ? 3 : 2) : 1}>{t('prices.model')}</th>
            {!isLong && (
              <Head
                name={t(hasTokens ? 'prices.answer' : 'prices.price')}
                unit={hasTokens && !isPhone && t('prices.answerOf', usual)}
              />
            )}
            {!isPhone && heads}
            {hasDates && <Head name={t('prices.asOf')} />}
          </tr>
          {isPhone && heads && <tr>{heads}</tr>}
        </thead>
        <tbody>
          {prices.map((price) => (
            <Rows key={price.uuid} price={price} isLong={isLong} hasTokens={hasTokens} hasDates={hasDates} />
          ))}
        </tbody>
      </table>
      {isPhone && !isLong && from && until && (
        <p className={`${classes['hint']} ${classes['about']}`}>
          {t('prices.dates', { from: formatDay(from), until: formatDay(until) })}
        </p>
      )}
    </>
  );
}

const Head = ({ name, unit }: { name: string; unit?: string | false }) => (
  <th data-number>
    {name}
    {unit && <small>{unit}</small>}
  </th>
);

interface RowProps {
  price: Shown;
  isLong: boolean;
  hasTokens: boolean;
  hasDates: boolean;
}

function Row({ price, isLong, hasTokens, hasDates }: RowProps) {
  const { tokens, pricedAt } = price;
  const isWithout = isFree(price);
  return (
    <tr>
      <td>
        <Name price={isLong ? { ...price, bots: 0 } : price} isPhone={false} />
      </td>
      {!isLong && <Cost price={price} />}
      {hasTokens &&
        rates.map((rate) => (
          <td key={rate} data-number>
            {!isWithout && tokens && formatRate(tokens[rate])}
          </td>
        ))}
      {hasDates && (
        <td data-number className={table['quiet']}>
          {!isWithout && pricedAt && formatDay(pricedAt)}
        </td>
      )}
    </tr>
  );
}

/** What a million tokens cost stands below the name. */
function PhoneRows({ price, isLong, hasTokens }: RowProps) {
  const { tokens } = price;
  const hasRates = !isFree(price) && tokens;
  return (
    <>
      <tr data-goes-on={Boolean(hasRates)}>
        <td colSpan={hasTokens ? (isLong ? 3 : 2) : 1}>
          <Name price={isLong ? { ...price, bots: 0 } : price} isPhone />
        </td>
        {!isLong && <Cost price={price} />}
      </tr>
      {hasRates && (
        <tr>
          {rates.map((rate) => (
            <td key={rate} data-number className={table['quiet']}>
              {formatRate(tokens[rate])}
            </td>
          ))}
        </tr>
      )}
    </>
  );
}

function Name({ price: { name, avatar, image, bots }, isPhone }: { price: Shown; isPhone: boolean }) {
  const { t } = useTranslation('billing');
  const shown = modelName(name);
  return (
    <span className={classes['model']}>
      <img src={avatar.url} alt="" width={20} height={20} />
      <span title={shown}>{shown}</span>
      {image !== null && <small>{t('prices.images')}</small>}
      {bots > 0 && (
        <small className={classes['used']} title={t('prices.bots', { count: bots })}>
          {isPhone ? t('prices.used') : t('prices.bots', { count: bots })}
        </small>
      )}
    </span>
  );
}

/** Of an answer as it usually is, or of a picture. */
function Cost({ price }: { price: Shown }) {
  const { t } = useTranslation('billing');
  const { key, tokens, image } = price;
  return (
    <td data-number className={classes['cost']}>
      {isFree(price)
        ? t(key === 'workspace' ? 'prices.ownKey' : 'prices.free')
        : tokens
          ? formatAbout(creditsOf(tokens))
          : image !== null && t('prices.image', { credits: formatRate(image) })}
    </td>
  );
}

const formatRate = (credits: number) =>
  new Intl.NumberFormat(currentLocale(), { maximumSignificantDigits: 6 }).format(credits);
