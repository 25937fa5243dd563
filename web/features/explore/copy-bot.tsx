import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PublicBot } from '../../../shared/contracts/explore.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay, useUser } from '../../lib/session.ts';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCopy, type CopiedWithDocuments } from './explore.queries.ts';
import classes from './explore.module.css';

const CopiedDialog = later(async () => (await import('./copied-dialog.tsx')).CopiedDialog);

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
  const [copied, setCopied] = useState<CopiedWithDocuments>();
  const copy = useCopy((made) => {
    // What came along and what did not is more than a toast can say.
    if (made.knowledge) return setCopied({ ...made, knowledge: made.knowledge });
    toast.success(t('copied', { name: made.name }));
    void navigate({ to: '/Bot/$id', params: { id: made.uuid } });
  });
  const close = () => {
    setCopied(undefined);
    copy.tell();
  };
  if (bot.copying === 'none' || (user && !mayEdit)) return null;
  const begin = () => {
    if (!user) return void navigate({ to: '/Login', search: { next: `/Bot/${bot.uuid}/Chat` } });
    copy.mutate(bot.listing, { onError: (error) => toast.error(error.message) });
  };
  return (
    <>
      <Button
        size={isSmall ? 'compact-sm' : 'xs'}
        variant={isSmall || isNarrow ? 'subtle' : 'filled'}
        {...((isSmall || isNarrow) && { color: 'gray' })}
        className={classes['above'] ?? ''}
        loading={copy.isPending}
        {...(!isSmall && { leftSection: <IconCopy size={14} aria-hidden /> })}
        onClick={begin}
        {...(bot.copying === 'knowledge' && CopiedDialog.reach)}
        {...(isSmall && { 'aria-label': t(`copyNamed.${bot.copying}`, { name: bot.name }) })}
      >
        {t(isSmall && bot.copying === 'settings' ? 'copy' : `copyLong.${bot.copying}`)}
      </Button>
      {copied && <CopiedDialog bot={copied} onClose={close} onFail={close} />}
    </>
  );
}
