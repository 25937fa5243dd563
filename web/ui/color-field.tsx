import { TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from './color-field.module.css';

interface Props {
  label: string;
  value: string;
  /** What the browser's own picker is called, and what is said of a number that is none. */
  words: { pick: string; form: string };
  /** Colors to begin with, as `#rrggbb`. */
  presets?: { color: string; name: string }[];
  /** How it is read where it is used. */
  note?: ReactNode;
  error?: string | undefined;
  onChange(color: string): void;
}

const complete = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** A color by eye, by its number, or one of those that are offered. */
export function ColorField({ label, value, words, presets = [], note, error, onChange }: Props) {
  // While it is written it need not be one.
  const [written, setWritten] = useState<string>();
  const isWrong = written !== undefined && !complete.test(written.trim());
  const write = (text: string) => {
    setWritten(text);
    const digits = complete.exec(text.trim())?.[1]?.toLowerCase();
    if (digits) onChange(`#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`);
  };
  return (
    <div>
      <TextInput
        label={label}
        value={written ?? value.toUpperCase()}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={() => setWritten(undefined)}
        maxLength={9}
        maw={280}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        leftSection={
          <input
            type="color"
            className={classes['pick']}
            aria-label={words.pick}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        }
        leftSectionPointerEvents="all"
        error={isWrong ? words.form : error}
      />
      {presets.length > 0 && (
        <div className={classes['presets']} role="group" aria-label={label}>
          {presets.map(({ color, name }) => (
            <button
              key={color}
              type="button"
              title={name}
              aria-label={name}
              aria-pressed={color === value.toLowerCase()}
              style={{ background: color }}
              onClick={() => onChange(color)}
            />
          ))}
        </div>
      )}
      {note && (
        <p className={classes['note']} role="status">
          {note}
        </p>
      )}
    </div>
  );
}
