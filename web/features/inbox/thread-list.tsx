import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChevronDown, IconFilter, IconSearch, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay, useUser } from '../../lib/session.ts';
import { useOpener } from '../../ui/anchored.tsx';
import { later } from '../../ui/later.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useNear } from '../../ui/use-scroll.ts';
import { useChannels, useCounts, useThreads } from './inbox.queries.ts';
import type { InboxView } from '../../../shared/contracts/inbox.ts';
import type { Filter } from './rows.ts';
import { ThreadRow } from './thread-row.tsx';
import classes from './inbox.module.css';

const ViewsMenu = later(async () => (await import('./views-menu.tsx')).ViewsMenu);
const FilterMenu = later(async () => (await import('./filter-menu.tsx')).FilterMenu);

const tabs: readonly InboxView[] = ['all', 'waiting', 'mine', 'bot'];

interface Props {
  filter: Filter;
  thread: string | undefined;
  onFilter(changes: Partial<Filter>): void;
}

/** The address of a list; its rows add the conversation. */
export const searchOf = (filter: Filter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([key, value]) => value && !(key === 'view' && value === 'all')));

export function ThreadList({ filter, thread, onFilter }: Props) {
  const { t } = useTranslation('inbox');
  const user = useUser()?.uuid;
  const threads = useThreads(filter);
  const now = useMinutes();
  const box = useRef<HTMLDivElement>(null);
  const mentions = useCounts().data?.mentions;
  const rows = threads.data?.pages.flatMap(({ data }) => data) ?? [];
  const end = useNear({
    box,
    isOn: threads.hasNextPage && !threads.isFetchingNextPage && !threads.isError,
    mark: rows.length,
    onNear: () => void threads.fetchNextPage(),
  });
  const isNarrowed = filter.q || filter.channel || filter.bot || filter.tag;
  const search = searchOf(filter);

  return (
    <section className={classes['list']} aria-label={t('common:page.friend')}>
      <Head filter={filter} onFilter={onFilter} />
      <Tabs filter={filter} thread={thread} onFilter={onFilter} />
      <Narrowed filter={filter} onFilter={onFilter} />
      <div className={classes['rows']} ref={box} data-rows>
        {threads.isPending && <WaitingRows />}
        {threads.isError && rows.length === 0 && (
          <ErrorState
            title={t('list.failed')}
            text={errorText(threads.error)}
            retry={t('common:retry')}
            onRetry={() => void threads.refetch()}
          />
        )}
        {threads.isSuccess &&
          rows.length === 0 &&
          (isNarrowed ? (
            <p className={classes['noMatch']}>
              {filter.q ? t('list.noMatch', { q: filter.q }) : t('list.noneHere')}
              {gap()}
              <button
                type="button"
                onClick={() =>
                  onFilter({ view: 'all', q: undefined, channel: undefined, bot: undefined, tag: undefined })
                }
              >
                {t('list.showAll')}
              </button>
            </p>
          ) : filter.view === 'all' ? (
            <NobodyYet />
          ) : (
            <EmptyState
              drawing="mails"
              title={t(`empty.${filter.view}.title`)}
              text={t(`empty.${filter.view}.text`)}
              action={
                <Button variant="default" size="xs" onClick={() => onFilter({ view: 'all' })}>
                  {t('list.showAll')}
                </Button>
              }
            />
          ))}
        <ul aria-label={t('list.label')} data-stale={threads.isPlaceholderData || undefined}>
          {rows.map((each) => (
            <ThreadRow
              key={each.uuid}
              thread={each}
              search={search}
              isActive={each.uuid === thread}
              hasState={filter.view === 'all' || filter.view === 'unassigned'}
              isNaming={mentions?.includes(each.uuid) ?? false}
              user={user}
              now={now}
              onKeyDown={walk}
            />
          ))}
        </ul>
        {threads.isError && rows.length > 0 && (
          <p role="alert" className={classes['noMatch']}>
            {errorText(threads.error)}
            {gap()}
            <button type="button" onClick={() => void threads.refetch()}>
              {t('common:retry')}
            </button>
          </p>
        )}
        {threads.hasNextPage && (
          <div ref={end} className={classes['more']}>
            <Button
              variant="subtle"
              size="xs"
              color="gray"
              loading={threads.isFetchingNextPage}
              onClick={() => void threads.fetchNextPage()}
            >
              {t('common:more')}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** The views that are used all day, the others in a menu; one of these that is shown stands first. */
function Tabs({ filter, thread, onFilter }: Props) {
  const { t } = useTranslation('inbox');
  const views = useCounts().data?.views;
  const { isOpen, close, button } = useOpener('menu');
  return (
    <div className={classes['tabBar']}>
      <nav className={classes['tabs']} aria-label={t('list.views')}>
        {(tabs.includes(filter.view) ? tabs : [filter.view, ...tabs]).map((view) => {
          const count = views && views.all > 0 ? views[view] : undefined;
          const isShown = view === filter.view;
          return (
            <Link
              key={view}
              to="/Friend"
              search={{ ...searchOf({ ...filter, view }), ...(thread && { thread }) }}
              // By itself a link takes every view for its page.
              activeOptions={{ exact: true }}
              aria-current={isShown ? 'page' : undefined}
            >
              {t(`view.${view}`)}
              {count !== undefined && (
                <span className={view === 'waiting' && count > 0 ? classes['seal'] : classes['count']}>
                  {countOf(count)}
                </span>
              )}
            </Link>
          );
        })}
      </nav>
      <span className={classes['anchor']}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('list.moreViews')}
          title={t('list.moreViews')}
          {...button}
          {...ViewsMenu.reach}
        >
          <IconChevronDown size={16} stroke={1.75} />
        </ActionIcon>
        {isOpen && (
          <ViewsMenu view={filter.view} onView={(view) => onFilter({ view })} onClose={close} onFail={close} />
        )}
      </span>
    </div>
  );
}

/** Who has no website yet finds the way to one. */
function NobodyYet() {
  const { t } = useTranslation('inbox');
  const channels = useChannels().data;
  const mayEdit = useMay('edit');
  const isNowhere = channels?.length === 0;
  return (
    <EmptyState
      drawing="mails"
      title={t('list.empty')}
      text={t(!isNowhere ? 'list.emptyText' : mayEdit ? 'list.noWebsite' : 'list.noWebsiteForReaders')}
      action={
        isNowhere &&
        mayEdit && (
          <Button component={Link} to="/Web-Channel">
            {t('list.addWebsite')}
          </Button>
        )
      }
    />
  );
}

/** More than a thousand are not counted. */
export const countOf = (count: number) => (count >= 1000 ? `${formatNumber(999)}+` : formatNumber(count));

/** The arrow keys go from row to row, as in a list of mails. */
function walk(event: KeyboardEvent<HTMLAnchorElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  goToRow(step);
}

/** To the next or the former row, from where one is, or from the conversation that is open. */
export function goToRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-rows] [data-row]')];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const from = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === 'page');
  const row = rows[from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))];
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

