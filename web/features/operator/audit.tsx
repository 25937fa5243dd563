import { Box, Button, Code, Group, Select, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../shared/contracts/operator.ts';
import { currencies } from '../../../shared/contracts/payments.ts';
import { formatMoney } from '../../../shared/money.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayHere, dayOf, formatDate, formatMoment, formatNumber, formatSecond } from '../../lib/format.ts';
import { currentLocale, formatLocale, keysBelow, useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass, Section } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAudit, useExportAudit, useUsers, type AuditFilter } from './operator.queries.ts';
import classes from './audit.module.css';

const spans = ['any', '1', '7', '30', 'dates'] as const;

export function AuditPanel() {
  const { t } = useTranslation('operator');
  const wordsOf = useWords();
  const [q, setQ] = useState('');
  const [action, setAction] = useState<string | null>(null);
  const [person, setPerson] = useState<string | null>(null);
  const [span, setSpan] = useState<(typeof spans)[number]>('any');
  const [dates, setDates] = useState({ from: '', until: '' });
  const [shown, setShown] = useState<AuditEntry[]>();
  const filter: AuditFilter = {
    ...(q && { q }),
    ...(action && { action }),
    ...(person && { user: person }),
    ...(span === 'dates' && dates.from && { from: startOf(dates.from, 0) }),
    ...(span === 'dates' && dates.until && { until: startOf(dates.until, 1) }),
    ...(Number(span) > 0 && { from: startOf(dayHere(Number(span) - 1), 0) }),
  };
  const audit = useAudit(filter);
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <>
      <Group mb="md" gap="xs" className={classes['tools'] ?? ''}>
        <div className={classes['search']}>
          <SearchInput value={q} onChange={setQ} label={t('audit.search')} clearLabel={t('common:clear')} />
        </div>
        <Filters label={t('audit.filters')} count={[action, person, span !== 'any'].filter(Boolean).length}>
          <Select
            aria-label={t('audit.action')}
            placeholder={t('audit.anyAction')}
            value={action}
            onChange={setAction}
            data={keysBelow('operator', 'audit.actions').map((value) => ({ value, label: wordsOf(value) }))}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('common:clear') }}
            nothingFoundMessage={t('audit.noMatch')}
            className={classes['filter'] ?? ''}
          />
          <PersonSelect value={person} onChange={setPerson} />
          <Select
            aria-label={t('audit.span')}
            value={span}
            onChange={(value) => setSpan(spans.find((each) => each === value) ?? 'any')}
            data={spans.map((value) => ({ value, label: t(`audit.spans.${value}`) }))}
            allowDeselect={false}
            className={classes['filter'] ?? ''}
          />
          {span === 'dates' &&
            (['from', 'until'] as const).map((end) => (
              <TextInput
                key={end}
                type="date"
                aria-label={t(`audit.${end}`)}
                title={t(`audit.${end}`)}
                value={dates[end]}
                min={end === 'until' ? dates.from : undefined}
                max={end === 'from' ? dates.until : undefined}
                onChange={(event) => setDates({ ...dates, [end]: event.currentTarget.value })}
                className={classes['filter'] ?? ''}
              />
            ))}
        </Filters>
        <ExportButton filter={filter} />
      </Group>
      <PagedList
        query={audit}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={
          <EmptyState
            drawing="search"
            title={t('audit.noMatch')}
            text={isFiltered ? t('audit.noMatchText') : t('audit.emptyText')}
          />
        }
      >
        {(rows) => (
          <div>
            {/* What each row says is a sentence of its own to who hears it. */}
            <div className={`${classes['row']} ${classes['heads']}`} aria-hidden>
              <span className={classes['time']}>{t('audit.time')}</span>
              <span className={classes['who']}>{t('audit.who')}</span>
              <span className={classes['what']}>{t('audit.what')}</span>
              <span className={classes['address']}>{t('audit.where')}</span>
            </div>
            {[...Map.groupBy(rows, ({ createdAt }) => dayOf(createdAt))].map(([day, entries]) => (
              <Section key={day} title={day === dayHere() ? t('common:today') : nameOf(day)}>
                {foldSignIns(entries).map((folded) => (
                  <Row key={folded[0]?.uuid} entries={folded} onOpen={() => setShown(folded)} />
                ))}
              </Section>
            ))}
          </div>
        )}
      </PagedList>
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.[0] && wordsOf(shown[0].action)}
        size="lg"
        centered
      >
        <Stack gap="xl">
          {shown?.map((entry) => (
            <Details key={entry.uuid} entry={entry} />
          ))}
        </Stack>
      </Modal>
    </>
  );
}

/** Friday, November 27; of another year with that. Japanese sets brackets of its own width. */
const nameOf = (day: string) =>
  new Intl.DateTimeFormat(formatLocale(), {
    month: 'long',
    day: 'numeric',
    weekday: currentLocale() === 'ja' ? 'short' : 'long',
    ...(day.slice(0, 4) !== dayHere().slice(0, 4) && { year: 'numeric' }),
    timeZone: 'UTC',
  })
    .format(new Date(`${day}T00:00:00Z`))
    .replace(/\((.)\)$/, '（$1）');

