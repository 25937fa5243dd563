import { Badge, Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { TokenEntry } from '../../../shared/contracts/usage.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatCredits } from './costs.ts';
import { useHistory } from './models.queries.ts';

/** What is left, and what was granted and used. */
export function UsageHistory() {
  const { t } = useTranslation('models');
  const history = useHistory();
  const meta = history.data?.pages[0]?.meta;
  const entries = { ...history, data: history.data?.pages.flatMap((page) => page.data) };
  return (
    <>
      {meta && (
        <Paper withBorder p="md" mb="lg" maw={480}>
          <Text size="sm" c="dimmed">
            {t('usage.balance')}
          </Text>
          <Text fz={28} fw={650} lh={1.2}>
            {t('usage.credits', { amount: formatCredits(meta.balance) })}
          </Text>
          {meta.reserved > 0 && (
            <Text size="sm" c="dimmed">
              {t('usage.reserved', { amount: formatCredits(meta.reserved) })}
            </Text>
          )}
          <Text size="xs" c="dimmed" mt="xs">
            {t('usage.explained')}
          </Text>
        </Paper>
      )}
      <PagedList
        query={entries}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={<EmptyState drawing="documents" title={t('usage.empty')} text={t('usage.emptyText')} />}
      >
        {(rows) => (
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('usage.what')}</Table.Th>
                <Table.Th visibleFrom="md">{t('usage.bot')}</Table.Th>
                <Table.Th visibleFrom="md" ta="right">
                  {t('usage.tokens')}
                </Table.Th>
                <Table.Th visibleFrom="sm" pl="lg">
                  {t('usage.when')}
                </Table.Th>
                <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {t('usage.amount')}
                </Table.Th>
                <Table.Th visibleFrom="sm" ta="right">
                  {t('usage.left')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((entry) => (
                <Row key={entry.uuid} entry={entry} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </PagedList>
    </>
  );
}

function Row({ entry: { kind, amount, balance, use, createdAt } }: { entry: TokenEntry }) {
  const { t, has } = useTranslation('models');
  const channel = `usage.channels.${use?.channel}`;
  const from = use && (use.bot?.name || (has(channel) ? t(channel) : use.channel));
  const tokens = use && t('usage.inOut', { in: formatNumber(use.tokensIn), out: formatNumber(use.tokensOut) });
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Group gap={6}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {use ? use.serviceName : t(`usage.kinds.${kind}`)}
            </Text>
            {use?.ownKey && (
              <Badge size="xs" variant="light" color="gray">
                {t('usage.ownKey')}
              </Badge>
            )}
          </Group>
          {use && (
            <Text size="xs" c="dimmed" hiddenFrom="md" style={{ overflowWrap: 'anywhere' }}>
              {from} · <span style={{ whiteSpace: 'nowrap' }}>{tokens}</span>
            </Text>
          )}
          <Text size="xs" c="dimmed" hiddenFrom="sm" title={formatMoment(createdAt)}>
            {formatAgo(createdAt)}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        {from}
      </Table.Td>
      <Table.Td visibleFrom="md" ta="right" style={{ whiteSpace: 'nowrap' }}>
        {tokens}
      </Table.Td>
      <Table.Td visibleFrom="sm" pl="lg" style={{ whiteSpace: 'nowrap' }} title={formatMoment(createdAt)}>
        {formatAgo(createdAt)}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {amount > 0 ? `+${formatCredits(amount)}` : formatCredits(amount)}
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
        {formatCredits(balance)}
      </Table.Td>
    </Table.Tr>
  );
}
