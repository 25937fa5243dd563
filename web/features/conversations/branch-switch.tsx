import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Message } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './conversations.module.css';

/** ‹ 2 / 3 ›: which of the messages at this place is shown. */
export function BranchSwitch({
  message,
  disabled,
  onShow,
}: {
  message: Message;
  disabled: boolean;
  onShow(message: string): void;
}) {
  const { t } = useTranslation('conversations');
  const { siblings, uuid } = message;
  const at = siblings.indexOf(uuid);
  const go = (to: number) => siblings[to] && onShow(siblings[to]);
  return (
    <div className={classes['branches']} role="group" aria-label={t('branch.label')}>
      <IconButton label={t('branch.previous')} disabled={disabled || at <= 0} onClick={() => go(at - 1)}>
        <IconChevronLeft size={15} />
      </IconButton>
      <span>{t('branch.of', { number: at + 1, count: siblings.length })}</span>
      <IconButton label={t('branch.next')} disabled={disabled || at >= siblings.length - 1} onClick={() => go(at + 1)}>
        <IconChevronRight size={15} />
      </IconButton>
    </div>
  );
}
