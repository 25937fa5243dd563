import { useState } from 'react';
import type { Usage } from '../../../shared/contracts/conversations.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { formatNumber, formatWait } from '../../lib/format.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { AnchoredPopover, keepsOpen } from '../../ui/anchored.tsx';
import classes from './conversations.module.css';

const formatCredits = (micro: number) =>
  new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 4 }).format(micro / microPerCredit);

/** What an answer took, in one line; pressed, in all its parts. */
export function UsageLine({ usage }: { usage: Usage }) {
  const { t } = useTranslation('conversations');
  const [isOpen, setIsOpen] = useState(false);
  const tokens = usage.tokensIn + usage.tokensOut;
  const parts = [
    ...(tokens > 0 ? [t('usage.tokens', { tokens: formatNumber(tokens) })] : []),
    ...(usage.ownKey
      ? [t('usage.ownKey')]
      : usage.cost > 0
        ? [t('usage.credits', { credits: formatCredits(usage.cost) })]
        : []),
    formatWait(usage.latencyMs),
  ];
  const summary = parts.join(' · ');
  return (
    <span className={classes['usage']}>
      <button
        type="button"
        className={classes['usageButton']}
        aria-label={t('usage.open', { summary })}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        {...keepsOpen}
      >
        {summary}
      </button>
      {isOpen && (
        <AnchoredPopover
          label={t('usage.open', { summary })}
          position="top-end"
          onChange={setIsOpen}
          trapFocus
          onFail={() => setIsOpen(false)}
        >
          <UsageTable usage={usage} />
        </AnchoredPopover>
      )}
    </span>
  );
}

export function UsageTable({ usage }: { usage: Usage }) {
  const { t } = useTranslation('conversations');
  const rows: [string, string][] = [
    [t('usage.service'), modelName(usage.serviceName) || '—'],
    [t('usage.tokensIn'), formatNumber(usage.tokensIn)],
    ...(usage.tokensCached > 0
      ? [[t('usage.tokensCached'), formatNumber(usage.tokensCached)] satisfies [string, string]]
      : []),
    [t('usage.tokensOut'), formatNumber(usage.tokensOut)],
    [t('usage.cost'), usage.ownKey ? t('usage.ownKey') : formatCredits(usage.cost)],
    [t('usage.firstToken'), usage.firstTokenMs === null ? '—' : formatWait(usage.firstTokenMs)],
    [t('usage.latency'), formatWait(usage.latencyMs)],
  ];
  return (
    <table className={classes['usageTable']}>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
