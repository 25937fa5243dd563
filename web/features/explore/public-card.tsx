import { Button } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PublicBot } from '../../../shared/contracts/explore.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { useMay, useUser, useWorkspace } from '../../lib/session.ts';
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

type Shown = Pick<
  PublicBot,
  'uuid' | 'listing' | 'name' | 'mark' | 'avatar' | 'maker' | 'summary' | 'tries' | 'copying' | 'category'
> &
  Partial<Pick<PublicBot, 'own'>>;

/** Who has made it, where that is news, and how many have tried it. */
function Facts({ bot, isHere }: { bot: Shown; isHere: boolean }) {
  const { t } = useTranslation('explore');
  const isNews = !isHere && bot.maker.trim() !== bot.name.trim();
  const facts = [isNews && bot.maker, triesOf(bot.tries, t)].filter(Boolean).join(t('common:dot'));
  return (
    <div className={classes['facts']}>
      {bot.own && <span className={classes['tag']}>{t('yours')}</span>}
      <span className={classes['quiet']}>{facts}</span>
    </div>
  );
}

const triesOf = (count: number, t: Translate<'explore'>) =>
  count > 0 && t('tries', { count, shown: formatNumber(count) });

interface Props {
  bot: Shown;
  /** The operator has chosen it. */
  isFeatured?: boolean;
  /** What it is about is told on it, as those around it are about other things. */
  isOfMany?: boolean;
  /** It only shows how it would look. */
  isPreview?: boolean;
}

export function PublicCard({ bot, isFeatured = false, isOfMany = true, isPreview = false }: Props) {
  const { t } = useTranslation('explore');
  const user = useUser();
  const workspace = useWorkspace();
  const isHere = !isPreview && bot.own !== undefined && bot.own === workspace?.uuid;
  return (
    <article className={classes['card']} aria-label={bot.name} data-featured={isFeatured || undefined}>
      <header>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={isFeatured ? 56 : 40} />
        <div className={classes['who']}>
          <h3 title={bot.name}>{isPreview ? bot.name : <BotLink bot={bot} />}</h3>
          <Facts bot={bot} isHere={isHere} />
        </div>
      </header>
      <p>{bot.summary}</p>
      {user && bot.copying === 'knowledge' && (
        <span className={classes['gives']}>
          <IconFiles size={14} aria-hidden />
          {t('gives')}
        </span>
      )}
      <footer>
        {isOfMany && <span className={classes['quiet']}>{t(`categories.${bot.category}`)}</span>}
        {!isPreview && (
          <div>
            <Taking bot={bot} isHere={isHere} />
            <Button
              component={Link}
              to={`/Bot/${bot.uuid}/Chat`}
              size="compact-sm"
              variant={user ? 'default' : 'light'}
              className={classes[user ? 'above' : 'tempting'] ?? ''}
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

/** What is of the workspace is edited there, anything else is copied to it. */
function Taking({ bot, isHere }: { bot: Shown; isHere: boolean }) {
  const { t } = useTranslation('explore');
  const user = useUser();
  const mayEdit = useMay('edit');
  if (!user) return null;
  if (!isHere) return <CopyBot bot={bot} />;
  return (
    mayEdit && (
      <Button
        component={Link}
        to={`/Bot/${bot.uuid}`}
        size="compact-sm"
        variant="subtle"
        color="gray"
        className={classes['above'] ?? ''}
        aria-label={t('editNamed', { name: bot.name })}
      >
        {t('common:edit')}
      </Button>
    )
  );
}
