import { Anchor, Button } from '@mantine/core';
import { IconDownload, IconLink, IconLock, IconShare2, IconUsers, IconWorld } from '@tabler/icons-react';
import type { Visibility } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import QrCode, { drawQrPng } from '../../ui/qr-code.tsx';
import { toast } from '../../ui/toast.tsx';
import classes from './published.module.css';

const icons = { private: IconLock, workspace: IconUsers, link: IconLink, public: IconWorld };

interface Props {
  name: string;
  address: string;
  visibility: Visibility | undefined;
  onChangeWho(): void;
}

/** Its address with who can open it, to be copied, sent or printed. */
export function PublishedLink({ name, address, visibility, onChangeWho }: Props) {
  const { t } = useTranslation('bots-publish');
  const Icon = visibility && icons[visibility];
  const download = () =>
    drawQrPng(address).then(
      (bytes) => saveFile(bytes, { name: `${name.replace(/[\\/:*?"<>|]/g, '-')}.png`, type: 'image/png' }),
      (error: Error) => toast.error(error.message),
    );
  return (
    <section aria-label={t('link')}>
      <p className={classes['who']}>
        {Icon && (
          <>
            <Icon size={16} stroke={1.75} aria-hidden />
            <span>
              {t(`who.${visibility}`)}{' '}
              <Anchor component="button" type="button" inherit underline="always" onClick={onChangeWho}>
                {t('change')}
              </Anchor>
            </span>
          </>
        )}
      </p>
      <p className={classes['address']} translate="no">
        {address}
      </p>
      <div className={classes['take']}>
        <QrCode value={address} label={t('code')} size={112} />
        <div>
          <CopyText value={address} copyLabel={t('common:copy')} copiedLabel={t('common:copied')} quiet />
          {'share' in navigator && (
            <Button
              variant="default"
              leftSection={<IconShare2 size={16} />}
              // Whoever closes the list of apps has changed their mind.
              onClick={() => void navigator.share({ title: name, url: address }).catch(() => {})}
            >
              {t('shareLink')}
            </Button>
          )}
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void download()}>
            {t('download')}
          </Button>
        </div>
      </div>
    </section>
  );
}
