import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconDots, IconFlag, IconShare2 } from '@tabler/icons-react';
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
  const [isSharing, share] = useDisclosure();
  const [isReporting, report] = useDisclosure();
  const { mayCopy, begin, dialogs } = useCopyBot(bot);
  useTitle(bot.name);
  const frame = `/Bot/${bot.uuid}/chat_embed?${new URLSearchParams({ channel: bot.channel, language: currentLocale() }).toString()}`;
  return (
    <div className={classes['bot']}>
      <header className={classes['head']}>
        <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={40} />
        <div>
          <h1 {...pageTitle}>{bot.name}</h1>
          <p>
            {bot.summary} <span className={classes['by']}>{t('by', { maker: bot.maker })}</span>
          </p>
        </div>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('common:menuOf', { name: bot.name })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconShare2 size={16} />} onClick={share.open} {...ShareDialog.reach}>
              {t('share.button')}
            </Menu.Item>
            {mayCopy && bot.copying !== 'none' && (
              <Menu.Item leftSection={<IconCopy size={16} />} onClick={begin}>
                {t(`copyLong.${bot.copying}`)}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconFlag size={16} />} onClick={report.open} {...ReportDialog.reach}>
              {t('report.button')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </header>
      <iframe
        key={frame}
        className={classes['frame']}
        src={frame}
        title={t('chatWith', { name: bot.name })}
        onLoad={({ currentTarget }) => lendTypeface(currentTarget)}
        // It is our own page with what it needs as elsewhere; what it may not is to lead this page away.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
      />
      {dialogs}
      {isSharing && <ShareDialog bot={bot} onClose={share.close} onFail={share.close} />}
      {isReporting && <ReportDialog bot={bot} onClose={report.close} onFail={report.close} />}
    </div>
  );
}

/** The chat names this typeface first and brings none along, since it stands on the sites of others. */
function lendTypeface({ contentDocument }: HTMLIFrameElement): void {
  const view = contentDocument?.defaultView;
  if (view) contentDocument.fonts.add(new view.FontFace('Inter', `url(${inter})`, { weight: '100 900' }));
}
