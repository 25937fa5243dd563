import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import classes from './line-menus.module.css';

interface Props {
  title: string;
  /** What stands in the chat. */
  children: ReactNode;
  chat?: Ref<HTMLDivElement>;
  /** The menu, while it is open. */
  menu: ReactNode;
  bar: string;
  isOpen: boolean;
  /** A phone that is only looked at has none. */
  onBar?: () => void;
}

/** A phone with a chat of LINE and the menu at its foot. */
export function Phone({ title, children, chat, menu, bar, isOpen, onBar }: Props) {
  const said = (
    <>
      {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronUp size={14} aria-hidden />}
      <span>{bar}</span>
    </>
  );
  return (
    <div className={classes['phone']}>
      <p>{title}</p>
      <div ref={chat} className={classes['chat']}>
        {children}
      </div>
      {isOpen && menu}
      {onBar ? (
        <button type="button" className={classes['bar']} aria-expanded={isOpen} onClick={onBar}>
          {said}
        </button>
      ) : (
        <span className={classes['bar']}>{said}</span>
      )}
    </div>
  );
}
