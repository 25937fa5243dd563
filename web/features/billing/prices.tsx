import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatShort, usualTokens } from '../../lib/amounts.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatDay, formatNumber, gap } from '../../lib/format.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { Section } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import classes from './billing.module.css';
import { creditsOf, formatAbout, isFree, useBotsOf, usePrices, type PricedModel } from './billing.queries.ts';

/** With this many one looks for a name. */
const manyModels = 12;

/** What so many credits cost, and whether that depends on how they are bought. */
interface Money {
  varies: boolean;
  format(credits: number): string;
}

interface Props {
  /** Null where credits are not sold, nothing while that is on its way. */
  money: Money | null | undefined;
}

/** What each model costs that answers here, in credits; those that bots use come first. */
export function Prices({ money }: Props) {
  const { t } = useTranslation('billing');
  const { data, error, refetch } = usePrices();
  const botsOf = useBotsOf();
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [q, setQ] = useState('');
  const wanted = q.normalize('NFKC').trim().toLocaleLowerCase();
  const found = data
    ?.filter(({ name }) => name.normalize('NFKC').toLocaleLowerCase().includes(wanted))
    .map((price) => ({ ...price, bots: botsOf?.(price.uuid).using ?? 0 }))
    .toSorted((one, other) => other.bots - one.bots || Number(one.image !== null) - Number(other.image !== null));
  const rated = found?.filter((price) => !isFree(price) && price.tokens) ?? [];
  const long = Map.groupBy(
    rated.flatMap((price) => (price.tokens?.long ? { ...price, tokens: price.tokens.long } : [])),
    ({ tokens }) => tokens.above,
  );
  return (
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
          text={errorText(error)}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data || !found || !botsOf || money === undefined ? (
        <SkeletonRows />
      ) : (
        <>
          {!data.every(isFree) && (
            <p className={`${classes['hint']} ${classes['about']}`}>
              {money && (
                <>
                  {t(money.varies ? 'prices.worthSpan' : 'prices.worth', { price: money.format(1) })}
                  {gap()}
                  <Link to="/Token" search={{ tab: 'purchases' }}>
                    {t('buy')}
                  </Link>
                </>
              )}
              {rated.length > 0 && (
                <span>
                  {t('prices.usual', { in: formatNumber(usualTokens.in), out: formatNumber(usualTokens.out) })}
                </span>
              )}
            </p>
          )}
          {found.length === 0 ? (
            <p className={`${classes['hint']} ${classes['about']}`}>{t('prices.none', { q })}</p>
          ) : (
            <Table prices={found} money={money} isPhone={isPhone} />
          )}
          {isPhone && rated.length > 0 && (
            <Fold title={t('prices.millions')}>
              <RateList prices={rated} />
            </Fold>
          )}
          {[...long].map(([above, prices]) => (
            <Fold key={above} title={t('prices.above', { above: formatShort(above) })}>
              {isPhone ? <RateList prices={prices} /> : <Table prices={prices} isLong />}
            </Fold>
          ))}
          <p className={`${classes['hint']} ${classes['about']}`}>
            {t(data.every(isFree) ? 'prices.hintFree' : 'prices.hint')}
            {gap()}
            <Link to="/Token" search={{ tab: 'models' }}>
              {t('prices.toKeys')}
            </Link>
          </p>
        </>
      )}
    </Section>
  );
}

const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className={classes['fold']}>
    <summary>
      <IconChevronRight size={16} aria-hidden />
      {title}
    </summary>
    {children}
  </details>
);

/** With how many bots use it. */
type Shown = PricedModel & { bots: number };
const rates = ['in', 'out', 'cached'] as const;
type Column = 'price' | 'answer' | 'money' | 'asOf' | (typeof rates)[number];

interface TableProps {
  prices: Shown[];
  money?: Money | null;
  /** What it costs in money stands below the credits, and nothing beside them. */
  isPhone?: boolean | undefined;
  /** Of prompts so long that they have rates of their own. */
  isLong?: boolean;
}

