import { Button, Popover } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-menus.module.css';

/** In place of the way to LINE, where LINE has all of it; on a phone, a tap says so. */
export function NothingToPublish({ isWide, children }: { isWide: boolean; children: ReactNode }) {
  const { t } = useTranslation('line-menus');
  const [isOpen, setIsOpen] = useState(false);
  if (isWide)
    return (
      <>
        <span className={classes['quiet']}>{t('editor.nothingToPublish')}</span>
        <Button disabled>{children}</Button>
      </>
    );
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" shadow="md">
      <Popover.Target>
        <Button data-disabled aria-disabled onClick={() => setIsOpen(!isOpen)}>
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <span role="status">{t('editor.nothingToPublish')}</span>
      </Popover.Dropdown>
    </Popover>
  );
}
