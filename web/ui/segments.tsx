import type { ReactNode } from 'react';
import classes from './segments.module.css';

interface Props<Value extends string> {
  label: string;
  value: Value;
  /** With a picture, the label is only told. */
  options: { value: Value; label: string; icon?: ReactNode; lang?: string }[];
  /** On a phone it takes what is left of its line. */
  isWide?: boolean;
  onChange(value: NoInfer<Value>): void;
}

/** One of a few, all in sight. */
export function Segments<Value extends string>({ label, value, options, isWide, onChange }: Props<Value>) {
  return (
    <div role="group" aria-label={label} className={classes['segments']} data-wide={isWide || undefined}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          lang={option.lang}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          {...(option.icon && { 'aria-label': option.label, title: option.label })}
        >
          {option.icon ?? option.label}
        </button>
      ))}
    </div>
  );
}