/** One person's sign-ins that follow each other are one row. */
function foldSignIns(entries: AuditEntry[]): AuditEntry[][] {
  const rows: AuditEntry[][] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    const isAgain =
      entry.action === 'user.signed-in' &&
      last?.[0]?.action === entry.action &&
      last[0].actor?.uuid === entry.actor?.uuid;
    if (isAgain) last.push(entry);
    else rows.push([entry]);
  }
  return rows;
}

const uuidLike = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What it was done to, as people know it: of a payment how much it was, and of a name that stands there already nothing. */
function useAbout() {
  const { t } = useTranslation('operator', 'billing');
  return ({ subject, details: { credits, amount, currency }, actor }: AuditEntry): string => {
    if (!uuidLike.test(subject)) return subject === actor?.name ? '' : subject;
    const money = currencies.find((each) => each === currency);
    return [
      typeof credits === 'number' && t('billing:credits', { credits: formatNumber(credits) }),
      typeof amount === 'number' && money && formatMoney(amount, money, currentLocale()),
    ]
      .filter(Boolean)
      .join(t('common:comma'));
  };
}

function Row({ entries, onOpen }: { entries: AuditEntry[]; onOpen(): void }) {
  const { t } = useTranslation('operator');
  const wordsOf = useWords();
  const aboutOf = useAbout();
  const [entry] = entries;
  if (!entry) return null;
  const { actor, action, workspace, address, createdAt } = entry;
  const who = actor?.name || t('audit.nobody');
  const place = workspace && workspace.name !== actor?.name ? workspace.name : '';
  const about = aboutOf(entry) || place;
  const words = wordsOf(action);
  return (
    <UnstyledButton className={`${rowClass} ${classes['row']}`} onClick={onOpen}>
      <time className={classes['time']} dateTime={createdAt} title={formatMoment(createdAt)}>
        {formatSecond(createdAt)}
      </time>
      <span className={classes['who']}>
        {actor && <Avatar kind="person" id={actor.uuid} name={who} size={20} />}
        <span>
          {who}
          {place !== about && place && <small>{`${t('common:dot')}${place}`}</small>}
        </span>
      </span>
      <span className={classes['what']}>
        <b>{entries.length > 1 ? t('audit.times', { what: words, count: entries.length }) : words}</b>{' '}
        {about && <span>{about}</span>}
      </span>
      <span className={classes['address']} title={address}>
        {address}
      </span>
    </UnstyledButton>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  const hasDetails = Object.keys(entry.details).length > 0;
  return (
    <Stack gap="xs">
      <Fact label={t('audit.when')}>
        {t('audit.moment', { day: formatDate(entry.createdAt), time: formatSecond(entry.createdAt) })}
      </Fact>
      <Fact label={t('audit.who')}>{entry.actor?.name || t('audit.nobody')}</Fact>
      {entry.subject && <Fact label={t('audit.subject')}>{entry.subject}</Fact>}
      {entry.workspace && <Fact label={t('audit.workspace')}>{entry.workspace.name}</Fact>}
      <Fact label={t('audit.where')}>{entry.address}</Fact>
      <Fact label={t('audit.action')}>
        <Code>{entry.action}</Code>
      </Fact>
      {hasDetails && (
        <Code block tabIndex={0} role="region" aria-label={t('audit.details')} style={{ overflowX: 'auto' }}>
          {JSON.stringify(entry.details, null, 2)}
        </Code>
      )}
    </Stack>
  );
}

function PersonSelect({ value, onChange }: { value: string | null; onChange(uuid: string | null): void }) {
  const { t } = useTranslation('operator');
  const [search, setSearch] = useState('');
  // The name that was chosen stands in the field as well; it is not a search.
  const [q] = useDebouncedValue(value ? '' : search.trim(), 200);
  const users = useUsers(q, 'all');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const found = (users.data ?? []).map(({ uuid, username }) => ({ value: uuid, label: username }));
  const options = chosen && !found.some((each) => each.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      aria-label={t('audit.person')}
      placeholder={t('audit.anybody')}
      value={value}
      onChange={(uuid, option) => {
        setChosen(option ?? undefined);
        onChange(uuid);
      }}
      searchValue={search}
      onSearchChange={setSearch}
      data={options}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common:clear') }}
      nothingFoundMessage={t('users.noMatch')}
      className={classes['filter'] ?? ''}
    />
  );
}

function ExportButton({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('operator');
  const csv = useExportAudit();
  const save = (bytes: ArrayBuffer) =>
    saveFile(bytes, { name: `kotae-audit-${new Date().toISOString().slice(0, 10)}.csv`, type: 'text/csv' });
  return (
    <Button
      variant="default"
      px={{ base: 13, sm: 'md' }}
      aria-label={t('audit.export')}
      title={t('audit.export')}
      loading={csv.isPending}
      onClick={() => csv.mutate(filter, { onSuccess: save, onError: (error) => toast.error(errorText(error)) })}
    >
      <IconDownload size={16} />
      <Box component="span" ml="xs" visibleFrom="sm">
        {t('audit.export')}
      </Box>
    </Button>
  );
}

/** How an action is called; one that this page does not know has its own name. */
function useWords() {
  const { t, has } = useTranslation('operator');
  return (action: string) => {
    const key = `audit.actions.${action}`;
    return has(key) ? t(key) : action;
  };
}

/** Midnight here at the beginning of a day, or of one so many days later. */
function startOf(day: string, daysLater: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
}
