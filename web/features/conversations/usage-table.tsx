import type { Usage } from '../../../shared/contracts/conversations.ts';
import { formatNumber, formatWait } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { formatCost } from './cost.ts';
import classes from './conversations.module.css';

/** What an answer took, part by part. */
export function UsageTable({ usage }: { usage: Usage }) {
  const { t } = useTranslation('conversations-panels', 'conversations');
  const rows: [string, string][] = [
    [t('usage.service'), modelName(usage.serviceName) || '—'],
    [t('usage.tokensIn'), formatNumber(usage.tokensIn)],
    ...(usage.tokensCached > 0
      ? [[t('usage.tokensCached'), formatNumber(usage.tokensCached)] satisfies [string, string]]
      : []),
    [t('usage.tokensOut'), formatNumber(usage.tokensOut)],
    [t('usage.cost'), usage.ownKey ? t('conversations:usage.ownKey') : formatCost(usage.cost)],
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
