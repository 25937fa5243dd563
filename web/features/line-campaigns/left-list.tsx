import { Popover } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-campaigns.module.css';

/** Something that is to be done before it can be sent, and the part of the form in which it is done. */
export interface Left {
  text: string;
  place: 'message' | 'audience' | 'time' | 'links';
  bubble?: number | null;
}

interface Props {
  left: Left[];
  isOpen: boolean;
  isWide: boolean;
  onOpen(isOpen: boolean): void;
  onMend(left: Left): void;
}

/** How much is left to do, behind which each thing leads to where it is done. */
export function LeftList({ left, isOpen, isWide, onOpen, onMend }: Props) {
  const { t } = useTranslation('line-campaigns');
  const [only] = left;
  if (!only) return null;
  // What is said above the form is not said again.
  if (left.length === 1 && only.bubble === undefined)
    return (
      <button type="button" className={classes['left']} onClick={() => onMend(only)}>
        {only.text}
        <IconChevronRight size={14} aria-hidden />
      </button>
    );
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      position={isWide ? 'bottom-end' : 'bottom'}
      width={isWide ? 320 : 'target'}
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <button type="button" className={classes['left']} onClick={() => onOpen(!isOpen)}>
          {t('editor.left', { count: left.length })}
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t('editor.toDo')}>
        <ul className={classes['toDo']}>
          {left.map((each) => (
            <li key={each.text}>
              <button type="button" onClick={() => onMend(each)}>
                {each.text}
                <IconChevronRight size={16} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
