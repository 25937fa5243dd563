import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { encode } from 'uqr';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import QrCode from '../../ui/qr-code.tsx';
import classes from './line-channels.module.css';

/** By what people add the account: its address, and the same as a picture for whatever is printed. */
export function AddFriend({ basicId }: { basicId: string }) {
  const { t } = useTranslation('line-channels');
  // https://developers.line.biz/en/docs/messaging-api/using-line-url-scheme/#sharing-line-official-account
  const address = `https://line.me/R/ti/p/${encodeURIComponent(basicId)}`;
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
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} />}
          onClick={() => void savePng(address, `${basicId.replace('@', '')}.png`)}
        >
          {t('add.save')}
        </Button>
      </div>
    </div>
  );
}

/** About a thousand pixels wide, which is enough for a poster. */
async function savePng(address: string, name: string): Promise<void> {
  const { data, size } = encode(address, { ecc: 'M', border: 4 });
  const scale = Math.ceil(1000 / size);
  const canvas = new OffscreenCanvas(size * scale, size * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  data.forEach((row, y) => row.forEach((isDark, x) => isDark && context.fillRect(x * scale, y * scale, scale, scale)));
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  saveFile(await blob.arrayBuffer(), { name, type: 'image/png' });
}
