import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PublicBot } from '../../../shared/contracts/explore.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CopyBot } from './copy-bot.tsx';
import classes from './explore.module.css';

function BotLink({ bot }: { bot: Pick<PublicBot, 'uuid' | 'name'> }) {
  return (
    <Link to="/Bot/$id/Chat" params={{ id: bot.uuid }} className={classes['link']}>
      {bot.name}
    </Link>
  );
}

function Facts({ bot }: { bot: Pick<PublicBot, 'maker' | 'tries'> }) {
  const { t } = useTranslation('explore');
  return (
    <span className={classes['quiet']}>{[bot.maker, triesOf(bot.tries, t)].filter(Boolean).join(t('common:dot'))}</span>
  );
}

const triesOf = (count: number, t: Translate<'explore'>) =>
  count > 0 && t('tries', { count, shown: formatNumber(count) });

interface Props {
  bot: Pick<
    PublicBot,
    'uuid' | 'listing' | 'name' | 'mark' | 'avatar' | 'maker' | 'summary' | 'tries' | 'copying' | 'category'
  >;
  /** It only shows how it would look. */
  isPreview?: boolean;
}

export function PublicCard({ bot, isPreview = false }: Props) {
  const { t } = useTranslation('explore');
  const user = useUser();
  return (
    <article className={classes['card']} aria-label={bot.name}>
      <header>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
        <div className={classes['who']}>
          <h3 title={bot.name}>{isPreview ? bot.name : <BotLink bot={bot} />}</h3>
          <Facts bot={bot} />
        </div>
      </header>
      <p>{bot.summary}</p>
      <footer>
        <span className={classes['quiet']}>{t(`categories.${bot.category}`)}</span>
        {isPreview ? (
          bot.copying === 'knowledge' && <small>{t('gives')}</small>
        ) : (
          <div>
            {user && <CopyBot bot={bot} />}
            <Button
              component={Link}
              to={`/Bot/${bot.uuid}/Chat`}
              size="compact-sm"
              variant="default"
              className={classes['above'] ?? ''}
              tabIndex={-1}
              aria-hidden
            >
              {t('try')}
            </Button>
          </div>
        )}
      </footer>
    </article>
  );
}
