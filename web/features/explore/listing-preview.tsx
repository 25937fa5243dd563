import { Text } from '@mantine/core';
import type { ListingPreview as Shown } from '../../../shared/contracts/explore.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Page, State } from '../../ui/page.tsx';
import classes from './explore.module.css';

/** The page of a bot that waits or was taken down, for the operator: what is there to judge, without its chat. */
export function ListingPreview({ bot }: { bot: Shown }) {
  const { t } = useTranslation('explore');
  useTitle(bot.name);
  return (
    <Page title={bot.name} width="reading" facts={t('by', { maker: bot.maker })}>
      <State kind={bot.state === 'taken-down' ? 'failed' : 'working'}>{t(`operated.states.${bot.state}`)}</State>
      <Text size="sm" c="dimmed" my="sm">
        {t('operated.preview')}
      </Text>
      <ul className={classes['rows']}>
        <li className={classes['row']}>
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
          <div>
            <p>{bot.summary}</p>
            <span className={classes['quiet']}>
              {[t(`categories.${bot.category}`), ...bot.languages.map((each) => t(`languages.${each}`))].join(' · ')}
            </span>
          </div>
          <span />
        </li>
        {[...new Set([bot.greeting, ...bot.starters, ...bot.followUps])]
          .filter((text) => text !== '')
          .map((text) => (
            <li key={text} className={classes['row']}>
              <p>{text}</p>
            </li>
          ))}
      </ul>
    </Page>
  );
}
