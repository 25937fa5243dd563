import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BotGroup, ListedBot } from '../../../shared/contracts/bots.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { State } from '../../ui/page.tsx';
import { stateOf } from './bot-header.tsx';
import { BotMenu } from './bot-menu.tsx';
import { useBotKnowledges } from './bots.queries.ts';
import classes from './bot-list.module.css';

interface Props {
  bot: ListedBot;
  groups: BotGroup[];
  /** What one drags it by. */
  handle?: ReactNode;
  onMove(botgroup: string | null): void;
}

export function BotCard({ bot, groups, handle, onMove }: Props) {
  const { t } = useTranslation('bots-list', 'bots');
  const canEdit = useMay('edit');
  const state = stateOf(bot);
  const { questions } = bot.usage;
  const known = useBotKnowledges().data?.filter(({ uuid }) => bot.draft.knowledges.includes(uuid));
  const documents = known?.reduce((sum, { documentCount }) => sum + documentCount, 0) ?? 0;
  return (
    <article aria-label={bot.name} className={classes['card']}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
        <Group wrap="nowrap" align="flex-start" gap="sm" miw={0} style={{ flex: 1 }}>
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
          <div style={{ minWidth: 0 }}>
            <Text fw={600} size="sm" lineClamp={2} title={bot.name} style={{ overflowWrap: 'anywhere' }}>
              <Link to="/Bot/$id/Chat" params={{ id: bot.uuid }} className={classes['cardLink']}>
                {bot.name}
              </Link>
            </Text>
            <State kind={state.kind}>{t(`bots:state.${state.name}`)}</State>
          </div>
        </Group>
        {handle}
        {canEdit && <BotMenu bot={bot} groups={groups} onMove={onMove} />}
      </Group>
      {bot.description && <p className={classes['about']}>{bot.description}</p>}
      {known && known.length > 0 && (
        <p className={classes['knows']}>
          {[
            t('list.bases', { count: known.length, shown: formatNumber(known.length) }),
            t('know.documents', { count: documents, shown: formatNumber(documents) }),
          ].join(' · ')}
        </p>
      )}
      <p className={classes['figures']}>
        <span title={usageTitle(bot, t)}>{t('list.asked', { count: questions, shown: formatNumber(questions) })}</span>
        <span title={formatMoment(bot.updatedAt)}>{formatAgo(bot.updatedAt)}</span>
      </p>
    </article>
  );
}

/** What the questions of 30 days took. */
export const usageTitle = ({ usage }: ListedBot, t: Translate<'bots-list', 'bots'>) =>
  t('list.tokens', { tokens: formatNumber(usage.tokens) });
