import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { PublicBot } from '../../../shared/contracts/explore.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay, useUser } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCopy, type CopiedWithDocuments } from './explore.queries.ts';
import classes from './explore.module.css';

const CopiedDialog = later(async () => (await import('./copied-dialog.tsx')).CopiedDialog);

/** The bot that somebody wanted to copy before they were signed in. */
const wantedKey = 'copy-wanted';

type Copied = Pick<PublicBot, 'uuid' | 'listing' | 'name' | 'copying'>;

/** Makes a bot of one's own of it, once that is confirmed; who is not signed in does that first, and comes back. */
export function useCopyBot(bot: Copied): { mayCopy: boolean; begin(): void; dialogs: ReactNode } {
  const { t } = useTranslation('explore');
  const navigate = useNavigate();
  const user = useUser();
  const mayEdit = useMay('edit');
  const [isAsked, setIsAsked] = useState(() => user !== undefined && sessionStorage.getItem(wantedKey) === bot.uuid);
  // They have signed in, or registered, and are asked once.
  useEffect(() => {
    if (isAsked) sessionStorage.removeItem(wantedKey);
  }, [isAsked]);
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
  const { copying } = bot;
  const dialogs = (
    <>
      {copying !== 'none' && (
        <ConfirmDialog
          opened={isAsked}
          title={t('copyAsk.title', { name: bot.name })}
          text={t(`copyAsk.${copying}`)}
          confirm={t('copy')}
          cancel={t('common:cancel')}
          loading={copy.isPending}
          isHarmless
          onConfirm={() =>
            copy.mutate(bot.listing, {
              onError: (error) => toast.error(errorText(error)),
              onSettled: () => setIsAsked(false),
            })
          }
          onClose={() => setIsAsked(false)}
        />
      )}
      {copied && <CopiedDialog bot={copied} onClose={close} onFail={close} />}
    </>
  );
  return {
    mayCopy: copying !== 'none' && (!user || mayEdit),
    begin() {
      if (user) setIsAsked(true);
      else {
        sessionStorage.setItem(wantedKey, bot.uuid);
        void navigate({ to: '/Login', search: { next: `/Bot/${bot.uuid}/Chat`, why: 'copy' } });
      }
    },
    dialogs,
  };
}

/** On a card, one of many on the screen. */
export function CopyBot({ bot }: { bot: Copied }) {
  const { t } = useTranslation('explore');
  const { mayCopy, begin, dialogs } = useCopyBot(bot);
  const { copying, name } = bot;
  if (!mayCopy || copying === 'none') return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        className={classes['above'] ?? ''}
        onClick={begin}
        aria-label={t(`copyNamed.${copying}`, { name })}
        title={t(`copyLong.${copying}`)}
      >
        {t('copy')}
      </Button>
      {dialogs}
    </>
  );
}
