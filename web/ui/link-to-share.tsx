import { Button } from '@mantine/core';
import { IconDownload, IconShare2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyText } from './copy-text.tsx';
import classes from './link-to-share.module.css';
import QrCode, { drawQrPng } from './qr-code.tsx';
import { toast } from './toast.tsx';

interface Props {
  /** Of what it leads to. */
  name: string;
  address: string;
  labels: { code: string; send: string; download: string };
  onDownload(png: ArrayBuffer): void;
}

/** An address to be copied, sent or printed: all of it is seen, however long it is. */
export function LinkToShare({ name, address, labels, onDownload }: Props) {
  const { t } = useTranslation('common');
  return (
    <div>
      <p className={classes['address']} translate="no">
        {address}
      </p>
      <div className={classes['take']}>
        <QrCode value={address} label={labels.code} size={112} />
        <div>
          <CopyText value={address} copyLabel={t('copy')} copiedLabel={t('copied')} quiet />
          {'share' in navigator && (
            <Button
              variant="default"
              leftSection={<IconShare2 size={16} />}
              // Whoever closes the list of apps has changed their mind.
              onClick={() => void navigator.share({ title: name, url: address }).catch(() => {})}
            >
              {labels.send}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => void drawQrPng(address).then(onDownload, () => toast.error(t('failed.title')))}
          >
            {labels.download}
          </Button>
        </div>
      </div>
    </div>
  );
}
