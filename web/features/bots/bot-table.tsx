import { Link } from '@tanstack/react-router';
import type { BotGroup, ListedBot, botOrders } from '../../../shared/contracts/bots.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { useMay, useServices } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { State } from '../../ui/page.tsx';
import table from '../../ui/table.module.css';
import { usageTitle } from './bot-card.tsx';
import { stateOf } from './bot-header.tsx';
import { BotMenu } from './bot-menu.tsx';
import classes from './bot-list.module.css';
import { useBotKnowledges } from './bots.queries.ts';

type Order = (typeof botOrders)[number];

interface Props {
  bots: ListedBot[];
  groups: BotGroup[];
  order: Order;
  onOrder(order: Order): void;
  onMove(bot: string, botgroup: string | null): void;
}

const directions = { name: 'ascending', updated: 'descending', questions: 'descending' } as const;

export function BotTable({ bots, groups, order, onOrder, onMove }: Props) {
  const { t } = useTranslation('bots-list', 'bots');
  const canEdit = useMay('edit');
  const services = useServices();
  const bases = useBotKnowledges();
  const documentsOf = ({ draft }: ListedBot) =>
    bases.data
      ?.filter(({ uuid }) => draft.knowledges.includes(uuid))
      .reduce((sum, { documentCount }) => sum + documentCount, 0);
  const sorted = (by: Order) => order === by && { 'aria-sort': directions[by] };
  const head = (by: Order, label: string) => (
    <button type="button" className={table['sort']} onClick={() => onOrder(by)}>
      {label}
    </button>
  );
  return (
    <table className={table['list']}>
      <thead>
        <tr>
          <th {...sorted('name')}>{head('name', t('common:name'))}</th>
          <th data-from="sm" style={{ width: 176 }}>
            {t('table.state')}
          </th>
          {groups.length > 0 && (
            <th data-from="md" style={{ width: 120 }}>
              {t('groups.filter')}
            </th>
          )}
          <th data-from="md" style={{ width: 150 }}>
            {t('table.model')}
          </th>
          <th data-number data-from="md" style={{ width: 92 }}>
            {t('table.documents')}
          </th>
          <th data-number style={{ width: 92 }} title={t('table.questionsHint')} {...sorted('questions')}>
            {head('questions', t('table.questions'))}
          </th>
          <th data-number data-from="sm" style={{ width: 92 }} title={t('table.questionsHint')}>
            {t('table.tokens')}
          </th>
          <th data-number data-from="sm" style={{ width: 120 }} {...sorted('updated')}>
            {head('updated', t('table.changed'))}
          </th>
          {canEdit && <th style={{ width: 44 }} aria-label={t('common:actions')} />}
        </tr>
      </thead>
      <tbody>
        {bots.map((bot) => {
          const state = stateOf(bot);
          const documents = documentsOf(bot);
          return (
            <tr key={bot.uuid}>
              <td>
                <Link
                  to="/Bot/$id/Chat"
                  params={{ id: bot.uuid }}
                  className={table['name']}
                  title={[bot.name, bot.description].filter(Boolean).join('\n')}
                >
                  <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={24} />
                  <span className={table['one']}>
                    <span className={classes['title']}>{bot.name}</span>
                    <span className={classes['onPhone']}>
                      <State kind={state.kind}>{t(`bots:state.${state.name}`)}</State>
                    </span>
                  </span>
                </Link>
              </td>
              <td data-from="sm" className={table['one']}>
                <State kind={state.kind}>{t(`bots:state.${state.name}`)}</State>
              </td>
              {groups.length > 0 && (
                <td data-from="md" className={table['one']}>
                  {groups.find(({ uuid }) => uuid === bot.botgroup)?.name}
                </td>
              )}
              <td data-from="md" className={`${table['one']} ${table['quiet']}`}>
                {modelName(services.find(({ uuid }) => uuid === bot.draft.service)?.name ?? '')}
              </td>
              <td data-number data-from="md">
                {documents !== undefined && formatNumber(documents)}
              </td>
              <td data-number title={usageTitle(bot, t)}>
                {formatNumber(bot.usage.questions)}
              </td>
              <td data-number data-from="sm" className={table['quiet']}>
                {formatNumber(bot.usage.tokens)}
              </td>
              <td data-number data-from="sm" className={table['quiet']} title={formatMoment(bot.updatedAt)}>
                {formatAgo(bot.updatedAt)}
              </td>
              {canEdit && (
                <td data-number>
                  <BotMenu bot={bot} groups={groups} onMove={(botgroup) => onMove(bot.uuid, botgroup)} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
