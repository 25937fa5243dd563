import { useState } from 'react';
import type { Usage } from '../../../shared/contracts/conversations.ts';
import { formatNumber, formatWait } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { AnchoredPopover, keepsOpen } from '../../ui/anchored.tsx';
import { later } from '../../ui/later.tsx';
import { formatCost } from './cost.ts';
import classes from './conversations.module.css';

const UsageTable = later(async () => (await import('./usage-table.tsx')).UsageTable);

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
        ? [t('usage.credits', { credits: formatCost(usage.cost) })]
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
          <UsageTable usage={usage} onFail={() => setIsOpen(false)} />
        </AnchoredPopover>
      )}
    </span>
  );
}