function Head({ filter, onFilter }: Pick<Props, 'filter' | 'onFilter'>) {
  const { t } = useTranslation('inbox');
  const [isSearching, setIsSearching] = useState(Boolean(filter.q));
  const [text, setText] = useState(filter.q ?? '');
  // Back, or another way to the page, has another search.
  const [shown, setShown] = useState(filter.q);
  if (shown !== filter.q) {
    setShown(filter.q);
    if ((filter.q ?? '') !== text.trim()) setText(filter.q ?? '');
    if (filter.q) setIsSearching(true);
  }
  const field = useRef<HTMLInputElement>(null);
  const tell = useDebouncedCallback((q: string) => onFilter({ q: q.trim() || undefined }), 250);
  const { isOpen, close, button } = useOpener('menu');
  const count = [filter.channel, filter.bot, filter.tag].filter(Boolean).length;
  const leave = () => {
    setIsSearching(false);
    setText('');
    tell.cancel();
    if (filter.q) onFilter({ q: undefined });
  };
  const filters = (
    <span className={classes['anchor']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={count > 0 ? t('common:filtersSet', { set: String(count) }) : t('common:filters')}
        title={t('common:filters')}
        {...button}
        {...FilterMenu.reach}
      >
        <IconFilter size={16} stroke={1.75} />
      </ActionIcon>
      {isOpen && <FilterMenu filter={filter} onFilter={onFilter} onClose={close} onFail={close} />}
    </span>
  );
  return (
    <header className={classes['bar']} role={isSearching ? 'search' : undefined}>
      <h1 {...pageTitle} className={classes['title']} data-hidden={isSearching || undefined}>
        {t('common:page.friend')}
      </h1>
      {isSearching ? (
        <TextInput
          ref={field}
          autoFocus
          type="search"
          size="xs"
          data-page-search
          className={classes['search'] ?? ''}
          placeholder={t('list.search')}
          aria-label={t('list.search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          maxLength={200}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            tell(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) leave();
            if (event.key === 'ArrowDown') {
              event.preventDefault();
              goToRow(0);
            }
          }}
        />
      ) : null}
      <span className={classes['barEnd']}>
        {filters}
        {isSearching ? (
          <ActionIcon variant="subtle" color="gray" aria-label={t('list.endSearch')} onClick={leave}>
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            data-page-search
            aria-label={t('list.search')}
            title={t('list.search')}
            onClick={() => setIsSearching(true)}
          >
            <IconSearch size={16} stroke={1.75} />
          </ActionIcon>
        )}
      </span>
    </header>
  );
}

/** What the list is narrowed to besides its tab, each with a cross. */
function Narrowed({ filter, onFilter }: Pick<Props, 'filter' | 'onFilter'>) {
  const { t } = useTranslation('inbox');
  const chips: { key: keyof Filter; name: ReactNode }[] = [
    ...(filter.channel ? [{ key: 'channel', name: <ChannelName uuid={filter.channel} /> } as const] : []),
    ...(filter.bot ? [{ key: 'bot', name: <BotName uuid={filter.bot} /> } as const] : []),
    ...(filter.tag ? [{ key: 'tag', name: filter.tag } as const] : []),
  ];
  if (chips.length === 0) return null;
  return (
    <div className={classes['narrowed']} role="group" aria-label={t('list.narrowed')}>
      {chips.map(({ key, name }) => (
        <button key={key} type="button" className={classes['chip']} onClick={() => onFilter({ [key]: undefined })}>
          <span>{name}</span>
          <IconX size={12} role="img" aria-label={t('common:remove')} />
        </button>
      ))}
    </div>
  );
}

function ChannelName({ uuid }: { uuid: string }) {
  return useChannels().data?.find(({ channelId }) => channelId === uuid)?.name ?? '…';
}

function BotName({ uuid }: { uuid: string }) {
  return useChannels().data?.find(({ bot }) => bot?.uuid === uuid)?.bot?.name ?? '…';
}

const widths = [
  [34, 72],
  [46, 58],
  [28, 80],
  [40, 64],
  [52, 70],
  [30, 50],
];

function WaitingRows() {
  const { t } = useTranslation('common');
  return (
    <div role="status" aria-label={t('loading')}>
      {widths.map(([name, text]) => (
        <div key={name} className={classes['row']}>
          <Skeleton height={34} circle className={classes['face'] ?? ''} animate={false} />
          <Skeleton height={12} width={`${name}%`} animate={false} />
          <Skeleton height={12} width={`${text}%`} animate={false} />
        </div>
      ))}
    </div>
  );
}

/** The time, anew with each minute. */
export function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
