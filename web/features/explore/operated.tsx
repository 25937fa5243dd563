import { ActionIcon, Button, Group, Menu, Select, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { IconDots, IconExternalLink, IconEye, IconEyeOff, IconStarOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { operatedStates, type OperatedListing, type Report } from '../../../shared/contracts/explore.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Filters } from '../../ui/filters.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { Section, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { useMeasure, useOperatedListings, useReports, type Measure, type OperatedState } from './explore.queries.ts';
import classes from './explore.module.css';

/** What the operator sees of public bots: what people report, and all of them with what may be done. */
export function ExplorePanel() {
  const { t } = useTranslation('explore');
  const [takingDown, setTakingDown] = useState<Ending>();
  return (
    <>
      <Reports onTakeDown={setTakingDown} />
      <Listings onTakeDown={setTakingDown} />
      {takingDown && (
        <Modal
          opened
          onClose={() => setTakingDown(undefined)}
          title={t(takingDown.state === 'review' ? 'operated.refusal.title' : 'operated.takeDown.title', {
            name: takingDown.name,
          })}
          centered
        >
          <TakeDownForm listing={takingDown} onClose={() => setTakingDown(undefined)} />
        </Modal>
      )}
    </>
  );
}

type Ending = Pick<Report['listing'], 'uuid' | 'name' | 'state'>;

interface PartProps {
  onTakeDown(listing: Ending): void;
}

function useDoing() {
  const measure = useMeasure();
  const act = (given: Measure) => measure.mutate(given, { onError: (error) => toast.error(errorText(error)) });
  return { act, isBusy: measure.isPending };
}

/** Nothing where nobody has reported anything. */
function Reports({ onTakeDown }: PartProps) {
  const { t } = useTranslation('explore');
  const reports = useReports();
  const count = reports.data?.length;
  if (reports.isPending || count === 0) return null;
  return (
    <div className={classes['reports']}>
      <Section title={t('operated.reports.title')} count={count}>
        <PagedList
          query={reports}
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={null}
        >
          {(rows) => (
            <ul className={classes['rows']}>
              {rows.map((report) => (
                <ReportRow key={report.uuid} report={report} onTakeDown={onTakeDown} />
              ))}
            </ul>
          )}
        </PagedList>
      </Section>
    </div>
  );
}

function ReportRow({ report, onTakeDown }: PartProps & { report: Report }) {
  const { t } = useTranslation('explore');
  const { act, isBusy } = useDoing();
  const { listing } = report;
  return (
    <li className={classes['row']} data-wraps>
      <div>
        <strong>
          <Link to="/Bot/$id/Chat" params={{ id: listing.bot }} target="_blank">
            {listing.name}
          </Link>
        </strong>{' '}
        <State kind="failed">{t(`report.reasons.${report.reason}`)}</State>
        {report.text && <p>{report.text}</p>}
        <span className={classes['quiet']} title={formatMoment(report.createdAt)}>
          {formatAgo(report.createdAt)}
        </span>
      </div>
      <Group gap={4} wrap="nowrap">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={isBusy}
          onClick={() => act({ what: 'settle', report: report.uuid })}
        >
          {t('operated.reports.settle')}
        </Button>
        {listing.state !== 'taken-down' && (
          <Button size="compact-sm" variant="default" onClick={() => onTakeDown(listing)}>
            {t('operated.takeDown.name')}
          </Button>
        )}
      </Group>
    </li>
  );
}

function Listings({ onTakeDown }: PartProps) {
  const { t } = useTranslation('explore');
  const [q, setQ] = useState('');
  const [state, setState] = useState<OperatedState>('all');
  const listings = useOperatedListings(q, state);
  const titles = {
    review: t('operated.states.review'),
    featured: t('operated.states.featured'),
    other: t('operated.listings.others'),
  };
  return (
    <>
      <Group mb="md" gap="xs">
        <div style={{ flex: '1 1 200px', maxWidth: 360 }}>
          <SearchInput value={q} onChange={setQ} label={t('operated.listings.search')} clearLabel={t('common:clear')} />
        </div>
        <Filters label={t('operated.listings.filter')} count={state === 'all' ? 0 : 1}>
          <Select
            aria-label={t('operated.listings.state')}
            value={state}
            onChange={(next) => setState(operatedStates.find((each) => each === next) ?? 'all')}
            data={operatedStates.map((value) => ({ value, label: t(`operated.states.${value}`) }))}
            allowDeselect={false}
          />
        </Filters>
      </Group>
      <PagedList
        query={{ ...listings, data: listings.data?.rows }}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          <EmptyState
            drawing={q || state !== 'all' ? 'search' : 'bots'}
            title={t(q || state !== 'all' ? 'operated.listings.noHit' : 'operated.listings.empty')}
            text={t('operated.listings.emptyText')}
          />
        }
      >
        {(rows) => {
          const groups = [...Map.groupBy(rows, groupOf)];
          const total = listings.data?.total ?? rows.length;
          const only = state === 'all' ? t('operated.listings.title') : t(`operated.states.${state}`);
          return (
            <table className={`${table['list']} ${classes['listings']}`}>
              <thead>
                <tr>
                  <th>{t('operated.columns.bot')}</th>
                  <th data-from="sm" className={classes['owner']}>
                    {t('operated.columns.owner')}
                  </th>
                  <th data-from="md" className={classes['category']}>
                    {t('operated.columns.category')}
                  </th>
                  <th data-from="sm" data-number className={classes['users']}>
                    {t('operated.columns.users')}
                  </th>
                  <th data-from="md" className={classes['changed']}>
                    {t('operated.columns.changed')}
                  </th>
                  <th className={classes['menu']}>
                    <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
                  </th>
                </tr>
              </thead>
              {groups.map(([group, own], at) => (
                <tbody key={group}>
                  <tr>
                    <th colSpan={6} scope="rowgroup">
                      {groups.length > 1 || group !== 'other' ? titles[group] : only}{' '}
                      <small>{countOf(group, own.length, at < groups.length - 1 ? 0 : total - rows.length)}</small>
                    </th>
                  </tr>
                  {own.map((listing) => (
                    <ListingRow key={listing.uuid} listing={listing} onTakeDown={onTakeDown} />
                  ))}
                </tbody>
              ))}
            </table>
          );
        }}
      </PagedList>
    </>
  );
}

/** They come in the order of these. */
function groupOf(listing: OperatedListing): 'review' | 'featured' | 'other' {
  if (listing.state === 'review') return 'review';
  return isFeatured(listing) ? 'featured' : 'other';
}

/** What is still to come is of the others, once there are some: of which group it is before that is not known. */
const countOf = (group: ReturnType<typeof groupOf>, here: number, toCome: number) =>
  (toCome === 0 || group === 'other') && formatNumber(here + toCome);

const isFeatured = ({ state, featured }: OperatedListing) => featured !== null && state === 'listed';

const kinds = { review: 'working', 'taken-down': 'failed' } as const;
const places = [1, 2, 3, 4, 5, 6];

/** What is to be said of its state: that it is listed is said of none. */
function ListingState({ listing: { state, isHidden } }: { listing: OperatedListing }) {
  const { t } = useTranslation('explore');
  if (isHidden) return <State kind="off">{t('operated.hidden')}</State>;
  return state !== 'listed' && <State kind={kinds[state]}>{t(`operated.states.${state}`)}</State>;
}

function ListingRow({ listing, onTakeDown }: PartProps & { listing: OperatedListing }) {
  const { t } = useTranslation('explore');
  const users = t('tries', { count: listing.tries, shown: formatNumber(listing.tries) });
  const copies = listing.copies > 0 && t('copies', { count: listing.copies, shown: formatNumber(listing.copies) });
  const category = t(`categories.${listing.category}`);
  const facts = [listing.workspace.name, category, listing.tries > 0 && users, copies].filter((fact) => fact !== false);
  return (
    <tr>
      <td>
        <ListedBot listing={listing} facts={facts} />
      </td>
      <td data-from="sm" className={table['one']} title={listing.workspace.name}>
        {listing.workspace.name}
      </td>
      <td data-from="md" className={table['one']}>
        {category}
      </td>
      <td data-from="sm" data-number title={copies ? `${users}${t('common:dot')}${copies}` : users}>
        {formatNumber(listing.tries)}
      </td>
      <td data-from="md" className={table['quiet']} title={formatMoment(listing.updatedAt)}>
        {formatAgo(listing.updatedAt)}
      </td>
      <td>
        <ListingMenu listing={listing} onTakeDown={onTakeDown} />
      </td>
    </tr>
  );
}

/** Which bot it is; on a phone with all that has a column elsewhere. */
function ListedBot({ listing, facts }: { listing: OperatedListing; facts: string[] }) {
  const { t } = useTranslation('explore');
  const dot = t('common:dot');
  const { bot } = listing;
  return (
    <div className={classes['listed']}>
      <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={28} />
      <div>
        <div className={classes['named']}>
          <Link to="/Bot/$id/Chat" params={{ id: bot.uuid }} target="_blank" className={table['name']}>
            {bot.name}
          </Link>
          <ListingState listing={listing} />
          {listing.visibility === 'link' && <small>{t('operated.linkOnly')}</small>}
          {listing.reports > 0 && <State kind="failed">{t('operated.reportCount', { count: listing.reports })}</State>}
        </div>
        <p title={listing.summary}>{listing.summary}</p>
        {listing.reason && <p>{t('operated.reason', { reason: listing.reason })}</p>}
        <div className={`${table['onPhone']} ${classes['brief']}`}>
          {facts.map((fact, index) => (
            <Fragment key={index}>
              <span>{index < facts.length - 1 ? `${fact}${dot.trimEnd()}` : fact}</span>
              {dot.slice(dot.trimEnd().length)}
            </Fragment>
          ))}
        </div>
      </div>
    </div>
  );
}

function ListingMenu({ listing, onTakeDown }: PartProps & { listing: OperatedListing }) {
  const { t } = useTranslation('explore');
  const { act } = useDoing();
  const { uuid, bot, state, featured } = listing;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes['above'] ?? ''}
          aria-label={t('operated.menu', { name: bot.name })}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={`/Bot/${bot.uuid}/Chat`}
          target="_blank"
          leftSection={<IconExternalLink size={15} />}
        >
          {t('operated.open')}
        </Menu.Item>
        {state !== 'listed' && (
          <Menu.Item
            leftSection={<IconEye size={15} />}
            onClick={() => act({ what: 'approve', listing: uuid, seen: listing.updatedAt })}
          >
            {t(state === 'review' ? 'operated.approve' : 'operated.restore')}
          </Menu.Item>
        )}
        {state === 'listed' && listing.visibility === 'public' && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('operated.places')}</Menu.Label>
            <div className={classes['places']}>
              {places.map((place) => (
                <Menu.Item
                  key={place}
                  aria-label={t('operated.featureAt', { place })}
                  aria-current={place === featured || undefined}
                  disabled={place === featured}
                  onClick={() => act({ what: 'feature', listing: uuid, featured: place })}
                >
                  {place}
                </Menu.Item>
              ))}
            </div>
          </>
        )}
        {featured !== null && (
          <Menu.Item
            leftSection={<IconStarOff size={15} />}
            onClick={() => act({ what: 'feature', listing: uuid, featured: null })}
          >
            {t('operated.unfeature')}
          </Menu.Item>
        )}
        {state !== 'taken-down' && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<IconEyeOff size={15} />}
              onClick={() => onTakeDown({ uuid, name: bot.name, state })}
            >
              {t(state === 'review' ? 'operated.refuse' : 'operated.takeDown.name')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function TakeDownForm({ listing, onClose }: { listing: Ending; onClose(): void }) {
  const { t } = useTranslation('explore');
  const isRefused = listing.state === 'review';
  const [reason, setReason] = useState('');
  const measure = useMeasure();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        measure.mutate({ what: 'takeDown', listing: listing.uuid, reason: reason.trim() }, { onSuccess: onClose });
      }}
    >
      <Stack>
        <Text size="sm">{t(isRefused ? 'operated.refusal.text' : 'operated.takeDown.text')}</Text>
        <Textarea
          label={t('operated.takeDown.reason')}
          description={t('operated.takeDown.reasonHint')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          required
          data-autofocus
        />
        <FormActions
          error={problemOf(measure.error)}
          submit={t(isRefused ? 'operated.refuse' : 'operated.takeDown.name')}
          cancel={t('common:cancel')}
          isBusy={measure.isPending}
          disabled={!reason.trim()}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
