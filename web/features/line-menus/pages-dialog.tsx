import { Button, Group } from '@mantine/core';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import classes from './line-menus.module.css';
import { Thumbnail } from './thumbnail.tsx';

interface Props {
  /** The one that is published, and those that its tabs lead to. */
  pages: RichMenu[];
  isBusy: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** What friends will see once a menu with tabs is published. */
export function PagesDialog({ pages, isBusy, onConfirm, onClose }: Props) {
  const { t } = useTranslation('line-menus');
  return (
    <Modal opened onClose={onClose} title={t('pages.title', { count: pages.length })} centered>
      <p className={classes['leftText']}>{t('pages.text')}</p>
      <ul className={classes['pages']}>
        {pages.map((page, at) => (
          <li key={page.uuid}>
            <Thumbnail menu={page} />
            <b>{page.menu.name}</b>
            <small>{t(at > 0 && page.published ? 'pages.stays' : 'pages.goes')}</small>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common:cancel')}
        </Button>
        <Button onClick={onConfirm} loading={isBusy}>
          {t('menu.publish')}
        </Button>
      </Group>
    </Modal>
  );
}
