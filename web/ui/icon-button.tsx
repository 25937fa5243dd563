import type { ComponentProps, ReactNode } from 'react';
import classes from './icon-button.module.css';

interface Props extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  label: string;
  /** Shown beside the icon, too. */
  withLabel?: boolean;
  children?: ReactNode;
}

/** A quiet button for what is repeated many times on a screen: no more than the element itself, which a long list can afford. */
export function IconButton({ label, withLabel = false, children, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={`${classes['button']} ${className ?? ''}`}
      {...(!withLabel && { 'aria-label': label, title: label })}
    >
      {children}
      {withLabel && label}
    </button>
  );
}
