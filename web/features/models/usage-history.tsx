import { Box, Table } from '@mantine/core';
import type { TokenEntry } from '../../../shared/contracts/usage.ts';
import { dayHere, dayOf, formatDay, formatMoment, formatNumber, formatTimeOfDay } from '../../lib/format.ts';
import { translate, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { formatEntry } from './costs.ts';
import classes from './usage-panel.module.css';

/** What was granted and used, entry by entry. */
export function UsageHistory({ rows }: { rows: TokenEntry[] }) {
  const { t } = useTranslation('models');
  // A column of nothing is left out: the built-in model counts no tokens.
  const hasTokens = rows.some(({ use }) => use && use.tokensIn + use.tokensOut > 0);
  const hasBy = rows.some(({ use, reason }) => use || reason);
  return (
    <Table className={classes['table'] ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th visibleFrom="sm">{t('usage.when')}</Table.Th>
          <Table.Th>{t('usage.what')}</Table.Th>
          {hasBy && <Table.Th visibleFrom="md">{t('usage.by')}</Table.Th>}
          {hasTokens && (
            <Table.Th visibleFrom="md" ta="right">
              {t('usage.tokens')}
            </Table.Th>
          )}
          <Table.Th ta="right">{t('usage.amount')}</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            {t('usage.left')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((entry) => (
          <Row key={entry.uuid} entry={entry} hasBy={hasBy} hasTokens={hasTokens} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

const formatWhen = (iso: string) =>
  `${dayOf(iso) === dayHere() ? translate('common:today') : formatDay(dayOf(iso))} ${formatTimeOfDay(iso)}`;

function Row({ entry, hasBy, hasTokens }: { entry: TokenEntry; hasBy: boolean; hasTokens: boolean }) {
  const { t, has } = useTranslation('models');
  const { kind, amount, balance, use, reason, createdAt } = entry;
  const channel = `usage.channels.${use?.channel}`;
  const what =
    use && kind === 'use'
      ? use.bot?.name || (has(channel) ? t(channel) : use.channel)
      : kind === 'grant' && reason === null
        ? t('usage.start')
        : t(`usage.kinds.${kind}`);
  const by = use
    ? [modelName(use.serviceName), use.ownKey && t('usage.ownKey')].filter(Boolean).join(' · ')
    : reason && t('usage.fromOperator', { reason });
  // Some models count seconds, and the built-in one nothing.
  const tokens =
    use &&
    use.tokensIn + use.tokensOut > 0 &&
    t('usage.inOut', { in: formatNumber(use.tokensIn), out: formatNumber(use.tokensOut) });
  return (
    <Table.Tr>
      <Table.Td visibleFrom="sm" className={`${classes['when']} ${classes['quiet']}`} title={formatMoment(createdAt)}>
        {formatWhen(createdAt)}
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {what}
        <Box component="span" className={classes['more'] ?? ''} hiddenFrom="md">
          {by}
          <Box component="time" dateTime={createdAt} hiddenFrom="sm" title={formatMoment(createdAt)}>
            {by && t('common:dot')}
            {formatWhen(createdAt)}
          </Box>
        </Box>
      </Table.Td>
      {hasBy && (
        <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
          {by}
        </Table.Td>
      )}
      {hasTokens && (
        <Table.Td visibleFrom="md" className={`${classes['number']} ${classes['quiet']}`}>
          {tokens || '—'}
        </Table.Td>
      )}
      <Table.Td
        className={`${classes['number']} ${amount > 0 ? classes['plus'] : amount === 0 ? classes['quiet'] : ''}`}
      >
        {amount > 0 ? `+${formatEntry(amount)}` : amount === 0 ? t('usage.free') : formatEntry(amount)}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={`${classes['number']} ${classes['quiet']}`}>
        {formatEntry(balance)}
      </Table.Td>
    </Table.Tr>
  );
}
