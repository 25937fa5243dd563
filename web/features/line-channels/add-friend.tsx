import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { LinkToShare } from '../../ui/link-to-share.tsx';
import classes from './line-channels.module.css';

/** By what people add the account: its address, and the same as a picture for whatever is printed. */
export function AddFriend({ basicId }: { basicId: string }) {
  const { t } = useTranslation('line-channels');
  // https://developers.line.biz/en/docs/messaging-api/using-line-url-scheme/#sharing-line-official-account
  const address = `https://line.me/R/ti/p/${encodeURIComponent(basicId)}`;
  return (
    <div className={classes['add']}>
      <b>{t('add.title')}</b>
      <LinkToShare
        name={basicId}
        address={address}
        labels={{ code: t('add.code', { basicId }), send: t('add.send'), download: t('add.save') }}
        onDownload={(png) => saveFile(png, { name: `${basicId.replace('@', '')}.png`, type: 'image/png' })}
      />
    </div>
  );
}
