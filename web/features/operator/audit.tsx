import { Button, Code, Group, Select, Stack, Table, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { AuditEntry } from '../../../shared/contracts/operator.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { keysBelow, useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { Modal } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAudit, useExportAudit, useUsers, type AuditFilter } from './operator.queries.ts';

export function AuditPanel() {
  const { t } = useTranslation('operator');
  const wordsOf = useWords();
  const [q, setQ] = useState('');
  const [action, setAction] = useState<string | null>(null);
  const [person, setPerson] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [shown, setShown] = useState<AuditEntry>();
  const filter: AuditFilter = {
    ...(q && { q }),
    ...(action && { action }),
    ...(person && { user: person }),
    ...(from && { from: startOf(from, 0) }),
    ...(until && { until: startOf(until, 1) }),
  };
  const audit = useAudit(filter);
  const isFiltered = Object.keys(filter).length > 0;

  return (
    <>
      <Group mb="md" gap="sm" align="flex-end">
        <div style={{ flex: '1 1 180px' }}>
          <SearchInput value={q} onChange={setQ} label={t('audit.search')} clearLabel={t('common:clear')} />
        </div>
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
          style={{ flex: '1 1 140px' }}
        />
        <PersonSelect value={person} onChange={setPerson} />
        <TextInput
          type="date"
          label={t('audit.from')}
          value={from}
          max={until || undefined}
          onChange={(event) => setFrom(event.currentTarget.value)}
          style={{ flex: '1 1 140px' }}
        />
        <TextInput
          type="date"
          label={t('audit.until')}
          value={until}
          min={from || undefined}
          onChange={(event) => setUntil(event.currentTarget.value)}
          style={{ flex: '1 1 140px' }}
        />
        <ExportButton filter={filter} />
      </Group>
      <PagedList
        query={audit}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={
          <EmptyState
            drawing="search"
            title={t('audit.noMatch')}
            text={isFiltered ? t('audit.noMatchText') : t('audit.emptyText')}
          />
        }
      >
        {(rows) => (
          <Table verticalSpacing={6} highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th visibleFrom="sm">{t('audit.when')}</Table.Th>
                <Table.Th visibleFrom="sm" w="14%">
                  {t('audit.who')}
                </Table.Th>
                <Table.Th>{t('audit.what')}</Table.Th>
                <Table.Th visibleFrom="md" w="18%">
                  {t('audit.workspace')}
                </Table.Th>
                <Table.Th visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
                  {t('audit.where')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((entry) => (
                <Row key={entry.uuid} entry={entry} onOpen={() => setShown(entry)} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </PagedList>
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown && wordsOf(shown.action)}
        size="lg"
        centered
      >
        {shown && <Details entry={shown} />}
      </Modal>
    </>
  );
}

function Row({ entry, onOpen }: { entry: AuditEntry; onOpen(): void }) {
  const { t } = useTranslation('operator');
  const wordsOf = useWords();
  const who = entry.actor?.name || t('audit.nobody');
  return (
    <Table.Tr>
      <Table.Td visibleFrom="sm" title={formatAgo(entry.createdAt)} style={{ whiteSpace: 'nowrap' }}>
        {formatMoment(entry.createdAt)}
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
        {who}
      </Table.Td>
      <Table.Td>
        <UnstyledButton onClick={onOpen} w="100%">
          <Text size="sm">{wordsOf(entry.action)}</Text>
          {entry.subject && entry.subject !== entry.actor?.name && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {entry.subject}
            </Text>
          )}
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {who} · {formatMoment(entry.createdAt)}
          </Text>
        </UnstyledButton>
      </Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        {entry.workspace?.name}
      </Table.Td>
      <Table.Td visibleFrom="md">{entry.address}</Table.Td>
    </Table.Tr>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  const hasDetails = Object.keys(entry.details).length > 0;
  return (
    <Stack gap="xs">
      <Fact label={t('audit.when')}>{formatMoment(entry.createdAt)}</Fact>
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

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="baseline">
      <Text size="sm" c="dimmed" w={120} style={{ flex: 'none' }}>
        {label}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Group>
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
      style={{ flex: '1 1 140px' }}
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
      leftSection={<IconDownload size={16} />}
      loading={csv.isPending}
      onClick={() => csv.mutate(filter, { onSuccess: save, onError: (error) => toast.error(error.message) })}
    >
      {t('audit.export')}
    </Button>
  );
}

/** The key of the words for an action such as `user.signed-in`. */
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
