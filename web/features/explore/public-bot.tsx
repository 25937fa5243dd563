import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconShare2 } from '@tabler/icons-react';
import { useRef } from 'react';
import type { PublicBotPage } from '../../../shared/contracts/explore.ts';
import { pageRetentionDays } from '../../../shared/contracts/web-channels.ts';
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
  const chat = useRef<HTMLIFrameElement>(null);
  return (
    <div className={classes['bot']}>
      <PublicBotHead
        bot={bot}
        onMenu={() => chat.current?.contentDocument?.querySelector<HTMLElement>('header .menu > button')?.click()}
      />
      <iframe
        ref={chat}
        key={frame}
        className={classes['frame']}
        src={frame}
        title={t('chatWith', { name: bot.name })}
        onLoad={({ currentTarget }) => fit(currentTarget)}
        // It is our own page with what it needs as elsewhere; what it may not is to lead this page away.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
      />
      <PublicBotFoot bot={bot} />
    </div>
  );
}

/** Who it is and who has made it, with what belongs to the chat. */
export function PublicBotHead({ bot, onMenu }: { bot: PublicBotPage; onMenu(): void }) {
  const { t } = useTranslation('explore');
  const [isSharing, share] = useDisclosure();
  return (
    <>
      <header className={classes['head']}>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
        <h1 {...pageTitle}>{bot.name}</h1>
        <span className={classes['by']}>{t('by', { maker: bot.maker })}</span>
        {bot.summary.trim() !== bot.greeting.trim() && <p title={bot.summary}>{bot.summary}</p>}
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
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes['chatMenu'] ?? ''}
            aria-label={t('chatMenu')}
            // It keeps what has the focus, which would close an open menu before it is pressed.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onMenu}
          >
            <IconDots size={18} />
          </ActionIcon>
        </div>
      </header>
      {isSharing && <ShareDialog bot={bot} onClose={share.close} onFail={share.close} />}
    </>
  );
}

/** What becomes of a conversation, and what else can be done than to have one. */
export function PublicBotFoot({ bot }: { bot: PublicBotPage }) {
  const { t } = useTranslation('explore');
  const [isReporting, report] = useDisclosure();
  const { mayCopy, begin, dialogs } = useCopyBot(bot);
  return (
    <>
      <footer className={classes['under']}>
        <span>{t('keptFor', { count: pageRetentionDays })}</span>
        {mayCopy && bot.copying !== 'none' && (
          <button type="button" title={t(`copyLong.${bot.copying}`)} onClick={begin}>
            {t('copyFor')}
          </button>
        )}
        <button type="button" onClick={report.open} {...ReportDialog.reach}>
          {t('report.button')}
        </button>
      </footer>
      {dialogs}
      {isReporting && <ReportDialog bot={bot} onClose={report.close} onFail={report.close} />}
    </>
  );
}

/** The chat of such a page hides who the bot is, and its menu is opened from the page's head. While a person is asked for or answers, it says so in a line. */
const underHead = `
  main { position: relative; }
  main > header { min-height: 40px; padding-block: 0; border-bottom: 1px solid var(--line); }
  main > header > .face.face { display: block; width: 24px; height: 24px; }
  header .menu { position: absolute; z-index: 3; inset-block-start: -32px; inset-inline-end: 8px; }
  header .bare { visibility: hidden; }
  main:not(:has(:is([data-state='staff'], [data-state='waiting']))) > header {
    position: absolute; inset-inline: 0; min-height: 0; padding: 0; border: 0;
    > .face.face { display: none; }
    > div:nth-of-type(1) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
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
  // Its menu is left by a press on the page around it, too.
  view.addEventListener('blur', () =>
    contentDocument.querySelector<HTMLElement>('header .menu > [aria-expanded=true]')?.click(),
  );
}
