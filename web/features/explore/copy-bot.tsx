import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { stayReasons, type PublicBot } from '../../../shared/contracts/explore.ts';
import { formatNumber } from '../../lib/format.ts';
import { currentLocale, useTranslation, type Translate } from '../../lib/i18n.ts';
import { useMay, useUser } from '../../lib/session.ts';
import { toast } from '../../ui/toast.tsx';
import { useCopy, type CopiedBot } from './explore.queries.ts';
import classes from './explore.module.css';

interface Props {
  bot: Pick<PublicBot, 'uuid' | 'listing' | 'name' | 'copying'>;
  /** One of many on the screen. */
  isSmall?: boolean;
}

/** Makes a bot of one's own of it; who is not signed in does that first, and comes back. */
export function CopyBot({ bot, isSmall = false }: Props) {
  const { t } = useTranslation('explore');
  const navigate = useNavigate();
  const user = useUser();
  const mayEdit = useMay('edit');
  // On a phone the page's one filled button is the chat's.
  const isNarrow = useMediaQuery('(max-width: 48em)', window.innerWidth <= 768);
  const copy = useCopy((copied) => {
    const say = wordsOf(copied, t);
    // What is read now is seen where uploads are.
    if (copied.knowledge)
      toast.action(say, t('common:page.documents'), () => void navigate({ to: '/Document' }), readingMs);
    else toast.success(say);
    void navigate({ to: '/Bot/$id', params: { id: copied.uuid } });
  });
  if (bot.copying === 'none' || (user && !mayEdit)) return null;
  const begin = () => {
    if (!user) return void navigate({ to: '/Login', search: { next: `/Bot/${bot.uuid}/Chat` } });
    copy.mutate(bot.listing, { onError: (error) => toast.error(error.message) });
  };
  return (
    <Button
      size={isSmall ? 'compact-sm' : 'xs'}
      variant={isSmall || isNarrow ? 'default' : 'filled'}
      className={classes['above'] ?? ''}
      loading={copy.isPending}
      onClick={begin}
      {...(isSmall && { 'aria-label': t(`copyNamed.${bot.copying}`, { name: bot.name }) })}
    >
      {t(isSmall ? 'copy' : `copyLong.${bot.copying}`)}
    </Button>
  );
}

const readingMs = 20_000;

/** What has come, and of its documents what has not, with the reason. */
function wordsOf({ name, knowledge }: CopiedBot, t: Translate<'explore'>): string {
  if (!knowledge) return t('copied', { name });
  const { documents, asText, left } = knowledge;
  return [
    t('copied', { name }),
    t('came.documents', { count: documents, shown: formatNumber(documents) }),
    ...(asText > 0 ? [t('came.asText', { count: asText, shown: formatNumber(asText) })] : []),
    ...stayReasons.flatMap((reason) =>
      left[reason] > 0 ? [t(`came.left.${reason}`, { count: left[reason], shown: formatNumber(left[reason]) })] : [],
    ),
  ].join(currentLocale() === 'ja' ? '' : ' ');
}
