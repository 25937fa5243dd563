import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShare2 } from '@tabler/icons-react';
import type { PublicBotPage } from '../../../shared/contracts/explore.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { later } from '../../ui/later.tsx';
import { pageTitle } from '../../ui/page-title.ts';
import { useCopyBot } from './copy-bot.tsx';
import classes from './explore.module.css';

const ShareDialog = later(async () => (await import('./share-dialog.tsx')).ShareDialog);
const ReportDialog = later(async () => (await import('./report-dialog.tsx')).ReportDialog);

/** A bot as anybody meets it: who it is, and below it the chat that visitors of websites have. */
export function PublicBot({ bot }: { bot: PublicBotPage }) {
  const { t } = useTranslation('explore');
  useTitle(bot.name);
  const frame = `/Bot/${bot.uuid}/chat_embed?${new URLSearchParams({ channel: bot.channel, language: currentLocale() }).toString()}`;
  return (
    <div className={classes['bot']}>
      <PublicBotHead bot={bot} />
      <iframe
        key={frame}
        className={classes['frame']}
        src={frame}
        title={t('chatWith', { name: bot.name })}
        onLoad={({ currentTarget }) => fit(currentTarget)}
        // It is our own page with what it needs as elsewhere; what it may not is to lead this page away.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
      />
    </div>
  );
}

/** Who it is and who has made it, and what else can be done than to ask it. */
export function PublicBotHead({ bot }: { bot: PublicBotPage }) {
  const { t } = useTranslation('explore');
  const [isSharing, share] = useDisclosure();
  const [isReporting, report] = useDisclosure();
  const { mayCopy, begin, dialogs } = useCopyBot(bot);
  return (
    <>
      <header className={classes['head']}>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
        <h1 {...pageTitle}>{bot.name}</h1>
        {bot.summary.trim() !== bot.greeting.trim() && <p title={bot.summary}>{bot.summary}</p>}
        <div className={classes['by']}>
          <span>{t('by', { maker: bot.maker })}</span>
          {t('common:dot')}
          {mayCopy && bot.copying !== 'none' && (
            <>
              <button type="button" aria-label={t(`copyLong.${bot.copying}`)} onClick={begin}>
                {t('copy')}
              </button>
              {t('common:dot')}
            </>
          )}
          <button type="button" onClick={report.open} {...ReportDialog.reach}>
            {t('report.button')}
          </button>
        </div>
        <div className={classes['actions']}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconShare2 size={16} aria-hidden />}
            onClick={share.open}
            {...ShareDialog.reach}
          >
            <span>{t('share.button')}</span>
          </Button>
        </div>
      </header>
      {dialogs}
      {isSharing && <ShareDialog bot={bot} onClose={share.close} onFail={share.close} />}
      {isReporting && <ReportDialog bot={bot} onClose={report.close} onFail={report.close} />}
    </>
  );
}

/**
 * The chat of such a page hides who the bot is. A person who answers has a line above it; otherwise only its menu is seen, at
 * the upper end of the conversation, whose bubbles leave it the place, or beside it where there is room.
 */
const underHead = `
  main { position: relative; }
  main > header { min-height: 44px; padding-block: 0; padding-inline-end: 4px; border-bottom: 1px solid var(--line); }
  main > header > .face.face { display: block; width: 24px; height: 24px; }
  header .bare { width: 40px; height: 40px; color: var(--ink); }
  header .icon { stroke-width: 2.5; }
  main:not(:has([data-state='staff'])) {
    > header { position: absolute; z-index: 3; inset-block-start: 10px; inset-inline-end: 0; padding: 0; border: 0; }
    > header > .face.face { display: none; }
    > header > div:nth-of-type(1) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  }
  @media (pointer: coarse) {
    header .bare { width: 44px; height: 44px; }
  }
  @media (min-width: 840px) {
    main:not(:has([data-state='staff'])) > header { inset-inline-end: -40px; }
  }
  @media (max-width: 839px) {
    main:not(:has([data-state='staff'])) {
      .menu ul { inset-inline-end: 8px; }
      .log { padding-inline-end: 44px; }
      .said { max-width: 100%; }
      .said:not([data-who='assistant']) { max-width: 90%; }
    }
  }
`;

/** The chat names a typeface first that it does not bring along, since it stands on the sites of others. */
function fit({ contentDocument }: HTMLIFrameElement): void {
  const view = contentDocument?.defaultView;
  if (!view) return;
  contentDocument.fonts.add(new view.FontFace('Inter', `url(${inter})`, { weight: '100 900' }));
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(underHead);
  contentDocument.adoptedStyleSheets = [...contentDocument.adoptedStyleSheets, sheet];
}
