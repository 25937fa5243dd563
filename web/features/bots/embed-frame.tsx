import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import classes from './bots.module.css';

/** The page that visitors have the bot on, with the look of a website's channel where there is one. */
export function EmbedFrame({ bot, channel }: { bot: { uuid: string; name: string }; channel?: string | undefined }) {
  const { t } = useTranslation('bots');
  const search = new URLSearchParams({ language: currentLocale(), ...(channel && { channel, preview: '1' }) });
  const page = `/Bot/${bot.uuid}/chat_embed?${search}`;
  return (
    <iframe
      key={page}
      className={classes['embed']}
      src={page}
      title={t('embed.frame', { name: bot.name })}
      // It is our own page with what it needs as elsewhere; what it may not is to lead this page away.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
    />
  );
}
