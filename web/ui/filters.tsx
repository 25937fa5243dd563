import { Button } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './filters.module.css';

interface Props {
  label: string;
  /** How many are set. */
  count: number;
  children: ReactNode;
}

/** The filters of a list in a line; on a phone behind one button, which tells how many are set. */
export function Filters({ label, count, children }: Props) {
  const { t } = useTranslation('common');
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        className={classes['button'] ?? ''}
        variant="default"
        aria-label={count > 0 ? t('filtersSet', { set: String(count) }) : t('filters')}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconFilter size={18} aria-hidden />
        {count > 0 && <span className={classes['count']}>{count}</span>}
      </Button>
      <div id={id} role="group" aria-label={label} className={classes['filters']} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  );
}