function Table({ prices, money = null, isPhone = false, isLong = false }: TableProps) {
  const { t } = useTranslation('billing');
  const paid = prices.filter((price) => !isFree(price));
  const hasTokens = paid.some(({ tokens }) => tokens);
  const hasDates = !isPhone && !isLong && paid.some(({ pricedAt }) => pricedAt);
  const columns: Column[] = [
    ...(isLong ? [] : ([hasTokens ? 'answer' : 'price'] as const)),
    ...(!isLong && !isPhone && hasTokens && money ? (['money'] as const) : []),
    ...(!isPhone && hasTokens ? rates : []),
    ...(hasDates ? (['asOf'] as const) : []),
  ];
  const isRate = (column: Column) => rates.some((rate) => rate === column);
  const groups = [prices.filter(({ bots }) => bots > 0), prices.filter(({ bots }) => bots === 0)];
  const isGrouped = !isLong && groups.every((group) => group.length > 0);
  const shown = isGrouped ? groups : [prices];
  return (
    <table className={`${table['list']} ${classes['prices']}`}>
      <thead>
        <tr>
          <th>{t('prices.model')}</th>
          {columns.map((column) => (
            <th key={column} data-number>
              {t(`prices.${column}`)}
              {isRate(column) && <small>{t('prices.perMillion')}</small>}
            </th>
          ))}
        </tr>
      </thead>
      {shown.map((group, at) => (
        <tbody key={at}>
          {isGrouped && (
            <tr className={classes['group']}>
              <th scope="rowgroup" colSpan={columns.length + 1}>
                {t(at === 0 ? 'prices.used' : 'prices.others')}
              </th>
            </tr>
          )}
          {group.map((price) => (
            <tr key={price.uuid}>
              <td>
                <Name price={price} bots={isLong ? 0 : price.bots} />
              </td>
              {columns.map((column) => (
                <Cell key={column} {...{ column, price, money, isPhone }} />
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface CellProps {
  column: Column;
  price: Shown;
  money: Money | null;
  isPhone: boolean;
}

function Cell({ column, price, money, isPhone }: CellProps) {
  const { t } = useTranslation('billing');
  const { key, tokens, image, pricedAt } = price;
  const isWithout = isFree(price);
  const answer = !isWithout && tokens ? creditsOf(tokens) : undefined;
  if (column === 'answer' || column === 'price')
    return (
      <td data-number className={classes['cost']}>
        {isWithout
          ? t(key === 'workspace' ? 'prices.ownKey' : 'prices.free')
          : answer !== undefined
            ? formatAbout(answer)
            : image === null
              ? '–'
              : t('prices.image', { credits: formatRate(image) })}
        {isPhone && answer !== undefined && money && <small>{money.format(answer)}</small>}
      </td>
    );
  const words =
    column === 'money'
      ? answer !== undefined && money?.format(answer)
      : column === 'asOf'
        ? !isWithout && pricedAt && formatDay(pricedAt)
        : !isWithout && tokens && formatRate(tokens[column]);
  return (
    <td data-number className={!words || column === 'asOf' || column === 'money' ? table['quiet'] : undefined}>
      {words || '–'}
    </td>
  );
}

function Name({ price: { name, avatar, image }, bots = 0 }: { price: PricedModel; bots?: number }) {
  const { t } = useTranslation('billing');
  const shown = modelName(name);
  return (
    <span className={classes['model']}>
      <img src={avatar.url} alt="" width={20} height={20} />
      <span title={shown}>{shown}</span>
      {image !== null && <small>{t('prices.images')}</small>}
      {bots > 0 && <small>{t('prices.bots', { count: bots })}</small>}
    </span>
  );
}

/** What a million tokens cost, below each name. */
function RateList({ prices }: { prices: PricedModel[] }) {
  const { t } = useTranslation('billing');
  return (
    <ul className={classes['lines']}>
      {prices.map((price) => (
        <li key={price.uuid}>
          <div>
            <Name price={price} />
            {price.pricedAt && <small>{t('prices.asOfDay', { day: formatDay(price.pricedAt) })}</small>}
          </div>
          {price.tokens && (
            <small>
              {t('prices.ratesOf', {
                in: formatRate(price.tokens.in),
                out: formatRate(price.tokens.out),
                cached: formatRate(price.tokens.cached),
              })}
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}

const formatRate = (credits: number) =>
  new Intl.NumberFormat(formatLocale(), { maximumSignificantDigits: 6 }).format(credits);
