import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, Select, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { categories, type Category, type PublicBot } from '../../../shared/contracts/explore.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation, type Locale } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { Filters } from '../../ui/filters.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Segments } from '../../ui/segments.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useOpenTab } from '../../ui/use-open-tab.ts';
import { PublicCard } from './public-card.tsx';
import { useFeatured, usePublicBots } from './explore.queries.ts';
import classes from './explore.module.css';

export interface Looked {
  q: string;
  category: Category | undefined;
  language: Locale | undefined;
  copying: 'knowledge' | undefined;
}

interface Props extends Looked {
  onChange(next: Partial<Looked>): void;
}

const locales = ['en', 'ja'] as const;
const sorts = ['popular', 'new'] as const;

/** Bots that anybody may try: those that the operator has chosen, and all by what they are about. */
export function ExploreList({ q, category, language, copying, onChange }: Props) {
  const { t } = useTranslation('explore');
  const user = useUser();
  const tabs = useOpenTab(category ?? 'all');
  const [sort, setSort] = useState<(typeof sorts)[number]>('popular');
  const isNarrow = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  const bots = usePublicBots({ q, category, language, copying, sort });
  const isAll = !q && !category && !language && !copying;
  const chosen = useFeatured(isAll).data;
  const featured = isAll && chosen ? chosen : [];
  // Nothing stands there twice.
  const isOther = ({ uuid }: { uuid: string }) => !featured.some((each) => each.uuid === uuid);
  const listed = bots.data?.filter(isOther);
  const isAllChosen = featured.length > 0 && listed?.length === 0 && !bots.hasNextPage;
  const tools = (
    <div className={classes['tools']}>
      <div className={classes['find']}>
        <SearchInput
          value={q}
          onChange={(next) => onChange({ q: next })}
          label={t('search')}
          clearLabel={t('common:clear')}
        />
      </div>
      <Filters label={t('common:filters')} count={[language, user && copying].filter(Boolean).length}>
        <Select
          className={classes['language'] ?? ''}
          aria-label={t('language')}
          value={language ?? 'any'}
          onChange={(next) => onChange({ language: locales.find((each) => each === next) })}
          data={[
            { value: 'any', label: t('anyLanguage') },
            ...locales.map((value) => ({ value, label: t(`languages.${value}`) })),
          ]}
          allowDeselect={false}
        />
        {user && (
          <Checkbox
            label={t('withDocuments')}
            checked={copying === 'knowledge'}
            onChange={(event) => onChange({ copying: event.currentTarget.checked ? 'knowledge' : undefined })}
          />
        )}
      </Filters>
    </div>
  );
  // One alone has no order, and where nobody has tried any there is none of that.
  const isOrdered = listed
    ? listed.length > 1 && (sort !== 'popular' || listed.some(({ tries }) => tries > 0))
    : sort !== 'popular';
  const order = isOrdered && (
    <Segments
      label={t('sort.label')}
      value={sort}
      onChange={setSort}
      options={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
    />
  );
  const tabbed = (
    <Tabs
      className={user ? undefined : classes['tabbed']}
      value={category ?? 'all'}
      onChange={(next) => onChange({ category: categories.find((each) => each === next) })}
    >
      <Tabs.List ref={tabs} aria-label={t('categoriesLabel')}>
        <Tabs.Tab value="all">{t('all')}</Tabs.Tab>
        {categories.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {t(`categories.${each}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={category ?? 'all'}>
        {user && isAll && !isNarrow && <p className={classes['about']}>{t('about')}</p>}
        {user && isNarrow && tools}
        {featured.length > 0 && (
          <Section title={t('featured')} end={<span className={classes['quiet']}>{t('featuredBy')}</span>}>
            <Cards bots={featured} isFeatured />
          </Section>
        )}
        {!isAllChosen && (
          <Section
            title={
              q
                ? t('found', { q })
                : category
                  ? t(`categories.${category}`)
                  : t(copying ? 'withDocuments' : featured.length > 0 ? 'others' : 'everything')
            }
            count={
              isAll || !listed?.length ? undefined : `${formatNumber(listed.length)}${bots.hasNextPage ? '+' : ''}`
            }
            end={order}
          >
            <PagedList
              query={bots}
              labels={{ failed: t('failed'), reason: errorText, retry: t('common:retry'), more: t('common:more') }}
              empty={
                isAll ? (
                  <EmptyState drawing="bots" title={t('empty.title')} text={t('empty.text')} />
                ) : (
                  <EmptyState
                    drawing="search"
                    title={t(q || language || copying ? 'noHit.title' : 'noHit.here')}
                    text={t('noHit.text')}
                    action={
                      <Button
                        variant="default"
                        onClick={() =>
                          onChange({ q: '', category: undefined, language: undefined, copying: undefined })
                        }
                      >
                        {t('noHit.all')}
                      </Button>
                    }
                  />
                )
              }
            >
              {(rows): ReactNode => <Cards bots={rows.filter(isOther)} category={category} />}
            </PagedList>
          </Section>
        )}
      </Tabs.Panel>
    </Tabs>
  );
  if (user)
    return (
      <Page title={t('common:page.explore')} actions={!isNarrow && tools}>
        {tabbed}
      </Page>
    );
  return (
    <>
      <header className={classes['hero']}>
        <div className={classes['lead']}>
          <div>
            <h1 {...pageTitle}>{t('open.title')}</h1>
            <p>{t('open.text')}</p>
          </div>
          <Button component={Link} to="/Register">
            {t('makeOwn')}
          </Button>
        </div>
        {tools}
      </header>
      {tabbed}
    </>
  );
}

interface ShownCards {
  bots: PublicBot[];
  /** What all of them are about. */
  category?: Category | undefined;
  isFeatured?: boolean;
}

/** As many beside each other as there is room for; those that are featured fill the width, and on a phone are scrolled through. */
function Cards({ bots, category, isFeatured = false }: ShownCards) {
  return (
    <div className={classes['area']}>
      <ul className={classes['cards']} data-featured={isFeatured ? bots.length : undefined}>
        {bots.map((bot) => (
          <li key={bot.uuid}>
            <PublicCard bot={bot} isFeatured={isFeatured} isOfMany={!category} />
          </li>
        ))}
      </ul>
    </div>
  );
}
