import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import QrCode, { drawQrPng } from '../../ui/qr-code.tsx';
import classes from './line-channels.module.css';

/** By what people add the account: its address, and the same as a picture for whatever is printed. */
export function AddFriend({ basicId }: { basicId: string }) {
  const { t } = useTranslation('line-channels');
  // https://developers.line.biz/en/docs/messaging-api/using-line-url-scheme/#sharing-line-official-account
  const address = `https://line.me/R/ti/p/${encodeURIComponent(basicId)}`;
  const save = async () =>
    saveFile(await drawQrPng(address), { name: `${basicId.replace('@', '')}.png`, type: 'image/png' });
  return (
    <div className={classes['add']}>
      <CopyField
        label={t('add.title')}
        value={address}
        copyLabel={t('common:copy')}
        copiedLabel={t('common:copied')}
        quiet
      />
      <div>
        <QrCode value={address} label={t('add.code', { basicId })} size={132} />
        <Button variant="default" size="xs" leftSection={<IconDownload size={14} />} onClick={() => void save()}>
          {t('add.save')}
        </Button>
      </div>
    </div>
  );
}
